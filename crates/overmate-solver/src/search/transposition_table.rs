//! Implements a transposition table (Greenblatt, Eastlake and Crocker 1967) of proved bounds, with
//! exact keys.
//!
//! The hash only chooses the bucket. The key of an entry is the whole position, so two positions
//! are never confused and no Zobrist keys (1970) are needed.

use overmate_rules::{BySeat, Seat};

use crate::memory::{self, Memory};

/// Number of entries in a bucket of the transposition table. The entries fill one cache line.
const BUCKET: usize = 4;

/// Entry of the transposition table: the key of a position, and the bounds packed into an integer.
/// An empty entry is zero. No position has the key 0, because some card is held in every position.
type Slot = [u64; 2];

/// Lower and upper bound on the leader's points in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) at_least: i32,
    pub(super) at_most: i32,
}

/// Transposition table of proved bounds. The key of an entry identifies the whole position.
pub(super) struct TranspositionTable {
    /// Memory of the table's buckets, or `None` if the operating system has refused the memory.
    memory: Option<Memory>,
    shift: u32,
}

impl TranspositionTable {
    /// Allocates a transposition table for a search from hands of at most `cards` cards. The search visits at most `nodes` nodes, or any
    /// number of nodes if `nodes` is `None`.
    ///
    /// The size is a compromise. A large table takes time to clear, and does not fit into the processor's caches. A small table forgets
    /// positions, which must then be searched again. With a bucket for each node, a full bucket is rare.
    pub(super) fn new(cards: u32, nodes: Option<u64>) -> Self {
        let most = nodes.map_or(u32::MAX, |nodes| nodes.max(2).ilog2() + 1);
        let bits = match cards {
            0..=10 => 13,
            11..=12 => 15,
            13..=14 => 17,
            15..=16 => 19,
            _ => 20,
        };
        let bits = most.min(bits);
        let memory = memory::zeros((size_of::<Slot>() * BUCKET) << bits).ok();
        Self { memory, shift: 64 - bits }
    }

    /// Returns the key of a position: 30 bits for each hand, and two bits for the leader and the
    /// free move.
    pub(super) fn key(held: BySeat<u64>, leader: Seat, free: bool) -> u64 {
        let flags = (leader as u64) << 1 | u64::from(free);
        held.first | held.second << 30 | flags << 60
    }

    fn bucket(&self, key: u64) -> core::ops::Range<usize> {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bucket = usize::try_from(mixed >> self.shift).unwrap_or_default();
        let size = size_of::<Slot>() * BUCKET;
        bucket * size..(bucket + 1) * size
    }

    /// Returns the stored bounds of a position, or `None` if the table does not hold the position's key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        let memory = self.memory.as_ref()?;
        let entries: &[Slot; BUCKET] = bytemuck::from_bytes(&memory[self.bucket(key)]);
        let found = entries.iter().find(|entry| entry[0] == key)?;
        Some(Bounds::unpack(found[1]))
    }

    /// Prefetches the bucket of a key before a call of [`get`](Self::get).
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(memory) = &self.memory {
            memory::prefetch(&raw const memory[self.bucket(key).start], memory::Cache::L1);
        }
    }

    /// Stores the proved bounds of a position, with the number of nodes that the proof took. The
    /// new bounds replace older bounds of the position, or else the entry of the bucket whose proof
    /// took the fewest nodes.
    pub(super) fn put(&mut self, key: u64, bounds: Bounds, nodes: u64) {
        let bucket = self.bucket(key);
        let Some(memory) = &mut self.memory else { return };
        let entries: &mut [Slot; BUCKET] = bytemuck::from_bytes_mut(&mut memory[bucket]);
        let least = (0..BUCKET)
            .min_by_key(|&i| if entries[i][0] == key { 0 } else { 1 + work(entries[i][1]) });
        entries[least.unwrap_or_default()] = [key, bounds.pack(nodes)];
    }
}

/// Offset that the transposition table adds to each bound, to store the bound as a non-negative number. No bound exceeds 62,000 points,
/// because a card is worth at most 1,000 points and no factor is above 62.
const OFFSET: i32 = 1 << 19;
/// Number of bits for each bound in a packed entry of the transposition table.
const BITS: u32 = 20;

/// Returns the number of searched nodes that a packed entry of the transposition table states, at most 2^24 − 1.
fn work(packed: u64) -> u64 {
    packed >> (2 * BITS)
}

impl Bounds {
    /// Returns the bounds on the opponent's points: both bounds are negated and exchanged.
    pub(super) fn swapped(self) -> Self {
        Self { at_least: -self.at_most, at_most: -self.at_least }
    }

    fn pack(self, nodes: u64) -> u64 {
        let [low, high] =
            [self.at_least, self.at_most].map(|bound| u64::from((bound + OFFSET).unsigned_abs()));
        low | high << BITS | nodes.min((1 << 24) - 1) << (2 * BITS)
    }

    fn unpack(packed: u64) -> Self {
        let bound = |shift: u32| {
            i32::try_from(packed >> shift & ((1 << BITS) - 1)).unwrap_or_default() - OFFSET
        };
        Self { at_least: bound(0), at_most: bound(BITS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_bounds_are_found_unchanged() {
        let mut table = TranspositionTable::new(3, None);
        let mut count = 0;
        for points in [-124_000, -264, -1, 0, 1, 264, 124_000] {
            for (key, nodes) in [(1, 0), (u64::MAX >> 2, u64::MAX), (77, 3)] {
                let bounds = Bounds { at_least: points - 1, at_most: points };
                table.put(key, bounds, nodes);
                assert_eq!(table.get(key), Some(bounds));
                count += 1;
            }
        }
        assert_eq!(table.get(78), None);
        assert_eq!(count, 21);
    }

    #[test]
    fn a_full_bucket_replaces_the_entry_with_the_fewest_nodes() {
        let mut table = TranspositionTable { memory: memory::zeros(64).ok(), shift: 63 };
        // All keys whose hash begins with a zero bit share one bucket.
        let keys: Vec<u64> = (1..100).filter(|&key| table.bucket(key).start == 0).take(5).collect();
        let bounds = Bounds { at_least: 1, at_most: 2 };
        for (nodes, &key) in [50, 10, 70, 60, 20].into_iter().zip(&keys) {
            table.put(key, bounds, nodes);
        }
        let kept: Vec<bool> = keys.iter().map(|&key| table.get(key).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
    }
}
