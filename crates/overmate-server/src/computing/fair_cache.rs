//! Implements a cache with a memory limit, in which the clients of one IP network cannot evict the
//! values of other networks.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Cache with a memory limit in bytes, divided fairly between the IP networks of clients.
///
/// The method [`take`](Self::take) removes a value for one caller; [`get`](Self::get) copies a
/// value, such as an `Arc`.
///
/// Above the limit, the cache evicts the least recently used value of the network with the most
/// memory.
pub(crate) struct FairCache<K, V> {
    limit: u64,
    /// Cached values, ordered by their last use. The most recently used value is the last.
    entries: Mutex<Vec<Cached<K, V>>>,
}

struct Cached<K, V> {
    key: K,
    value: V,
    network: IpAddr,
    bytes: u64,
    used: Instant,
}

impl<K: PartialEq, V> FairCache<K, V> {
    /// Creates an empty cache with a memory limit in bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, entries: Mutex::default() }
    }

    /// Removes the value of a key from the cache and returns the value, or returns `None` if the cache lacks the key.
    /// Two callers thus never use one value at the same time.
    pub(crate) fn take(&self, key: &K) -> Option<V> {
        let mut entries = self.lock();
        let at = entries.iter().position(|cached| cached.key == *key)?;
        Some(entries.remove(at).value)
    }

    /// Puts a value into the cache, and charges the value's memory to the IP network of the value's last user. `bytes` is the size of the
    /// value. An older value of the same key is dropped.
    pub(crate) fn put(&self, key: K, value: V, network: IpAddr, bytes: u64) {
        let mut dropped = Vec::new();
        {
            let mut entries = self.lock();
            let older = entries.iter().position(|cached| cached.key == key);
            dropped.extend(older.map(|at| entries.remove(at)));
            entries.push(Cached { key, value, network, bytes, used: Instant::now() });
            dropped.extend(evict(&mut entries, self.limit));
        }
        // The evicted values are freed after the lock is released, because freeing large values takes time.
        drop(dropped);
    }

    /// Removes and returns the cached value that would be evicted first. Returns `None` if the cache is empty.
    pub(crate) fn displace(&self) -> Option<V> {
        let mut entries = self.lock();
        let first = first_evicted(&entries, &bytes_of_networks(&entries))?;
        Some(entries.remove(first).value)
    }

    /// Returns a copy of the cached value of a key, or `None` if the cache lacks the key. The value stays in the cache,
    /// becomes the most recently used, and counts for the given network from now on.
    pub(crate) fn get(&self, key: &K, network: IpAddr) -> Option<V>
    where
        V: Clone,
    {
        let mut entries = self.lock();
        let at = entries.iter().position(|cached| cached.key == *key)?;
        let used = Cached { network, used: Instant::now(), ..entries.remove(at) };
        let value = used.value.clone();
        entries.push(used);
        Some(value)
    }

    /// Drops the cached values whose keys do not satisfy a condition.
    pub(crate) fn retain(&self, condition: impl Fn(&K) -> bool) {
        self.remove(|cached| !condition(&cached.key));
    }

    /// Drops the cached values that have been idle for a given time or longer.
    pub(crate) fn remove_idle(&self, time: Duration) {
        self.remove(|cached| cached.used.elapsed() >= time);
    }

    /// Drops the cached values that satisfy a condition.
    fn remove(&self, condition: impl Fn(&Cached<K, V>) -> bool) {
        // The lock of the cache is released before the removed values are dropped. The drop of a value may wait for the end of a process.
        let removed: Vec<_> = self.lock().extract_if(.., |cached| condition(cached)).collect();
        drop(removed);
    }

    /// Returns the number of cached values.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Cached<K, V>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes cached values until the remaining values use at most the given memory, in bytes. Returns the removed values.
fn evict<K, V>(entries: &mut Vec<Cached<K, V>>, limit: u64) -> Vec<Cached<K, V>> {
    let mut evicted = Vec::new();
    let mut total: u64 = entries.iter().map(|cached| cached.bytes).sum();
    if total <= limit {
        return evicted;
    }
    let mut of_network = bytes_of_networks(entries);
    while total > limit
        && let Some(first) = first_evicted(entries, &of_network)
    {
        let removed = entries.remove(first);
        total -= removed.bytes;
        of_network.entry(removed.network).and_modify(|bytes| *bytes -= removed.bytes);
        evicted.push(removed);
    }
    evicted
}

/// Returns for each IP network the memory, in bytes, of the cached values that were last used by a client of this network.
fn bytes_of_networks<K, V>(entries: &[Cached<K, V>]) -> HashMap<IpAddr, u64> {
    let mut of_network = HashMap::new();
    for cached in entries {
        *of_network.entry(cached.network).or_default() += cached.bytes;
    }
    of_network
}

