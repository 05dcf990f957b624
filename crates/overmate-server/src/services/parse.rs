//! Parses rule sets and deals in requests.

use std::sync::Arc;

use overmate_rules::{Deal, Dealt, RuleSet};

use crate::error::ApiError;

/// Returns the rule set with the given name, or an error for the client.
pub(crate) fn rule_set(name: &str) -> Result<Arc<RuleSet>, ApiError> {
    // A name may repeat variations, so that its length must be limited.
    if name.len() > 200 {
        return Err(ApiError::bad_request(
            "the name of the rule set is too long: give at most 200 characters",
        ));
    }
    RuleSet::named(name).map(RuleSet::shared).map_err(ApiError::bad_request)
}

/// Returns the deal with a number (given as text) under a rule set, or an error for the client.
pub(super) fn numbered_deal(rules: &Arc<RuleSet>, text: &str) -> Result<Dealt, ApiError> {
    let number = text.trim().parse::<u64>();
    let number = number.map_err(|_| {
        ApiError::bad_request(format!(
            "the deal number `{text}` is not a whole number: give digits only, such as 20010"
        ))
    })?;
    Deal::numbered(rules, number).map_err(ApiError::bad_request)
}
