//! Defines the reasons why the stored log of a match cannot be replayed.

use overmate_rules::{DealFaults, Illegal, MatchFault, NameFault, ReadError};

/// Reason why a log entry is not valid after the earlier entries of its match.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EntryError {
    #[error("the match is over, so that the log entry cannot change it")]
    MatchOver,
    #[error("the log entry holds an action of the player who is not to act")]
    NotYourTurn,
    #[error("the clocks are paused, so that the log entry cannot hold an action")]
    Paused,
    #[error("the notation of the action cannot be read")]
    UnreadableAction(#[source] ReadError),
    #[error("the action is not legal")]
    IllegalAction(#[source] Illegal),
    #[error("the player has no action in the current game that could be taken back")]
    NothingToUndo,
    #[error("the log entry does not fit the state of the match before the entry")]
    Misplaced,
}

/// Reason why a stored match cannot be replayed: its log or its deals violate the rules.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    #[error("the deals of match {id} do not follow the rules")]
    Deals { id: String, source: StartError },
    #[error("entry {sequence} in the stored log of match {id} does not follow the rules")]
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
