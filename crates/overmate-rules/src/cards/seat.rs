//! Who is who: the seats of a game, the players of a match, and pairs indexed by them.

use core::fmt;
use core::ops::{Index, IndexMut, Not};

/// A seat in one game. *First* leads to the first move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seat {
    /// Leads to the first move, and foreplaces before the other.
    First,
    /// Answers the first lead.
    Second,
}

/// A player of a match; `A` is *first* in game 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Leads game 1.
    A,
    /// Leads game 2, with the hand that `A` had in game 1.
    B,
}

macro_rules! pair {
    ($(#[$doc:meta])* $pair:ident of $who:ident { $one:ident = $One:ident, $two:ident = $Two:ident }) => {
        impl $who {
            /// Both, in order.
            pub const BOTH: [Self; 2] = [Self::$One, Self::$Two];
        }

        impl Not for $who {
            type Output = Self;

            /// The other one.
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
            #[allow(missing_docs, reason = "the name of the field is whose it is")]
            pub $one: T,
            #[allow(missing_docs, reason = "the name of the field is whose it is")]
            pub $two: T,
        }

        impl<T> $pair<T> {
            /// Makes each one's value.
            pub fn new_with(mut make: impl FnMut($who) -> T) -> Self {
                Self { $one: make($who::$One), $two: make($who::$Two) }
            }

            /// Turns each one's value into another.
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
    /// One value for each seat of a game.
    BySeat of Seat { first = First, second = Second }
}
pair! {
    /// One value for each player of a match.
    ByPlayer of Player { a = A, b = B }
}

impl Seat {
    /// `1` for *first*, `-1` for *second*: turns points of this seat into points for *first*.
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
