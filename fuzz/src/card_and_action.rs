//! Fuzzes the parser of cards and actions. Each parsed value must stay equal after it is written and parsed again.

use crate::input::rules_and_text;

// The first character of the input selects the rule set.
const RULE_SETS: [&str; 4] =
    ["sackson", "rael+double+kings-privilege", "pagat+pinochle+free-move", "bga+double"];

/// Runs the fuzz target `card_and_action` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    let Some((rules, text)) = rules_and_text(data, &RULE_SETS) else { return };

    if let Ok(card) = rules.deck().read_card(text) {
        let written = rules.deck().card_text(card).to_string();
        assert_eq!(rules.deck().read_card(&written), Ok(card));
    }
    if let Ok(action) = rules.read_action(text) {
        let written = rules.action_text(action).to_string();
        assert_eq!(rules.read_action(&written), Ok(action));
        assert_eq!(
            rules.read_actions(text),
            Ok(vec![action]),
            "the text of one action reads as a list of one action"
        );
    }
    match rules.read_actions(text) {
        Ok(actions) => {
            let written: Vec<String> =
                actions.iter().map(|action| rules.action_text(*action).to_string()).collect();
            assert_eq!(rules.read_actions(&written.join(" ")), Ok(actions));
        }
        Err(error) => {
            let line = text
                .split('\n')
                .nth(error.place.line - 1)
                .expect("the error names an existing line");
            assert!(error.place.column <= line.chars().count() + 1, "{error}");
        }
    }
}
