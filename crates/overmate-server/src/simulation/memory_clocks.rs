//! Holds the deadlines of matches, and the time at which a server ran last, of the store in memory.

use std::collections::BTreeMap;

use crate::store::Deadline;

/// Deadlines of matches in which a clock runs, and the time at which a server ran last.
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
