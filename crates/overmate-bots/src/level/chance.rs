//! Makes the random choices of the bot of a strength level. The bot's seed and the current turn determine the random
//! numbers.

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::bot::Turn;
use crate::model::softmax::Distribution;

/// Random number generator for one decision of the bot of a strength level.
pub(crate) struct DecisionRng(ChaCha20Rng);

impl DecisionRng {
    /// Creates the random number generator of a bot's decision. The generator is `ChaCha20`, keyed
    /// by the seed, the game, the deal and the view.
    pub(crate) fn new(seed: u64, turn: &Turn<'_>) -> Self {
        let mut key = [0; 32];
        let parts = [
            seed,
            turn.standing.game as u64,
            turn.view.dealt().number(),
            digest(turn.view.to_string().as_bytes()),
        ];
        for (bytes, part) in key.chunks_exact_mut(8).zip(parts) {
            bytes.copy_from_slice(&part.to_le_bytes());
        }
        Self(ChaCha20Rng::from_seed(key))
    }

    /// Draws an option at random, with the probabilities of a distribution. Returns `None` if the
    /// distribution has no options.
    pub(crate) fn pick<T: Copy>(&mut self, distribution: &Distribution<T>) -> Option<T> {
        let mut rest = self.unit_interval();
        let mut drawn = None;
        for (option, probability) in distribution.iter() {
            drawn = Some(*option);
            rest -= probability;
            if rest < 0.0 {
                break;
            }
        }
        drawn
    }

    /// Draws a random number from 0 (included) to 1 (excluded).
    fn unit_interval(&mut self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "a float holds 53 bits exactly")]
        let number = (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        number
    }
}

/// Returns the 64-bit FNV-1a hash (Fowler, Noll and Vo 1991) of a byte string.
fn digest(text: &[u8]) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
