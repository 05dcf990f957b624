//! Defines two kinds of personal data in the store: requests for new matches, and acts of operators.

/// Entry in the operators' log: an act with its time, target and reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorAct {
    /// Time of the operator's act, as RFC 3339 text in UTC.
    pub at: String,
    /// Kind of the operator's act: `rename`, `end`, `revoke`, `erase`, `warn`, `mute`, `unmute`, `close`, `reopen` or `settle`.
    pub act: String,
    /// Target of the operator's act: a match, a player of a match, or a browser.
    pub target: String,
    /// Reason that the operator gave for the act.
    pub reason: String,
    /// Number of matches that the act changed or removed, or `None` if the act was interrupted.
    pub matches: Option<u64>,
}

/// A person's requests for new matches, each with match id and client id, and the acts of operators against the person.
#[derive(Default)]
pub(crate) struct Traces {
    pub(crate) requests: Vec<(String, String)>,
    pub(crate) acts: Vec<OperatorAct>,
}
