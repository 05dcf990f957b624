//! Plays each game both in the rules crate and in the naive reference implementation, and compares the game states.

use std::sync::Arc;

use overmate_rules::{
    Action, Card, Deal, Game, Privilege, Rank, RankFace, RuleSet, Seat, Suit, SuitFace,
};
use overmate_solver::{Analysis, ValueForFirst};

use crate::chance::Chance;
use crate::naive;

/// Pair of equal rule sets: one of the rules crate, and one of the naive reference implementation.
pub(crate) struct Both {
    pub(crate) rules: Arc<RuleSet>,
    pub(crate) naive: naive::Rules,
}

impl Both {
    pub(crate) fn named(name: &str) -> Self {
        let rules = RuleSet::named(name).unwrap().shared();
        Self { rules, naive: naive::Rules::named(name).unwrap() }
    }

    /// Creates a rule set with a custom deck and the rules of the catalogue rule set `name`.
    pub(crate) fn custom(name: &str, suits: &str, ranks: &[(char, i32)], cards: &[&str]) -> Self {
        let mut draft = RuleSet::named(name).unwrap().draft();
        let privileged: Vec<char> = draft.privilege.as_ref().map_or_else(Vec::new, |privilege| {
            privilege.ranks.iter().map(|rank| draft.ranks[usize::from(rank.0)].letter).collect()
        });
        let index = |i: usize| u8::try_from(i).unwrap();
        let rank_of = |letter: char| {
            ranks.iter().position(|&(known, _)| known == letter).map(|i| Rank(index(i)))
        };
        draft.name = format!("{name} with {} cards", cards.len());
        draft.suits = suits
            .chars()
            .map(|letter| SuitFace { letter, name: letter.to_string(), symbol: None })
            .collect();
        draft.ranks = ranks
            .iter()
            .map(|&(letter, value)| RankFace {
                letter,
                name: letter.to_string(),
                value: u16::try_from(value).unwrap(),
            })
            .collect();
        draft.cards = cards
            .iter()
            .map(|card| {
                let mut letters = card.chars();
                let rank = rank_of(letters.next().unwrap()).unwrap();
                let suit = letters.next().unwrap();
                Card { rank, suit: Suit(index(suits.find(suit).unwrap())) }
            })
            .collect();
        draft.privilege = draft.privilege.map(|privilege| Privilege {
            ranks: privileged.iter().filter_map(|&letter| rank_of(letter)).collect(),
            ..privilege
        });
        Self {
            rules: RuleSet::new(draft).unwrap().shared(),
            naive: naive::Rules::custom(name, suits, ranks, cards).unwrap(),
        }
    }

    /// Creates a rule set with one card of each rank and suit, and with the rules of the catalogue rule set `name`.
    pub(crate) fn one_of_each(name: &str, suits: &str, ranks: &[(char, i32)]) -> Self {
        let cards: Vec<String> = suits
            .chars()
            .flat_map(|suit| ranks.iter().map(move |(rank, _)| format!("{rank}{suit}")))
            .collect();
        let cards: Vec<&str> = cards.iter().map(String::as_str).collect();
        Self::custom(name, suits, ranks, &cards)
    }

    pub(crate) fn start(&self, deal: u64) -> Playing<'_> {
        let game = Game::new(Deal::numbered(&self.rules, deal).unwrap());
        Playing { both: self, game, state: self.naive.deal(deal) }
    }

    /// Replays a game both in the rules crate and in the naive reference implementation.
    pub(crate) fn play_all(&self, game: &Game) -> Playing<'_> {
        let mut playing = self.start(game.dealt().number());
        for &action in game.actions() {
            playing.play(action);
        }
        playing
    }

    pub(crate) fn random(&self, chance: &mut Chance) -> Playing<'_> {
        self.start(chance.deal(&self.rules).number())
    }
}

/// Returns all rule sets of the catalogue that have 20 cards.
pub(crate) fn catalogue() -> Vec<Arc<RuleSet>> {
    let sets = RuleSet::catalogue().into_iter().filter(|rules| rules.hand_size() == 10);
    let sets: Vec<_> = sets.map(RuleSet::shared).collect();
    assert!(!sets.is_empty(), "the catalogue has rule sets of 20 cards");
    sets
}

/// Game played both in the rules crate and in the naive reference implementation.
#[derive(Clone)]
pub(crate) struct Playing<'b> {
    pub(crate) both: &'b Both,
    pub(crate) game: Game,
    pub(crate) state: naive::State,
}

impl Playing<'_> {
    /// Checks that the rules crate and the naive reference implementation agree on the seat whose
    /// turn it is, the legal actions and the outcome.
    pub(crate) fn compare(&self) {
        let naive = &self.both.naive;
        let mut expected = naive.legal(&self.state);
        let legal: Vec<_> = self.game.legal_actions().collect();
        let mut found: Vec<String> = legal.iter().map(|action| self.text(*action)).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "legal actions in {:?}", self.game.position());
        let seat = |seat| match seat {
            naive::Seat::First => Seat::First,
            naive::Seat::Second => Seat::Second,
        };
        assert_eq!(self.game.to_act(), naive.to_act(&self.state).map(seat));
        let outcome = self.game.outcome().map(|outcome| outcome.points_for_first());
        assert_eq!(outcome, naive.outcome(&self.state), "outcome of {:?}", self.game.position());
    }

    pub(crate) fn play(&mut self, action: Action) {
        self.state = self.both.naive.play(&self.state, &self.text(action)).unwrap();
        self.game = self.game.clone().play(action).unwrap();
    }

    pub(crate) fn play_at_random(&mut self, chance: &mut Chance, patience: usize) {
        let action = chance.action(self.game.position(), patience);
        self.play(action);
    }

    /// Returns the value of the current position for seat *first*, computed by the naive reference implementation.
    pub(crate) fn value(&self, naive: &mut naive::Solver<'_>) -> ValueForFirst {
        ValueForFirst::new(naive.value(&self.state))
    }

    /// Returns the value of the position after each legal action, computed by the naive reference implementation.
    pub(crate) fn action_values(
        &self,
        naive: &mut naive::Solver<'_>,
    ) -> Vec<(Action, ValueForFirst)> {
        let legal = self.game.legal_actions();
        let value = |action| {
            let after = self.both.naive.play(&self.state, &self.text(action)).unwrap();
            (action, ValueForFirst::new(naive.value(&after)))
        };
        legal.map(value).collect()
    }

    /// Checks that an analysis is exact and agrees with the naive reference implementation.
    pub(crate) fn compare_analysis(&self, analysis: &Analysis, naive: &mut naive::Solver<'_>) {
        let position = self.game.position();
        assert_eq!(analysis.value.exact(), Some(self.value(naive)), "{position:?}");
        let found: Vec<_> =
            analysis.actions.iter().map(|a| (a.action, a.value.exact().unwrap())).collect();
        assert_eq!(found, self.action_values(naive), "{position:?}");
    }

    fn text(&self, action: Action) -> String {
        self.both.rules.action_text(action).to_string()
    }
}
