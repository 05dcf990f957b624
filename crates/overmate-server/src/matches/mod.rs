//! Replays the logs of matches, and computes the records and reports that follow from them.

pub(crate) mod conditional;
pub(crate) mod game_report;
pub(crate) mod match_state;
pub(crate) mod records;
pub(crate) mod replay_error;
