//! Defines maps that store values of visited positions and of public states, with a fast hash function.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Map whose keys consist of a few integers, such as the index of a position or a public state, with a fast hash function.
pub(crate) type StateMap<K, V> = HashMap<K, V, BuildHasherDefault<IntegerHasher>>;

/// Map from the index of each visited position of a deal (see
/// [`HorizonTables::index`](crate::model::horizon_tables::HorizonTables::index)) to the value of this position under a best response.
///
/// A game between two bots visits some ten thousand of the two million positions of a deal.
pub(crate) type NodeValues = StateMap<usize, f64>;

/// Hasher that combines each integer of a key with the hash of the integers before, multiplies the result by a constant (Knuth 1973), and
/// at the end mixes the upper half of the hash into the lower half.
#[derive(Default)]
pub(crate) struct IntegerHasher(u64);

impl Hasher for IntegerHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    fn write_u32(&mut self, integer: u32) {
        self.write_u64(integer.into());
    }

    fn write_u64(&mut self, integer: u64) {
        self.0 = (self.0 ^ integer).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, integer: usize) {
        self.write_u64(integer as u64);
    }
}
