//! Holds the deadlines of matches, and the latest time at which a server ran, for the store in memory.

use std::collections::BTreeMap;

use crate::store::Deadline;

/// Deadlines of matches with a running clock, and the latest time at which a server ran.
#[derive(Default)]
pub(super) struct Clocks {
    pub(super) deadlines: BTreeMap<String, i64>,
    pub(super) beat: i64,
}

impl Clocks {
    /// Stores the deadline of a match.
    pub(super) fn set(&mut self, id: &str, Deadline(deadline): Deadline) {
        match deadline {
            Some(deadline) => self.deadlines.insert(id.to_owned(), deadline),
            None => self.deadlines.remove(id),
        };
    }
}
