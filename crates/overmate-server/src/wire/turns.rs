//! Defines the JSON type of the secret feed URL.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Secret URL of the requester's turns, as a feed and a calendar.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TurnFeed {
    /// URL path of the secret feed, to which `/turns.atom` or `/turns.ics` is appended; null
    /// without one.
    #[schema(required)]
    pub path: Option<String>,
}
