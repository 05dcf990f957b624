//! Replays the logs of matches, measures finished games, and manages conditional answers.

pub(crate) mod conditional;
pub(crate) mod game_report;
pub(crate) mod match_state;
pub(crate) mod replay_error;
