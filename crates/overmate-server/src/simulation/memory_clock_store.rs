//! Implements the store of deadlines in memory, for simulations.

use super::memory_link::Link;
use super::memory_store::MemoryStore;
use crate::clock_setting::ClockSetting;
use crate::store::{Appended, Clocks, Deadline, StoreFuture};

impl<L: Link> Clocks for MemoryStore<L> {
    fn now_ms(&self) -> StoreFuture<'_, Option<i64>> {
        self.call(|_| None)
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
        self.call(move |tables| {
            let is_live = |id: &&String| {
                let clock = tables.matches.get(*id).and_then(|stored| stored.info.clock);
                matches!(clock, Some(ClockSetting::Live { .. }))
            };
            let live = tables.clocks.deadlines.keys().filter(is_live).cloned();
            live.take(limit as usize).collect()
        })
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

    fn last_beat(&self) -> StoreFuture<'_, i64> {
        self.call(|tables| tables.clocks.beat)
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
