//! Implements an in-memory store of match deadlines, for simulations.

use super::memory_link::Link;
use super::memory_store::{MemoryStore, Tables};
use super::simulated_time;
use crate::clocks::clock_setting::ClockSetting;
use crate::store::{Appended, ClockStatus, Clocks, Deadline, StoreFuture};

impl Tables {
    /// Returns the ids of the matches with a running live clock.
    fn live_clocks(&self) -> impl Iterator<Item = &String> {
        let is_live = |id: &&String| {
            let clock = self.matches.get(*id).and_then(|stored| stored.info.clock);
            matches!(clock, Some(ClockSetting::Live { .. }))
        };
        self.clocks.deadlines.keys().filter(is_live)
    }
}

impl<L: Link> Clocks for MemoryStore<L> {
    fn clock_status(&self) -> StoreFuture<'_, ClockStatus> {
        self.call(|tables| ClockStatus {
            seen: tables.clocks.beat,
            now: simulated_time::now_ms(),
            has_live: tables.live_clocks().next().is_some(),
            has_any: !tables.clocks.deadlines.is_empty(),
            has_event: tables.events.has_running(),
        })
    }

    fn deadlines(&self, until: i64, limit: u32) -> StoreFuture<'_, Vec<(String, i64)>> {
        self.call(move |tables| {
            let all = tables.clocks.deadlines.iter().filter(|(_, deadline)| **deadline <= until);
            let mut all: Vec<_> = all.map(|(id, deadline)| (id.clone(), *deadline)).collect();
            all.sort_by_key(|(_, deadline)| *deadline);
            all.truncate(limit as usize);
            all
        })
    }

    fn live_clocks(&self, limit: u32) -> StoreFuture<'_, Vec<String>> {
        self.call(move |tables| tables.live_clocks().take(limit as usize).cloned().collect())
    }

    fn set_deadline(
        &self,
        id: String,
        sequence: u64,
        deadline: Deadline,
    ) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            if !tables.matches.contains_key(&id) || tables.sequence(&id) != sequence {
                return Appended::Conflict;
            }
            tables.clocks.set(&id, deadline);
            Appended::Stored
        })
    }

    fn beat(&self, at_ms: i64) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            let is_later = tables.clocks.beat < at_ms;
            if !is_later {
                return Appended::Conflict;
            }
            tables.clocks.beat = at_ms;
            Appended::Stored
        })
    }
}
