//! Implements the room of a match, which tracks the presence of the players and relays their chat phrases. The connections of the
//! players lead to this server or to other servers.

use std::time::Duration;

use overmate_rules::{ByPlayer, Player};
use tokio::sync::broadcast;
use tokio::time::Instant;

use crate::clock::now;
use crate::error::ApiError;
use crate::wire::{Phrase, PresenceKind};

/// Maximum number of undelivered notices of a match room for one slow live connection. Older notices are dropped.
const WAITING: usize = 16;

/// Minimum time between two chat phrases of a player.
pub(super) const PHRASE_PAUSE: Duration = Duration::from_secs(3);

/// Tolerance of the minimum time between two chat phrases: a phrase from another server may arrive this much too early. The message with
/// the previous phrase may have been slower. On average, the phrases still keep the pause.
const PHRASE_JITTER: Duration = Duration::from_secs(1);

/// Minimum time between two reports to the other servers about the presence of a match's players.
pub(super) const TELL_PAUSE: Duration = Duration::from_secs(1);

/// Interval at which a server repeats its report to the other servers about the presence of a match's players.
pub(super) const RENEWAL: Duration = Duration::from_secs(15);

/// Time after which another server's report about the presence of players expires, unless that server repeats the report. Two repetitions
/// may be lost.
pub(super) const EXPIRY: Duration = Duration::from_secs(40);

/// Maximum number of reports from other servers that this server keeps about the presence of one match's players.
const MOST_SERVERS: usize = 16;

/// Presence of the players of a match while neither player is connected.
const NOBODY: ByPlayer<PresenceKind> = ByPlayer { a: PresenceKind::Gone, b: PresenceKind::Gone };

/// Notice to the live connections of a match's players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RoomNotice {
    /// The presence of a player has changed.
    Presence,
    /// A player has sent a chat phrase.
    Said(Player, Phrase),
}

/// Presence of a player in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Presence {
    /// At least one of the player's connections shows the match in the foreground.
    Here,
    /// The player is connected, but none of their connections shows the match in the foreground.
    Away,
    /// The player has had no connection since this Unix time, in seconds; `None` if the time is not known.
    Gone(Option<i64>),
}

/// Room of a match: the live connections of its players.
pub(super) struct MatchRoom {
    players: ByPlayer<Attendance>,
    others: Vec<OtherServer>,
    notices: broadcast::Sender<RoomNotice>,
    told: Option<Told>,
    /// Whether another server has asked for the presence of the match's players since this server last reported it.
    is_asked: bool,
    /// Whether this server's next report about the match's players asks the other servers for the presence of these players.
    asks: bool,
}

/// Presence of one player of a match, counted from the player's live connections to this server.
#[derive(Clone, Copy, Default)]
struct Attendance {
    shown: u32,
    hidden: u32,
    left_at: Option<i64>,
    /// Earliest time of the player's next chat phrase; `None` before the first phrase.
    next_phrase: Option<Instant>,
}

/// Another server's report about the presence of the players of a match, with the time of the report.
struct OtherServer {
    number: u64,
    players: ByPlayer<PresenceKind>,
    heard: Instant,
}

/// This server's last report to the other servers about the presence of the players of a match, with the time of the report.
struct Told {
    players: ByPlayer<PresenceKind>,
    at: Instant,
}

impl Attendance {
    fn count(&mut self, is_hidden: bool) -> &mut u32 {
        if is_hidden { &mut self.hidden } else { &mut self.shown }
    }

    fn kind(&self) -> PresenceKind {
        match (self.shown, self.hidden) {
            (0, 0) => PresenceKind::Gone,
            (0, _) => PresenceKind::Away,
            (_, _) => PresenceKind::Here,
        }
    }

    /// Applies the rate limit for chat phrases to a phrase of the player, and returns whether the phrase is accepted. An accepted phrase
    /// starts the pause before the player's next phrase. A phrase may come at most `early` before the end of the pause.
    fn accept_phrase(&mut self, early: Duration) -> bool {
        let now = Instant::now();
        if self.next_phrase.is_some_and(|next| now + early < next) {
            return false;
        }
        self.next_phrase = Some(self.next_phrase.map_or(now, |next| next.max(now)) + PHRASE_PAUSE);
        true
    }
}

/// Returns the presence of a player who has connections to two servers, given the presence at each server.
fn best(one: PresenceKind, other: PresenceKind) -> PresenceKind {
    match (one, other) {
        (PresenceKind::Here, _) | (_, PresenceKind::Here) => PresenceKind::Here,
        (PresenceKind::Away, _) | (_, PresenceKind::Away) => PresenceKind::Away,
        (PresenceKind::Gone, PresenceKind::Gone) => PresenceKind::Gone,
    }
}

impl MatchRoom {
    pub(super) fn new() -> Self {
        Self {
            players: ByPlayer::default(),
            others: Vec::new(),
            notices: broadcast::Sender::new(WAITING),
            told: None,
            is_asked: false,
            asks: true,
        }
    }

    /// Adds a player's live connection to the match's room at this server, and notifies all connections in the room.
    pub(super) fn enter(
        &mut self,
        player: Player,
        is_hidden: bool,
    ) -> broadcast::Receiver<RoomNotice> {
        *self.players[player].count(is_hidden) += 1;
        let notices = self.notices.subscribe();
        // The notice about changed presence also goes to the new live connection itself. The connection then reads the presence of both
        // players.
        self.notify(RoomNotice::Presence);
        notices
    }

    /// Records the end of a player's live connection to this server.
    pub(super) fn leave(&mut self, player: Player, is_hidden: bool) {
        self.change(now(), |room| *room.players[player].count(is_hidden) -= 1);
    }

