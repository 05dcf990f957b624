//! Brackets: what a player gets for sure without knowing the other's card, and where that is all there is to get.
//!
//! Take the seat that does not know the other's card, and fix his own type, which the other may as well know.
//!
//! - *Above.* With the other's card shown he plays the open game and gets its value. He cannot get more for sure
//!   while it is hidden: the other can play as if it were shown, and then gets his value of the open game whatever
//!   the seat does. This holds for each type of the other, so for every belief.
//! - *Below.* A policy of the seat that depends on what both saw, and not on the other's type, gives something
//!   against each type, however it plays. [`Promise`] asks whether there is one that gives at least so much against each:
//!   the seat needs one action that keeps the promise, and it must be kept after everything that one of the other's
//!   types can do, which narrows the types down. Where a type that is left has less even with open cards, it is broken.
//!
//! A promise of the open value for each type is that the bounds meet: whatever is believed of the types, and whatever they are,
//! the seat loses nothing by not knowing. A promise of the same for all types is what the seat is sure of.

use std::collections::HashMap;

use overmate_rules::{BySeat, Seat};
use overmate_solver::{BudgetExhausted, Meter};

use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor, TypedAction};

/// Bounds of regrets, kept for all spots of the deal whose cards they are given: by how many points the best policy of a seat may
/// fall short of the card shown, over all types at once.
#[derive(Default)]
pub(crate) struct RegretBounds {
    /// At least the first, at most the second.
    known: HashMap<(PublicState, Seat), (i32, i32)>,
}

impl RegretBounds {
    /// Whether both seats, whatever their types, lose nothing by not knowing the other's: then the spot is worth
    /// what the open game of the types is, for each pair of types.
    ///
    /// Replacing such a spot by those values changes neither the value nor the best strategies of a game that
    /// it is part of: from here on each seat has one way of playing that gives the value for each pair of types,
    /// against anything, and with it every strategy of the game that ends here becomes one of the whole game that
    /// guarantees as much.
    pub(crate) fn is_open(
        &mut self,
        cards: &HandCards,
        spot: &PublicState,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        for seat in Seat::BOTH {
            if spot.types[!seat].count_ones() <= 1 {
                continue;
            }
            for own in bits(spot.types_or_none(seat)) {
                if !self.is_regret(cards, spot, seat, own, 0, meter)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether it is sure that the regret of a seat that is known to be of this type is at most so much.
    ///
    /// From spot to spot: what the step loses against the type that it costs most, and then the regret from there on.
    /// The types of the two may differ, so there may be less regret; in exchange it does not depend on where the game began.
    pub(crate) fn is_regret(
        &mut self,
        cards: &HandCards,
        spot: &PublicState,
        seat: Seat,
        own: u32,
        most: i32,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        let spot = spot.with_type(seat, own);
        if spot.types[!seat].count_ones() <= 1 {
            return Ok(most >= 0);
        }
        let (least, known) = self.known.get(&(spot, seat)).copied().unwrap_or((0, i32::MAX));
        if most < least || most >= known {
            return Ok(most >= known);
        }
        meter.spend()?;
        let before = open_of(cards, &spot, seat, own);
        let acts = spot.to_act() == seat;
        // Without an action the game is over, as it is with open cards.
        let mut is_kept = true;
        for branch in spot.branches(cards) {
            let next = spot.after(cards, branch);
            let others = if acts { spot.types[!seat] } else { branch.by };
            let after = |other| points_after(cards, &next, seat, own, other);
            let lost = bits(others).map(|other| before[other as usize] - after(other)).max();
            let left = most - lost.unwrap_or_default();
            is_kept = match &next {
                Successor::PublicState(next) if left >= 0 || !acts => {
                    self.is_regret(cards, next, seat, own, left, meter)?
                }
                _ => left >= 0,
            };
            if is_kept == acts {
                break;
            }
        }
        let bounds = self.known.entry((spot, seat)).or_insert((0, i32::MAX));
        if is_kept {
            bounds.1 = bounds.1.min(most);
        } else {
            bounds.0 = bounds.0.max(most + 1);
        }
        Ok(is_kept)
    }
}

/// The open value of a spot for a seat of this type, by the type of the other.
pub(crate) fn open_of(cards: &HandCards, spot: &PublicState, seat: Seat, own: u32) -> [i32; 32] {
    let mut points = [0; 32];
    for other in bits(spot.types_or_none(!seat)) {
        points[other as usize] =
            points_after(cards, &Successor::PublicState(*spot), seat, own, other);
    }
    points
}

fn points_after(cards: &HandCards, next: &Successor, seat: Seat, own: u32, other: u32) -> i32 {
    let types = BySeat::new_with(|s| if s == seat { own } else { other });
    let points = match next {
        Successor::PublicState(next) => next.open(cards, types),
        Successor::Over(points) => *points,
    };
    points * seat.sign_for_first()
}

/// Points that a seat of some type wants against each type of the other, whatever is played.
pub(crate) struct Guarantee<'a> {
    cards: &'a HandCards,
    seat: Seat,
    own: u32,
    /// By the type of the other.
    points: [i32; 32],
    known: HashMap<PublicState, bool>,
}

impl<'a> Guarantee<'a> {
    /// Of these points, by the type of the other.
    pub(crate) fn new(cards: &'a HandCards, seat: Seat, own: u32, points: [i32; 32]) -> Self {
        Self { cards, seat, own, points, known: HashMap::new() }
    }

    /// Whether one policy keeps it from here, however the other plays.
    pub(crate) fn is_kept(
        &mut self,
        spot: &PublicState,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        let spot = spot.with_type(self.seat, self.own);
        let others = spot.types_or_none(!self.seat);
        if !self.is_open_enough(&Successor::PublicState(spot), others) {
            return Ok(false);
        }
        // Who knows everything, or has nothing to do any more, gets the open value.
        if others.count_ones() <= 1 {
            return Ok(true);
        }
        if let Some(known) = self.known.get(&spot) {
            return Ok(*known);
        }
        meter.spend()?;
        let acts = spot.to_act() == self.seat;
        let mut is_kept = true;
        for branch in spot.branches(self.cards) {
            is_kept = self.is_kept_after(&spot, branch, meter)?;
            if is_kept == acts {
                break;
            }
        }
        self.known.insert(spot, is_kept);
        Ok(is_kept)
    }

    /// The same after something that is done there.
    pub(crate) fn is_kept_after(
        &mut self,
        spot: &PublicState,
        branch: TypedAction,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        let acts = spot.to_act() == self.seat;
        let others = if acts { spot.types_or_none(!self.seat) } else { branch.by };
        match spot.with_type(self.seat, self.own).after(self.cards, branch) {
            Successor::PublicState(next) => self.is_kept(&next, meter),
            over @ Successor::Over(_) => Ok(self.is_open_enough(&over, others)),
        }
    }

    /// Whether the open value is as much as is promised, for each of these types.
    fn is_open_enough(&self, next: &Successor, others: u32) -> bool {
        bits(others).all(|other| {
            points_after(self.cards, next, self.seat, self.own, other)
                >= self.points[other as usize]
        })
    }
}
