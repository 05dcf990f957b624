//! Defines the JSON types of the clocks of a match.

use serde::{Deserialize, Serialize};

use crate::PlayerWire;

/// Time control of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", schema(as = Clock))]
pub enum ClockWire {
    /// Live time control: a base time for the whole match, and an increment for each action except a player's first action.
    Live {
        /// Base time of each player for the whole match, in seconds.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 10_800))]
        base: u32,
        /// Time that each action adds to the player's clock, in seconds.
        #[cfg_attr(feature = "openapi", schema(minimum = 0, maximum = 180))]
        increment: u32,
    },
    /// Correspondence time control: a number of days for each action except a player's first action.
    Days {
        /// Number of days that a player has for each action: 1, 2, 3 or 7.
        #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 7))]
        days: u8,
    },
}

/// Clocks of a match at the time of the server's response.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Clocks {
    /// Time control of the match.
    pub setting: ClockWire,
    /// Remaining time of player A, in milliseconds; null for a computer opponent, which has no
    /// clock.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub a: Option<i64>,
    /// Remaining time of player B, in milliseconds; null for a computer opponent, which has no
    /// clock.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub b: Option<i64>,
    /// Player whose clock runs; null before both players have acted, and after the end of the match.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub running: Option<PlayerWire>,
    /// Milliseconds until the clock of the player in the field `running` starts; above 0 in the break between two
    /// games, in a pause, and during days off.
    pub runs_in: i64,
    /// Milliseconds until the pause of the clocks ends automatically; null without a pause.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub paused_for: Option<i64>,
    /// Whether player A requests a pause of the clocks or, during a pause, its end.
    pub a_asks: bool,
    /// Whether player B requests a pause of the clocks or, during a pause, its end.
    pub b_asks: bool,
}
