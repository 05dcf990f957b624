//! Defines the JSON types of events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::{ClockWire, PlayerWire};

/// Kind of event, with its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = EventKind)]
pub enum EventKindWire {
    /// Players join at any time, and are paired as they become free.
    Arena {
        /// Duration in minutes.
        #[schema(minimum = 5, maximum = 240)]
        minutes: u32,
    },
    /// All players play a number of rounds.
    Swiss {
        /// Number of rounds. The start lowers it to the number of opponents.
        #[schema(minimum = 1, maximum = 15)]
        rounds: u32,
    },
}

/// Request for a new event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEvent {
    /// Kind of event, with its length.
    pub kind: EventKindWire,
    /// Title of the event, at most 40 characters after normalisation; null for none.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub title: Option<String>,
    /// Name of the rule set, which has 20 cards and none face down.
    #[schema(max_length = 100)]
    pub rules: String,
    /// Base time of each player for a match, in seconds.
    #[schema(minimum = 30, maximum = 900)]
    pub base: u32,
    /// Increment for each action, in seconds.
    #[schema(minimum = 0, maximum = 30)]
    pub increment: u32,
    /// Minutes until the start, at most 14 days.
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
    /// Kind of event, with its length.
    pub kind: EventKindWire,
    /// Title; null for none.
    #[schema(required)]
    pub title: Option<String>,
    /// Name of the rule set.
    pub rules: String,
    /// English title of the rule set.
    pub rules_title: String,
    /// Time control of the matches.
    pub clock: ClockWire,
    /// Handle of the account that made the event; null for the operator, and after an erasure.
    #[schema(required)]
    pub host: Option<String>,
    /// Stage of the event.
    pub state: EventStateWire,
    /// Number of players who have joined.
    pub players: u32,
    /// Start in RFC 3339.
    pub starts_at: String,
    /// Time in RFC 3339 after which an arena pairs nobody; null for a Swiss event.
    #[schema(required)]
    pub ends_at: Option<String>,
    /// End in RFC 3339; null for an unfinished event.
    #[schema(required)]
    pub finished_at: Option<String>,
    /// Number of the current round; 0 before the first.
    pub round: u32,
}

/// Lists of events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventList {
    /// Events that have begun, ordered by start.
    pub running: Vec<EventSummary>,
    /// Events that are to begin, ordered by start.
    pub coming: Vec<EventSummary>,
    /// Events that ended last, the latest first.
    pub finished: Vec<EventSummary>,
}

/// Place of a player in the standings of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventStanding)]
pub struct EventStandingWire {
    /// Number of the player in the event.
    pub number: u32,
    /// Handle; null after an erasure.
    #[schema(required)]
    pub handle: Option<String>,
    /// Whether the player is paired.
    pub present: bool,
    /// Whether a match of the player is running.
    pub playing: bool,
    /// Place, from 1. Players with equal results share a place.
    pub rank: u32,
    /// Sum of the points of all ended matches.
    pub points: i32,
    /// Number of ended matches.
    pub played: u32,
    /// Number of matches with more points than the opponent.
    pub won: u32,
    /// Sum of the points of all opponents.
    pub opponents: i32,
    /// Number of byes.
    pub byes: u32,
}

/// Match or bye of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventBoard)]
pub struct EventBoardWire {
    /// Number of the board in the event.
    pub number: u32,
    /// Number of the round.
    pub round: u32,
    /// Place of the deal in the event, from 0; null for a bye.
    #[schema(required)]
    pub place: Option<u32>,
    /// Number of the player who leads in the first game.
    pub a: u32,
    /// Number of the other player; null for a bye.
    #[schema(required)]
    pub b: Option<u32>,
    /// Points of player `a` against the exact value; those of player `b` are the negative number. Null for a running match.
    #[schema(required)]
    pub points: Option<i32>,
    /// Player who gave the match up, on time or by resigning; null for none.
    #[schema(required)]
    pub forfeit: Option<PlayerWire>,
}

/// Deal of a finished event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventDeal)]
pub struct EventDealWire {
    /// Place of the deal in the event, from 0.
    pub place: u32,
    /// Number of the deal.
    pub deal: String,
    /// Exact value, in points for the player who leads first.
    pub value_for_first: i32,
}

/// Event with its standings. It is the same for all viewers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventView {
    /// Number of changes of the event.
    pub version: i64,
    /// Facts of the event.
    pub event: EventSummary,
    /// Players, the best first.
    pub standings: Vec<EventStandingWire>,
    /// Matches and byes, in the order of the pairings.
    pub boards: Vec<EventBoardWire>,
    /// Deals in the order of their places; empty before the end.
    pub deals: Vec<EventDealWire>,
    /// SHA-256 of the key of the deals, in hexadecimal digits.
    pub commitment: String,
    /// Key of the deals in hexadecimal digits; null before the end.
    #[schema(required)]
    pub key: Option<String>,
}

/// Part of an event that concerns the requester.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventYou {
    /// Number of the requester in the event; null for others.
    #[schema(required)]
    pub number: Option<u32>,
    /// Whether the requester is paired.
    pub present: bool,
    /// Id of the running match of the requester; null for none.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
    /// Whether the requester has made the event.
    pub host: bool,
}

/// Event in a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedEvent {
    /// Facts of the event.
    pub event: EventSummary,
    /// Whether the requester has made the event.
    pub hosted: bool,
    /// Client id of the request that made the event; null for an event of others.
    #[schema(required)]
    pub client_id: Option<String>,
    /// Time in RFC 3339 when the event was made.
    pub made_at: String,
    /// Time in RFC 3339 when the requester joined; null without joining.
    #[schema(required)]
    pub joined_at: Option<String>,
    /// Place of the requester in the standings; null without joining.
    #[schema(required)]
    pub standing: Option<EventStandingWire>,
}

/// Event as the requester sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SeenEvent {
    /// Part that concerns the requester.
    pub you: EventYou,
    /// Part that is the same for all.
    pub shown: EventView,
}
