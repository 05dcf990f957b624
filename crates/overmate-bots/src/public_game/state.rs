//! Defines the public state of a game with a face-down card, with its legal actions and successors.

use std::hash::{Hash, Hasher};

use overmate_rules::{Action, BySeat, Lead, Seat};

use crate::public_game::cards::{HandCards, PublicLead, bits, set_of};
use crate::public_game::types::MAX_TYPES;

/// Public state of a game before a lead or an answer: the common knowledge of both players.
///
/// A *type* of a seat is the index of a card that may lie face down in front of the seat. The
/// continuation of the game depends on the public state and on the two actual types. Earlier
/// actions matter only for the probability of each type. A player's information set is a public
/// state together with their own type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PublicState {
    /// Bit set of each seat's unplayed cards, including a face-down card.
    pub(crate) held: BySeat<u32>,
    /// Bit set of the cards that each seat may have face down; empty if the seat has no face-down card.
    pub(crate) types: BySeat<u32>,
    /// Seat that leads to the current move.
    pub(crate) leader: Seat,
    /// Index of the unanswered lead in the list of all leads of the leader, or `None` before a lead.
    pub(crate) lead: Option<u32>,
    /// Whether the free move (the right to answer once in rank while holding the suit) is unused.
    pub(crate) free: bool,
}

/// Lead or answer in a game with a face-down card, stored as the index of the lead or of the answering card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PublicAction {
    /// A seat leads a card. The field is the index of the lead among the seat's leads.
    Lead(u32),
    /// A seat answers the current lead with a card.
    Follow {
        /// Index of the answering card in the follower's hand.
        card: u32,
        /// Whether the answer uses the free move.
        free: bool,
    },
}

/// Result of a lead or an answer: the next public state or the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Successor {
    /// The game continues from the given public state.
    State(PublicState),
    /// Final points for seat *first*, because the game has ended or only forced actions remain.
    Over(i32),
}

/// Action, with a bit set of the acting seat's possible face-down cards for which the action is legal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedAction {
    /// Lead or answer that is legal for at least one of the acting seat's possible face-down cards.
    pub(crate) action: PublicAction,
    /// Bit set of the acting seat's possible face-down cards for which the action is legal. The set is
    /// [`NO_CARD`] if the seat has no face-down card.
    pub(crate) by: u32,
}

/// Placeholder for the set of possible face-down cards, for a seat without a face-down card: a bit set that contains
/// only the number 0.
pub(crate) const NO_CARD: u32 = 1;

impl Hash for PublicState {
    /// Hashes the whole state as one number: a hand has at most ten cards and twenty leads.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Self { held, types, leader, lead, free } = *self;
        let sets = [held.first, held.second, types.first, types.second];
        let small = lead.map_or(0, |lead| lead + 1) << 2 | (leader as u32) << 1 | u32::from(free);
        hasher
            .write_u64(sets.into_iter().fold(small.into(), |all, set| all << 10 | u64::from(set)));
    }
}

impl PublicState {
    /// Returns the public state before the first lead, where `hides` states whether each seat has a face-down card.
    pub(crate) fn start(cards: &HandCards, hides: BySeat<bool>) -> Self {
        let held = BySeat::new_with(|seat| cards.all(seat));
        // Of several identical cards in a hand, the card with the lowest index represents all.
        let types = BySeat::new_with(|seat| {
            let kinds =
                bits(held[seat]).filter(|i| cards.kind(seat, cards.card(seat, *i)) == Some(*i));
            if hides[seat] { set_of(kinds) } else { 0 }
        });
        Self { held, types, leader: Seat::First, lead: None, free: cards.rules().free_move() }
    }

    /// Returns the seat that has to lead or to answer.
    pub(crate) fn to_act(self) -> Seat {
        if self.lead.is_some() { !self.leader } else { self.leader }
    }

    /// Returns whether a seat has a card face down.
    pub(crate) fn hides(&self, seat: Seat) -> bool {
        self.types[seat] != 0
    }

    /// Returns a bit set of the cards that a seat may have face down, or [`NO_CARD`] if the seat
    /// has no face-down card.
    pub(crate) fn types_or_none(&self, seat: Seat) -> u32 {
        if self.hides(seat) { self.types[seat] } else { NO_CARD }
    }

    /// Returns the position of the card with the index `card` among the cards that a seat may have face down, or `None` if the seat cannot
    /// have this card face down. The index [`NO_TYPE`](super::history::NO_TYPE) stands for no face-down card.
    pub(crate) fn place_of_type(&self, seat: Seat, card: u32) -> Option<usize> {
        bits(self.types_or_none(seat)).position(|possible| possible == card)
    }

