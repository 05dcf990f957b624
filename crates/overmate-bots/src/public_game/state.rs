//! What both players know of a game in which a card lies face down, and how it goes on.

use overmate_rules::{Action, BySeat, Seat};

use crate::public_game::cards::{HandCards, LeadKind, bits};

/// What both players know of a game after foreplacing, before a lead or an answer.
///
/// A *type* is a card that may lie face down before a seat, by its number. Everything that follows depends on this and on the
/// types that the seats really have; what came before matters only for how likely each type is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PublicState {
    /// The cards that were not played, as bits: the one that lies face down among them.
    pub(crate) held: BySeat<u32>,
    /// The types that a seat may have; none if it did not foreplace.
    pub(crate) types: BySeat<u32>,
    /// Who leads, or led.
    pub(crate) leader: Seat,
    /// What was led and not answered yet.
    pub(crate) lead: Option<u32>,
    /// Whether the free move is still there.
    pub(crate) free: bool,
}

/// What a seat can do at a spot, with at least one of its types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PublicAction {
    /// Leads so.
    Lead(u32),
    /// Answers with this card.
    Follow {
        card: u32,
        /// Whether it uses the free move.
        free: bool,
    },
}

/// What an act leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Successor {
    /// The game goes on.
    PublicState(PublicState),
    /// The game is over, or the rest is without choice, with these points for *first*.
    Over(i32),
}

/// An act, and the types of the one who acts that can do it. If he has no types, `by` is the bit of number 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedAction {
    pub(crate) act: PublicAction,
    pub(crate) by: u32,
}

/// The type of a seat that did not foreplace, for the purpose of counting.
pub(crate) const NO_CARD: u32 = 1;

impl PublicState {
    /// The first lead of a game in which these seats have foreplaced.
    pub(crate) fn start(cards: &HandCards, hides: BySeat<bool>) -> Self {
        let held = BySeat::new_with(|seat| cards.all(seat));
        // Of identical cards the lowest stands for all.
        let types = BySeat::new_with(|seat| {
            let kinds =
                bits(held[seat]).filter(|i| cards.kind(seat, cards.card(seat, *i)) == Some(*i));
            if hides[seat] { kinds.fold(0, |types, i| types | 1 << i) } else { 0 }
        });
        Self { held, types, leader: Seat::First, lead: None, free: cards.rules().free_move() }
    }

    /// Whose turn it is.
    pub(crate) fn to_act(self) -> Seat {
        if self.lead.is_some() { !self.leader } else { self.leader }
    }

    pub(crate) fn hides(&self, seat: Seat) -> bool {
        self.types[seat] != 0
    }

    /// The types of a seat as bits; one without meaning if it did not foreplace.
    pub(crate) fn types_or_none(&self, seat: Seat) -> u32 {
        if self.hides(seat) { self.types[seat] } else { NO_CARD }
    }

    /// The spot if a seat has this type for sure.
    pub(crate) fn with_type(mut self, seat: Seat, number: u32) -> Self {
        if self.hides(seat) {
            self.types[seat] = 1 << number;
        }
        self
    }

    /// The cards that a seat of a type can play.
    pub(crate) fn hand(&self, seat: Seat, number: u32) -> u32 {
        if self.hides(seat) { self.held[seat] & !(1 << number) } else { self.held[seat] }
    }

    /// Cards that each has not played, the present lead included.
    fn count(&self) -> u32 {
        self.held[!self.leader].count_ones()
    }

    /// The number of the present move, from 1.
    fn move_number(&self, cards: &HandCards) -> u32 {
        u32::from(cards.rules().hand_size()) + 1 - self.count()
    }

    /// The points for *first* if the present lead cannot be answered.
    pub(crate) fn mate_points_for_first(&self, cards: &HandCards) -> i32 {
        let Some(lead) = self.lead else { return 0 };
        self.mate_with(
            cards,
            self.leader,
            cards.lead(self.leader, lead).card,
            self.move_number(cards),
        )
    }

    fn mate_with(&self, cards: &HandCards, by: Seat, card: u32, number: u32) -> i32 {
        let foreplaced = BySeat::new_with(|seat| self.hides(seat));
        let number = u8::try_from(number).unwrap_or(u8::MAX);
        cards.rules().mate(by, cards.card(by, card), number, foreplaced).points_for_first()
    }

