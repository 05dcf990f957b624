//! Defines maps that store a value for each visited position of a deal.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Map that stores a value for each visited position of a deal. The key is the index of the position (see
/// [`HorizonTables::index`](crate::model::horizon_tables::HorizonTables::index)).
///
/// A game between two bots visits some ten thousand of the two million positions of a deal.
pub(crate) type NodeMap<T> = HashMap<usize, T, BuildHasherDefault<IndexHasher>>;

/// Map from the index of each visited position to the value of this position under a best response.
pub(crate) type NodeValues = NodeMap<f64>;

/// Hasher that multiplies the index of a position by a constant (Knuth 1973), and mixes the upper half of the product into the lower half.
#[derive(Default)]
pub(crate) struct IndexHasher(u64);

impl Hasher for IndexHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    fn write_u32(&mut self, index: u32) {
        self.write_u64(index.into());
    }

    fn write_u64(&mut self, index: u64) {
        self.0 = (self.0 ^ index).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, index: usize) {
        self.write_u64(index as u64);
    }
}
