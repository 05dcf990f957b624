//! Defines two kinds of personal data in the store: requests for new matches, and operators' acts, such as a mute.

/// Entry in the operators' log: an operator's act, such as a mute, with its time, target and reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorAct {
    /// Time of the operator's act, as RFC 3339 text in UTC.
    pub at: String,
    /// Kind of the operator's act (`rename`, `end`, `revoke`, `erase`, `warn`, `mute`, `unmute`, `close`, `reopen` or `settle`).
    pub act: String,
    /// Target of the operator's act: a match, a player of a match, a browser, a person, or an event with its host.
    pub target: String,
    /// Reason that the operator stated for their act (for example, for a mute).
    pub reason: String,
    /// Number of matches that the operator's act changed or removed, or `None` if the act was interrupted.
    pub matches: Option<u64>,
}

/// Personal data of a person beyond their matches: the requests for new matches, and the operators' acts against the person, such as a
/// mute. Each request consists of a match id and a client id.
#[derive(Default)]
pub(crate) struct Traces {
    pub(crate) requests: Vec<(String, String)>,
    pub(crate) acts: Vec<OperatorAct>,
}
