//! How a game goes on: the one place that moves cards, shared by positions and by views.

use crate::cards::{BySeat, Card, CardSet, Seat};
use crate::game::action::Action;
use crate::game::phase::Phase;
use crate::rule_set::{Answers, Lead, RuleSet};

/// What a seat has foreplaced.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Foreplaced {
    /// The seat has not chosen yet.
    Undecided,
    /// Nothing.
    Nothing,
    /// This card.
    Card(Card),
    /// A card that lies face down and is not known here.
    FaceDown,
}

impl Foreplaced {
    /// Whether a card lies there, known or not.
    #[must_use]
    pub fn is_card(self) -> bool {
        matches!(self, Self::Card(_) | Self::FaceDown)
    }
}

/// The cards on the table and whose turn it is, with no word on what is legal.
///
/// Identical cards lie where [`Deck::settle`](crate::Deck) puts them, so states that hold the same
/// cards are equal. A hand of which one card lies face down and is unknown here still holds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) hands: BySeat<CardSet>,
    pub(crate) foreplaced: BySeat<Foreplaced>,
    pub(crate) leader: Seat,
    pub(crate) lead: Option<Lead>,
    pub(crate) free_move_used: bool,
    /// Moves that are complete.
    pub(crate) moves: u8,
}

impl State {
    pub(crate) fn start(rules: &RuleSet, hands: BySeat<CardSet>) -> Self {
        let foreplaced = match rules.foreplacing() {
            Some(_) => Foreplaced::Undecided,
            None => Foreplaced::Nothing,
        };
        Self {
            hands,
            foreplaced: BySeat { first: foreplaced, second: foreplaced },
            leader: Seat::First,
            lead: None,
            free_move_used: false,
            moves: 0,
        }
    }

    /// The phase, when a lead that cannot be answered has not ended the game.
    pub(crate) fn phase(&self, rules: &RuleSet) -> Phase {
        for seat in Seat::BOTH {
            if self.foreplaced[seat] == Foreplaced::Undecided {
                return Phase::Foreplacing(seat);
            }
        }
        if self.lead.is_some() {
            Phase::Follow(!self.leader)
        } else if self.moves >= self.last_move(rules) {
            Phase::Over
        } else {
            Phase::Lead(self.leader)
        }
    }

    /// The number of the last move that the game can have.
    pub(crate) fn last_move(&self, rules: &RuleSet) -> u8 {
        let both = self.foreplaced.first.is_card() && self.foreplaced.second.is_card();
        rules.hand_size() - u8::from(both)
    }

    /// The seat that foreplaced when the other did not.
    pub(crate) fn sole_foreplacer(&self) -> Option<Seat> {
        let is_card = self.foreplaced.map(Foreplaced::is_card);
        match (is_card.first, is_card.second) {
            (true, false) => Some(Seat::First),
            (false, true) => Some(Seat::Second),
            _ => None,
        }
    }

    /// Returns the answers of the seat that must follow; `None` if no card lies unanswered.
    pub(crate) fn answers_now(&self, rules: &RuleSet) -> Option<Answers> {
        let lead = self.lead?;
        let hand = self.hands[!self.leader];
        Some(rules.answers_in_order(lead).answers_of(hand, self.free_move_used))
    }

    /// Notes what a seat foreplaces; `FaceDown` leaves its hand as it is.
    pub(crate) fn foreplace(&mut self, rules: &RuleSet, seat: Seat, what: Foreplaced) {
        self.foreplaced[seat] = what;
        if let Foreplaced::Card(card) = what {
            self.take(rules, seat, card);
        }
    }

    /// Carries out an action that is legal for the seat whose turn it is.
    pub(crate) fn carry_out(&mut self, rules: &RuleSet, action: Action) {
        match (self.phase(rules), action) {
            (Phase::Foreplacing(seat), Action::Foreplace(card)) => {
                self.foreplace(rules, seat, Foreplaced::Card(card));
            }
            (Phase::Foreplacing(seat), _) => self.foreplace(rules, seat, Foreplaced::Nothing),
            (Phase::Lead(seat), Action::Play(card) | Action::Demand(card)) => {
                self.take(rules, seat, card);
                self.lead = Some(Lead { card, demanded: matches!(action, Action::Demand(_)) });
            }
            (Phase::Follow(seat), Action::Play(card) | Action::Free(card)) => {
                self.take(rules, seat, card);
                self.free_move_used |= matches!(action, Action::Free(_));
                self.complete_move(rules, card);
            }
            _ => {}
        }
    }

    fn complete_move(&mut self, rules: &RuleSet, answer: Card) {
        let Some(lead) = self.lead.take() else { return };
        let leader = self.leader;
        if !lead.card.wins_over(answer) {
            self.leader = !leader;
        }
        self.moves += 1;
        if let Some(seat) = self.sole_foreplacer()
            && self.moves + 1 == rules.hand_size()
        {
            self.give(rules, seat, if seat == leader { lead.card } else { answer });
        }
    }

    fn take(&mut self, rules: &RuleSet, seat: Seat, card: Card) {
        let copy = self.hands[seat].and(rules.deck().slots_of(card)).first_slot();
        let copy = copy.map_or(CardSet::EMPTY, CardSet::of_slot);
        self.hands[seat] = self.hands[seat].without(copy);
        self.settle(rules);
    }

    fn give(&mut self, rules: &RuleSet, seat: Seat, card: Card) {
        let held = self.hands.first.or(self.hands.second);
        let copy = rules.deck().slots_of(card).without(held).first_slot();
        let copy = copy.map_or(CardSet::EMPTY, CardSet::of_slot);
        self.hands[seat] = self.hands[seat].or(copy);
        self.settle(rules);
    }

    fn settle(&mut self, rules: &RuleSet) {
        let (first, second) = rules.deck().settle(self.hands.first, self.hands.second);
        self.hands = BySeat { first, second };
    }
}
