//! Defines a computer opponent for the arena that takes each legal action with equal probability.

use overmate_arena::{Entrant, Seating};
use overmate_bots::{Bot, Choice, Forfeit, Thought, Turn};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

/// Computer opponent that takes each legal action with equal probability.
pub(super) struct Random;

impl Entrant for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        Ok(Box::new(RandomBot(ChaCha8Rng::seed_from_u64(seating.seed))))
    }
}

struct RandomBot(ChaCha8Rng);

impl Bot for RandomBot {
    fn name(&self) -> String {
        Random.name()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let legal: Vec<_> = turn.view.legal_actions().collect();
        match legal.choose(&mut self.0) {
            Some(&action) => Ok(Choice { action, thought: Thought::default() }),
            None => Err(Forfeit::outside_of_turn(self.name())),
        }
    }
}
