//! Defines the result of a read of several matches from the store, such as all matches of a browser identity.

use std::sync::Arc;

use crate::error::ApiError;
use crate::matches::match_state::MatchState;
use crate::store::{Entry, Logs};

/// Result of reading a selection of matches: the states of the intact matches, and the ids of the damaged matches.
#[derive(Debug, Default)]
pub(super) struct Selected {
    /// Current states of the matches that can be replayed, in the order in which the store has listed the matches.
    pub(super) states: Vec<Arc<MatchState>>,
    /// Ids of the damaged matches, which cannot be replayed, each with the cause.
    pub(super) damaged: Vec<(String, ApiError)>,
}

/// Removes and returns the log entries of one match from the logs that the store has read. Logs the error of a log that
/// cannot be read, and returns `None` for this log.
pub(super) fn take_log(logs: &mut Logs, id: &str) -> Option<Vec<Entry>> {
    let log = logs.remove(id).unwrap_or_else(|| Ok(Vec::new()));
    log.map_err(|error| ApiError::from(error).log()).ok()
}

impl Selected {
    /// Logs an error for each match that was read but cannot be replayed, and returns the states of the other matches.
    pub(super) fn log_damaged(self) -> Vec<Arc<MatchState>> {
        for (id, error) in &self.damaged {
            tracing::error_span!("damaged match", id).in_scope(|| error.log());
        }
        self.states
    }

    /// Returns the states of all matches that were read, or an error if one of these matches is damaged.
    ///
    /// # Errors
    ///
    /// Returns the cause if one of the matches is damaged.
    pub(super) fn all(self) -> Result<Vec<Arc<MatchState>>, ApiError> {
        match self.damaged.into_iter().next() {
            Some((_, error)) => Err(error),
            None => Ok(self.states),
        }
    }
}