    /// Returns a copy of the public state in which the face-down card of `seat` is known to be the card with the index `number`.
    pub(crate) fn with_type(mut self, seat: Seat, number: u32) -> Self {
        if self.hides(seat) {
            self.types[seat] = 1 << number;
        }
        self
    }

    /// Returns a bit set of the cards in a seat's hand, on the assumption that its face-down card is the card with index `number`.
    pub(crate) fn hand(&self, seat: Seat, number: u32) -> u32 {
        if self.hides(seat) { self.held[seat] & !(1 << number) } else { self.held[seat] }
    }

    /// Returns the number of the current move, from 1.
    fn move_number(&self, cards: &HandCards) -> u32 {
        u32::from(cards.rules().hand_size()) + 1 - self.held[!self.leader].count_ones()
    }

    /// Returns the final points for seat *first* if the current lead gives mate, or 0 if no lead is waiting for an answer.
    pub(crate) fn mate_points_for_first(&self, cards: &HandCards) -> i32 {
        let Some(lead) = self.lead else { return 0 };
        let card = cards.lead(self.leader, lead).card;
        self.mate_with(cards, self.leader, card, self.move_number(cards))
    }

    fn mate_with(&self, cards: &HandCards, by: Seat, card: u32, number: u32) -> i32 {
        let foreplaced = BySeat::new_with(|seat| self.hides(seat));
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        cards.rules().mate(by, cards.card(by, card), number, foreplaced).points_for_first()
    }

    /// Returns every action that is legal for at least one of the cards that the acting seat may have face down.
    pub(crate) fn actions(&self, cards: &HandCards) -> Vec<TypedAction> {
        let seat = self.to_act();
        let types = self.types_or_none(seat);
        let mut actions: Vec<TypedAction> = Vec::new();
        let Some(lead) = self.lead else {
            for lead in cards.leads_from(seat, self.held[seat]) {
                let card = cards.lead(seat, lead).card;
                let by = set_of(bits(types).filter(|t| self.hand(seat, *t) >> card & 1 == 1));
                if by != 0 {
                    actions.push(TypedAction { action: PublicAction::Lead(lead), by });
                }
            }
            return actions;
        };
        let lead = cards.lead(self.leader, lead);
        for t in bits(types) {
            for action in self.answers(cards, lead, seat, t) {
                match actions.iter_mut().find(|known| known.action == action) {
                    Some(known) => known.by |= 1 << t,
                    None => actions.push(TypedAction { action, by: 1 << t }),
                }
            }
        }
        actions
    }

    /// Returns the acting seat's legal actions, under the assumption that the card with the index `number` is the seat's face-down card.
    pub(crate) fn actions_of(
        &self,
        cards: &HandCards,
        number: u32,
    ) -> impl Iterator<Item = TypedAction> {
        let actions = self.actions(cards).into_iter();
        actions.filter(move |action| action.by >> number & 1 == 1)
    }

