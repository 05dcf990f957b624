//! Computes bounds on the points that a seat loses because it does not know the opponent's face-down card.
//!
//! The bounds hold for a seat that does not know the opponent's type (face-down card) and whose own type is public.
//!
//! - *Upper bound.* If the opponent's type were public too, the seat would get the value with open cards. Against each type of
//!   the opponent the seat cannot guarantee more while the type is hidden, because the opponent can play as with open cards.
//!   The upper bound holds for every belief.
//! - *Lower bound.* A strategy of the seat that depends only on public information guarantees some points against each type.
//!   [`Guarantee`] decides whether one strategy guarantees given points against every type at once.
//!
//! If a strategy guarantees the value with open cards against every type, the bounds are equal, and the seat loses nothing by
//! not knowing the card. If a strategy guarantees the same points against every type, these points are a lower bound for the
//! seat.

use overmate_rules::{BySeat, Seat};
use overmate_solver::for_bots::{BudgetExhausted, Meter};

use crate::model::state_map::StateMap;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor, TypedAction};
use crate::public_game::types::MAX_TYPES;

/// Cache, for one deal, of bounds on the points that a seat loses because it does not know the opponent's face-down card.
///
/// The regret of a strategy against one type (face-down card) of the opponent is a number of points: the value with open cards minus the
/// points of the strategy. A strategy may use only public information, so that it is the same against all types. The regret of a seat is
/// the smallest number that one of its strategies does not exceed against any type.
#[derive(Default)]
pub(crate) struct RegretBounds {
    /// Lower and upper bound on the regret (points lost because the opponent's card is hidden) for each public state and seat.
    known: StateMap<(PublicState, Seat), (i32, i32)>,
}

