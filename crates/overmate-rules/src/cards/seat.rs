//! Defines the seats of a game, the players of a match, and pairs of values indexed by seat or
//! player.

use core::fmt;
use core::ops::{Index, IndexMut, Not};

/// Seat of a player in a game, `First` or `Second`. `First` leads to the first move, and `Second` is the opponent's seat.
///
/// ```
/// use overmate_rules::{BySeat, Seat};
/// let points = BySeat { first: 16, second: -16 };
/// assert_eq!(points[!Seat::First], -16);
/// assert_eq!(points[Seat::Second] * Seat::Second.sign_for_first(), 16);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Seat of the player who plays the first lead of the game, and is the first to choose whether to foreplace a card.
    First,
    /// Seat of the player who answers the first lead, and is the second to choose whether to
    /// foreplace a card.
    Second,
}

/// Player of a match, `A` or `B`. The seat of a player alternates from game to game. `A` has the seat *first* in game 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Player who leads to the first move of game 1.
    A,
    /// Player who has the seat *first* in game 2, with the hand that `A` had in game 1.
    B,
}

macro_rules! pair {
    ($(#[$doc:meta])* $pair:ident of $who:ident { $one:ident = $One:ident, $two:ident = $Two:ident }) => {
        impl $who {
            /// Both seats of a game or both players of a match, in the order of their declaration.
            pub const BOTH: [Self; 2] = [Self::$One, Self::$Two];
        }

        impl Not for $who {
            type Output = Self;

            /// Returns the opposite seat of a game, or the opponent of a player in a match.
            fn not(self) -> Self {
                match self {
                    Self::$One => Self::$Two,
                    Self::$Two => Self::$One,
                }
            }
        }

        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $pair<T> {
            #[allow(missing_docs, reason = "the field is named after its owner")]
            pub $one: T,
            #[allow(missing_docs, reason = "the field is named after its owner")]
            pub $two: T,
        }

        impl<T> $pair<T> {
            /// Creates a pair of values by calling `make` for each seat or player.
            pub fn new_with(mut make: impl FnMut($who) -> T) -> Self {
                Self { $one: make($who::$One), $two: make($who::$Two) }
            }

            /// Applies a function to the value of each seat or player, and returns the pair of
            /// results.
            pub fn map<U>(self, mut turn: impl FnMut(T) -> U) -> $pair<U> {
                $pair { $one: turn(self.$one), $two: turn(self.$two) }
            }
        }

        impl<T> Index<$who> for $pair<T> {
            type Output = T;

            fn index(&self, who: $who) -> &T {
                match who {
                    $who::$One => &self.$one,
                    $who::$Two => &self.$two,
                }
            }
        }

        impl<T> IndexMut<$who> for $pair<T> {
            fn index_mut(&mut self, who: $who) -> &mut T {
                match who {
                    $who::$One => &mut self.$one,
                    $who::$Two => &mut self.$two,
                }
            }
        }
    };
}

pair! {
    /// Pair of values, one for each seat of a game.
    BySeat of Seat { first = First, second = Second }
}
pair! {
    /// Pair of values, one for each player of a match.
    ByPlayer of Player { a = A, b = B }
}

impl Seat {
    /// Returns the factor (1 or -1) that converts the points of a seat to points for seat `First`.
    ///
    /// The product of this factor and the seat's points gives the points for *first*.
    #[must_use]
    pub const fn sign_for_first(self) -> i32 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}