/// Returns the index of the cached value that is to be evicted first, or `None` if the cache is empty. The value is the least recently used
/// value of the IP network whose values use the most memory.
fn first_evicted<K, V>(
    entries: &[Cached<K, V>],
    of_network: &HashMap<IpAddr, u64>,
) -> Option<usize> {
    // If several IP networks share the highest memory use, the least recently used value of all these networks is evicted first.
    let networks = entries.iter().rev().map(|cached| cached.network);
    let heaviest = networks.max_by_key(|network| of_network.get(network).copied())?;
    entries.iter().position(|cached| cached.network == heaviest)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn network(number: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, number])
    }

    /// Cached test value that records, when it is dropped, whether the lock of its cache is free.
    struct Ending {
        cache: Arc<FairCache<u8, Ending>>,
        was_unlocked: Arc<Mutex<Vec<bool>>>,
    }

    impl Drop for Ending {
        fn drop(&mut self) {
            let is_unlocked = self.cache.entries.try_lock().is_ok();
            self.was_unlocked.lock().expect("no panic").push(is_unlocked);
        }
    }

    #[test]
    fn a_value_is_taken_once_and_put_back() {
        let cache = FairCache::new(100);
        cache.put("a", 1, network(1), 10);
        assert_eq!((cache.take(&"a"), cache.take(&"a")), (Some(1), None));
        cache.put("a", 2, network(1), 10);
        cache.put("a", 3, network(1), 10);
        assert_eq!((cache.len(), cache.take(&"a"), cache.len()), (1, Some(3), 0));
    }

    #[test]
    fn a_copied_value_stays_and_becomes_the_most_recently_used() {
        let cache = FairCache::new(30);
        for key in 0..3 {
            cache.put(key, key + 10, network(1), 10);
        }
        assert_eq!((cache.get(&0, network(1)), cache.get(&0, network(1))), (Some(10), Some(10)));
        assert_eq!((cache.get(&7, network(1)), cache.len()), (None, 3));
        cache.put(3, 13, network(1), 10);
        assert_eq!((cache.get(&1, network(1)), cache.get(&0, network(1))), (None, Some(10)));
    }

    #[test]
    fn a_copied_value_counts_for_its_last_user() {
        let cache = FairCache::new(30);
        cache.put(0, 10, network(1), 20);
        cache.put(1, 11, network(2), 10);
        cache.get(&0, network(2));
        cache.put(2, 12, network(3), 10);
        // The full cache evicts the least recently used value of the second IP network, because this network now uses the most memory.
        assert_eq!((cache.get(&1, network(2)), cache.get(&0, network(2))), (None, Some(10)));
    }

    #[test]
    fn a_network_displaces_its_own_values_only() {
        let cache = FairCache::new(100);
        cache.put(0, (), network(1), 10);
        for key in 1..=50 {
            cache.put(key, (), network(2), 10);
            assert!(cache.len() <= 10);
        }
        assert!(cache.take(&0).is_some());
        assert!(cache.take(&41).is_none() && cache.take(&42).is_some());
    }

    #[test]
    fn the_least_recently_used_value_is_dropped_first() {
        let cache = FairCache::new(30);
        for key in 0..3 {
            cache.put(key, (), network(1), 10);
        }
        cache.take(&0).expect("a cached value");
        cache.put(0, (), network(1), 10);
        cache.put(3, (), network(1), 10);
        assert!(cache.take(&1).is_none() && cache.take(&0).is_some());
    }

    #[test]
    fn a_value_larger_than_the_limit_is_not_kept() {
        let cache = FairCache::new(30);
        cache.put(0, (), network(1), 31);
        assert_eq!(cache.len(), 0);
    }

    #[test]
    fn the_heaviest_network_loses_values_to_a_new_network() {
        let cache = FairCache::new(40);
        for key in 0..4 {
            cache.put(key, (), network(1), 10);
        }
        cache.put(4, (), network(2), 20);
        assert!(cache.take(&4).is_some());
        assert!(cache.take(&1).is_none() && cache.take(&2).is_some());
        cache.retain(|key| *key != 3);
        assert_eq!(cache.len(), 0);
    }

    #[test]
    fn the_heaviest_network_is_displaced_first() {
        let cache = FairCache::new(40);
        for (key, of) in [(0, 1), (1, 2), (2, 2), (3, 1)] {
            cache.put(key, key, network(of), 10);
        }
        cache.take(&3);
        let displaced: Vec<u8> = std::iter::from_fn(|| cache.displace()).collect();
        assert_eq!(displaced, [1, 0, 2]);
    }

    #[test]
    fn values_end_while_the_cache_is_unlocked() {
        let was_unlocked = Arc::<Mutex<Vec<bool>>>::default();
        let ended = || was_unlocked.lock().expect("no panic").len();
        let cache = Arc::new(FairCache::new(30));
        // The second value of key 0 replaces the first value, and the value of key 3 exceeds the memory limit of the cache.
        for key in [0, 0, 1, 2, 3] {
            let (cache_of, was_unlocked) = (Arc::clone(&cache), Arc::clone(&was_unlocked));
            cache.put(key, Ending { cache: cache_of, was_unlocked }, network(1), 10);
        }
        assert_eq!((cache.len(), ended()), (3, 2));
        drop(cache.displace());
        cache.retain(|key| *key != 2);
        cache.remove_idle(Duration::ZERO);
        assert_eq!((cache.len(), ended()), (0, 5));
        assert_eq!(*was_unlocked.lock().expect("no panic"), [true; 5]);
    }
}
