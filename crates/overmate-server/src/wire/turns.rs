//! Defines the JSON type of the secret URL of a person's turn feed, which lists the matches in which it is their turn.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Secret URL path of the requester's turn feed. The turn feed lists the matches in which it is the requester's turn,
/// as an Atom feed and as a calendar.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TurnFeed {
    /// Secret URL path of the requester's turn feed (list of the matches in which it is their turn); null without a turn feed. The client
    /// appends `/turns.atom` or `/turns.ics` to the path.
    #[schema(required)]
    pub path: Option<String>,
}
