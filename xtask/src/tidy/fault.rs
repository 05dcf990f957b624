//! Defines the type that describes a line of a file that breaks a project rule.

/// Line of a file that breaks a project rule, with a description of the rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RuleBreach {
    pub(super) line: usize,
    pub(super) what: String,
}

impl RuleBreach {
    pub(super) fn new(line: usize, what: impl Into<String>) -> Self {
        Self { line, what: what.into() }
    }
}
