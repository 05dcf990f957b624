//! Parses rule sets and deals in requests.

use std::sync::Arc;

use overmate_rules::{Dealt, RuleSet};

use crate::error::ApiError;

/// Returns the rule set with the given name, or an error for the client.
pub(crate) fn rule_set(name: &str) -> Result<Arc<RuleSet>, ApiError> {
    overmate_json::rule_set(name).map_err(ApiError::bad_request)
}

/// Returns the deal with the given number (as text) under a rule set, or an error for the client.
pub(super) fn numbered_deal(rules: &Arc<RuleSet>, text: &str) -> Result<Dealt, ApiError> {
    overmate_json::numbered_deal(rules, text).map_err(ApiError::bad_request)
}
