//! Replays match logs, measures the quality of play in finished games, and checks conditional answers.

pub(crate) mod conditional;
pub(crate) mod game_report;
pub(crate) mod match_state;
pub(crate) mod replay_error;
