//! Values of positions as points for seat *first*, either exact or between proved bounds.

use core::fmt;
use core::ops::Neg;

use overmate_rules::{Outcome, Seat};

/// Final points of a game for seat *first*, which are positive if *first* gives mate, negative if *second* gives mate, and 0 for a draw.
///
/// Unless stated otherwise, both seats play their best. Points for *second* are the negation.
///
/// ```
/// use overmate_rules::Seat;
/// use overmate_solver::ValueForFirst;
///
/// let value = ValueForFirst::new(-9);
/// assert_eq!(value.for_seat(Seat::Second), 9);
/// assert_eq!(value.winner(), Some(Seat::Second));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ValueForFirst(i32);

impl ValueForFirst {
    /// Value of a drawn game, which is 0 points.
    pub const DRAW: Self = Self(0);

    /// Creates a value from the final points for seat *first*.
    #[must_use]
    pub const fn new(points_for_first: i32) -> Self {
        Self(points_for_first)
    }

    /// Returns the final points for seat *first*.
    #[must_use]
    pub const fn points(self) -> i32 {
        self.0
    }

    /// Returns the final points from the point of view of `seat`.
    #[must_use]
    pub const fn for_seat(self, seat: Seat) -> i32 {
        self.0 * seat.sign_for_first()
    }

    /// Returns the seat that wins the game, or `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Seat> {
        match self.0 {
            0 => None,
            1.. => Some(Seat::First),
            _ => Some(Seat::Second),
        }
    }
}

impl From<Outcome> for ValueForFirst {
    fn from(outcome: Outcome) -> Self {
        Self(outcome.points_for_first())
    }
}

impl Neg for ValueForFirst {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for ValueForFirst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Proved value of a position, which is either exact or lies between a lower and an upper bound.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::{Budget, Solver};
///
/// // A search of 1000 nodes proves no more than bounds for a deal of 48 cards.
/// let rules = RuleSet::named("bga+pinochle")?.shared();
/// let game = Game::new(Deal::numbered(&rules, 12_345_678)?);
/// let value = Solver::new().value(game.position(), &Budget::unlimited().with_nodes(1_000));
/// assert!(value.at_least() <= value.at_most());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Proved exact value of a position.
    Exact(ValueForFirst),
    /// Proved lower and upper bound of a value that is not known exactly. The bounds are inclusive and differ.
    Between {
        /// Lower bound of the value: the points that seat *first* can force.
        at_least: ValueForFirst,
        /// Upper bound of the value: seat *second* can prevent *first* from scoring more points.
        at_most: ValueForFirst,
    },
}

impl Default for Value {
    /// Returns the exact value of a draw.
    fn default() -> Self {
        Self::Exact(ValueForFirst::DRAW)
    }
}

impl Value {
    /// Creates a value from a lower and an upper bound of the points for seat *first*. Equal bounds give an exact value.
    #[must_use]
    pub fn between(at_least: ValueForFirst, at_most: ValueForFirst) -> Self {
        if at_least == at_most {
            Self::Exact(at_least)
        } else {
            Self::Between { at_least, at_most }
        }
    }

    /// Returns the exact value of the position, or `None` if only bounds are proved.
    #[must_use]
    pub const fn exact(self) -> Option<ValueForFirst> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Between { .. } => None,
        }
    }

    /// Returns the lower bound of the points for seat *first*, which is the value itself for an exact value.
    #[must_use]
    pub const fn at_least(self) -> ValueForFirst {
        match self {
            Self::Exact(value) => value,
            Self::Between { at_least, .. } => at_least,
        }
    }

    /// Returns the upper bound of the points for seat *first*, which is the value itself for an exact value.
    #[must_use]
    pub const fn at_most(self) -> ValueForFirst {
        match self {
            Self::Exact(value) => value,
            Self::Between { at_most, .. } => at_most,
        }
    }

    /// Returns the proved lower bound of the points that `seat` gets if both seats play best.
    #[must_use]
    pub const fn lower_bound_for(self, seat: Seat) -> i32 {
        match seat {
            Seat::First => self.at_least().points(),
            Seat::Second => -self.at_most().points(),
        }
    }

    /// Returns the proved upper bound of the points that `seat` gets if both seats play best.
    #[must_use]
    pub const fn upper_bound_for(self, seat: Seat) -> i32 {
        match seat {
            Seat::First => self.at_most().points(),
            Seat::Second => -self.at_least().points(),
        }
    }
}
