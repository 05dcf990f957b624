//! Generates reproducible pseudorandom numbers and games for the tests.

use std::sync::Arc;

use overmate_rules::{Action, Deal, Dealt, Game, Outcome, Position, RuleSet};

/// Pseudorandom number generator `SplitMix64` (Steele, Lea and Flood 2014), which makes the tests
/// reproducible.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a pseudorandom number from 0 to `n` - 1, where `n` is small.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.number() % n as u64).unwrap()
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    pub(crate) fn deal(&mut self, rules: &Arc<RuleSet>) -> Dealt {
        Deal::numbered(rules, self.number() % Dealt::count(rules)).unwrap()
    }

    pub(crate) fn game(&mut self, rules: &Arc<RuleSet>) -> Game {
        Game::new(self.deal(rules))
    }

    /// Returns a pseudorandom legal action of a position. Up to `patience` attempts avoid a mate,
    /// so that games grow long. Half of the first actions decline foreplacing, so that often only
    /// one seat foreplaces.
    pub(crate) fn action(&mut self, position: &Position, patience: usize) -> Action {
        let legal: Vec<_> = position.legal_actions().collect();
        if legal.first() == Some(&Action::Decline) && self.one_in(2) {
            return Action::Decline;
        }
        let mut action = self.of(&legal);
        for _ in 0..patience {
            let next = position.clone().play(action).unwrap();
            if !matches!(next.outcome(), Some(Outcome::Mate(_))) {
                break;
            }
            action = self.of(&legal);
        }
        action
    }

    /// Continues a game with random actions until each hand has at most `most` cards, or until the game ends.
    pub(crate) fn play_down(&mut self, mut game: Game, most: u32, patience: usize) -> Game {
        while game.outcome().is_none() && most_held(game.position()) > most {
            let action = self.action(game.position(), patience);
            game = game.play(action).unwrap();
        }
        game
    }
}

/// Returns the number of cards in the larger hand of a position.
pub(crate) fn most_held(position: &Position) -> u32 {
    let hands = position.hands();
    hands.first.len().max(hands.second.len())
}

pub(crate) fn rules(name: &str) -> Arc<RuleSet> {
    RuleSet::named(name).unwrap().shared()
}
