//! Simulates the folding (compression) of the logs of ended matches in the in-memory store. A folded log keeps its entries, and loses the
//! client ids.

use super::memory_store::Tables;
use crate::store::Appended;

impl Tables {
    pub(super) fn foldable(&self, ended_before: i64, limit: u32) -> Vec<String> {
        let mut found: Vec<(i64, &str)> = Vec::new();
        for stored in self.matches.values().filter(|stored| !stored.folded) {
            let ended_at = stored.ended_at.filter(|at| *at < ended_before);
            found.extend(ended_at.map(|at| (at, stored.info.id.as_str())));
        }
        found.sort_unstable();
        found.into_iter().take(limit as usize).map(|(_, id)| id.to_owned()).collect()
    }

    pub(super) fn fold(&mut self, id: &str) -> Appended {
        let stored = self.matches.get_mut(id);
        let Some(stored) = stored.filter(|stored| stored.ended_at.is_some() && !stored.folded)
        else {
            return Appended::Conflict;
        };
        stored.folded = true;
        for entry in &mut stored.log {
            entry.client_id.clear();
        }
        Appended::Stored
    }
}
