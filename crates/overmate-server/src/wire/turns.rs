//! Defines the JSON type of the secret URL of a person's turn feed, which lists the matches in which it is their turn.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Secret URL path of the requester's turn feed, which lists the matches in which it is their turn, as an Atom feed and a calendar.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TurnFeed {
    /// Secret URL path of the requester's turn feed (list of the matches in which it is their turn); null without a turn feed. The client
    /// appends `/turns.atom` or `/turns.ics` to the path.
    #[schema(required)]
    pub path: Option<String>,
}
