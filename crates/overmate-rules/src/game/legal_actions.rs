//! Implements an allocation-free iterator over the legal actions of a position.

use core::iter::FusedIterator;

use crate::cards::CardSet;
use crate::game::action::Action;
use crate::game::legality::foreplacing_bar;
use crate::game::phase::Phase;
use crate::game::state::PositionState;
use crate::rule_set::RuleSet;

/// Iterator over the distinct legal actions of a position, in a fixed (canonical) order.
///
/// The canonical order is: declining first, then the cards in the order of the deck. A lead comes
/// before the same lead with a demand. All forced answers come before the free moves.
#[derive(Clone, Debug)]
pub struct LegalActions<'a> {
    rules: &'a RuleSet,
    decline: bool,
    /// Distinct cards that the player may foreplace.
    foreplace: CardSet,
    /// Distinct cards that the player may lead without a demand, or play as an answer without the free move.
    play: CardSet,
    /// Distinct cards that the player may lead with a demand.
    demand: CardSet,
    /// Distinct cards that the player may play as an answer only by the free move.
    free: CardSet,
}

impl<'a> LegalActions<'a> {
    /// Returns an iterator without any actions.
    pub(crate) fn none(rules: &'a RuleSet) -> Self {
        Self {
            rules,
            decline: false,
            foreplace: CardSet::EMPTY,
            play: CardSet::EMPTY,
            demand: CardSet::EMPTY,
            free: CardSet::EMPTY,
        }
    }

    /// Returns an iterator over the legal actions of the player whose turn it is, in a given state and phase of a game.
    pub(crate) fn new(rules: &'a RuleSet, state: &PositionState, phase: Phase) -> Self {
        let deck = rules.deck();
        let mut actions = Self::none(rules);
        match phase {
            Phase::Over => {}
            Phase::Foreplacing(seat) => {
                let barred = foreplacing_bar(rules, state, seat).map_or(CardSet::EMPTY, |card| {
                    deck.of_suit(card.suit) | deck.of_rank(card.rank)
                });
                actions.decline = true;
                actions.foreplace = deck.distinct_slots(state.hands[seat] - barred);
            }
            Phase::Lead(seat) => {
                actions.play = deck.distinct_slots(state.hands[seat]);
                let may_demand = |slot: &u8| rules.may_demand(deck.card_at(*slot));
                actions.demand = actions.play.slots().filter(may_demand).collect();
            }
            Phase::Follow(_) => {
                let answers = state.answers_now(rules).unwrap_or_default();
                actions.play = deck.distinct_slots(answers.forced);
                actions.free = deck.distinct_slots(answers.free_move);
            }
        }
        actions
    }
}

/// Removes the card with the lowest index from a set of cards, and returns the index.
fn take_first(set: &mut CardSet) -> Option<u8> {
    let slot = set.first_slot()?;
    *set -= CardSet::of_slot(slot);
    Some(slot)
}

impl Iterator for LegalActions<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let deck = self.rules.deck();
        if core::mem::take(&mut self.decline) {
            return Some(Action::Decline);
        }
        if let Some(slot) = take_first(&mut self.foreplace) {
            return Some(Action::Foreplace(deck.card_at(slot)));
        }
        // In the order of legal actions, a lead with a demand directly follows the plain lead of the same card. The slot of the demand
        // is then lower than the slots of all leads that are left.
        if let Some(slot) = self.demand.first_slot()
            && self.play.first_slot().is_none_or(|play| slot < play)
        {
            self.demand -= CardSet::of_slot(slot);
            return Some(Action::Demand(deck.card_at(slot)));
        }
        if let Some(slot) = take_first(&mut self.play) {
            return Some(Action::Play(deck.card_at(slot)));
        }
        take_first(&mut self.free).map(|slot| Action::Free(deck.card_at(slot)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let cards = self.foreplace.len() + self.play.len() + self.demand.len() + self.free.len();
        let len = usize::from(self.decline) + cards as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for LegalActions<'_> {}
impl FusedIterator for LegalActions<'_> {}
