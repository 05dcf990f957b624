//! Defines the state of a game in progress, which positions and views contain. Only this file changes the cards in a hand.

use crate::cards::{BySeat, Card, CardSet, Seat};
use crate::game::action::Action;
use crate::game::phase::Phase;
use crate::rule_set::{Answers, Lead, RuleSet};

/// State of a player's foreplacing (setting a card aside before the first move).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Foreplaced {
    /// The player has not yet chosen whether to foreplace a card.
    Undecided,
    /// The player declined to foreplace a card.
    Nothing,
    /// The player foreplaced the given card, and the observer knows the card.
    Card(Card),
    /// The player foreplaced a card face down, and the observer does not know the card.
    FaceDown,
}

impl Foreplaced {
    /// Returns whether the player has foreplaced a card, known or unknown.
    #[must_use]
    pub fn is_card(self) -> bool {
        matches!(self, Self::Card(_) | Self::FaceDown)
    }
}

/// State of a game in progress, with both hands. The type does not check that the state is valid.
///
/// Identical cards have the indices that [`Deck::settle`](crate::Deck) gives them, so that states
/// with the same cards are equal. A hand still holds its foreplaced card if that card lies face
/// down and is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PositionState {
    pub(crate) hands: BySeat<CardSet>,
    pub(crate) foreplaced: BySeat<Foreplaced>,
    pub(crate) leader: Seat,
    pub(crate) lead: Option<Lead>,
    pub(crate) free_move_used: bool,
    /// Number of completed moves in the game. Each move is a lead and its answer.
    pub(crate) moves: u8,
}

impl PositionState {
    /// Returns the initial state of a game with the given hands.
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

    /// Returns the phase of the game. A lead that gives mate still counts as awaiting an answer.
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

    /// Returns the number of the last possible move of the game, given the cards foreplaced so far.
    pub(crate) fn last_move(&self, rules: &RuleSet) -> u8 {
        let both = self.foreplaced.first.is_card() && self.foreplaced.second.is_card();
        rules.hand_size() - u8::from(both)
    }

    /// Returns the seat of the only player who has foreplaced a card so far, or `None` if neither or both players have
    /// foreplaced.
    pub(crate) fn sole_foreplacer(&self) -> Option<Seat> {
        let is_card = self.foreplaced.map(Foreplaced::is_card);
        match (is_card.first, is_card.second) {
            (true, false) => Some(Seat::First),
            (false, true) => Some(Seat::Second),
            _ => None,
        }
    }

    /// Returns the legal answers of the follower to the current lead, or `None` without an unanswered lead.
    pub(crate) fn answers_now(&self, rules: &RuleSet) -> Option<Answers> {
        let lead = self.lead?;
        let hand = self.hands[!self.leader];
        Some(rules.answers_in_order(lead).answers_of(hand, self.free_move_used))
    }

    /// Records that a player has foreplaced a card or declined. `FaceDown` leaves the hand
    /// unchanged.
    pub(crate) fn foreplace(&mut self, rules: &RuleSet, seat: Seat, what: Foreplaced) {
        self.foreplaced[seat] = what;
        if let Foreplaced::Card(card) = what {
            self.take(rules, seat, card);
        }
    }

    /// Executes an action whose legality the caller has checked.
    pub(crate) fn carry_out(&mut self, rules: &RuleSet, action: Action) {
        match (self.phase(rules), action) {
            (Phase::Foreplacing(seat), Action::Foreplace(card)) => {
                self.foreplace(rules, seat, Foreplaced::Card(card));
            }
            (Phase::Foreplacing(seat), Action::Decline) => {
                self.foreplace(rules, seat, Foreplaced::Nothing);
            }
            (Phase::Lead(seat), Action::Play(card) | Action::Demand(card)) => {
                self.take(rules, seat, card);
                self.lead = Some(Lead { card, demanded: matches!(action, Action::Demand(_)) });
            }
            (Phase::Follow(seat), Action::Play(card) | Action::Free(card)) => {
                self.take(rules, seat, card);
                self.free_move_used |= matches!(action, Action::Free(_));
                self.complete_move(rules, card);
            }
            // An action that is illegal in the current phase cannot occur, because the caller has checked the legality.
            (Phase::Foreplacing(_), Action::Play(_) | Action::Demand(_) | Action::Free(_))
            | (Phase::Lead(_), Action::Decline | Action::Foreplace(_) | Action::Free(_))
            | (Phase::Follow(_), Action::Decline | Action::Foreplace(_) | Action::Demand(_))
            | (
                Phase::Over,
                Action::Decline
                | Action::Foreplace(_)
                | Action::Play(_)
                | Action::Demand(_)
                | Action::Free(_),
            ) => {}
        }
    }

    /// Completes the current move of a game with the follower's answer. The winner of the move
    /// becomes the next leader. Before the last move, a repeated card returns to its holder.
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

    /// Removes one copy of a card from the hand of a seat.
    fn take(&mut self, rules: &RuleSet, seat: Seat, card: Card) {
        let copy = (self.hands[seat] & rules.deck().slots_of(card)).first_slot();
        let copy = copy.map_or(CardSet::EMPTY, CardSet::of_slot);
        self.hands[seat] -= copy;
        self.settle(rules);
    }

    /// Adds one copy of a card to the hand of a seat.
    pub(crate) fn give(&mut self, rules: &RuleSet, seat: Seat, card: Card) {
        let held = self.hands.first | self.hands.second;
        let copy = (rules.deck().slots_of(card) - held).first_slot();
        let copy = copy.map_or(CardSet::EMPTY, CardSet::of_slot);
        self.hands[seat] |= copy;
        self.settle(rules);
    }

    /// Canonicalises the hands of both seats: if the hands share identical cards, seat `First` gets the copies with the
    /// lower indices.
    fn settle(&mut self, rules: &RuleSet) {
        let (first, second) = rules.deck().settle(self.hands.first, self.hands.second);
        self.hands = BySeat { first, second };
    }
}
