//! Caches the computed states of matches, up to a total size.

use std::sync::Arc;
use std::time::Duration;

use moka::sync::Cache;

use crate::matches::match_state::MatchState;

/// Maximum estimated size of all cached match states together, in bytes. By the estimate of [`size`], about 10,000 matches of the usual
/// length fit into the cache.
const CACHE_SIZE: u64 = 160_000_000;

/// Estimated size of the state of a match without its log, in bytes.
const STATE_SIZE: u32 = 12_000;

/// Estimated size of a log entry in the state of a match, in bytes.
const ENTRY_SIZE: u32 = 50;

/// Idle timeout of the cached match states.
const CACHE_TIME: Duration = Duration::from_mins(10);

/// Cached states of matches, by match id. A cached state may be old, but always follows from a prefix of the match's log, because a log
/// only grows.
pub(super) struct StateCache(Cache<String, Arc<MatchState>>);

impl StateCache {
    pub(super) fn new() -> Self {
        let cache = Cache::builder().weigher(|_: &String, state: &Arc<MatchState>| size(state));
        Self(cache.max_capacity(CACHE_SIZE).time_to_idle(CACHE_TIME).build())
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<MatchState>> {
        self.0.get(id)
    }

    /// Puts the state of a match into the cache, unless the cache holds a later state of the match.
    pub(super) fn remember(&self, state: &Arc<MatchState>) {
        let entry = self.0.entry(state.id().to_owned());
        entry.and_upsert_with(|cached| match cached {
            Some(cached) if cached.value().sequence() > state.sequence() => cached.into_value(),
            _ => Arc::clone(state),
        });
    }

    pub(super) fn forget(&self, id: &str) {
        self.0.invalidate(id);
    }
}

/// Returns the estimated size of the cached state of a match, in bytes. The estimate depends on the length of the log, because a log of
/// many hints is far larger than the usual log.
fn size(state: &MatchState) -> u32 {
    let entries = u32::try_from(state.sequence()).unwrap_or(u32::MAX);
    ENTRY_SIZE.saturating_mul(entries).saturating_add(STATE_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Entry, EntryKind, MatchInfo};

    #[test]
    fn states_with_long_logs_take_the_place_of_many_others() {
        let cached_after = |length: u64| {
            let entries = (1..=length).map(|sequence| Entry::sample(sequence, EntryKind::Hint));
            let log: Vec<Entry> = entries.collect();
            let state = MatchState::sample().replay(&log).expect("a valid log");
            let cache = StateCache::new();
            for number in 0..12_000 {
                let info = MatchInfo { id: number.to_string(), ..MatchInfo::sample() };
                cache.remember(&Arc::new(state.clone().with_info(Arc::new(info))));
            }
            cache.0.run_pending_tasks();
            assert!(cache.0.weighted_size() <= CACHE_SIZE, "{length}");
            cache.0.entry_count()
        };
        let (usual, long) = (cached_after(60), cached_after(2_000));
        assert!((10_000..=11_000).contains(&usual), "{usual}");
        assert!((1_300..=1_500).contains(&long), "{long}");
    }
}
