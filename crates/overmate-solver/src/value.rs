//! Values of positions: points as *first* sees them, exact or between bounds.

use core::fmt;
use core::ops::Neg;

use overmate_rules::{Outcome, Seat};

/// The final points of a game as *first* sees them: positive if *first* gives mate, negative if *second*
/// does, 0 for a draw. With best play by both, unless it is said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ValueForFirst(i32);

impl ValueForFirst {
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// A value from points as *first* sees them.
    #[must_use]
    pub const fn new(points_for_first: i32) -> Self {
        Self(points_for_first)
    }

    /// The points as *first* sees them.
    #[must_use]
    pub const fn points(self) -> i32 {
        self.0
    }

    /// The points as this seat sees them.
    #[must_use]
    pub const fn for_seat(self, seat: Seat) -> i32 {
        self.0 * seat.sign_for_first()
    }

    /// Who wins, unless it is a draw.
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

/// What is proved about a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// It is this.
    Exact(ValueForFirst),
    /// It lies between two bounds that differ, both included.
    Between {
        /// *First* has a line that gives at least this.
        at_least: ValueForFirst,
        /// *Second* has a line that allows at most this.
        at_most: ValueForFirst,
    },
}

impl Default for Value {
    /// A draw.
    fn default() -> Self {
        Self::Exact(ValueForFirst::DRAW)
    }
}

impl Value {
    /// What two bounds say: the exact value, if they meet.
    #[must_use]
    pub fn between(at_least: ValueForFirst, at_most: ValueForFirst) -> Self {
        if at_least == at_most {
            Self::Exact(at_least)
        } else {
            Self::Between { at_least, at_most }
        }
    }

    /// The value, if it is known.
    #[must_use]
    pub const fn exact(self) -> Option<ValueForFirst> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Between { .. } => None,
        }
    }

    /// What *first* gets at least.
    #[must_use]
    pub const fn at_least(self) -> ValueForFirst {
        match self {
            Self::Exact(value) => value,
            Self::Between { at_least, .. } => at_least,
        }
    }

    /// What *first* gets at most.
    #[must_use]
    pub const fn at_most(self) -> ValueForFirst {
        match self {
            Self::Exact(value) => value,
            Self::Between { at_most, .. } => at_most,
        }
    }

    /// The points that this seat gets at least.
    #[must_use]
    pub const fn lower_bound_for(self, seat: Seat) -> i32 {
        match seat {
            Seat::First => self.at_least().points(),
            Seat::Second => -self.at_most().points(),
        }
    }

    /// The points that this seat gets at most.
    #[must_use]
    pub const fn upper_bound_for(self, seat: Seat) -> i32 {
        match seat {
            Seat::First => self.at_most().points(),
            Seat::Second => -self.at_least().points(),
        }
    }
}
