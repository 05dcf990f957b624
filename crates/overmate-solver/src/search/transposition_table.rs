//! The bounds that a search has found, by the full position.

use memmap2::MmapMut;
use overmate_rules::{BySeat, Seat};

use crate::memory;

/// How many entries share a place: as many as are fetched from memory at once.
const SHARED: usize = 4;

/// A key, and bounds and work as [`Bounds`] packs them. Zeros are no entry: in every position some card is held.
type Entry = [u64; 2];

/// Bounds on the points of a position's leader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) at_least: i32,
    pub(super) at_most: i32,
}

/// What is found under a key is of that position and no other, since the key is all of it.
pub(super) struct TranspositionTable {
    /// A power of two of places; none if the system gives no memory, and then nothing is kept.
    memory: Option<MmapMut>,
    shift: u32,
}

impl TranspositionTable {
    /// Room for a search of hands of so many cards. Much of it costs time to clear, little costs work done twice.
    pub(super) fn for_hands_of(cards: u32) -> Self {
        let bits = match cards {
            0..=10 => 13,
            11..=12 => 15,
            13..=14 => 17,
            15..=16 => 19,
            _ => 20,
        };
        let memory = memory::zeros((size_of::<Entry>() * SHARED) << bits).ok();
        Self { memory, shift: 64 - bits }
    }

    /// The key of a position: at most 30 cards a hand, so 62 bits are used.
    pub(super) fn key(held: BySeat<u64>, leader: Seat, free: bool) -> u64 {
        let flags = (leader as u64) << 1 | u64::from(free);
        held.first | held.second << 30 | flags << 60
    }

    fn place(&self, key: u64) -> core::ops::Range<usize> {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = usize::try_from(mixed >> self.shift).unwrap_or_default();
        let size = size_of::<Entry>() * SHARED;
        place * size..(place + 1) * size
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Bounds> {
        let memory = self.memory.as_ref()?;
        let entries: &[Entry; SHARED] = bytemuck::from_bytes(&memory[self.place(key)]);
        let found = entries.iter().find(|entry| entry[0] == key)?;
        Some(Bounds::unpack(found[1]))
    }

    /// Has the place of a key fetched, for a [`get`](Self::get) soon after.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        if let Some(memory) = &self.memory {
            memory::fetch(&raw const memory[self.place(key).start]);
        }
    }

    /// Keeps bounds that took so many nodes: in place of older ones of the position, or of what was the least work.
    pub(super) fn put(&mut self, key: u64, bounds: Bounds, nodes: u64) {
        let place = self.place(key);
        let Some(memory) = &mut self.memory else { return };
        let entries: &mut [Entry; SHARED] = bytemuck::from_bytes_mut(&mut memory[place]);
        let least = (0..SHARED)
            .min_by_key(|&i| if entries[i][0] == key { 0 } else { 1 + work(entries[i][1]) });
        entries[least.unwrap_or_default()] = [key, bounds.pack(nodes)];
    }
}

/// Added to bounds to make them positive. The dearest card counts 1,000 and no factor is above 62.
const MIDDLE: i32 = 1 << 19;
const BITS: u32 = 20;

/// The nodes that an entry took, at most 24 bits.
fn work(packed: u64) -> u64 {
    packed >> (2 * BITS)
}

impl Bounds {
    /// The same as the other player sees them.
    pub(super) fn swapped(self) -> Self {
        Self { at_least: -self.at_most, at_most: -self.at_least }
    }

    fn pack(self, nodes: u64) -> u64 {
        let [low, high] =
            [self.at_least, self.at_most].map(|bound| u64::from((bound + MIDDLE).unsigned_abs()));
        low | high << BITS | nodes.min((1 << 24) - 1) << (2 * BITS)
    }

    fn unpack(packed: u64) -> Self {
        let bound = |shift: u32| {
            i32::try_from(packed >> shift & ((1 << BITS) - 1)).unwrap_or_default() - MIDDLE
        };
        Self { at_least: bound(0), at_most: bound(BITS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_come_back_as_they_were() {
        let mut known = TranspositionTable::for_hands_of(3);
        let mut count = 0;
        for points in [-124_000, -264, -1, 0, 1, 264, 124_000] {
            for (key, nodes) in [(1, 0), (u64::MAX >> 2, u64::MAX), (77, 3)] {
                let bounds = Bounds { at_least: points - 1, at_most: points };
                known.put(key, bounds, nodes);
                assert_eq!(known.get(key), Some(bounds));
                count += 1;
            }
        }
        assert_eq!(known.get(78), None);
        assert_eq!(count, 21);
    }

    #[test]
    fn what_was_the_least_work_makes_room() {
        let mut known = TranspositionTable { memory: MmapMut::map_anon(64).ok(), shift: 63 };
        // One place for all keys whose mixed value begins with a zero.
        let keys: Vec<u64> = (1..100).filter(|&key| known.place(key).start == 0).take(5).collect();
        let bounds = Bounds { at_least: 1, at_most: 2 };
        for (nodes, &key) in [50, 10, 70, 60, 20].into_iter().zip(&keys) {
            known.put(key, bounds, nodes);
        }
        let kept: Vec<bool> = keys.iter().map(|&key| known.get(key).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
    }
}
