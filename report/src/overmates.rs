//! Counts the deals in which the winner under best play can force an overmate without losing a point.

use std::collections::HashMap;

use anyhow::Result;
use overmate_rules::{BySeat, CardSet, Foreplaced, Outcome, Phase, Position, Seat};
use overmate_solver::whole::WholeGame;
use rayon::prelude::*;

use crate::survey::{PlayedDeal, start, value};

/// Returns, for each seat, the number of deals in which the seat wins and can force an overmate.
///
/// An overmate is forced if the winner has, at each turn, an action that keeps the value and leads to an overmate against every
/// reply that keeps the value too.
pub(crate) fn forced(whole: &WholeGame, deals: &[PlayedDeal]) -> Result<BySeat<u32>> {
    let found: Result<Vec<Option<Seat>>> = deals
        .par_iter()
        .map(|deal| {
            let Some(mut search) = OvermateSearch::new(whole, deal.value) else { return Ok(None) };
            let forced = search.is_forced(&start(whole.rules(), deal.number)?)?;
            Ok(forced.then_some(search.winner))
        })
        .collect();
    let found = found?;
    Ok(BySeat::new_with(|seat| crate::numbers::counted(found.iter().filter(|f| **f == Some(seat)))))
}

/// Set of cards with which an overmate by the winner scores exactly the value of the searched deal, if only the seat `sole` has foreplaced.
struct OvermateWay {
    /// Seat that has foreplaced a card, while the other seat has declined.
    sole: Seat,
    /// Cards with which an overmate by the winner of the deal scores exactly the deal's value. The winner is the seat that wins under best
    /// play.
    cards: CardSet,
}

/// Cache key of a position before a lead: hands, foreplaced cards, leader, and whether the free
/// move is used.
type ForcedKey = (BySeat<CardSet>, BySeat<Foreplaced>, Seat, bool);

/// Search for a forced overmate. It visits only positions in which both seats have lost no points.
struct OvermateSearch<'a> {
    whole: &'a WholeGame,
    /// Value for seat *first*, in points, of the deal in which the search looks for a forced overmate.
    worth: i32,
    winner: Seat,
    ways: Vec<OvermateWay>,
    /// Cached search results by position: whether the seat that wins the deal under best play can force an overmate from the position.
    known: HashMap<ForcedKey, bool>,
}

impl<'a> OvermateSearch<'a> {
    /// Prepares the search for a forced overmate in a deal whose value for seat *first* is `worth`. Returns `None` if no overmate scores
    /// that value.
    fn new(whole: &'a WholeGame, worth: i32) -> Option<Self> {
        let winner = match worth {
            0 => return None,
            1.. => Seat::First,
            _ => Seat::Second,
        };
        let rules = whole.rules();
        let deck = rules.deck();
        let of_sole = |sole: Seat| {
            let foreplaced = BySeat::new_with(|seat| seat == sole);
            let scores = |slot: &u8| {
                let mate = rules.mate(winner, deck.card_at(*slot), rules.hand_size(), foreplaced);
                mate.overmate && mate.points() == worth.abs()
            };
            let slots = (0..2 * rules.hand_size()).filter(scores);
            OvermateWay { sole, cards: CardSet(slots.fold(0, |set, slot| set | 1 << slot)) }
        };
        let ways: Vec<OvermateWay> =
            Seat::BOTH.map(of_sole).into_iter().filter(|way| way.cards != CardSet::EMPTY).collect();
        (!ways.is_empty()).then(|| Self { whole, worth, winner, ways, known: HashMap::new() })
    }

    /// Returns whether the winner can force an overmate from a position that both seats have reached without losing points.
    fn is_forced(&mut self, position: &Position) -> Result<bool> {
        match (position.outcome(), position.phase()) {
            (Some(outcome), _) => Ok(matches!(outcome, Outcome::Mate(mate) if mate.overmate)),
            (None, Phase::Lead(leader)) => {
                if !self.has_the_card(position) {
                    return Ok(false);
                }
                let foreplaced = BySeat::new_with(|seat| position.foreplaced(seat));
                let key = (position.hands(), foreplaced, leader, position.free_move_used());
                if let Some(known) = self.known.get(&key) {
                    return Ok(*known);
                }
                let forced = self.is_forced_by_an_action(position)?;
                self.known.insert(key, forced);
                Ok(forced)
            }
            (None, _) => self.is_forced_by_an_action(position),
        }
    }

