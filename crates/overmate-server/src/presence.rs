//! Tracks the live connections of players in matches between people, and relays the players' chat
//! phrases. All data stay in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use overmate_rules::{ByPlayer, Player};
use tokio::sync::broadcast;

use crate::clock::now;
use crate::error::ApiError;
use crate::wire::Phrase;

/// Maximum number of notices queued for a slow connection. Older notices are dropped.
const WAITING: usize = 16;

/// Minimum time between two chat phrases of a player.
const PHRASE_PAUSE: Duration = Duration::from_secs(3);

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
    /// All of the player's connections are in the background.
    Away,
    /// The player has been disconnected since this Unix time in seconds. `None` if the time is not
    /// known.
    Gone(Option<i64>),
}

/// Rooms of all matches with connected players, by match id.
#[derive(Clone, Default)]
pub(crate) struct Rooms(Arc<Mutex<HashMap<Box<str>, MatchRoom>>>);

/// Room of a match: the live connections of its players.
struct MatchRoom {
    players: ByPlayer<Attendance>,
    notices: broadcast::Sender<RoomNotice>,
}

/// Live connections of a player in a match.
#[derive(Clone, Copy, Default)]
struct Attendance {
    shown: u32,
    hidden: u32,
    left_at: Option<i64>,
    spoke: Option<Instant>,
}

impl Attendance {
    fn count(&mut self, is_hidden: bool) -> &mut u32 {
        if is_hidden { &mut self.hidden } else { &mut self.shown }
    }

    fn presence(&self) -> Presence {
        match (self.shown, self.hidden) {
            (0, 0) => Presence::Gone(self.left_at),
            (0, _) => Presence::Away,
            (_, _) => Presence::Here,
        }
    }
}

impl Rooms {
    /// Adds a player's live connection to the room of a match, and notifies the room.
    pub(crate) fn enter(&self, id: &str, player: Player, is_hidden: bool) -> Attending {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = rooms.entry(id.into()).or_insert_with(|| MatchRoom {
            players: ByPlayer { a: Attendance::default(), b: Attendance::default() },
            notices: broadcast::Sender::new(WAITING),
        });
        *room.players[player].count(is_hidden) += 1;
        let notices = room.notices.subscribe();
        // The new connection receives this notice, too, and then reads the presence of both players.
        let _ = room.notices.send(RoomNotice::Presence);
        drop(rooms);
        Attending { rooms: self.clone(), id: id.into(), player, is_hidden, notices }
    }

    /// Returns whether a player has the match in the foreground, on a connection to this server.
    pub(crate) fn is_here(&self, id: &str, player: Player) -> bool {
        let presence = self.with(id, |room| room.players[player].presence());
        presence == Some(Presence::Here)
    }

    /// Applies a change to the room of a match, or returns `None` if the match has no room.
    fn with<T>(&self, id: &str, change: impl FnOnce(&mut MatchRoom) -> T) -> Option<T> {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rooms.get_mut(id).map(change)
    }
}

/// Membership of one live connection in the room of its match. Dropping the value ends the
/// attendance.
pub(crate) struct Attending {
    rooms: Rooms,
    id: Box<str>,
    player: Player,
    is_hidden: bool,
    notices: broadcast::Receiver<RoomNotice>,
}

