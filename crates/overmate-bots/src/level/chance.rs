//! The chance of a level: the same for the same seed in the same situation, whatever was asked before.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::bot::Turn;
use crate::model::horizon_tables::Odds;

/// A generator for one decision.
pub(crate) struct Chance(ChaCha20Rng);

impl Chance {
    /// The generator of a seed for what is to be decided now: `ChaCha20` with a key of the seed, the number of the game and
    /// of the deal, and a digest of what was done.
    pub(crate) fn new(seed: u64, turn: &Turn<'_>) -> Self {
        let mut key = [0; 32];
        let parts = [
            seed,
            turn.standing.game as u64,
            turn.view.dealt().number(),
            digest(turn.view.to_string().as_bytes()),
        ];
        for (place, part) in key.chunks_exact_mut(8).zip(parts) {
            place.copy_from_slice(&part.to_le_bytes());
        }
        Self(ChaCha20Rng::from_seed(key))
    }

    /// One of these, each as likely as it says; `None` if there are none.
    pub(crate) fn pick<T: Copy>(&mut self, odds: &Odds<T>) -> Option<T> {
        let mut at = self.share();
        for (what, share) in odds {
            at -= share;
            if at < 0.0 {
                return Some(*what);
            }
        }
        odds.last().map(|(what, _)| *what)
    }

    /// At least 0 and less than 1.
    fn share(&mut self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "53 bits are what a float holds")]
        let share = (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        share
    }
}

/// FNV-1a, 64 bits.
fn digest(text: &[u8]) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