    fn is_forced_by_an_action(&mut self, position: &Position) -> Result<bool> {
        let winner_acts = position.to_act() == Some(self.winner);
        for action in position.legal_actions() {
            let next = position.clone().play(action)?;
            // If the winner is to act, the search stops at the first action that keeps the value and forces an overmate. If the loser is to
            // act, the search stops at the first action that keeps the value and avoids an overmate.
            if value(self.whole, &next)? == self.worth && self.is_forced(&next)? == winner_acts {
                return Ok(winner_acts);
            }
        }
        Ok(!winner_acts)
    }

    /// Returns whether the winner has, in hand or foreplaced, a card with which an overmate scores exactly the value of
    /// the deal.
    fn has_the_card(&self, position: &Position) -> bool {
        let deck = position.rules().deck();
        let Some(sole) = position.sole_foreplacer() else { return false };
        let Some(way) = self.ways.iter().find(|way| way.sole == sole) else { return false };
        let held = position.hand(self.winner).0 & way.cards.0 != 0;
        let kept = match position.foreplaced(self.winner) {
            Foreplaced::Card(card) => deck.cards_of(way.cards).any(|wanted| wanted == card),
            Foreplaced::Undecided | Foreplaced::Nothing | Foreplaced::FaceDown => false,
        };
        held || kept
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use overmate_rules::{Dealt, RuleSet};
    use overmate_solver::Progress;
    use overmate_solver::whole::WholeOptions;

    use super::*;

    type Memo = HashMap<String, (i32, i32)>;

    /// Computes two numbers by exhaustive search: the points for seat *first* under best play, and 1, -1 or 0 for an
    /// overmate by *first*, by *second* or by neither seat. Among equal points, each seat prefers an overmate.
    fn by_points_then_overmate(position: &Position, memo: &mut Memo) -> (i32, i32) {
        if let Some(outcome) = position.outcome() {
            let overmate = match outcome {
                Outcome::Mate(mate) if mate.overmate => mate.by.sign_for_first(),
                _ => 0,
            };
            return (outcome.points_for_first(), overmate);
        }
        let key = position.to_string();
        if let Some(known) = memo.get(&key) {
            return *known;
        }
        let next = position.legal_actions();
        let values: Vec<(i32, i32)> = next
            .map(|action| by_points_then_overmate(&position.clone().play(action).unwrap(), memo))
            .collect();
        let best = match position.to_act() {
            Some(Seat::First) => values.into_iter().max(),
            _ => values.into_iter().min(),
        };
        memo.insert(key, best.unwrap());
        best.unwrap()
    }

    /// Returns a rule set reduced to ten cards in three suits, for tests.
    fn small(name: &str) -> Arc<RuleSet> {
        let mut draft = RuleSet::named(name).unwrap().draft();
        draft.cards.retain(|card| card.suit.0 < 3 && card.rank.0 != 3);
        draft.cards.truncate(10);
        RuleSet::new(draft).unwrap().shared()
    }

    #[test]
    fn forced_overmates_equal_those_of_a_game_in_which_overmates_break_ties() {
        let mut counts = BySeat { first: 0, second: 0 };
        for name in ["sackson", "pagat", "denexa", "sackson+free-move", "sackson+double"] {
            let rules = small(name);
            let whole =
                WholeGame::solve(&rules, WholeOptions::default(), &Progress::default()).unwrap();
            for number in 0..Dealt::count(&rules) {
                let position = start(&rules, number).unwrap();
                let (points, overmate) = by_points_then_overmate(&position, &mut Memo::new());
                assert_eq!(value(&whole, &position).unwrap(), points);
                let found = OvermateSearch::new(&whole, points)
                    .is_some_and(|mut search| search.is_forced(&position).unwrap());
                assert_eq!(found, overmate != 0, "{name}, deal {number}: {points}");
                if found {
                    counts[if points > 0 { Seat::First } else { Seat::Second }] += 1;
                }
            }
        }
        assert!(counts.first > 5 && counts.second > 20, "{counts:?}");
    }
}
