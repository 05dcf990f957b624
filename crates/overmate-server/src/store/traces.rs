//! Defines two kinds of personal data in the store: requests for new matches, and the measures of operators.

/// Entry in the operators' log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorAct {
    /// Time of the measure in UTC, as RFC 3339 text.
    pub at: String,
    /// Kind of the measure, one of nine texts: `rename`, `end`, `revoke`, `erase`, `warn`, `mute`, `close`, `reopen` or `settle`.
    pub act: String,
    /// Target of the measure: a match, a player of a match, or a browser.
    pub target: String,
    /// Operator's reason for the measure.
    pub reason: String,
    /// Number of changed or removed matches, or `None` if the measure was interrupted.
    pub matches: Option<u64>,
}

/// Requests of a person for new matches as pairs of match id and client id, and the measures of operators against the person.
#[derive(Default)]
pub(crate) struct Traces {
    pub(crate) requests: Vec<(String, String)>,
    pub(crate) acts: Vec<OperatorAct>,
}
