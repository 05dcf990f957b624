//! Defines the store interface for tournament events. In an event, many players play the same deals in pairs.

use overmate_rules::Player;

use super::holder::Holder;
use super::match_info::MatchInfo;
use super::outcome::{Appended, StoreFuture};
use crate::clocks::clock_setting::ClockSetting;

/// Maximum number of players in a tournament event.
pub(crate) const MOST_PLAYERS: u32 = 200;

/// Maximum number of upcoming or running tournament events that one account has created.
pub(crate) const MOST_OF_HOST: u32 = 3;

/// Maximum number of upcoming or running tournament events that were created from one client network (address prefix). At least nine
/// networks are needed to fill the list of [`MOST_OPEN`] events.
pub(crate) const MOST_EVENTS_OF_NETWORK: u32 = 12;

/// Maximum number of upcoming or running tournament events of all accounts together.
pub(crate) const MOST_OPEN: u32 = 100;

/// Kind of a tournament event (arena or Swiss event), with its length in minutes or rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventKind {
    /// Arena: a tournament event with a duration in minutes. Players can join at any time, and are paired whenever they are not in a match.
    Arena { minutes: u32 },
    /// Swiss event: a tournament event in which all players play a fixed number of rounds.
    Swiss { rounds: u32 },
}

impl EventKind {
    /// Returns the kind of a tournament event as text for the database, and the length of the event in minutes or rounds.
    pub(crate) fn parts(self) -> (&'static str, u32) {
        match self {
            Self::Arena { minutes } => ("arena", minutes),
            Self::Swiss { rounds } => ("swiss", rounds),
        }
    }

    /// Creates the kind of a tournament event from the kind's text in the database and the length of the event, in
    /// minutes or rounds. Returns `None` for an unknown text.
    pub(crate) fn of_parts(kind: &str, size: u32) -> Option<Self> {
        match kind {
            "arena" => Some(Self::Arena { minutes: size }),
            "swiss" => Some(Self::Swiss { rounds: size }),
            _ => None,
        }
    }

    /// Returns the scheduled end of an arena that starts at `starts_at`, or `None` for a Swiss event. Both times are Unix times in seconds.
    fn ends_at(self, starts_at: i64) -> Option<i64> {
        match self {
            Self::Arena { minutes } => Some(starts_at + 60 * i64::from(minutes)),
            Self::Swiss { .. } => None,
        }
    }

    /// Returns whether a tournament event takes no new players at the Unix time `at`, in seconds. An arena takes new players until its
    /// scheduled end, and a Swiss event while it is coming.
    pub(crate) fn is_closed(self, starts_at: i64, is_coming: bool, at: i64) -> bool {
        self.ends_at(starts_at).map_or(!is_coming, |end| at >= end)
    }
}

/// Stage of a tournament event: upcoming, running or finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventState {
    Coming,
    Running,
    Finished,
}

impl EventState {
    pub(crate) const ALL: [Self; 3] = [Self::Coming, Self::Running, Self::Finished];

    /// Returns the stage of a tournament event as text for the database.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Coming => "coming",
            Self::Running => "running",
            Self::Finished => "finished",
        }
    }
}

/// Data of a tournament event without its players, deals and boards (pairings).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) kind: EventKind,
    pub(crate) title: Option<String>,
    pub(crate) rules: String,
    pub(crate) clock: ClockSetting,
    /// Person whose account created the tournament event. `None` if an operator created the event, or if the person has erased their data.
    pub(crate) host: Option<Holder>,
    /// Id that the client chose for the request that created the tournament event. The id is unique among the requests of the event's host.
    pub(crate) client_id: Option<String>,
    /// Id of the IP network from which the tournament event was created. `None` if an operator or an earlier server version created the
    /// event.
    pub(crate) network: Option<u16>,
    /// Secret key from which the deals of the tournament event are derived.
    pub(crate) secret: [u8; 32],
    /// Unix time at which the tournament event was created, in seconds.
    pub(crate) made_at: i64,
    /// Unix time at which the tournament event begins, in seconds.
    pub(crate) starts_at: i64,
    /// Unix time at which the tournament event ended, in seconds; `None` before the end.
    pub(crate) finished_at: Option<i64>,
    pub(crate) state: EventState,
    /// Number of days from the start of the tournament event to the start of its successor; 0 for an event without a successor.
    pub(crate) repeat_days: u32,
    /// Number of the tournament event's current round, from 1; 0 before the first round.
    pub(crate) round: u32,
    /// Number of background steps, such as pairings, that the servers have executed for the tournament event.
    pub(crate) step: i64,
    /// Number of changes of the tournament event since its creation.
    pub(crate) version: i64,
}

