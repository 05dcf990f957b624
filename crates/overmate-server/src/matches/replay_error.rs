//! Defines the reasons why the stored log of a match cannot be replayed.

use overmate_json::LogFault;
use overmate_rules::{DealFaults, MatchFault, NameFault};

/// Reason why a log entry is not valid after the earlier entries of its match.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EntryError {
    #[error(transparent)]
    Log(#[from] LogFault),
    #[error("the log entry holds an action, although the clocks were paused")]
    Paused,
    #[error(
        "the log entry has a wrong sequence number, or a kind that the state of the match does not allow"
    )]
    Misplaced,
}

/// Reason why a stored match cannot be replayed: its log or its deals violate the rules.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    #[error("the stored rule set or the stored deals of match {id} are not valid")]
    Deals { id: String, source: StartError },
    #[error("entry {sequence} in the stored log of match {id} is not valid")]
    Entry { id: String, sequence: u64, source: EntryError },
}

/// Reason why a stored match cannot be started with its stored rules and deals.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error(transparent)]
    Rules(#[from] NameFault),
    #[error("the match has {found} deals, but needs one deal for each of its {rounds} rounds")]
    DealCount { found: usize, rounds: u8 },
    #[error(transparent)]
    Deal(#[from] DealFaults),
    #[error(transparent)]
    Match(#[from] MatchFault),
}
