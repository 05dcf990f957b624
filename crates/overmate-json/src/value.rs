//! Defines the JSON form of proved values.

use overmate_solver::{Value, ValueForFirst};
use serde::{Deserialize, Serialize};

/// Proved final points of the seat *first* under best play, exact or between two bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProvedValue {
    /// Proved exact points of the seat *first*, or null if only bounds are proved.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub exact: Option<i32>,
    /// Proved lower bound on the points of the seat *first*.
    pub low: i32,
    /// Proved upper bound on the points of the seat *first*.
    pub high: i32,
}

impl ProvedValue {
    /// Creates a proved value from its lower and upper bound. The value is exact if both bounds are equal.
    #[must_use]
    pub fn between(low: i32, high: i32) -> Self {
        Self { exact: (low == high).then_some(low), low, high }
    }

    /// Rounds an estimate of the points of the seat *first* to an integer within the proved bounds.
    #[must_use]
    pub(crate) fn clamp(&self, estimate_for_first: f64) -> i32 {
        // An estimate of the points of a game is always within the range of `i32`.
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a game has at most a few hundred points"
        )]
        let rounded = estimate_for_first.round() as i32;
        rounded.clamp(self.low, self.high)
    }
}

impl From<Value> for ProvedValue {
    fn from(value: Value) -> Self {
        Self {
            exact: value.exact().map(ValueForFirst::points),
            low: value.at_least().points(),
            high: value.at_most().points(),
        }
    }
}