impl RegretBounds {
    /// Returns whether the bounds prove that hidden cards cost neither seat any points from a given state to the end of the game.
    ///
    /// In the tree of a larger game, such a state can be replaced by a leaf that has the values with
    /// open cards. The larger game keeps its value and its equilibria, because from this state on each
    /// seat has one strategy that gives the value for each pair of types against every opponent.
    pub(crate) fn is_open(
        &mut self,
        cards: &HandCards,
        state: &PublicState,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        for seat in Seat::BOTH {
            if state.types[!seat].count_ones() <= 1 {
                continue;
            }
            for own in bits(state.types_or_none(seat)) {
                if !self.is_at_most(cards, state, seat, own, 0, meter)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Returns whether the secrecy of the opponent's face-down card provably costs a seat at most `limit` points.
    ///
    /// The bound adds up, action by action, the largest loss over the opponent's types. The largest losses may belong to
    /// different types, so the regret may be smaller. In return the bound does not depend on the root and can be cached.
    pub(crate) fn is_at_most(
        &mut self,
        cards: &HandCards,
        state: &PublicState,
        seat: Seat,
        own: u32,
        limit: i32,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        self.bound(cards, &state.with_type(seat, own), seat, None, limit, meter)
    }

    /// Returns the same as [`is_at_most`](Self::is_at_most), for a state in which the card of `seat` is public. `open` holds the
    /// [points with open cards](open_points), unless they are still to be computed.
    fn bound(
        &mut self,
        cards: &HandCards,
        state: &PublicState,
        seat: Seat,
        open: Option<&OpenPoints>,
        limit: i32,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        if state.types[!seat].count_ones() <= 1 {
            return Ok(limit >= 0);
        }
        let (lower, upper) = self.known.get(&(*state, seat)).copied().unwrap_or((0, i32::MAX));
        if limit < lower || limit >= upper {
            return Ok(limit >= upper);
        }
        meter.spend()?;
        let before = open.copied().unwrap_or_else(|| open_points(cards, state, seat));
        let acts = state.to_act() == seat;
        // If the acting seat has no legal action, it is mated, as it would be with open cards. Hiding the card then costs nothing.
        let mut is_within = true;
        for action in state.actions(cards) {
            let others = if acts { state.types[!seat] } else { action.by };
            let next = state.after(cards, action);
            let after = match &next {
                Successor::State(next) => open_points(cards, next, seat),
                Successor::Over(points) => [points * seat.sign_for_first(); MAX_TYPES],
            };
            let lost =
                bits(others).map(|other| before[other as usize] - after[other as usize]).max();
            let left = limit - lost.unwrap_or_default();
            is_within = match &next {
                Successor::State(next) if left >= 0 || !acts => {
                    self.bound(cards, next, seat, Some(&after), left, meter)?
                }
                Successor::State(_) | Successor::Over(_) => left >= 0,
            };
            if is_within == acts {
                break;
            }
        }
        let bounds = self.known.entry((*state, seat)).or_insert((0, i32::MAX));
        if is_within {
            bounds.1 = bounds.1.min(limit);
        } else {
            bounds.0 = bounds.0.max(limit + 1);
        }
        Ok(is_within)
    }
}

/// Points of a seat under best play with all cards shown, for each possible face-down card of the opponent. The index is that of the
/// card in the opponent's hand.
pub(crate) type OpenPoints = [i32; MAX_TYPES];

/// Returns a seat's points under best play with all cards shown, for each possible face-down card of the opponent. At most one card is
/// possible as the seat's own face-down card.
pub(crate) fn open_points(cards: &HandCards, state: &PublicState, seat: Seat) -> OpenPoints {
    let mut points = [0; MAX_TYPES];
    state.each_open_points(cards, |types, points_for_first| {
        points[types[!seat] as usize] = points_for_first * seat.sign_for_first();
    });
    points
}

fn points_after(cards: &HandCards, next: &Successor, seat: Seat, own: u32, other: u32) -> i32 {
    let types = BySeat::new_with(|s| if s == seat { own } else { other });
    next.open_points_for_first(cards, types) * seat.sign_for_first()
}

/// Search for a strategy of one seat that guarantees at least a required number of points against each possible face-down card of the
/// opponent.
pub(crate) struct Guarantee<'a> {
    cards: &'a HandCards,
    seat: Seat,
    own: u32,
    /// Minimum number of points that the strategy must guarantee, for each possible face-down card of the opponent.
    points: OpenPoints,
    known: StateMap<PublicState, bool>,
}

impl<'a> Guarantee<'a> {
    /// Creates a search for a strategy that guarantees at least `points[i]` points if the opponent's face-down card has
    /// the index `i`.
    pub(crate) fn new(cards: &'a HandCards, seat: Seat, own: u32, points: OpenPoints) -> Self {
        Self { cards, seat, own, points, known: StateMap::default() }
    }

    /// Returns whether some strategy guarantees at least the required points from a game state onward, against each possible face-down card
    /// of the opponent.
    ///
    /// If the seat is to act, one of its actions must keep the guarantee. If the opponent is to act, each of their actions must keep the
    /// guarantee against all face-down cards with which the action is legal. There is no guarantee if, for at least one face-down card of
    /// the opponent, the value with all cards shown is below the required points.
    pub(crate) fn holds(
        &mut self,
        state: &PublicState,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        let state = state.with_type(self.seat, self.own);
        let others = state.types_or_none(!self.seat);
        if !self.holds_open(&Successor::State(state), others) {
            return Ok(false);
        }
        // If the opponent has at most one possible face-down card, the seat knows all cards, and can guarantee the value with all cards
        // shown.
        if others.count_ones() <= 1 {
            return Ok(true);
        }
        if let Some(known) = self.known.get(&state) {
            return Ok(*known);
        }
        meter.spend()?;
        let acts = state.to_act() == self.seat;
        let mut holds = true;
        for action in state.actions(self.cards) {
            holds = self.holds_after(&state, action, meter)?;
            if holds == acts {
                break;
            }
        }
        self.known.insert(state, holds);
        Ok(holds)
    }

    /// Returns whether some strategy guarantees at least the required points after an action, against each possible face-down card of the
    /// opponent.
    pub(crate) fn holds_after(
        &mut self,
        state: &PublicState,
        action: TypedAction,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        let acts = state.to_act() == self.seat;
        let others = if acts { state.types_or_none(!self.seat) } else { action.by };
        match state.with_type(self.seat, self.own).after(self.cards, action) {
            Successor::State(next) => self.holds(&next, meter),
            over @ Successor::Over(_) => Ok(self.holds_open(&over, others)),
        }
    }

    /// Returns whether a seat gets at least the required points if both players play best and all cards are shown. This must hold for each
    /// of the opponent's possible face-down cards in the set `others`.
    fn holds_open(&self, next: &Successor, others: u32) -> bool {
        bits(others).all(|other| {
            points_after(self.cards, next, self.seat, self.own, other)
                >= self.points[other as usize]
        })
    }
}