    /// Everything that the seat whose turn it is can do with at least one of its types.
    pub(crate) fn branches(&self, cards: &HandCards) -> Vec<TypedAction> {
        let seat = self.to_act();
        let types = self.types_or_none(seat);
        let mut branches: Vec<TypedAction> = Vec::new();
        let Some(lead) = self.lead else {
            for lead in cards.leads_from(seat, self.held[seat]) {
                let card = cards.lead(seat, lead).card;
                let by = bits(types).filter(|t| self.hand(seat, *t) >> card & 1 == 1);
                let by = by.fold(0, |by, t| by | 1 << t);
                if by != 0 {
                    branches.push(TypedAction { act: PublicAction::Lead(lead), by });
                }
            }
            return branches;
        };
        let lead = cards.lead(self.leader, lead);
        for t in bits(types) {
            let hand = self.hand(seat, t);
            let ordinary = bits(cards.distinct(seat, lead.forced(hand)));
            let unusual = bits(cards.distinct(seat, self.free_answers(lead, hand)));
            let acts = ordinary
                .map(|card| PublicAction::Follow { card, free: false })
                .chain(unusual.map(|card| PublicAction::Follow { card, free: true }));
            for act in acts {
                match branches.iter_mut().find(|branch| branch.act == act) {
                    Some(branch) => branch.by |= 1 << t,
                    None => branches.push(TypedAction { act, by: 1 << t }),
                }
            }
        }
        branches
    }

    /// The types of the one who must answer that cannot.
    pub(crate) fn mated(&self, cards: &HandCards) -> u32 {
        let Some(lead) = self.lead else { return 0 };
        let (seat, lead) = (!self.leader, cards.lead(self.leader, lead));
        let mated =
            bits(self.types_or_none(seat)).filter(|t| lead.forced(self.hand(seat, *t)) == 0);
        mated.fold(0, |mated, t| mated | 1 << t)
    }

    fn free_answers(&self, lead: &LeadKind, hand: u32) -> u32 {
        if self.free { lead.by_free_move(hand) } else { 0 }
    }

    /// What comes after a branch.
    pub(crate) fn after(&self, cards: &HandCards, branch: TypedAction) -> Successor {
        let mut next = *self;
        let seat = self.to_act();
        if self.hides(seat) {
            next.types[seat] = branch.by;
        }
        match (branch.act, self.lead) {
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
                let hide = [Seat::First, Seat::Second].into_iter().filter(|seat| self.hides(*seat));
                match (hide.count(), left) {
                    (_, 0) | (2, 1) => return Successor::Over(0),
                    (1, 1) => {
                        let played = BySeat::new_with(|s| if s == seat { card } else { lead.card });
                        return Successor::Over(next.last_move(cards, played));
                    }
                    _ => {}
                }
            }
            (PublicAction::Follow { .. }, None) => {}
        }
        Successor::PublicState(next)
    }

    /// The points for *first* of the move in which the sole foreplacer's card, the one he has just played, is used again.
    /// Both hold one card, so nobody has a choice that matters.
    fn last_move(&self, cards: &HandCards, played: BySeat<u32>) -> i32 {
        let last = BySeat::new_with(|seat| {
            if self.hides(seat) { played[seat] } else { self.held[seat].trailing_zeros() }
        });
        let leader = self.leader;
        let answers = cards
            .leads_from(leader, 1 << last[leader])
            .any(|lead| cards.lead(leader, lead).forced(1 << last[!leader]) != 0);
        if answers {
            0
        } else {
            self.mate_with(cards, leader, last[leader], cards.rules().hand_size().into())
        }
    }

    /// The points for *first* with best play by both from here, if these were the types and both knew them.
    pub(crate) fn open(&self, cards: &HandCards, types: BySeat<u32>) -> i32 {
        let hands = BySeat::new_with(|seat| self.hand(seat, types[seat]));
        let Some(lead) = self.lead else {
            return cards.open(hands, self.leader, self.free);
        };
        let seat = !self.leader;
        let kind = cards.lead(self.leader, lead);
        let answer = |card: u32, free: bool| {
            let branch =
                TypedAction { act: PublicAction::Follow { card, free }, by: 1 << types[seat] };
            match self.after(cards, branch) {
                Successor::PublicState(next) => next.open(cards, types),
                Successor::Over(points) => points,
            }
        };
        let plain = bits(kind.forced(hands[seat])).map(|card| answer(card, false));
        let free = bits(self.free_answers(kind, hands[seat])).map(|card| answer(card, true));
        let all = plain.chain(free);
        match seat {
            Seat::First => all.max(),
            Seat::Second => all.min(),
        }
        .unwrap_or_else(|| self.mate_points_for_first(cards))
    }

    /// The action of the rules for an act of the seat whose turn it is.
    pub(crate) fn action(&self, cards: &HandCards, act: PublicAction) -> Action {
        let seat = self.to_act();
        match act {
            PublicAction::Lead(lead) => {
                let kind = cards.lead(seat, lead);
                let card = cards.card(seat, kind.card);
                if kind.demanded { Action::Demand(card) } else { Action::Play(card) }
            }
            PublicAction::Follow { card, free } => {
                let card = cards.card(seat, card);
                if free { Action::Free(card) } else { Action::Play(card) }
            }
        }
    }
}
