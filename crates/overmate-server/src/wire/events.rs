//! Defines the JSON types of tournament events (arenas and Swiss events).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::{ClockWire, PlayerWire};

/// Kind of an event: an arena with its duration, or a Swiss event with its number of rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = EventKind)]
pub enum EventKindWire {
    /// Arena: an event in which players join at any time, and are paired again soon after each match.
    Arena {
        /// Duration of the arena event, in minutes.
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

/// Request to create a tournament event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEvent {
    /// Kind of the new event: an arena with its duration, or a Swiss event with its number of rounds.
    pub kind: EventKindWire,
    /// Title of the tournament event, at most 40 characters after normalisation; null for no title.
    #[serde(default)]
    #[schema(max_length = 400)]
    pub title: Option<String>,
    /// Name of the tournament event's rule set, which must have 20 cards and no face-down card.
    #[schema(max_length = 200)]
    pub rules: String,
    /// Base time on the clock of each player for one match of the tournament event, in seconds.
    #[schema(minimum = 30, maximum = 900)]
    pub base: u32,
    /// Increment of the clock for each action except a player's first action, in seconds.
    #[schema(minimum = 0, maximum = 30)]
    pub increment: u32,
    /// Time until the start of the tournament event, in minutes; at most 20,160 (14 days).
    #[schema(minimum = 0, maximum = 20_160)]
    pub starts_in: u32,
    /// Client id: an idempotency key that the client chooses for the request. A repeated request with the same id creates no second event.
    #[schema(min_length = 8, max_length = 64, pattern = "^[A-Za-z0-9_-]{8,64}$")]
    pub client_id: String,
}

/// Stage of a tournament event: coming, running or finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EventState)]
pub enum EventStateWire {
    /// The tournament event has not begun.
    Coming,
    /// The tournament event is running.
    Running,
    /// The tournament event is over.
    Finished,
}

/// Summary of a tournament event, without the standings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventSummary {
    /// Id of the tournament event.
    pub id: String,
    /// Kind of the event: an arena with its duration, or a Swiss event with its number of rounds.
    pub kind: EventKindWire,
    /// Title of the tournament event; null for an event without a title.
    #[schema(required)]
    pub title: Option<String>,
    /// Name of the tournament event's rule set.
    pub rules: String,
    /// English title of the tournament event's rule set.
    pub rules_title: String,
    /// Time control of the tournament event's matches.
    pub clock: ClockWire,
    /// Handle of the account that created the tournament event. Null if the operator created the event, or if the account has
    /// been erased.
    #[schema(required)]
    pub host: Option<String>,
    /// Stage of the tournament event: coming, running or finished.
    pub state: EventStateWire,
    /// Number of players who have joined the tournament event.
    pub players: u32,
    /// Start time of the tournament event, in RFC 3339.
    pub starts_at: String,
    /// Time, in RFC 3339, after which an arena begins no further matches; null for a Swiss event.
    #[schema(required)]
    pub ends_at: Option<String>,
    /// End time of the tournament event, in RFC 3339; null for an unfinished event.
    #[schema(required)]
    pub finished_at: Option<String>,
    /// Number of the tournament event's current round; 0 before the first round.
    pub round: u32,
}

/// Lists of running, coming and finished tournament events.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventList {
    /// Running tournament events, ordered by start time.
    pub running: Vec<EventSummary>,
    /// Tournament events that have not begun yet, ordered by start time.
    pub coming: Vec<EventSummary>,
    /// Tournament events that ended most recently, the latest first.
    pub finished: Vec<EventSummary>,
}

