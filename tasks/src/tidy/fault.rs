//! Defines the type for a breach of a project rule.

/// Breach of a project rule: a line number in a file, with a description of the breach.
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
