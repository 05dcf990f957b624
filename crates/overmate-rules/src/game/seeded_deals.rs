//! Deals from a generator that is passed in, and the generator that a seed stands for.

use alloc::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::game::deal::{Deal, Dealt};
use crate::game::deal_source::DealSource;
use crate::rule_set::RuleSet;

/// Any generator of random numbers is a source of deals: each cut of the physical deck is equally likely.
///
/// # Stability
///
/// The deal is that of the number `x mod n`, where `n` is the number of deal numbers and `x` the next
/// 64-bit output that is below the largest multiple of `n` that fits in 64 bits. Outputs above are skipped.
impl<R: Rng> DealSource for R {
    fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt {
        let count = Dealt::count(rules);
        let limit = u64::MAX - u64::MAX % count;
        loop {
            let x = self.next_u64();
            if x < limit
                && let Ok(dealt) = Deal::numbered(rules, x % count)
            {
                return dealt;
            }
        }
    }
}

/// The generator that a seed stands for: `ChaCha20`, the same on every platform and in every version.
///
/// # Stability
///
/// `ChaCha20` (RFC 8439's rounds with a 64-bit counter that starts at 0, and stream 0), with a key of
/// the seed's eight bytes, the least significant first, and 24 zero bytes. A 64-bit output is the next two
/// 32-bit words of the key stream, the first being the low half.
#[derive(Clone, Debug)]
pub struct SeededDeals(ChaCha20Rng);

impl SeededDeals {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha20Rng::from_seed(key))
    }
}

impl DealSource for SeededDeals {
    fn next_deal(&mut self, rules: &Arc<RuleSet>) -> Dealt {
        self.0.next_deal(rules)
    }
}