impl Attending {
    /// Waits for the next notice of the match's room.
    pub(crate) async fn notice(&mut self) -> RoomNotice {
        match self.notices.recv().await {
            Ok(notice) => notice,
            // A receiver that lost notices gets a notice about presence, so that it reads the presence again.
            Err(broadcast::error::RecvError::Lagged(_)) => RoomNotice::Presence,
            // The room exists longer than its connections.
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }

    /// Returns the presence of each player of the match.
    pub(crate) fn players(&self) -> ByPlayer<Presence> {
        let found = self.rooms.with(&self.id, |room| ByPlayer {
            a: room.players.a.presence(),
            b: room.players.b.presence(),
        });
        found.unwrap_or(ByPlayer { a: Presence::Gone(None), b: Presence::Gone(None) })
    }

    /// Records whether the connection's page is in the background, and notifies the room of a
    /// change.
    pub(crate) fn set_hidden(&mut self, is_hidden: bool) {
        if self.is_hidden == is_hidden {
            return;
        }
        let was_hidden = std::mem::replace(&mut self.is_hidden, is_hidden);
        self.rooms.with(&self.id, |room| {
            let own = &mut room.players[self.player];
            let before = own.presence();
            *own.count(was_hidden) -= 1;
            *own.count(is_hidden) += 1;
            if own.presence() != before {
                let _ = room.notices.send(RoomNotice::Presence);
            }
        });
    }

    /// Sends the player's chat phrase to all connections in the room. A second phrase within
    /// [`PHRASE_PAUSE`] is refused.
    pub(crate) fn say(&self, phrase: Phrase) -> Result<(), ApiError> {
        let said = self.rooms.with(&self.id, |room| {
            let own = &mut room.players[self.player];
            if own.spoke.is_some_and(|spoke| spoke.elapsed() < PHRASE_PAUSE) {
                let seconds = PHRASE_PAUSE.as_secs();
                return Err(ApiError::TooMany { what: "phrases", seconds });
            }
            own.spoke = Some(Instant::now());
            let _ = room.notices.send(RoomNotice::Said(self.player, phrase));
            Ok(())
        });
        said.unwrap_or(Ok(()))
    }
}

impl Drop for Attending {
    fn drop(&mut self) {
        let mut rooms = self.rooms.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(room) = rooms.get_mut(&self.id) else { return };
        let own = &mut room.players[self.player];
        *own.count(self.is_hidden) -= 1;
        if matches!(own.presence(), Presence::Gone(_)) {
            own.left_at = Some(now());
        }
        let is_empty = [room.players.a, room.players.b]
            .iter()
            .all(|player| matches!(player.presence(), Presence::Gone(_)));
        if is_empty {
            rooms.remove(&self.id);
        } else {
            let _ = room.notices.send(RoomNotice::Presence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_room_reports_its_players_and_is_removed_with_the_last_connection() {
        let rooms = Rooms::default();
        let mut host = rooms.enter("match", Player::A, false);
        assert_eq!(host.notice().await, RoomNotice::Presence);
        assert_eq!(host.players(), ByPlayer { a: Presence::Here, b: Presence::Gone(None) });
        assert!(rooms.is_here("match", Player::A) && !rooms.is_here("match", Player::B));
        assert!(!rooms.is_here("other", Player::A));
        let mut guest = rooms.enter("match", Player::B, true);
        assert_eq!(host.notice().await, RoomNotice::Presence);
        assert_eq!(host.players().b, Presence::Away);
        guest.set_hidden(false);
        assert_eq!(host.notice().await, RoomNotice::Presence);
        assert_eq!(host.players().b, Presence::Here);
        // A second connection keeps the player present.
        let second = rooms.enter("match", Player::B, true);
        drop(guest);
        assert_eq!(host.players().b, Presence::Away);
        drop(second);
        assert!(matches!(host.players().b, Presence::Gone(Some(_))), "{:?}", host.players());
        drop(host);
        assert!(rooms.0.lock().expect("no panic").is_empty());
    }

    #[tokio::test]
    async fn a_player_who_repeats_phrases_at_once_is_refused() {
        let rooms = Rooms::default();
        let mut host = rooms.enter("match", Player::A, false);
        let guest = rooms.enter("match", Player::B, false);
        host.say(Phrase::GoodLuck).expect("the first phrase");
        assert!(host.say(Phrase::Thanks).is_err());
        guest.say(Phrase::Thanks).expect("a phrase of the other player");
        let mut heard = Vec::new();
        while heard.len() < 2 {
            if let RoomNotice::Said(player, phrase) = host.notice().await {
                heard.push((player, phrase));
            }
        }
        assert_eq!(heard, [(Player::A, Phrase::GoodLuck), (Player::B, Phrase::Thanks)]);
    }
}