/// Row of a player in the standings of a tournament event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventStanding)]
pub struct EventStandingWire {
    /// Number that identifies the player within the tournament event.
    pub number: u32,
    /// Handle of the player; null if the player's account has been erased.
    #[schema(required)]
    pub handle: Option<String>,
    /// Whether the player's profile is public: the player has a rating, and has not hidden the profile.
    pub profile: bool,
    /// Whether the tournament event may pair the player for further matches.
    pub present: bool,
    /// Whether the player has a running match in the tournament event.
    pub playing: bool,
    /// Place of the player in the event's standings, from 1. Players with equal results share a place.
    pub rank: u32,
    /// Sum of the player's points in all ended matches of the tournament event.
    pub points: i32,
    /// Number of matches of the player in the tournament event that have ended.
    pub played: u32,
    /// Number of matches of the event in which the player got more points than the opponent.
    pub won: u32,
    /// Buchholz score of the player: the sum of their opponents' points in the tournament event. An opponent counts once for each match
    /// against the player.
    pub opponents: i32,
    /// Number of byes of the player in the event: rounds without an opponent.
    pub byes: u32,
}

/// Pairing in a tournament event: a match or a bye.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventBoard)]
pub struct EventBoardWire {
    /// Number that identifies the match or bye within the tournament event.
    pub number: u32,
    /// Number of the event's round to which the match or bye belongs, from 1. In an arena, the matches that begin together form a round.
    pub round: u32,
    /// Index of the match's deal among the deals of the event, from 0; null for a bye.
    #[schema(required)]
    pub place: Option<u32>,
    /// Number that identifies player A, who leads in the first game, within the tournament event.
    pub a: u32,
    /// Number that identifies player B within the tournament event; null for a bye.
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

/// Deal of a finished tournament event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = EventDeal)]
pub struct EventDealWire {
    /// Index of the deal among the deals of the tournament event, from 0.
    pub place: u32,
    /// Deal number under the rule set of the tournament event.
    pub deal: String,
    /// Exact value of the deal, in points for the player who leads first.
    pub value_for_first: i32,
}

/// Tournament event with its standings, matches and deals, in a form that is the same for all viewers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventView {
    /// Version number of the tournament event: the number of changes that the event has had.
    pub version: i64,
    /// Summary of the tournament event.
    pub event: EventSummary,
    /// Standings of the event, the best player first.
    pub standings: Vec<EventStandingWire>,
    /// Matches and byes of the event, in the order of the pairings.
    pub boards: Vec<EventBoardWire>,
    /// Deals of the tournament event, in the order of their indices; empty before the end of the event.
    pub deals: Vec<EventDealWire>,
    /// SHA-256 hash, in hexadecimal digits, of the secret key from which the tournament event's deals are drawn.
    pub commitment: String,
    /// Secret key from which the tournament event's deals are drawn, in hexadecimal digits; null before the end of the event.
    #[schema(required)]
    pub key: Option<String>,
}

/// Role of the requester in a tournament event: creator of the event, player in the event, both or neither.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct EventYou {
    /// Number that identifies the requester within the tournament event; null if the requester has not joined.
    #[schema(required)]
    pub number: Option<u32>,
    /// Whether the tournament event may pair the requester for further matches.
    pub present: bool,
    /// Id of the requester's running match in the tournament event; null without a running match.
    #[serde(rename = "match")]
    #[schema(required)]
    pub match_id: Option<String>,
    /// Whether the requester created the tournament event.
    pub host: bool,
}

/// Tournament event, as part of a data export.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedEvent {
    /// Summary of the tournament event.
    pub event: EventSummary,
    /// Whether the requester created the tournament event.
    pub hosted: bool,
    /// Client id of the request that created the tournament event; null unless the requester created the event.
    #[schema(required)]
    pub client_id: Option<String>,
    /// Creation time of the tournament event, in RFC 3339.
    pub made_at: String,
    /// Time at which the requester joined the tournament event, in RFC 3339; null if the requester has not joined.
    #[schema(required)]
    pub joined_at: Option<String>,
    /// Row of the requester in the event's standings; null if the requester has not joined.
    #[schema(required)]
    pub standing: Option<EventStandingWire>,
}

/// Tournament event, with the role of the requester in the event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SeenEvent {
    /// Role of the requester in the tournament event.
    pub you: EventYou,
    /// Tournament event in a form that is the same for all viewers.
    pub shown: EventView,
}
