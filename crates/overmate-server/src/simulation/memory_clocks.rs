//! Holds in memory the deadlines of match clocks, and the last heartbeat of the servers.

use std::collections::BTreeMap;

use super::simulated_time;
use crate::store::Deadline;

/// In-memory table of the deadlines of match clocks, with the time of the servers' last heartbeat.
#[derive(Default)]
pub(super) struct Clocks {
    pub(super) deadlines: BTreeMap<String, i64>,
    pub(super) beat: i64,
    /// Simulated times at which log entries were stored, for each match with clocks.
    pub(super) stored: BTreeMap<String, Vec<i64>>,
}

impl Clocks {
    /// Stores the deadline of a match after a new log entry, and notes the entry's simulated time.
    pub(super) fn append(&mut self, id: &str, deadline: Deadline) {
        self.set(id, deadline);
        if let Some(now_ms) = simulated_time::now_ms() {
            self.stored.entry(id.to_owned()).or_default().push(now_ms);
        }
    }

    /// Stores the deadline of a match, or removes the stored deadline if no clock runs in the match.
    pub(super) fn set(&mut self, id: &str, Deadline(deadline): Deadline) {
        match deadline {
            Some(deadline) => self.deadlines.insert(id.to_owned(), deadline),
            None => self.deadlines.remove(id),
        };
    }
}
