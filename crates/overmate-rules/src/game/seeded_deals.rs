//! Implements random sources of deals, with or without a fixed seed.

use alloc::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::game::deal::{Deal, Dealt};
use crate::game::deal_source::DealSource;
use crate::rule_set::RuleSet;

/// Implements [`DealSource`] for every random number generator, as a source of random deals. All divisions of the cards into two hands are
/// equally likely, where identical cards count as different cards.
///
/// # Stability
///
/// The deal number is `x mod n`, where `n` is the number of deals and `x` is the next 64-bit output
/// below the largest multiple of `n` that fits in 64 bits. Larger outputs are skipped.
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

/// Pseudorandom source of deals, reproducible from its seed on every platform and in every version of this crate.
///
/// ```
/// use overmate_rules::{DealSource as _, RuleSet, SeededDeals};
/// let rules = RuleSet::named("bga")?.shared();
/// assert_eq!(SeededDeals::new(7).next_deal(&rules), SeededDeals::new(7).next_deal(&rules));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Stability
///
/// The pseudorandom generator is `ChaCha20`: the rounds of RFC 8439 with a 64-bit counter from 0,
/// and stream 0. The key is the eight bytes of the seed, the least significant first, and 24 zero
/// bytes. A 64-bit output is the next two 32-bit words of the key stream, the low half first.
#[derive(Clone, Debug)]
pub struct SeededDeals(ChaCha20Rng);

impl SeededDeals {
    /// Creates a source of deals from a seed.
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
