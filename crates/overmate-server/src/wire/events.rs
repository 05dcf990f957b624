//! Defines the JSON types of events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::{ClockWire, PlayerWire};

/// Kind of an event: an arena with its duration, or a Swiss event with its number of rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = EventKind)]
pub enum EventKindWire {
    /// Arena: an event in which players join at any time, and get the next opponent as soon as they are free.
    Arena {
        /// Duration of the arena, in minutes.
        #[schema(minimum = 5, maximum = 240)]
        minutes: u32,
    },
    /// Swiss event: all players play a fixed number of rounds.
    Swiss {
        /// Number of rounds of the Swiss event. At the start, the server lowers this number to the number of possible opponents.
        #[schema(minimum = 1, maximum = 15)]
        rounds: u32,
    },
}

/// Request for a new event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEvent {
    /// Kind of the new event: an arena with its duration, or a Swiss event with its number of rounds.
    pub kind: EventKindWire,
    /// Title of the event, at most 40 characters after normalisation; null for no title.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub title: Option<String>,
    /// Name of the event's rule set, which must have 20 cards and no face-down card.
    #[schema(max_length = 100)]
    pub rules: String,
    /// Base time on the clock of each player for one match of the event, in seconds.
    #[schema(minimum = 30, maximum = 900)]
    pub base: u32,
    /// Increment of the clock for each action except a player's first action, in seconds.
    #[schema(minimum = 0, maximum = 30)]
    pub increment: u32,
    /// Time until the start of the event, in minutes; at most 20,160 (14 days).
    #[schema(minimum = 0, maximum = 20_160)]
    pub starts_in: u32,
    /// Id of the request, chosen by the client. A repeated request with the same id creates no second event.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Stage of an event: coming, running or finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EventState)]
pub enum EventStateWire {
    /// The event has not begun.
    Coming,
    /// The event is running.
    Running,
    /// The event is over.
    Finished,
}

/// Summary of an event, without the standings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventSummary {
    /// Id of the event.
    pub id: String,
    /// Kind of the event: an arena with its duration, or a Swiss event with its number of rounds.
    pub kind: EventKindWire,
    /// Title of the event; null for an event without a title.
    #[schema(required)]
    pub title: Option<String>,
    /// Name of the event's rule set.
    pub rules: String,
    /// English title of the event's rule set.
    pub rules_title: String,
    /// Time control of the event's matches.
    pub clock: ClockWire,
    /// Handle of the account that created the event. Null if the operator created the event, or if the account has been erased.
    #[schema(required)]
    pub host: Option<String>,
    /// Stage of the event: coming, running or finished.
    pub state: EventStateWire,
    /// Number of players who have joined the event.
    pub players: u32,
    /// Start time of the event, in RFC 3339.
    pub starts_at: String,
    /// Time, in RFC 3339, after which an arena begins no further matches; null for a Swiss event.
    #[schema(required)]
    pub ends_at: Option<String>,
    /// End time of the event, in RFC 3339; null for an unfinished event.
    #[schema(required)]
    pub finished_at: Option<String>,
    /// Number of the event's current round; 0 before the first round.
    pub round: u32,
}

/// Lists of running, coming and finished events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventList {
    /// Running events, ordered by start time.
    pub running: Vec<EventSummary>,
    /// Events that have not begun yet, ordered by start time.
    pub coming: Vec<EventSummary>,
    /// Events that ended most recently, the latest first.
    pub finished: Vec<EventSummary>,
}

/// Row of a player in the standings of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventStanding)]
pub struct EventStandingWire {
    /// Number that identifies the player within the event.
    pub number: u32,
    /// Handle of the player; null if the player's account has been erased.
    #[schema(required)]
    pub handle: Option<String>,
    /// Whether the event may pair the player for further matches.
    pub present: bool,
    /// Whether the player has a running match in the event.
    pub playing: bool,
    /// Place of the player in the event's standings, from 1. Players with equal results share a place.
    pub rank: u32,
    /// Sum of the player's points in all ended matches of the event.
    pub points: i32,
    /// Number of matches of the player in the event that have ended.
    pub played: u32,
    /// Number of matches of the event in which the player got more points than the opponent.
    pub won: u32,
    /// Sum of the event points of the player's opponents, once for each match (Buchholz).
    pub opponents: i32,
    /// Number of byes of the player in the event: rounds without an opponent.
    pub byes: u32,
}

/// Match or bye of an event, as one entry of the pairings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventBoard)]
pub struct EventBoardWire {
    /// Number of the match or bye in the event.
    pub number: u32,
    /// Number of the event's round to which the match or bye belongs.
    pub round: u32,
    /// Index of the match's deal among the deals of the event, from 0; null for a bye.
    #[schema(required)]
    pub place: Option<u32>,
    /// Number, within the event, of player A, who leads in the first game.
    pub a: u32,
    /// Number, within the event, of player B; null for a bye.
    #[schema(required)]
    pub b: Option<u32>,
    /// Points that player A got for the match, relative to the exact value of the deal; player B gets the negative number. Null for
    /// a running match.
    #[schema(required)]
    pub points: Option<i32>,
    /// Player who resigned the match or lost the match on time; null if no player did.
    #[schema(required)]
    pub forfeit: Option<PlayerWire>,
}

/// Deal of a finished event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventDeal)]
pub struct EventDealWire {
    /// Index of the deal among the deals of the event, from 0.
    pub place: u32,
    /// Deal number under the rule set of the event.
    pub deal: String,
    /// Exact value of the deal, in points for the player who leads first.
    pub value_for_first: i32,
}

/// Event with its standings, matches and deals, in a form that is the same for all viewers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventView {
    /// Version number of the event: the number of changes that the event has had.
    pub version: i64,
    /// Summary of the event.
    pub event: EventSummary,
    /// Standings of the event, the best player first.
    pub standings: Vec<EventStandingWire>,
    /// Matches and byes of the event, in the order of the pairings.
    pub boards: Vec<EventBoardWire>,
    /// Deals of the event, in the order of their indices; empty before the end of the event.
    pub deals: Vec<EventDealWire>,
    /// SHA-256 hash, in hexadecimal digits, of the secret key from which the event's deals are drawn.
    pub commitment: String,
    /// Secret key from which the event's deals are drawn, in hexadecimal digits; null before the end of the event.
    #[schema(required)]
    pub key: Option<String>,
}

/// Role of the requester in an event: creator, player or neither.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventYou {
    /// Number that identifies the requester within the event; null if the requester has not joined.
    #[schema(required)]
    pub number: Option<u32>,
    /// Whether the event may pair the requester for further matches.
    pub present: bool,
    /// Id of the requester's running match in the event; null without a running match.
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
    /// Row of the requester in the event's standings; null if the requester has not joined.
    #[schema(required)]
    pub standing: Option<EventStandingWire>,
}

/// Event, with the role of the requester in the event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SeenEvent {
    /// Role of the requester in the event.
    pub you: EventYou,
    /// View of the event that is the same for all viewers.
    pub shown: EventView,
}
