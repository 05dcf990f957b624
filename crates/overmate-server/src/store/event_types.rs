//! Defines the store interface for events. In an event, many players play the same deals in pairs.

use overmate_rules::Player;

use super::holder::Holder;
use super::match_info::MatchInfo;
use super::outcome::{Appended, StoreFuture};
use crate::clock_setting::ClockSetting;

/// Maximum number of players of an event.
pub(crate) const MOST_PLAYERS: u32 = 200;

/// Maximum number of upcoming or running events that one account has made.
pub(crate) const MOST_OF_HOST: u32 = 3;

/// Maximum number of upcoming or running events that were made from one client network (address prefix). At least nine networks
/// are needed to fill the list of [`MOST_OPEN`] events.
pub(crate) const MOST_EVENTS_OF_NETWORK: u32 = 12;

/// Maximum number of upcoming or running events of all accounts together.
pub(crate) const MOST_OPEN: u32 = 100;

/// Kind of event, with its length in minutes or rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventKind {
    /// Arena with a duration in minutes. Players can join at any time, and are paired whenever they are not in a match.
    Arena { minutes: u32 },
    /// Swiss event, in which all players play a fixed number of rounds.
    Swiss { rounds: u32 },
}

impl EventKind {
    /// Returns the database text for the kind of an event, and the length of the event in minutes or rounds.
    pub(crate) fn parts(self) -> (&'static str, u32) {
        match self {
            Self::Arena { minutes } => ("arena", minutes),
            Self::Swiss { rounds } => ("swiss", rounds),
        }
    }

    /// Returns the event kind for a database text and a length in minutes or rounds, or `None` for an unknown text.
    pub(crate) fn of_parts(kind: &str, size: u32) -> Option<Self> {
        match kind {
            "arena" => Some(Self::Arena { minutes: size }),
            "swiss" => Some(Self::Swiss { rounds: size }),
            _ => None,
        }
    }
}

/// Stage of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventState {
    Coming,
    Running,
    Finished,
}

impl EventState {
    pub(crate) const ALL: [Self; 3] = [Self::Coming, Self::Running, Self::Finished];

    /// Returns the database text for the stage of an event.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Coming => "coming",
            Self::Running => "running",
            Self::Finished => "finished",
        }
    }
}

/// Event data without the players, deals and boards of the event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) kind: EventKind,
    pub(crate) title: Option<String>,
    pub(crate) rules: String,
    pub(crate) clock: ClockSetting,
    /// Person whose account made the event. `None` if an operator made the event, or if the person has erased their data.
    pub(crate) host: Option<Holder>,
    /// Id that the client chose for the request that made the event. The id is unique among the requests of the event's host.
    pub(crate) client_id: Option<String>,
    /// Number of the client network from which the event was made. `None` if an operator or an earlier server version made the
    /// event.
    pub(crate) network: Option<u16>,
    /// Secret key from which the deals of the event are derived.
    pub(crate) secret: [u8; 32],
    /// Unix time at which the event was made, in seconds.
    pub(crate) made_at: i64,
    /// Unix time at which the event begins, in seconds.
    pub(crate) starts_at: i64,
    /// Unix time at which the event ended, in seconds; `None` before the end.
    pub(crate) finished_at: Option<i64>,
    pub(crate) state: EventState,
    /// Number of days between the starts of the event and of its successor; 0 for an event without a successor.
    pub(crate) repeat_days: u32,
    /// Number of the event's current round, from 1; 0 before the first round.
    pub(crate) round: u32,
    /// Number of steps of the event that the servers' background work has executed.
    pub(crate) step: i64,
    /// Number of changes of the event since it was made.
    pub(crate) version: i64,
}

impl Event {
    /// Returns the Unix time, in seconds, from which an arena makes no more pairings. Returns `None` for a Swiss event.
    pub(crate) fn ends_at(&self) -> Option<i64> {
        match self.kind {
            EventKind::Arena { minutes } => Some(self.starts_at + 60 * i64::from(minutes)),
            EventKind::Swiss { .. } => None,
        }
    }
}

/// Player of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EventPlayer {
    /// Number of the player in the event, from 1.
    pub(crate) number: u32,
    /// Person to whom the account of the event's player belongs; `None` after the person has erased their data.
    pub(crate) person: Option<Holder>,
    /// Handle of the player's account at the time of the read; `None` after the player has erased their data.
    pub(crate) handle: Option<String>,
    /// Whether the player takes part in the next pairings of the event.
    pub(crate) is_present: bool,
    /// Unix time at which the player joined the event, in seconds.
    pub(crate) joined_at: i64,
}

/// Deal that the players of an event play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EventDeal {
    /// Index of the deal among the deals of the event, from 0.
    pub(crate) place: u32,
    pub(crate) number: u64,
    /// Exact value of the deal, in points for the player who leads first, with best play of both players.
    pub(crate) value: i32,
}

