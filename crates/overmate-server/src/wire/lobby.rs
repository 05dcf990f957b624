//! Defines the JSON types of open offers, with which people find somebody to play with.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clocks::ClockWire;
use super::matches::LeadWire;
use overmate_json::SeatWire;

/// Request to make an open offer, which whoever accepts first turns into a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewOffer {
    /// Name of the match's rule set, such as `bga` or `sackson+double`.
    #[schema(max_length = 200, example = "bga")]
    pub rules: String,
    /// Clocks of the players; null or absent for a match without clocks.
    #[serde(default)]
    pub clock: Option<ClockWire>,
    /// Player who is to lead in the first game.
    #[serde(default)]
    pub lead: LeadWire,
    /// Name under which the requester is shown.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
    /// Whether an open offer of somebody else with the same rules and clocks is accepted instead, if there is one.
    #[serde(default)]
    pub join: bool,
    /// Unique name of the request, such as a UUID, which makes the browser's request idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request to accept an open offer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptOffer {
    /// Name under which the requester is shown.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
    /// Unique name of the request, such as a UUID, which makes the browser's request idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Open offer of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Offer)]
pub struct OfferWire {
    /// Id of the offer.
    pub id: String,
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Number of games in the match.
    pub games: u8,
    /// Clocks of the players; null for a match without clocks.
    #[schema(required)]
    pub clock: Option<ClockWire>,
    /// Seat of the player who accepts, in the first game.
    pub seat: SeatWire,
    /// Name of the player who made the offer; null if no name was given.
    #[schema(required)]
    pub from: Option<String>,
    /// Time when the offer was made, in RFC 3339.
    pub made_at: String,
}

/// Offer of the requester, which is open or was accepted. An accepted offer is kept for at least an hour, and one with days as long as it would have stayed open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnOffer {
    /// The offer, as others see it.
    pub offer: OfferWire,
    /// Whether the offer stays open while its maker is away. Any other offer ends about half a minute after the last sign of its maker.
    pub lasting: bool,
    /// Id of the match that begins with the acceptance; null while the offer is open.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Open offers and the offers of the requester.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Lobby {
    /// Open offers, those of the requester among them: live ones before those with days, each the newest first; at most 100.
    pub offers: Vec<OfferWire>,
    /// Number of all open offers.
    pub total: usize,
    /// Offers of the requester, the first made first.
    pub own: Vec<OwnOffer>,
}

/// Answer to the request to make an offer: the offer, or the match of an accepted offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeOffer {
    /// Offer that the request has made; null if it has accepted an offer of somebody else.
    #[schema(required)]
    pub own: Option<OwnOffer>,
    /// Id of the match that has begun; null while the offer is open.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Answer to the request to withdraw an offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct WithdrawnOffer {
    /// Id of the match if somebody has accepted the offer before; otherwise null, and the offer is withdrawn.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Message from the server to the client on a live connection of the lobby.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum LobbyMessage {
    /// Open offers, sent at first and after changes. Several changes within a short time come as one message.
    Offers {
        /// Open offers: live ones before those with days, each the newest first; at most 100.
        offers: Vec<OfferWire>,
        /// Number of all open offers.
        total: usize,
    },
    /// Offers of the requester, sent at first and when they change.
    Own {
        /// Offers of the requester, the first made first.
        own: Vec<OwnOffer>,
    },
    /// Answer to any message of the client, which proves that the connection works.
    Pong,
}
