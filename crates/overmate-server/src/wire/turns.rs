//! Defines the JSON type of a person's turn feed with its secret URL.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Secret URL path of the requester's turn feed, under which the server offers an Atom feed and a calendar.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TurnFeed {
    /// Secret URL path of the turn feed; null without a feed. The client appends `/turns.atom` or
    /// `/turns.ics` to the path.
    #[schema(required)]
    pub path: Option<String>,
}
