//! Defines the data that the store keeps about a person besides matches, attempts and browsers.

/// Entry in the operators' log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorAct {
    /// Time of the act in UTC, as RFC 3339 text.
    pub at: String,
    /// Name of the act: `rename`, `end`, `revoke` or `erase`.
    pub act: String,
    /// Match, player of a match, or browser that the act concerns.
    pub target: String,
    /// Reason that the operator gave.
    pub reason: String,
    /// Number of changed or removed matches, or `None` if the act was interrupted.
    pub matches: Option<u64>,
}

/// Requests of a person for new matches, as pairs of match id and client id, and operators' acts on the person.
#[derive(Default)]
pub(crate) struct Traces {
    pub(crate) requests: Vec<(String, String)>,
    pub(crate) acts: Vec<OperatorAct>,
}
