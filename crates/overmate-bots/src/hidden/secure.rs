//! Brackets: what a player gets for sure without knowing the other's card, and where that is all there is to get.
//!
//! Take the seat that does not know the other's card, and fix his own type, which the other may as well know.
//!
//! - *Above.* With the other's card shown he plays the open game and gets its value. He cannot get more for sure
//!   while it is hidden: the other can play as if it were shown, and then gets his value of the open game whatever
//!   the seat does. This holds for each type of the other, so for every belief.
//! - *Below.* A policy of the seat that depends on what both saw, and not on the other's type, gives something
//!   against the worst type and the worst play. The best of them is found by one search over spots: the seat
//!   maximises; the other minimises over everything that one of his types can do, which narrows the types
//!   down; at the end the worst of those that are left counts.
//!
//! Subtracting from each end the open value that its type had at the root turns the second into the least *regret*:
//! by how much the best policy may fall short of the card shown, over all types at once. Where it is nothing,
//! the bounds meet for each type: whatever is believed of the types, and whatever they are, the seat loses nothing by
//! not knowing, and the value is the open one.

use std::collections::HashMap;

use overmate_rules::{BySeat, Seat};
use overmate_solver::{Meter, Spent};

use crate::hidden::cards::{Cards, bits};
use crate::hidden::spot::{Branch, Next, Spot};

/// Bounds of regrets, kept for all spots of the deal whose cards they are given.
#[derive(Default)]
pub(crate) struct Secured {
    known: HashMap<(Spot, Seat), i32>,
}

