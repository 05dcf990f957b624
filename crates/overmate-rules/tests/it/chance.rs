//! Defines a deterministic pseudorandom generator for tests, which is independent of the generator under test.

use std::sync::Arc;

use overmate_rules::{Action, Deal, Dealt, Game, Match, Outcome, Position, RuleSet};

/// Pseudorandom generator `SplitMix64` (Steele, Lea and Flood, 2014).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a random number from 0 to `n - 1`, almost uniformly distributed for small `n`.
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

    /// Returns a random legal action in a position.
    ///
    /// The function makes up to `patience` attempts to find an action without mate, so that games
    /// are long.
    pub(crate) fn action(&mut self, position: &Position, patience: usize) -> Action {
        let legal: Vec<_> = position.legal_actions().collect();
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

    /// Returns a random finished game.
    pub(crate) fn game(&mut self, rules: &Arc<RuleSet>, patience: usize) -> Game {
        let mut game = Game::new(self.deal(rules));
        while game.outcome().is_none() {
            let action = self.action(game.position(), patience);
            game = game.play(action).unwrap();
        }
        game
    }

    /// Returns a random match, finished or unfinished, sometimes with a resignation.
    pub(crate) fn new_match(&mut self, rules: &Arc<RuleSet>) -> Match {
        let length = u8::try_from(1 + self.below(4)).unwrap();
        let deals = (0..length.div_ceil(2)).map(|_| self.deal(rules)).collect();
        let mut contest = Match::with_deals(length, deals).unwrap();
        let stop = if self.one_in(2) { usize::MAX } else { self.below(60) };
        let patience = self.below(20);
        for _ in 0..stop {
            if contest.to_act().is_none() {
                break;
            }
            let action = self.action(contest.current().position(), patience);
            contest = contest.play(action).unwrap();
        }
        if contest.to_act().is_some() && self.one_in(3) {
            let player = self.of(&overmate_rules::Player::BOTH);
            contest = contest.resign(player).unwrap();
        }
        contest
    }
}

/// Returns all rule sets of the catalogue, for tests that cover every rule set. A separate test compares the catalogue
/// with all combinations of names.
pub(crate) fn catalogue() -> Vec<Arc<RuleSet>> {
    RuleSet::catalogue().into_iter().map(RuleSet::shared).collect()
}

pub(crate) fn rules(name: &str) -> Arc<RuleSet> {
    RuleSet::named(name).unwrap().shared()
}

/// Plays the actions in the text `actions` on the deal with the number `deal`, and returns the game.
pub(crate) fn played(name: &str, deal: u64, actions: &str) -> Game {
    let rules = rules(name);
    let game = Game::new(Deal::numbered(&rules, deal).unwrap());
    game.play_all(&rules.read_actions(actions).unwrap()).unwrap()
}

/// Returns every action, legal or illegal, that can be written with the cards of a rule set's deck.
pub(crate) fn conceivable(rules: &RuleSet) -> Vec<Action> {
    let mut actions = vec![Action::Decline];
    for card in rules.deck().distinct(rules.deck().all()) {
        actions.extend([
            Action::Foreplace(card),
            Action::Play(card),
            Action::Demand(card),
            Action::Free(card),
        ]);
    }
    actions
}
