//! Defines the JSON types of days off.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Days off of the requester, during which their correspondence clocks do not run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct DaysOff {
    /// Time, in RFC 3339, at which the requester's current days off end at the latest; null if the requester has no days off
    /// now.
    #[schema(required)]
    pub away_until: Option<String>,
    /// Number of whole days off that the requester can still use in the current calendar year (UTC).
    pub days_left: u32,
    /// Number of days off that each player gets in a calendar year.
    pub days: u32,
}

/// Request to begin or end days off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetDaysOff {
    /// `true` to begin days off, `false` to end the current days off.
    pub away: bool,
}

/// Period of a player's days off, as part of a data export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedAbsence {
    /// Start of the period of days off, as a Unix time in milliseconds.
    pub began_at_ms: i64,
    /// End of the period of days off, as a Unix time in milliseconds. An end in the future is the
    /// latest possible end.
    pub until_ms: i64,
}
