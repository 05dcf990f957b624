//! Defines the values of positions in points for seat *first*, either exact or as proved bounds.

use core::fmt;
use core::ops::Neg;

use overmate_rules::{Outcome, Seat};

/// Final points of a game for seat *first*: positive if *first* wins, negative if *first* loses, and 0 for a draw.
///
/// The value assumes best play by both seats, unless stated otherwise. Points for *second* are the
/// negation.
///
/// ```
/// use overmate_rules::Seat;
/// use overmate_solver::ValueForFirst;
/// let value = ValueForFirst::new(-9);
/// assert_eq!(value.for_seat(Seat::Second), 9);
/// assert_eq!(value.winner(), Some(Seat::Second));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ValueForFirst(i32);

impl ValueForFirst {
    /// Value of a draw: 0 points.
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

    /// Returns the final points for the player in `seat`. The points are negative if that player loses.
    #[must_use]
    pub const fn for_seat(self, seat: Seat) -> i32 {
        self.0 * seat.sign_for_first()
    }

    /// Returns the seat that wins, or `None` for a draw.
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

/// Proved value of a position: an exact number of points, or a lower and an upper bound.
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::{Budget, Solver};
/// // A search of 1000 nodes proves no more than bounds for a deal of 48 cards.
/// let rules = RuleSet::named("bga+pinochle")?.shared();
/// let game = Game::new(Deal::numbered(&rules, 12_345_678)?);
/// let value = Solver::new().value(game.position(), &Budget::unlimited().with_nodes(1_000));
/// assert!(value.at_least() <= value.at_most());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Exact final points for seat *first*.
    Exact(ValueForFirst),
    /// Lower and upper bound on a value that is not known exactly. The bounds are inclusive and differ.
    Between {
        /// Lower bound of the value: the points that seat *first* can force.
        at_least: ValueForFirst,
        /// Upper bound of the value: seat *second* can prevent *first* from scoring more points.
        at_most: ValueForFirst,
    },
}

impl Default for Value {
    /// Returns the exact value of a draw: 0 points for seat *first*.
    fn default() -> Self {
        Self::Exact(ValueForFirst::DRAW)
    }
}

impl Value {
    /// Creates a value from a lower and an upper bound on the points for seat *first*. Equal bounds
    /// give an exact value.
    #[must_use]
    pub fn between(at_least: ValueForFirst, at_most: ValueForFirst) -> Self {
        if at_least == at_most {
            Self::Exact(at_least)
        } else {
            Self::Between { at_least, at_most }
        }
    }

    /// Returns the exact value, or `None` if only bounds are proved.
    #[must_use]
    pub const fn exact(self) -> Option<ValueForFirst> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Between { .. } => None,
        }
    }

    /// Returns the lower bound on the points for seat *first*, or the exact value.
    #[must_use]
    pub const fn at_least(self) -> ValueForFirst {
        match self {
            Self::Exact(value) => value,
            Self::Between { at_least, .. } => at_least,
        }
    }

    /// Returns the upper bound on the points for seat *first*, or the exact value.
    #[must_use]
    pub const fn at_most(self) -> ValueForFirst {
        match self {
            Self::Exact(value) => value,
            Self::Between { at_most, .. } => at_most,
        }
    }

    /// Returns the proved lower bound on the points of `seat` under best play.
    #[must_use]
    pub const fn lower_bound_for(self, seat: Seat) -> i32 {
        match seat {
            Seat::First => self.at_least().points(),
            Seat::Second => -self.at_most().points(),
        }
    }

    /// Returns the proved upper bound on the points of `seat` under best play.
    #[must_use]
    pub const fn upper_bound_for(self, seat: Seat) -> i32 {
        match seat {
            Seat::First => self.at_most().points(),
            Seat::Second => -self.at_least().points(),
        }
    }
}
