//! Fuzzes the parser of deals. A valid deal must have one deal number, and must stay equal after it is written and parsed again.

use overmate_rules::Deal;

use crate::input::rules_and_text;

// The first character of the input selects the rule set.
const RULE_SETS: [&str; 4] = ["sackson", "rael+double", "pagat+pinochle", "bga+double"];

/// Runs the fuzz target `deal` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    let Some((rules, text)) = rules_and_text(data, &RULE_SETS) else { return };
    let rules = rules.shared();

    let dealt = match text.trim().parse() {
        Ok(number) => Deal::numbered(&rules, number),
        Err(_) => match rules.read_deal(text) {
            Ok(deal) => deal.validate(&rules),
            Err(_) => return,
        },
    };
    match dealt {
        Ok(dealt) => {
            let written = dealt.to_string();
            let read = rules.read_deal(&written).expect("written text can be read");
            assert_eq!(read.validate(&rules).as_ref(), Ok(&dealt));
            assert_eq!(Deal::numbered(&rules, dealt.number()), Ok(dealt));
        }
        Err(faults) => assert!(!faults.0.is_empty() && !faults.to_string().is_empty()),
    }
}
