//! Logs the failures of background work that a server repeats until it stops.

use crate::error::ApiError;

/// Log of the failures of repeated background work. Only the first of several failures in a row is logged, because the database may be
/// unreachable for a long time.
#[derive(Default)]
pub(super) struct FailureLog {
    has_failed: bool,
}

impl FailureLog {
    /// Returns the result of one run of the work. Returns `None` if the run failed, and logs the error if the run before succeeded.
    pub(super) fn note<T>(&mut self, result: Result<T, ApiError>) -> Option<T> {
        match result {
            Ok(result) => {
                self.has_failed = false;
                Some(result)
            }
            Err(error) => {
                if !std::mem::replace(&mut self.has_failed, true) {
                    error.log();
                }
                None
            }
        }
    }
}
