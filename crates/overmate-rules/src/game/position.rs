//! A game without its past: the cards held, what lies on the table, and whose turn it is.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cards::{BySeat, Card, CardSet, Seat};
use crate::game::action::Action;
use crate::game::deal::Dealt;
use crate::game::illegal::Illegal;
use crate::game::legality::{self, foreplacing_bar};
use crate::game::mate::Mate;
use crate::game::outcome::Outcome;
use crate::game::phase::Phase;
use crate::game::state::{Foreplaced, State};
use crate::rule_set::{Answers, Lead, RuleSet};

/// A valid position of a rule set. It knows what is needed to play on, and not how it came about.
///
/// # Equality
///
/// Positions are equal if they are of equal rule sets and no player could tell them apart, whatever
/// was played before. Which of two identical cards a player holds makes no difference.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    rules: Arc<RuleSet>,
    state: State,
}

impl Position {
    /// The position in which a deal begins.
    #[must_use]
    pub fn start(dealt: &Dealt) -> Self {
        let rules = dealt.rules();
        Self { rules: Arc::clone(rules), state: State::start(rules, dealt.hands()) }
    }

    /// A position of a state that has been checked.
    pub(crate) fn from_state(rules: Arc<RuleSet>, state: State) -> Self {
        Self { rules, state }
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The rule set.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// The cards that a seat holds. A sole foreplacer's repeated card is back in his hand for the last move.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.state.hands[seat]
    }

    /// What a seat has foreplaced.
    #[must_use]
    pub fn foreplaced(&self, seat: Seat) -> Foreplaced {
        self.state.foreplaced[seat]
    }

    /// Who leads, or led, to the present move.
    #[must_use]
    pub fn leader(&self) -> Seat {
        self.state.leader
    }

    /// The card that was led and not answered yet, or that gave mate.
    #[must_use]
    pub fn lead(&self) -> Option<Lead> {
        self.state.lead
    }

    /// Whether the free move has been used.
    #[must_use]
    pub fn free_move_used(&self) -> bool {
        self.state.free_move_used
    }

    /// How many moves are complete: led and answered.
    #[must_use]
    pub fn moves(&self) -> u8 {
        self.state.moves
    }

    /// The number of the last move that this game can have, as far as the foreplacing is known.
    #[must_use]
    pub fn last_move(&self) -> u8 {
        self.state.last_move(&self.rules)
    }

    /// The seat that foreplaced a card when the other did not, once both have chosen.
    #[must_use]
    pub fn sole_foreplacer(&self) -> Option<Seat> {
        match self.phase() {
            Phase::Foreplacing(_) => None,
            _ => self.state.sole_foreplacer(),
        }
    }

    /// What is to be done next, and by whom.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.mate().is_some() { Phase::Over } else { self.state.phase(&self.rules) }
    }

    /// Whose turn it is, if the game goes on.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        self.phase().to_act()
    }

    /// The mate that the present lead gives, if it cannot be answered.
    #[must_use]
    pub fn mate(&self) -> Option<Mate> {
        let lead = self.state.lead?;
        if !self.answers()?.forced.is_empty() {
            return None;
        }
        let foreplaced = self.state.foreplaced.map(Foreplaced::is_card);
        Some(self.rules.mate(self.state.leader, lead.card, self.state.moves + 1, foreplaced))
    }

    /// How the position ended, if the game is over: by mate, or drawn.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match (self.mate(), self.phase()) {
            (Some(mate), _) => Some(Outcome::Mate(mate)),
            (None, Phase::Over) => Some(Outcome::Draw),
            _ => None,
        }
    }

    pub(crate) fn answers(&self) -> Option<Answers> {
        self.state.answers_now(&self.rules)
    }

    /// Every legal action once, in canonical order.
    ///
    /// The order: declining first, then cards in the order of the deck's slots (suit by suit, high to
    /// low). A lead comes before the same lead with a demand, and all ordinary answers before the
    /// free moves. Empty when the game is over.
    #[must_use]
    pub fn legal_actions(&self) -> Vec<Action> {
        let deck = self.rules.deck();
        let mut actions = Vec::new();
        match self.phase() {
            Phase::Over => {}
            Phase::Foreplacing(seat) => {
                let barred = foreplacing_bar(&self.rules, &self.state, seat)
                    .map_or(CardSet::EMPTY, |card| {
                        deck.of_suit(card.suit).or(deck.of_rank(card.rank))
                    });
                actions.push(Action::Decline);
                let free = self.hand(seat).without(barred);
                actions.extend(deck.distinct(free).map(Action::Foreplace));
            }
            Phase::Lead(seat) => {
                for card in deck.distinct(self.hand(seat)) {
                    actions.push(Action::Play(card));
                    if self.rules.may_demand(card) {
                        actions.push(Action::Demand(card));
                    }
                }
            }
            Phase::Follow(_) => {
                if let Some(answers) = self.answers() {
                    actions.extend(deck.distinct(answers.forced).map(Action::Play));
                    actions.extend(deck.distinct(answers.free_move).map(Action::Free));
                }
            }
        }
        actions
    }

    /// Checks whether an action is legal here.
    ///
    /// # Errors
    ///
    /// Returns the reason why the action is not legal.
    pub fn check(&self, action: Action) -> Result<(), Illegal> {
        legality::check(&self.rules, &self.state, self.phase(), action)
    }

    /// The position after an action.
    ///
    /// # Errors
    ///
    /// Why the action is not legal; this position is unchanged.
    pub fn play(&self, action: Action) -> Result<Self, Illegal> {
        self.check(action)?;
        let mut next = self.clone();
        next.carry_out(action);
        Ok(next)
    }

    /// Carries out an action that is known to be legal here.
    pub(crate) fn carry_out(&mut self, action: Action) {
        self.state.carry_out(&self.rules, action);
    }

    /// The hands, as both players see them on the table.
    #[must_use]
    pub fn hands(&self) -> BySeat<CardSet> {
        self.state.hands
    }

    /// The cards of a hand, high to low within each suit.
    #[must_use]
    pub fn hand_cards(&self, seat: Seat) -> Vec<Card> {
        self.rules.deck().cards_of(self.hand(seat)).collect()
    }
}
