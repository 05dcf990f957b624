//! Defines the JSON types of days off.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Days off of the requester, in which the clocks of their matches by correspondence do not run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct DaysOff {
    /// Latest time, in RFC 3339, at which the requester is back; null if they are not away.
    #[schema(required)]
    pub away_until: Option<String>,
    /// Whole days off that are left of the present calendar year (UTC).
    pub days_left: u32,
    /// Days off of a calendar year.
    pub days: u32,
}

/// Request to be away, or back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetDaysOff {
    /// Whether the requester is away from now on.
    pub away: bool,
}

/// Days off in the export of a person's data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedAbsence {
    /// Beginning in milliseconds since 1970.
    pub began_at_ms: i64,
    /// End in milliseconds since 1970; one in the future is the latest end.
    pub until_ms: i64,
}
