//! Defines the JSON types of open offers, by which people find opponents.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::matches::LeadWire;
use super::ratings::RatingState;
use overmate_json::{ClockWire, SeatWire};

/// Request to make an open offer of a match. The first acceptance of the offer creates the match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewOffer {
    /// Name of the match's rule set, such as `bga` or `sackson+double`.
    #[schema(max_length = 200, example = "bga")]
    pub rules: String,
    /// Time control of the offered match; null or absent for a match without clocks.
    #[serde(default)]
    pub clock: Option<ClockWire>,
    /// Player who leads in the first game of the offered match. The default is `random`.
    #[serde(default)]
    pub lead: LeadWire,
    /// Whether the offered match changes the ratings of its players. A rated offer needs a clock, and both players need accounts.
    #[serde(default)]
    pub rated: bool,
    /// Whether a bot may accept the match offer. A rated offer cannot permit bots. A challenge to a bot needs no permission.
    #[serde(default)]
    pub bots: bool,
    /// Display name of the requester; null or absent for no name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
    /// Handle of the challenged player; null or absent for an offer to everybody. Only the challenged player sees the challenge,
    /// and may accept it. A challenge needs an account. The response does not reveal whether the handle exists.
    #[serde(default)]
    #[schema(max_length = 64)]
    pub to: Option<String>,
    /// Whether the request may accept an open offer of another person with the same terms, instead of making a new offer. Challenges and
    /// bots cannot use this option. Offers with the same terms have the same rules and clock, and are both rated or both unrated. Offers of
    /// bots are left out.
    #[serde(default)]
    pub join: bool,
    /// Client id: an idempotency key that the client chooses for the request, such as a UUID. A repeated request with the same id has no
    /// further effect.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Request to accept an open match offer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceptOffer {
    /// Display name of the requester; null or absent for no name.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub name: Option<String>,
    /// Client id: an idempotency key that the client chooses for the request, such as a UUID. A repeated request with the same id has no
    /// further effect.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Open offer to play a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Offer)]
pub struct OfferWire {
    /// Id of the match offer.
    pub id: String,
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Number of games in the offered match.
    pub games: u8,
    /// Time control of the offered match; null for a match without clocks.
    #[schema(required)]
    pub clock: Option<ClockWire>,
    /// Seat, in the first game, of the player who will accept the offer.
    pub seat: SeatWire,
    /// Name of the person who made the match offer, or the handle of the bot that made the offer; null if the person gave no
    /// name.
    #[schema(required)]
    pub from: Option<String>,
    /// Whether a bot made the match offer.
    pub bot: bool,
    /// Whether the offered match changes the ratings of its players. The acceptor of a rated offer needs an account.
    pub rated: bool,
    /// Whether a bot may accept the match offer.
    pub bots: bool,
    /// Rating of the maker of a rated offer, in the offer's rule set and pace (live or correspondence). Null for an unrated offer, and for
    /// a maker with a private profile.
    #[schema(required)]
    pub rating: Option<RatingState>,
    /// Handle of the player who made the challenge; null for an offer to everybody.
    #[schema(required)]
    pub handle: Option<String>,
    /// Creation time of the match offer, in RFC 3339.
    pub made_at: String,
}

/// Match offer of the requester: an open offer, an accepted offer, or a declined challenge. The server keeps an
/// accepted offer for at least an hour. An accepted correspondence offer is kept for as long as it would have stayed
/// open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct OwnOffer {
    /// The requester's match offer, as shown to other people.
    pub offer: OfferWire,
    /// Whether the match offer stays open while its maker is not connected. Otherwise the offer ends about half a minute after
    /// the server last heard from its maker.
    pub lasting: bool,
    /// Handle of the challenged player, in the requester's spelling; null for an offer to everybody.
    #[schema(required)]
    pub to: Option<String>,
    /// Whether the challenged player has declined the challenge. A declined challenge is kept for a day.
    pub declined: bool,
    /// Id of the match that the acceptance of the offer created; null while the offer is open.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Lobby: the open offers of all persons, the requester's own offers, and the challenges to the requester.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Lobby {
    /// Open match offers of all persons, at most 100. Offers of people stand before offers of bots. In each group, live offers
    /// stand before correspondence offers, the newest first.
    pub offers: Vec<OfferWire>,
    /// Total number of open match offers of all persons.
    pub total: usize,
    /// Match offers of the requester, the earliest first.
    pub own: Vec<OwnOffer>,
    /// Open challenges that other players have made to the requester, the earliest first.
    pub challenges: Vec<OfferWire>,
}

/// Response to a request to make a match offer: the new offer, or the match if the request accepted an existing offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MadeOffer {
    /// New match offer of the requester; null if the request accepted an existing offer instead of making one.
    #[schema(required)]
    pub own: Option<OwnOffer>,
    /// Id of the match that the accepted offer created; null while the offer is open.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// Response to a request to withdraw a match offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct WithdrawnOffer {
    /// Id of the match if another player had already accepted the offer; null if the offer has been withdrawn.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
}

/// WebSocket message from the server to a client that shows the lobby of open offers.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum LobbyMessage {
    /// Open match offers of all persons, sent at the start of the connection and after each change. Several changes within a
    /// short time are sent as one message.
    Offers {
        /// Open match offers of all persons, at most 100. Offers of people stand before offers of bots. In each group, live
        /// offers stand before correspondence offers, the newest first.
        offers: Vec<OfferWire>,
        /// Total number of open match offers of all persons.
        total: usize,
    },
    /// All match offers of the requester, sent at the start of the connection and after each change of these offers.
    Own {
        /// Match offers of the requester, the earliest first.
        own: Vec<OwnOffer>,
    },
    /// Challenges to the requester, sent after each change, and at the start of the connection if the requester has challenges.
    Challenges {
        /// Open challenges that other players have made to the requester, the earliest first.
        challenges: Vec<OfferWire>,
    },
    /// Response to any message of the client on a lobby connection. A response proves that the connection works.
    Pong,
}