impl Secured {
    /// Whether both seats, whatever their types, lose nothing by not knowing the other's: then the spot is worth
    /// what the open game of the types is, for each pair of types.
    ///
    /// Replacing such a spot by those values changes neither the value nor the best strategies of a game that
    /// it is part of: from here on each seat has one way of playing that gives the value for each pair of types,
    /// against anything, and with it every strategy of the game that ends here becomes one of the whole game that
    /// guarantees as much.
    pub(crate) fn is_open(
        &mut self,
        cards: &Cards,
        spot: &Spot,
        meter: &mut Meter,
    ) -> Result<bool, Spent> {
        for seat in Seat::BOTH {
            if spot.types[!seat].count_ones() <= 1 {
                continue;
            }
            for own in bits(spot.types_or_none(seat)) {
                if self.regret(cards, spot, seat, own, meter)? > 0 {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// At least the regret of a seat of this type that is known to be of it, 0 and up.
    ///
    /// From spot to spot: what the step loses against the type that it costs most, and then the regret from there on.
    /// The types of the two may differ, so this is a bound; in exchange it does not depend on where the game began.
    pub(crate) fn regret(
        &mut self,
        cards: &Cards,
        spot: &Spot,
        seat: Seat,
        own: u32,
        meter: &mut Meter,
    ) -> Result<i32, Spent> {
        let spot = spot.with_type(seat, own);
        if spot.types[!seat].count_ones() <= 1 {
            return Ok(0);
        }
        if let Some(known) = self.known.get(&(spot, seat)) {
            return Ok(*known);
        }
        meter.spend()?;
        let open_to_seat = |next: Option<&Spot>, over: i32, other: u32| {
            let types = BySeat::new_with(|s| if s == seat { own } else { other });
            next.map_or(over, |next| next.open(cards, types)) * seat.sign_for_first()
        };
        let mut before = [0; 32];
        for other in bits(spot.types[!seat]) {
            before[other as usize] = open_to_seat(Some(&spot), 0, other);
        }
        let acts = spot.to_act() == seat;
        let mut regret = None;
        for branch in spot.branches(cards) {
            let next = spot.after(cards, branch);
            let (there, over) = match &next {
                Next::Spot(next) => (Some(next), 0),
                Next::Over(points) => (None, *points),
            };
            let others = if acts { spot.types[!seat] } else { branch.by };
            let lost =
                bits(others).map(|other| before[other as usize] - open_to_seat(there, over, other));
            let lost = lost.max().unwrap_or_default();
            let later = there.map_or(Ok(0), |next| self.regret(cards, next, seat, own, meter))?;
            let of_branch = lost + later;
            let better = |r: i32| if acts { r.min(of_branch) } else { r.max(of_branch) };
            regret = Some(regret.map_or(of_branch, better));
            if acts && of_branch <= 0 {
                break;
            }
        }
        let regret = regret.unwrap_or_default().max(0);
        self.known.insert((spot, seat), regret);
        Ok(regret)
    }
}

/// The least regret of a seat, and what he then does.
pub(crate) struct Regret<'a> {
    cards: &'a Cards,
    seat: Seat,
    own: u32,
    /// What the seat should get against each type of the other; by type.
    targets: Vec<i32>,
    known: HashMap<Spot, i32>,
}

impl<'a> Regret<'a> {
    /// Against these targets of the seat, by the type of the other. All 0: what he gets for sure, with the sign turned.
    pub(crate) fn against(cards: &'a Cards, seat: Seat, own: u32, targets: Vec<i32>) -> Self {
        Self { cards, seat, own, targets, known: HashMap::new() }
    }

    /// Against the card shown.
    pub(crate) fn against_open(cards: &'a Cards, spot: &Spot, seat: Seat, own: u32) -> Self {
        let mut targets = vec![0; 32];
        for other in bits(spot.types_or_none(!seat)) {
            let types = BySeat::new_with(|s| if s == seat { own } else { other });
            targets[other as usize] = spot.open(cards, types) * seat.sign_for_first();
        }
        Self::against(cards, seat, own, targets)
    }

    /// By how many points the best policy may miss a target, whatever the type of the other, and however he plays.
    pub(crate) fn of(&mut self, spot: &Spot, meter: &mut Meter) -> Result<i32, Spent> {
        let spot = spot.with_type(self.seat, self.own);
        if let Some(known) = self.known.get(&spot) {
            return Ok(*known);
        }
        meter.spend()?;
        let mut regret = None;
        for (_, of_branch) in self.of_branches(&spot, meter)? {
            let better = |a: i32| {
                if spot.to_act() == self.seat { a.min(of_branch) } else { a.max(of_branch) }
            };
            regret = Some(regret.map_or(of_branch, better));
        }
        let mated = spot.mated(self.cards);
        if mated != 0 {
            let of_mate = self.of_end(&spot, mated, spot.mate_points_for_first(self.cards));
            regret = Some(regret.map_or(of_mate, |regret| regret.max(of_mate)));
        }
        let regret = regret.unwrap_or_default();
        self.known.insert(spot, regret);
        Ok(regret)
    }

    /// The same for each branch of a spot.
    pub(crate) fn of_branches(
        &mut self,
        spot: &Spot,
        meter: &mut Meter,
    ) -> Result<Vec<(Branch, i32)>, Spent> {
        let spot = spot.with_type(self.seat, self.own);
        let mut regrets = Vec::new();
        for branch in spot.branches(self.cards) {
            let regret = match spot.after(self.cards, branch) {
                Next::Spot(next) => self.of(&next, meter)?,
                Next::Over(points) => {
                    let acts = spot.to_act() != self.seat;
                    let others = if acts { branch.by } else { spot.types_or_none(!self.seat) };
                    self.of_end(&spot, others, points)
                }
            };
            regrets.push((branch, regret));
        }
        Ok(regrets)
    }

    /// The game is over; these types may have been there.
    fn of_end(&self, spot: &Spot, acting_types: u32, points_for_first: i32) -> i32 {
        let others =
            if spot.to_act() == self.seat { spot.types_or_none(!self.seat) } else { acting_types };
        let points = points_for_first * self.seat.sign_for_first();
        bits(others).map(|other| self.targets[other as usize] - points).max().unwrap_or_default()
    }
}
