//! Makes the random number generator for a decision of the bot of a strength level. The bot's seed and the current turn determine the
//! random numbers.

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng as _;

use crate::bot::Turn;

/// Returns the random number generator of a bot's decision. The generator is `ChaCha20`, keyed by the seed, the game, the deal and the
/// view.
pub(crate) fn decision_rng(seed: u64, turn: &Turn<'_>) -> ChaCha20Rng {
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
    ChaCha20Rng::from_seed(key)
}

/// Returns the 64-bit FNV-1a hash (Fowler, Noll and Vo 1991) of a byte string.
fn digest(text: &[u8]) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
