//! The arena and its protocol: statistics against closed forms, results against threads and pauses, bots that misbehave.

#![allow(clippy::unwrap_used, reason = "a test that panics has said what it wanted to say")]

#[cfg(unix)]
mod misbehaving;
mod reproducible;
mod runs;
mod statistics;
mod tests_of_strength;

use std::sync::Arc;

use overmate_arena::{Entrant, Seating};
use overmate_bots::{Bot, Choice, Forfeit, Thought, Turn};
use overmate_rules::Game;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};

/// A generator for this test.
fn generator(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// A number below another.
fn below(generator: &mut ChaCha20Rng, end: usize) -> usize {
    usize::try_from(generator.next_u64() % end as u64).unwrap()
}

/// A player that leaves everything to chance, but gives a mate as often as it is told to: strong or weak.
struct Chancer {
    name: String,
    /// In how many of 100 leads it looks for a mate.
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
        let legal = turn.view.legal_actions();
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
