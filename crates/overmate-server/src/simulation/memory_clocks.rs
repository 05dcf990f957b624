//! Holds the deadlines of matches, and the last time at which a server is known to have run, in
//! memory.

use std::collections::BTreeMap;

use super::simulated_time;
use crate::store::Deadline;

/// In-memory table of deadlines, with the last time at which a server is known to have run.
#[derive(Default)]
pub(super) struct Clocks {
    pub(super) deadlines: BTreeMap<String, i64>,
    pub(super) beat: i64,
    /// Simulated times at which the entries of each match with clocks were stored.
    pub(super) stored: BTreeMap<String, Vec<i64>>,
}

impl Clocks {
    /// Stores the deadline of a match with an entry of its log.
    pub(super) fn append(&mut self, id: &str, deadline: Deadline) {
        self.set(id, deadline);
        if let Some(now_ms) = simulated_time::now_ms() {
            self.stored.entry(id.to_owned()).or_default().push(now_ms);
        }
    }

    /// Stores the deadline of a match, or removes the deadline.
    pub(super) fn set(&mut self, id: &str, Deadline(deadline): Deadline) {
        match deadline {
            Some(deadline) => self.deadlines.insert(id.to_owned(), deadline),
            None => self.deadlines.remove(id),
        };
    }
}
