//! Defines the JSON types of open offers, by which people find opponents.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::matches::LeadWire;
use super::ratings::RatingState;
use overmate_json::{ClockWire, SeatWire};

/// Request to make an open offer, which the first acceptor turns into a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewOffer {
    /// Name of the match's rule set, such as `bga` or `sackson+double`.
    #[schema(max_length = 200, example = "bga")]
    pub rules: String,
    /// Time control; null or absent for a match without clocks.
    #[serde(default)]
    pub clock: Option<ClockWire>,
    /// Player who leads in the first game.
    #[serde(default)]
    pub lead: LeadWire,
    /// Whether the match changes the ratings of its players. A rated offer has a clock, and only a player with an account makes or
    /// accepts it.
    #[serde(default)]
    pub rated: bool,
    /// Whether a bot may accept the offer, which is then not rated. A challenge goes to a bot in any case.
    #[serde(default)]
    pub bots: bool,
    /// Display name of the requester.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
    /// Handle of the challenged player, who alone sees and may accept the offer; null or absent for an offer to everybody. A
    /// challenge needs an account. The response is the same whether anybody has the handle or not.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub to: Option<String>,
    /// Whether to accept an equal offer of another person, if there is such an offer, instead of making a new offer. Challenges
    /// and bots cannot use this option. Equal offers have the same rules and clock, and are both rated or both not. Offers of
    /// bots are left out.
    #[serde(default)]
    pub join: bool,
    /// Client id of the request, such as a UUID, which makes the request idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request to accept an open offer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptOffer {
    /// Display name of the requester.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
    /// Client id of the request, such as a UUID, which makes the request idempotent.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Open offer to play a match.
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
    /// Time control; null for a match without clocks.
    #[schema(required)]
    pub clock: Option<ClockWire>,
    /// Seat, in the first game, of the player who accepts the offer.
    pub seat: SeatWire,
    /// Name of the maker of the offer, or the handle of a bot; null if no name was given.
    #[schema(required)]
    pub from: Option<String>,
    /// Whether a bot made the offer.
    pub bot: bool,
    /// Whether the match changes the ratings of its players, so that the acceptor needs an account.
    pub rated: bool,
    /// Whether a bot may accept the offer.
    pub bots: bool,
    /// Rating of the maker of a rated offer; null for other offers, and for a maker with a private profile. The rating belongs
    /// to the rule set and pace of the offer.
    #[schema(required)]
    pub rating: Option<RatingState>,
    /// Handle of the challenger; null for an offer to everybody.
    #[schema(required)]
    pub handle: Option<String>,
    /// Creation time of the offer, in RFC 3339.
    pub made_at: String,
}

/// Open or accepted offer of the requester. An accepted offer is kept for at least an hour, and one
/// with days as long as it would have stayed open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnOffer {
    /// Offer as other people see it.
    pub offer: OfferWire,
    /// Whether the offer stays open while its maker is not connected. Any other offer ends about half a minute after the last
    /// sign of its maker.
    pub lasting: bool,
    /// Handle of the challenged player, as the requester wrote the handle; null for an offer to everybody.
    #[schema(required)]
    pub to: Option<String>,
    /// Whether the challenged player has declined the challenge. A declined challenge is kept for a day.
    pub declined: bool,
    /// Id of the match that began with the acceptance; null while the offer is open.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Open offers of all persons, and the offers of the requester.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Lobby {
    /// Open offers of all persons, at most 100. Live offers stand before correspondence offers, in each kind the newest first;
    /// offers of bots come last.
    pub offers: Vec<OfferWire>,
    /// Total number of open offers.
    pub total: usize,
    /// Offers of the requester, the earliest first.
    pub own: Vec<OwnOffer>,
    /// Open challenges to the requester, the earliest first.
    pub challenges: Vec<OfferWire>,
}

/// Response to a request for an offer: the new offer, or the match of an accepted offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeOffer {
    /// Newly made offer; null if an equal offer was accepted instead.
    #[schema(required)]
    pub own: Option<OwnOffer>,
    /// Id of the match of an accepted offer; null while the offer is open.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Response to a request to withdraw an offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct WithdrawnOffer {
    /// Id of the match if the offer was already accepted; null if the offer is withdrawn.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// WebSocket message from the server to a client of the lobby.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum LobbyMessage {
    /// Open offers of all persons, sent at the start of the connection and after each change. Several changes within a short
    /// time come as one message.
    Offers {
        /// Open offers of all persons, at most 100. Live offers stand before correspondence offers, in each kind the newest
        /// first; offers of bots come last.
        offers: Vec<OfferWire>,
        /// Total number of open offers.
        total: usize,
    },
    /// Offers of the requester, sent at the start of the connection and after each change.
    Own {
        /// Offers of the requester, the earliest first.
        own: Vec<OwnOffer>,
    },
    /// Challenges to the requester, sent at the start of the connection if there are any, and after each change.
    Challenges {
        /// Open challenges to the requester, the earliest first.
        challenges: Vec<OfferWire>,
    },
    /// Response to any message of the client, which proves that the connection works.
    Pong,
}
