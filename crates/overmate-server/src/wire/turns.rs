//! Defines the JSON type of the secret address of a feed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Secret address of the feed and the calendar of the requester's turns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TurnFeed {
    /// Path of the address, to which `/turns.atom` or `/turns.ics` is added; null without an address.
    #[schema(required)]
    pub path: Option<String>,
}
