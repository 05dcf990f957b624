//! Integration tests of the arena: statistics, reproducibility, and misbehaving programs.
//!
//! By default, long parameter sweeps test only a sample of the cases. The environment variable
//! `OVERMATE_THOROUGH=1` runs them in full.

#![allow(clippy::unwrap_used, reason = "a panic reports the failed test")]

mod alone;
#[cfg(unix)]
mod misbehaving;
mod reproducible;
mod runs;
mod selections;
mod sprt;
mod statistics;

use std::sync::Arc;

use overmate_arena::{Entrant, Seating};
use overmate_bots::{Bot, Choice, Forfeit, Thought, Turn};
use overmate_rules::Game;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};

/// Returns a random number generator with a given seed.
fn generator(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// Draws a random index from 0 to `end` - 1.
fn below(generator: &mut ChaCha20Rng, end: usize) -> usize {
    usize::try_from(generator.next_u64() % end as u64).unwrap()
}

/// Entrant that plays at random, but takes a possible mate with a fixed probability.
struct Chancer {
    name: String,
    /// Probability, in percent, that the entrant gives mate when a mate is possible.
    looks: usize,
}

impl Chancer {
    fn player(name: &str, looks: usize) -> Arc<dyn Entrant> {
        Arc::new(Self { name: name.to_owned(), looks })
    }
}

impl Entrant for Chancer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        let (name, looks) = (self.name.clone(), self.looks);
        Ok(Box::new(ChancerBot { name, looks, chance: generator(seating.seed) }))
    }
}

struct ChancerBot {
    name: String,
    looks: usize,
    chance: ChaCha20Rng,
}

impl Bot for ChancerBot {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let legal: Vec<_> = turn.view.legal_actions().collect();
        let mut action = legal[below(&mut self.chance, legal.len())];
        if below(&mut self.chance, 100) < self.looks {
            let played: Game = turn.view.imagine(overmate_rules::BySeat::default()).unwrap();
            let mates = |action: &overmate_rules::Action| {
                played.clone().play(*action).unwrap().outcome().is_some()
            };
            action = legal.iter().copied().find(mates).unwrap_or(action);
        }
        Ok(Choice { action, thought: Thought::default() })
    }
}