    /// Records that the page of a player's live connection has moved to the foreground or to the background.
    pub(super) fn turn(&mut self, player: Player, is_hidden: bool) {
        self.change(now(), |room| {
            *room.players[player].count(!is_hidden) -= 1;
            *room.players[player].count(is_hidden) += 1;
        });
    }

    /// Sends a player's chat phrase to all connections in the room. A second phrase within [`PHRASE_PAUSE`] is refused.
    pub(super) fn say(&mut self, player: Player, phrase: Phrase) -> Result<(), ApiError> {
        if !self.players[player].accept_phrase(Duration::ZERO) {
            let seconds = PHRASE_PAUSE.as_secs();
            return Err(ApiError::TooMany { what: "phrases", seconds });
        }
        self.notify(RoomNotice::Said(player, phrase));
        Ok(())
    }

    /// Sends a player's chat phrase from another server to all connections in the room, unless the phrase follows the player's previous
    /// phrase too soon.
    pub(super) fn hear_phrase(&mut self, player: Player, phrase: Phrase) {
        if self.players[player].accept_phrase(PHRASE_JITTER) {
            self.notify(RoomNotice::Said(player, phrase));
        }
    }

    /// Replaces the previous report of another server about the presence of the players by a new report. If `asks` is true, the next
    /// message of this server reports the presence of the players at this server.
    pub(super) fn hear(&mut self, number: u64, players: ByPlayer<PresenceKind>, asks: bool) {
        self.change(now(), |room| {
            room.others.retain(|other| other.number != number);
            if players != NOBODY && room.others.len() < MOST_SERVERS {
                room.others.push(OtherServer { number, players, heard: Instant::now() });
            }
        });
        self.is_asked |= asks;
    }

    /// Removes another server's report about the presence of the players. `number` is the id of that server.
    pub(super) fn forget(&mut self, number: u64) {
        if self.others.iter().any(|other| other.number == number) {
            self.change(now(), |room| room.others.retain(|other| other.number != number));
        }
    }

    /// Removes each report about the presence of the players that another server has not repeated for [`EXPIRY`].
    pub(super) fn expire(&mut self) {
        let is_fresh = |other: &OtherServer| other.heard.elapsed() < EXPIRY;
        if !self.others.iter().all(is_fresh) {
            // If another server no longer sends reports, the players connected to that server count as gone since its last report. This
            // report arrived [`EXPIRY`] ago.
            let left_at = now() - EXPIRY.as_secs().cast_signed();
            self.change(left_at, |room| room.others.retain(is_fresh));
        }
    }

    /// Makes this server's next report about the match's players ask the other servers for the presence of these players.
    pub(super) fn ask(&mut self) {
        self.asks = true;
    }

    /// Returns the report about the match's players that this server must send to the other servers now, or `None` if no report is due. The
    /// report holds the presence of the players at this server, and whether the other servers should report their presence. The room counts
    /// the report as sent.
    pub(super) fn due(&mut self) -> Option<(ByPlayer<PresenceKind>, bool)> {
        let players = self.own();
        let is_due = match &self.told {
            None => players != NOBODY,
            Some(told) => {
                let is_repeated = self.asks || told.at.elapsed() >= RENEWAL;
                let is_news = self.is_asked || told.players != players;
                (is_news || (is_repeated && players != NOBODY)) && told.at.elapsed() >= TELL_PAUSE
            }
        };
        is_due.then(|| {
            self.is_asked = false;
            self.told = Some(Told { players, at: Instant::now() });
            (players, std::mem::take(&mut self.asks))
        })
    }

    /// Returns whether no player in the room is connected to this server.
    pub(super) fn is_empty(&self) -> bool {
        self.own() == NOBODY
    }

    /// Returns whether a match room can be removed: no player is connected to this server, and this server's last report shows no connected
    /// player. The pause after the last message must be over, too. A player who connects again and again thus causes no more messages than
    /// a player who stays connected.
    pub(super) fn is_over(&self) -> bool {
        let is_known = |told: &Told| told.players == NOBODY && told.at.elapsed() >= TELL_PAUSE;
        self.is_empty() && self.told.as_ref().is_none_or(is_known)
    }

    /// Returns the presence of the players according to the connections to this server.
    pub(super) fn own(&self) -> ByPlayer<PresenceKind> {
        self.players.map(|player| player.kind())
    }

    /// Returns the presence of the players according to the connections to all servers.
    pub(super) fn presence(&self) -> ByPlayer<Presence> {
        let kinds = self.kinds();
        ByPlayer::new_with(|player| match kinds[player] {
            PresenceKind::Here => Presence::Here,
            PresenceKind::Away => Presence::Away,
            PresenceKind::Gone => Presence::Gone(self.players[player].left_at),
        })
    }

    fn kinds(&self) -> ByPlayer<PresenceKind> {
        self.others.iter().fold(self.own(), |kinds, other| {
            ByPlayer::new_with(|player| best(kinds[player], other.players[player]))
        })
    }

    /// Applies a change to the data about a match's connected players, and notifies their live connections if a player's presence changes.
    /// The Unix time `left_at`, in seconds, is recorded for a player whose last connection ends.
    fn change(&mut self, left_at: i64, change: impl FnOnce(&mut Self)) {
        let before = self.kinds();
        change(self);
        let after = self.kinds();
        if after == before {
            return;
        }
        for player in Player::BOTH {
            if after[player] == PresenceKind::Gone && before[player] != PresenceKind::Gone {
                self.players[player].left_at = Some(left_at);
            }
        }
        self.notify(RoomNotice::Presence);
    }

    fn notify(&self, notice: RoomNotice) {
        // Sending a notice to a match's players fails only if none of them has a live connection to this server. Nobody then needs the
        // notice.
        let _ = self.notices.send(notice);
    }
}
