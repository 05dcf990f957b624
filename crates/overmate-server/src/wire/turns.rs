//! Defines the JSON type of the secret feed URL.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Secret URL of the requester's turn feed, which serves an Atom feed and a calendar.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TurnFeed {
    /// URL path of the secret turn feed, to which `/turns.atom` or `/turns.ics` is appended; null
    /// without a feed.
    #[schema(required)]
    pub path: Option<String>,
}
