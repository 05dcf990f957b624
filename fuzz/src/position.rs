//! Fuzzes the parser of positions. A valid position must be writable and parsable again, and play from the position must reach the end of a
//! game.

use overmate_rules::PositionSetup;

use crate::input::rules_and_text;

// The first character of the input selects the rule set.
const RULE_SETS: [&str; 5] = [
    "sackson",
    "rael+double+figure-privilege",
    "denexa+pinochle+free-move",
    "bga+double+free-move+kings-privilege",
    "pagat+no-foreplacing",
];

/// Runs the fuzz target `position` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    let Some((rules, text)) = rules_and_text(data, &RULE_SETS) else { return };
    let rules = rules.shared();

    let Ok(setup) = rules.read_position(text) else { return };
    let mut position = match setup.validate(&rules) {
        Ok(position) => position,
        Err(faults) => {
            assert!(!faults.0.is_empty() && !faults.to_string().is_empty());
            return;
        }
    };
    // The bytes of the fuzz input select the actions that are played.
    let mut picks = text.bytes().map(usize::from).cycle();
    let mut actions = 0;
    loop {
        let written = position.to_string();
        let read = rules.read_position(&written).expect("written text can be read");
        assert_eq!(read, PositionSetup::of(&position));
        assert_eq!(read.validate(&rules).as_ref(), Ok(&position));
        let legal: Vec<_> = position.legal_actions().collect();
        assert_eq!(legal.is_empty(), position.outcome().is_some(), "{written}");
        if legal.is_empty() {
            break;
        }
        let pick = picks.next().unwrap_or_default();
        position = position.play(legal[pick % legal.len()]).expect("the action is legal");
        actions += 1;
        assert!(actions <= 2 + rules.deck().cards().len(), "every game ends");
    }
}