impl Event {
    /// Returns the scheduled end of an arena, as a Unix time in seconds, or `None` for a Swiss event. From this time,
    /// the arena makes no more pairings.
    pub(crate) fn ends_at(&self) -> Option<i64> {
        self.kind.ends_at(self.starts_at)
    }
}

/// Player of a tournament event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EventPlayer {
    /// Number of the player in the tournament event, from 1.
    pub(crate) number: u32,
    /// Person to whom the account of the tournament event's player belongs; `None` after the person has erased their data.
    pub(crate) person: Option<Holder>,
    /// Handle that the player's account had when the database was read; `None` after the player has erased their data.
    pub(crate) handle: Option<String>,
    /// Whether the profile of the player's account was public when the database was read. A person whom the player has blocked sees no
    /// profile.
    pub(crate) has_profile: bool,
    /// Whether the player takes part in the next pairings of the tournament event.
    pub(crate) is_present: bool,
    /// Unix time at which the player joined the tournament event, in seconds.
    pub(crate) joined_at: i64,
}

/// Deal that the players of a tournament event play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EventDeal {
    /// Index of the deal among the deals of the tournament event, from 0.
    pub(crate) place: u32,
    pub(crate) number: u64,
    /// Exact value of the deal, in points for the player who leads first, with best play of both players.
    pub(crate) value: i32,
}

/// Pairing of a tournament event: a match of two players, or a bye of one player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EventBoard {
    /// Number of the board (pairing) in the tournament event, from 1.
    pub(crate) number: u32,
    pub(crate) round: u32,
    /// Index of the deal of the board (pairing) among the deals of the tournament event; `None` for a bye.
    pub(crate) place: Option<u32>,
    /// Player number, in the tournament event, of player A on the board (pairing). Player A leads in the first game.
    pub(crate) a: u32,
    /// Player number, in the tournament event, of player B on the board (pairing); `None` for a bye.
    pub(crate) b: Option<u32>,
    pub(crate) match_id: Option<String>,
    /// Unix time, in seconds, at which the match of two paired players began, or a bye was given.
    pub(crate) began_at: i64,
    /// Unix time, in seconds, at which the match of two paired players ended, or a bye was given; `None` while the match runs.
    pub(crate) ended_at: Option<i64>,
    /// Points that player A of the board (pairing) gets in the tournament event; `None` before the end of the match.
    pub(crate) points: Option<i32>,
    /// Player who lost the match on the board (pairing) by resignation or on time; `None` if neither player did.
    pub(crate) forfeit: Option<Player>,
}

/// Data of a tournament event with its players, deals and boards (pairings).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EventRecord {
    pub(crate) event: Event,
    /// Handle that the tournament event's host (organiser) had when the database was read; `None` if no account is the host.
    pub(crate) host_handle: Option<String>,
    /// Players of the tournament event, ordered by number.
    pub(crate) players: Vec<EventPlayer>,
    /// Deals of the tournament event, ordered by their index in the event.
    pub(crate) deals: Vec<EventDeal>,
    /// Boards (pairings) of the tournament event, ordered by number.
    pub(crate) boards: Vec<EventBoard>,
}

/// Entry in the list of tournament events: an event, its host (organiser), and the number of its players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListedEvent {
    pub(crate) event: Event,
    pub(crate) host_handle: Option<String>,
    /// Number of players who have joined the tournament event.
    pub(crate) players: u32,
}

/// Result of a finished match of a tournament event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardScore {
    /// Number of the board (pairing) in the tournament event, from 1.
    pub(crate) number: u32,
    /// Points that player A of the match gets in the tournament event.
    pub(crate) points: i32,
    pub(crate) forfeit: Option<Player>,
}

