//! Defines the JSON types of events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::{ClockWire, PlayerWire};

/// Kind of the event, with its duration or number of rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = EventKind)]
pub enum EventKindWire {
    /// Event in which players join at any time, and get the next opponent as soon as they are free.
    Arena {
        /// Duration of the arena, in minutes.
        #[schema(minimum = 5, maximum = 240)]
        minutes: u32,
    },
    /// Event in which all players play a fixed number of rounds.
    Swiss {
        /// Number of rounds of the Swiss event. The start lowers it to the number of opponents.
        #[schema(minimum = 1, maximum = 15)]
        rounds: u32,
    },
}

/// Request for a new event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEvent {
    /// Kind of the event, with its duration or number of rounds.
    pub kind: EventKindWire,
    /// Title of the event, at most 40 characters after normalisation; null for no title.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub title: Option<String>,
    /// Name of the rule set, which must have 20 cards and no face-down card.
    #[schema(max_length = 100)]
    pub rules: String,
    /// Base time of each player for a match, in seconds.
    #[schema(minimum = 30, maximum = 900)]
    pub base: u32,
    /// Increment for each action except a player's first, in seconds.
    #[schema(minimum = 0, maximum = 30)]
    pub increment: u32,
    /// Time until the start of the event, in minutes; at most 20,160 (14 days).
    #[schema(minimum = 0, maximum = 20_160)]
    pub starts_in: u32,
    /// Id of the request, chosen by the client. A repeated request makes no second event.
    #[schema(min_length = 1, max_length = 64)]
    pub client_id: String,
}

/// Stage of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EventState)]
pub enum EventStateWire {
    /// The event has not begun.
    Coming,
    /// The event has begun.
    Running,
    /// The event is over.
    Finished,
}

/// Event without its standings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventSummary {
    /// Id of the event.
    pub id: String,
    /// Kind of the event, with its duration or number of rounds.
    pub kind: EventKindWire,
    /// Title of the event; null for an event without a title.
    #[schema(required)]
    pub title: Option<String>,
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Time control of the matches.
    pub clock: ClockWire,
    /// Handle of the account that created the event; null if the operator created the event, and after an erasure of the account.
    #[schema(required)]
    pub host: Option<String>,
    /// Stage of the event.
    pub state: EventStateWire,
    /// Number of players who have joined.
    pub players: u32,
    /// Start time of the event, in RFC 3339.
    pub starts_at: String,
    /// Time, in RFC 3339, after which an arena begins no further matches; null for a Swiss event.
    #[schema(required)]
    pub ends_at: Option<String>,
    /// End time of the event, in RFC 3339; null for an unfinished event.
    #[schema(required)]
    pub finished_at: Option<String>,
    /// Number of the current round; 0 before the first round.
    pub round: u32,
}

/// Lists of events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventList {
    /// Events that have begun, ordered by start.
    pub running: Vec<EventSummary>,
    /// Events that are to begin, ordered by start.
    pub coming: Vec<EventSummary>,
    /// Events that ended most recently, the latest first.
    pub finished: Vec<EventSummary>,
}

/// Place of a player in the standings of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventStanding)]
pub struct EventStandingWire {
    /// Number of the player in the event.
    pub number: u32,
    /// Handle of the player; null after an erasure of the account.
    #[schema(required)]
    pub handle: Option<String>,
    /// Whether the player takes part in further pairings.
    pub present: bool,
    /// Whether a match of the player is running.
    pub playing: bool,
    /// Place of the player in the standings, from 1. Players with equal results share a place.
    pub rank: u32,
    /// Sum of the player's points in all ended matches.
    pub points: i32,
    /// Number of ended matches of the player.
    pub played: u32,
    /// Number of matches in which the player got more points than the opponent.
    pub won: u32,
    /// Sum of the points of all opponents of the player, once for each match.
    pub opponents: i32,
    /// Number of byes of the player: rounds without an opponent.
    pub byes: u32,
}

/// Match or bye of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventBoard)]
pub struct EventBoardWire {
    /// Number of the match or bye in the event.
    pub number: u32,
    /// Number of the round in the event.
    pub round: u32,
    /// Index of the deal in the event, from 0; null for a bye.
    #[schema(required)]
    pub place: Option<u32>,
    /// Number (in the event) of player A, who leads in the first game.
    pub a: u32,
    /// Number (in the event) of player B; null for a bye.
    #[schema(required)]
    pub b: Option<u32>,
    /// Points of player A, compared with the exact value of the deal; the points of player B are the negative number. Null for a running match.
    #[schema(required)]
    pub points: Option<i32>,
    /// Player who resigned the match or lost on time; null if nobody did.
    #[schema(required)]
    pub forfeit: Option<PlayerWire>,
}

/// Deal of a finished event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventDeal)]
pub struct EventDealWire {
    /// Index of the deal in the event, from 0.
    pub place: u32,
    /// Deal number under the rule set of the event.
    pub deal: String,
    /// Exact value of the deal, in points for the player who leads first.
    pub value_for_first: i32,
}

/// Event with its standings. It is the same for all viewers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventView {
    /// Version number of the event: the number of its changes so far.
    pub version: i64,
    /// Summary of the event.
    pub event: EventSummary,
    /// Standings of the players, the best player first.
    pub standings: Vec<EventStandingWire>,
    /// Matches and byes, in the order of the pairings.
    pub boards: Vec<EventBoardWire>,
    /// Deals in the order of their indices; empty before the end of the event.
    pub deals: Vec<EventDealWire>,
    /// SHA-256 hash of the secret key from which the deals are drawn, in hexadecimal digits.
    pub commitment: String,
    /// Secret key from which the deals are drawn, in hexadecimal digits; null before the end of the event.
    #[schema(required)]
    pub key: Option<String>,
}

/// Facts about the requester in an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventYou {
    /// Number of the requester in the event; null if the requester has not joined.
    #[schema(required)]
    pub number: Option<u32>,
    /// Whether the requester takes part in further pairings.
    pub present: bool,
    /// Id of the requester's running match; null without a running match.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
    /// Whether the requester created the event.
    pub host: bool,
}

/// Event, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedEvent {
    /// Summary of the event.
    pub event: EventSummary,
    /// Whether the requester created the event.
    pub hosted: bool,
    /// Client id of the request that created the event; null if another account created the event.
    #[schema(required)]
    pub client_id: Option<String>,
    /// Creation time of the event, in RFC 3339.
    pub made_at: String,
    /// Time at which the requester joined the event, in RFC 3339; null if the requester has not joined.
    #[schema(required)]
    pub joined_at: Option<String>,
    /// Place of the requester in the standings; null if the requester has not joined.
    #[schema(required)]
    pub standing: Option<EventStandingWire>,
}

/// Event as the requester sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SeenEvent {
    /// Facts about the requester in the event.
    pub you: EventYou,
    /// Facts that are equal for all viewers of the event.
    pub shown: EventView,
}