    fn answers<'a>(
        &self,
        cards: &'a HandCards,
        lead: &'a PublicLead,
        seat: Seat,
        number: u32,
    ) -> impl Iterator<Item = PublicAction> + use<'a> {
        let hand = self.hand(seat, number);
        let by_free_move = if self.free { lead.by_free_move(hand) } else { 0 };
        let answers = move |set: u32, free: bool| {
            bits(cards.distinct(seat, set)).map(move |card| PublicAction::Follow { card, free })
        };
        answers(lead.forced(hand), false).chain(answers(by_free_move, true))
    }

    /// Returns a bit set of the follower's possible face-down cards for which the current lead
    /// gives mate; empty if no lead is waiting for an answer.
    pub(crate) fn mated(&self, cards: &HandCards) -> u32 {
        let Some(lead) = self.lead else { return 0 };
        let (seat, lead) = (!self.leader, cards.lead(self.leader, lead));
        let types = bits(self.types_or_none(seat));
        set_of(types.filter(|t| lead.forced(self.hand(seat, *t)) == 0))
    }

    /// Returns the public state after an action, or the final points if the action ends the game.
    pub(crate) fn after(&self, cards: &HandCards, taken: TypedAction) -> Successor {
        let mut next = *self;
        let seat = self.to_act();
        if self.hides(seat) {
            next.types[seat] = taken.by;
        }
        match (taken.action, self.lead) {
            (PublicAction::Lead(lead), _) => {
                next.held[seat] &= !(1 << cards.lead(seat, lead).card);
                next.lead = Some(lead);
            }
            (PublicAction::Follow { card, free }, Some(lead)) => {
                let lead = cards.lead(self.leader, lead);
                next.held[seat] &= !(1 << card);
                next.lead = None;
                next.free &= !free;
                next.leader = if lead.wins_over(card) { self.leader } else { seat };
                let left = next.held[seat].count_ones();
                let hide = Seat::BOTH.into_iter().filter(|seat| self.hides(*seat));
                match (hide.count(), left) {
                    (_, 0) | (2, 1) => return Successor::Over(0),
                    (1, 1) => {
                        let played = BySeat::new_with(|s| if s == seat { card } else { lead.card });
                        return Successor::Over(next.repeated_move(cards, played));
                    }
                    _ => {}
                }
            }
            (PublicAction::Follow { .. }, None) => {}
        }
        Successor::State(next)
    }

    /// Returns the points for seat *first* from a last move with a repeated card. In this move, the only player who has foreplaced plays
    /// the card of their previous move again.
    ///
    /// Each seat has one card, so that no choice remains.
    fn repeated_move(&self, cards: &HandCards, played: BySeat<u32>) -> i32 {
        let last = BySeat::new_with(|seat| {
            if self.hides(seat) { played[seat] } else { self.held[seat].trailing_zeros() }
        });
        let leader = self.leader;
        let is_answered = cards
            .leads_from(leader, 1 << last[leader])
            .any(|lead| cards.lead(leader, lead).forced(1 << last[!leader]) != 0);
        if is_answered {
            0
        } else {
            self.mate_with(cards, leader, last[leader], cards.rules().hand_size().into())
        }
    }

    /// Returns the points for seat *first* from the public state onward, under best play, if both players know the face-down cards `types`.
    pub(crate) fn open_points_for_first(&self, cards: &HandCards, types: BySeat<u32>) -> i32 {
        let hands = BySeat::new_with(|seat| self.hand(seat, types[seat]));
        let Some(lead) = self.lead else {
            return cards.open_points_for_first(hands, self.leader, self.free);
        };
        let seat = !self.leader;
        let answers = self.answers(cards, cards.lead(self.leader, lead), seat, types[seat]);
        let points = answers.map(|action| {
            let taken = TypedAction { action, by: 1 << types[seat] };
            self.after(cards, taken).open_points_for_first(cards, types)
        });
        match seat {
            Seat::First => points.max(),
            Seat::Second => points.min(),
        }
        .unwrap_or_else(|| self.mate_points_for_first(cards))
    }

    /// Calls `visit` with each pair of cards that *first* and *second* may have face down, and with the
    /// [points](Self::open_points_for_first) if both players know these cards.
    ///
    /// The state after an answer is computed once for all cards that the leader may have face down.
    pub(crate) fn each_open_points(
        &self,
        cards: &HandCards,
        mut visit: impl FnMut(BySeat<u32>, i32),
    ) {
        let (leader, follower) = (self.leader, !self.leader);
        let pair = |of_leader, of_follower| {
            BySeat::new_with(|seat| if seat == leader { of_leader } else { of_follower })
        };
        let mated = self.mate_points_for_first(cards);
        for of_follower in bits(self.types_or_none(follower)) {
            let mut best = [None; MAX_TYPES];
            let mut compare = |next: Successor| {
                for of_leader in bits(self.types_or_none(leader)) {
                    let points = next.open_points_for_first(cards, pair(of_leader, of_follower));
                    let best = &mut best[of_leader as usize];
                    *best = Some(best.map_or(points, |best: i32| match follower {
                        Seat::First => best.max(points),
                        Seat::Second => best.min(points),
                    }));
                }
            };
            match self.lead {
                None => compare(Successor::State(*self)),
                Some(lead) => {
                    let lead = cards.lead(leader, lead);
                    let by = 1 << of_follower;
                    self.answers(cards, lead, follower, of_follower)
                        .for_each(|action| compare(self.after(cards, TypedAction { action, by })));
                }
            }
            for of_leader in bits(self.types_or_none(leader)) {
                visit(pair(of_leader, of_follower), best[of_leader as usize].unwrap_or(mated));
            }
        }
    }

    /// Converts a lead or answer of the acting seat to an action of the rules crate.
    pub(crate) fn rules_action(&self, cards: &HandCards, action: PublicAction) -> Action {
        let seat = self.to_act();
        match action {
            PublicAction::Lead(lead) => {
                let kind = cards.lead(seat, lead);
                Lead { card: cards.card(seat, kind.card), demanded: kind.demanded }.into()
            }
            PublicAction::Follow { card, free } => {
                let card = cards.card(seat, card);
                if free { Action::Free(card) } else { Action::Play(card) }
            }
        }
    }
}

impl Successor {
    /// Returns the points for seat *first* after a lead or an answer, under best play, if both
    /// players know the face-down cards `types`.
    pub(crate) fn open_points_for_first(&self, cards: &HandCards, types: BySeat<u32>) -> i32 {
        match self {
            Self::State(next) => next.open_points_for_first(cards, types),
            Self::Over(points) => *points,
        }
    }
}