/// Background step of a tournament event, which stores results and creates new matches.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EventStep {
    pub(crate) id: String,
    /// Number of earlier steps in which servers stored results or created new matches of the tournament event. If the store contains
    /// another number, this step changes nothing.
    pub(crate) after: i64,
    /// Version of the tournament event from which this step was computed. If the event has not begun, and has another version in the store,
    /// this step changes nothing, so that the start takes all players who have joined before.
    pub(crate) version: i64,
    /// Unix time, in seconds, of the step in which a server stores results or creates new matches of the tournament event.
    pub(crate) at: i64,
    pub(crate) state: EventState,
    /// Kind and length of the tournament event. The start of a Swiss event may reduce the length.
    pub(crate) kind: EventKind,
    pub(crate) round: u32,
    pub(crate) scores: Vec<BoardScore>,
    /// Player numbers of the players whom the background step of the tournament event records as absent. These players get no new pairing
    /// until they return to the tournament event.
    pub(crate) absent: Vec<u32>,
    pub(crate) deals: Vec<EventDeal>,
    /// New boards (pairings) of the tournament event, each with its match, or with `None` for a bye.
    pub(crate) boards: Vec<(EventBoard, Option<MatchInfo>)>,
    /// Next tournament event of a series, or `None` if the event has no successor.
    pub(crate) successor: Option<Event>,
}

/// Change of a tournament event, or of several events.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum EventChange {
    /// Creates a tournament event. Returns a conflict if the event's host has no account or a closed account, is a bot, or has created an
    /// event with the same client id.
    Make { event: Event },
    /// Adds a player to a tournament event, or makes a returning player available for pairings. Returns a conflict if the event
    /// takes no more players, or if the person has no account or a closed account, or is a bot.
    Join { id: String, person: Holder, at: i64 },
    /// Removes a player from an upcoming tournament event, or from the further pairings of a running event. Returns a conflict if the
    /// person is not a player of the event.
    Leave { id: String, person: Holder },
    /// Starts a tournament event before its planned time. Returns a conflict if the event has begun, or if `host` is not the event's host.
    Start { id: String, host: Holder, at: i64 },
    /// Removes a tournament event before its start. Returns a conflict if the event has begun, or if `host` is not the event's host. With
    /// `None`, an operator removes the event.
    Remove { id: String, host: Option<Holder> },
    /// Executes a step in the background work of a tournament event, such as a pairing. Returns a conflict if another step was executed
    /// first, or if a player of a new board is absent.
    Step(Box<EventStep>),
    /// Removes the tournament events that ended before a Unix time in seconds, and removes players without an account from all events.
    /// Returns a conflict if no event was removed.
    ForgetOld { before: i64 },
}

/// Store of tournament events (arenas and Swiss events).
pub(crate) trait PlayEvents: Send + Sync + 'static {
    /// Returns the ids of the unfinished tournament events whose start is at or before a Unix time in seconds.
    fn due_events(&self, at: i64) -> StoreFuture<'_, Vec<String>>;

    /// Returns all unfinished tournament events, ordered by start, followed by the most recently finished events.
    fn events(&self, finished: u32) -> StoreFuture<'_, Vec<ListedEvent>>;

    /// Returns a tournament event with its players, deals and pairings, or `None` for an unknown event.
    fn event<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<EventRecord>>;

    /// Returns the number of changes of a tournament event since its creation, or `None` for an unknown event.
    fn event_version<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<i64>>;

    /// Returns the id of the tournament event that a host (organiser) created by the request with a given client id.
    /// Returns `None` without such an event.
    fn event_of_request<'a>(
        &'a self,
        host: Holder,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<String>>;

    /// Returns the ids of the tournament events in which a person is a player or the host (organiser).
    fn events_of(&self, person: Holder) -> StoreFuture<'_, Vec<String>>;

    /// Executes a change of one or more tournament events. Returns a conflict if the change does not apply: see [`EventChange`].
    fn change_event(&self, change: EventChange) -> StoreFuture<'_, Appended>;
}
