//! Parses the rule set names and the deal numbers of requests, with errors that name the remedy.

use std::num::{IntErrorKind, ParseIntError};
use std::sync::Arc;

use overmate_rules::{Deal, Dealt, RuleSet, error_with_causes};

/// Maximum length, in characters, of the name of a rule set in a request. A name may repeat variations, so that only this limit bounds
/// its length.
const NAME: usize = 200;

/// Returns the rule set with the given name.
///
/// # Errors
///
/// Returns a text for the person who sent the name if the name is too long or unknown.
pub fn rule_set(name: &str) -> Result<Arc<RuleSet>, String> {
    if name.chars().count() > NAME {
        return Err(format!(
            "the name of the rule set is too long: give at most {NAME} characters"
        ));
    }
    RuleSet::named(name).map(RuleSet::shared).map_err(|error| error_with_causes(&error))
}

/// Returns the deal of a rule set with a given deal number, which is a decimal string.
///
/// # Errors
///
/// Returns a text for the person who sent the deal number if `text` is not a whole number, or if the rule set
/// has no deal with this number.
pub fn numbered_deal(rules: &Arc<RuleSet>, text: &str) -> Result<Dealt, String> {
    let number: u64 = text.trim().parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => {
            let last = Dealt::count(rules) - 1;
            format!("there is no deal {text}: deal numbers go from 0 to {last}")
        }
        _ => format!(
            "the deal number `{text}` is not a whole number: give digits only, such as 20010"
        ),
    })?;
    Deal::numbered(rules, number).map_err(|error| error_with_causes(&error))
}
