//! Finds rule sets by the names in requests, and deals by the deal numbers in requests. Checks the form of ids in requests.

use std::sync::Arc;

use overmate_rules::{Dealt, RuleSet};

use crate::error::ApiError;

/// Returns the rule set with the given name, or an error for the client.
pub(crate) fn rule_set(name: &str) -> Result<Arc<RuleSet>, ApiError> {
    overmate_json::rule_set(name).map_err(ApiError::bad_request)
}

/// Parses a deal number, and returns the deal with this number under a rule set, or an error for the client.
pub(super) fn numbered_deal(rules: &Arc<RuleSet>, text: &str) -> Result<Dealt, ApiError> {
    overmate_json::numbered_deal(rules, text).map_err(ApiError::bad_request)
}

/// Returns whether a string has the form of a match id or offer id: the right number of hexadecimal digits.
pub(super) fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
