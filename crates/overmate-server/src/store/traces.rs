//! Defines two kinds of personal data in the store: requests for new matches, and measures of operators.

/// Entry in the operators' log: a measure with its time, target and reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorAct {
    /// Time of the operator's moderation measure, as RFC 3339 text in UTC.
    pub at: String,
    /// Kind of the operator's measure: `rename`, `end`, `revoke`, `erase`, `warn`, `mute`, `close`, `reopen` or `settle`.
    pub act: String,
    /// Target of the operator's measure: a match, a player of a match, or a browser.
    pub target: String,
    /// Reason that the operator gave for the measure.
    pub reason: String,
    /// Number of matches that the measure changed or removed, or `None` if the measure was interrupted.
    pub matches: Option<u64>,
}

/// A person's requests for new matches, each with match id and client id, and the measures of operators against the person.
#[derive(Default)]
pub(crate) struct Traces {
    pub(crate) requests: Vec<(String, String)>,
    pub(crate) acts: Vec<OperatorAct>,
}