/// Pairing of an event: a match of two players, or a bye of one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EventBoard {
    /// Number of the board in the event, from 1.
    pub(crate) number: u32,
    pub(crate) round: u32,
    /// Index of the board's deal among the deals of the event; `None` for a bye.
    pub(crate) place: Option<u32>,
    /// Number of player A among the players of the event. Player A leads in the first game.
    pub(crate) a: u32,
    /// Number of player B among the players of the event; `None` for a bye.
    pub(crate) b: Option<u32>,
    pub(crate) match_id: Option<String>,
    /// Unix time at which the match began, in seconds.
    pub(crate) began_at: i64,
    /// Unix time at which the match ended, in seconds; `None` before the end.
    pub(crate) ended_at: Option<i64>,
    /// Points that player A gets in the event; `None` before the end of the match.
    pub(crate) points: Option<i32>,
    /// Player who resigned or lost the match on time, or `None` if neither player did.
    pub(crate) forfeit: Option<Player>,
}

/// Event data with the players, deals and boards of the event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EventRecord {
    pub(crate) event: Event,
    /// Handle of the event's host at the time of the read, or `None`.
    pub(crate) host_handle: Option<String>,
    /// Players of the event, ordered by number.
    pub(crate) players: Vec<EventPlayer>,
    /// Deals of the event, ordered by their index in the event.
    pub(crate) deals: Vec<EventDeal>,
    /// Boards of the event, ordered by number.
    pub(crate) boards: Vec<EventBoard>,
}

/// Entry in the list of events: an event, its host, and the number of its players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListedEvent {
    pub(crate) event: Event,
    pub(crate) host_handle: Option<String>,
    /// Number of players who have joined the event.
    pub(crate) players: u32,
}

/// Result of a finished match of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardScore {
    /// Number of the board in the event, from 1.
    pub(crate) number: u32,
    /// Points that player A gets in the event.
    pub(crate) points: i32,
    pub(crate) forfeit: Option<Player>,
}

/// Step of the background work of an event, which stores results and creates new matches.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EventStep {
    pub(crate) id: String,
    /// Number of steps that the event must have executed before this step. If the store contains another number, this step
    /// changes nothing.
    pub(crate) after: i64,
    /// Unix time of the event's step, in seconds.
    pub(crate) at: i64,
    pub(crate) state: EventState,
    /// Kind and length of the event. The start of a Swiss event may reduce the length.
    pub(crate) kind: EventKind,
    pub(crate) round: u32,
    pub(crate) scores: Vec<BoardScore>,
    /// Numbers of the players who are not paired any more until they return to the event.
    pub(crate) absent: Vec<u32>,
    pub(crate) deals: Vec<EventDeal>,
    /// New boards of the event, each with its match, or with `None` for a bye.
    pub(crate) boards: Vec<(EventBoard, Option<MatchInfo>)>,
    /// Next event of the series, or `None` if the event has no successor.
    pub(crate) successor: Option<Event>,
}

/// Change of an event, or of several events.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum EventChange {
    /// Makes an event. Returns a conflict if the event's host has no account, or has made an event with the same client id.
    Make { event: Event },
    /// Adds a player to an event, or makes a returning player available for pairings. Returns a conflict if the event takes no
    /// players, or if the person has no account.
    Join { id: String, person: Holder, at: i64 },
    /// Removes a player from an upcoming event, or from the further pairings of a running event. Returns a conflict if the person
    /// is not a player of the event.
    Leave { id: String, person: Holder },
    /// Starts an event before its planned time. Returns a conflict if the event has begun, or if `host` is not the event's host.
    Start { id: String, host: Holder, at: i64 },
    /// Removes an event before its start. Returns a conflict if the event has begun, or if `host` is not the event's host. With
    /// `None`, an operator removes the event.
    Remove { id: String, host: Option<Holder> },
    /// Executes a step of the background work of an event. Returns a conflict if another step was executed first, or if a player
    /// of a new board is absent.
    Step(Box<EventStep>),
    /// Removes the events that ended before a Unix time in seconds.
    ForgetOld { before: i64 },
}

/// Store of arenas and Swiss events.
pub(crate) trait PlayEvents: Send + Sync + 'static {
    /// Returns the ids of the unfinished events whose start is at or before a Unix time in seconds.
    fn due_events(&self, at: i64) -> StoreFuture<'_, Vec<String>>;

    /// Returns all unfinished events, ordered by start, followed by the most recently finished events.
    fn events(&self, finished: u32) -> StoreFuture<'_, Vec<ListedEvent>>;

    /// Returns an event with its players, deals and boards, or `None` for an unknown event.
    fn event<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<EventRecord>>;

    /// Returns the number of changes of an event since it was made, or `None` for an unknown event.
    fn event_version<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<i64>>;

    /// Returns the id of the event that a host made by a request with a given client id, or `None` if there is no such event.
    fn event_of_request<'a>(
        &'a self,
        host: Holder,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<String>>;

    /// Returns the ids of the events in which a person is a player or the host.
    fn events_of(&self, person: Holder) -> StoreFuture<'_, Vec<String>>;

    /// Executes a change of one or more events. Returns a conflict if the change does not apply: see [`EventChange`].
    fn change_event(&self, change: EventChange) -> StoreFuture<'_, Appended>;
}
