//! Holds the rooms of all matches with connected players, and collects the messages about match rooms for other servers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use overmate_rules::{ByPlayer, Player};
use tokio::sync::{Notify, broadcast};
use tokio::time::Instant;

use super::message::{RoomMessage, RoomNews};
use super::room::{MatchRoom, Presence, RENEWAL, RoomNotice};
use crate::error::ApiError;
use crate::wire::{Phrase, PresenceKind};

/// Maximum number of chat phrases that wait for the next message to the other servers. Further phrases are not sent to other
/// servers.
const MOST_PHRASES: usize = 1_000;

/// Rooms of all matches with players who are connected to this server, by match id.
#[derive(Clone, Default)]
pub(crate) struct Rooms(Arc<State>);

#[derive(Default)]
struct State {
    table: Mutex<Table>,
    /// Notifier that wakes the task that sends players' presence and chat phrases to the other servers. The notifier is used when a match
    /// room may have a new message.
    changed: Notify,
}

#[derive(Default)]
struct Table {
    rooms: HashMap<Box<str>, MatchRoom>,
    /// Id of this server in messages to the other servers, or `None` without other servers.
    server: Option<u64>,
    /// Chat phrases that must still be sent to the other servers.
    phrases: Vec<RoomNews>,
    /// Time of this server's last request to the other servers for the presence of the players in all match rooms; `None` before the first
    /// request.
    asked: Option<Instant>,
}

impl Rooms {
    /// Adds a player's live connection to the room of a match, and notifies all connections in the room.
    pub(crate) fn enter(&self, id: &str, player: Player, is_hidden: bool) -> Attending {
        let mut table = self.lock();
        let room = table.rooms.entry(id.into()).or_insert_with(MatchRoom::new);
        let notices = room.enter(player, is_hidden);
        drop(table);
        self.0.changed.notify_one();
        Attending { rooms: self.clone(), id: id.into(), player, is_hidden, notices }
    }

    /// Returns whether a player's browser shows the match in the foreground, on a connection to this server. Connections to other servers
    /// do not count, because this server learns only after a while that another server has died.
    pub(crate) fn is_here(&self, id: &str, player: Player) -> bool {
        self.with(id, |room| room.own()[player]) == Some(PresenceKind::Here)
    }

    /// Begins to collect messages for the other servers about players' presence and chat phrases in matches. The number `server` identifies
    /// this server in these messages.
    pub(crate) fn share(&self, server: u64) {
        self.lock().server = Some(server);
    }

    /// Asks the other servers for the presence of the players in all match rooms, because earlier messages may have been lost. A second
    /// request within [`RENEWAL`] is not sent, because the servers repeat the presence soon anyway.
    pub(crate) fn ask(&self) {
        let table = &mut *self.lock();
        if table.asked.is_none_or(|asked| asked.elapsed() >= RENEWAL) {
            table.asked = Some(Instant::now());
            table.rooms.values_mut().for_each(MatchRoom::ask);
            self.0.changed.notify_one();
        }
    }

    /// Waits for the signal that a player's presence or chat phrase may have to be sent to the other servers.
    pub(crate) async fn changed(&self) {
        self.0.changed.notified().await;
    }

    /// Returns the messages about match rooms that this server must now send to the other servers. The rooms count the messages as sent.
    /// Also removes the presence at servers that send no messages any more, and the rooms without connections.
    pub(crate) fn messages(&self) -> Vec<RoomMessage> {
        let table = &mut *self.lock();
        let Some(server) = table.server else { return Vec::new() };
        let mut news = std::mem::take(&mut table.phrases);
        table.rooms.retain(|id, room| {
            room.expire();
            if let Some((players, asks)) = room.due() {
                news.push(RoomNews::present(id, players, asks));
            }
            !room.is_over()
        });
        news.into_iter().map(|news| RoomMessage { server, news }).collect()
    }

    /// Returns the last message that this server sends to the other servers before the server stops. No messages follow. Returns `None`
    /// without other servers.
    pub(crate) fn farewell(&self) -> Option<RoomMessage> {
        let server = self.lock().server.take()?;
        Some(RoomMessage { server, news: RoomNews::Left })
    }

    /// Updates the match rooms by a message from another server: the presence of players, a chat phrase, or the stop of that server.
    /// Messages about matches without a room at this server have no effect.
    pub(crate) fn hear(&self, message: RoomMessage) {
        let table = &mut *self.lock();
        // If PostgreSQL carries the messages between servers, each server also receives its own messages. Such a message is ignored.
        if table.server.is_none_or(|own| own == message.server) {
            return;
        }
        match message.news {
            RoomNews::Present { id, a, b, asks } => {
                if let Some(room) = table.rooms.get_mut(&id) {
                    room.hear(message.server, ByPlayer { a, b }, asks);
                    if asks {
                        self.0.changed.notify_one();
                    }
                }
            }
            RoomNews::Said { id, player, phrase } => {
                if let Some(room) = table.rooms.get_mut(&id) {
                    room.hear_phrase(player.into(), phrase);
                }
            }
            RoomNews::Left => {
                for room in table.rooms.values_mut() {
                    room.forget(message.server);
                }
            }
        }
    }

    /// Returns the number of match rooms at this server.
    #[cfg(test)]
    pub(crate) fn rooms(&self) -> usize {
        self.lock().rooms.len()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Applies a change to the room of a match, or returns `None` if the match has no room.
    fn with<T>(&self, id: &str, change: impl FnOnce(&mut MatchRoom) -> T) -> Option<T> {
        self.lock().rooms.get_mut(id).map(change)
    }
}

/// Membership of one live connection in the room of its match. Dropping the membership removes the connection from the room.
pub(crate) struct Attending {
    rooms: Rooms,
    id: Box<str>,
    player: Player,
    is_hidden: bool,
    notices: broadcast::Receiver<RoomNotice>,
}

impl Attending {
    /// Waits for the next notice about the players in the match's room.
    pub(crate) async fn notice(&mut self) -> RoomNotice {
        match self.notices.recv().await {
            Ok(notice) => notice,
            // A receiver that missed notices reads the presence of the players again.
            Err(broadcast::error::RecvError::Lagged(_)) => RoomNotice::Presence,
            // The channel of notices cannot close while a live connection waits for a notice. The channel belongs to the match's room,
            // which is removed only after its last connection.
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }

    /// Returns the presence (here, away or gone) of each player of the match.
    pub(crate) fn players(&self) -> ByPlayer<Presence> {
        let found = self.rooms.with(&self.id, |room| room.presence());
        found.unwrap_or(ByPlayer { a: Presence::Gone(None), b: Presence::Gone(None) })
    }

    /// Records whether the page of a player's live connection is in the background. If the player's presence changes, all connections in
    /// the match room are notified.
    pub(crate) fn set_hidden(&mut self, is_hidden: bool) {
        if self.is_hidden == is_hidden {
            return;
        }
        self.is_hidden = is_hidden;
        self.rooms.with(&self.id, |room| room.turn(self.player, is_hidden));
        self.rooms.0.changed.notify_one();
    }

    /// Sends the player's chat phrase to all live connections of the match's players, at all servers. A second phrase shortly after the
    /// first is refused.
    pub(crate) fn say(&self, phrase: Phrase) -> Result<(), ApiError> {
        let table = &mut *self.rooms.lock();
        let Some(room) = table.rooms.get_mut(&self.id) else { return Ok(()) };
        room.say(self.player, phrase)?;
        if table.server.is_some() && table.phrases.len() < MOST_PHRASES {
            let player = self.player.into();
            table.phrases.push(RoomNews::Said { id: self.id.clone(), player, phrase });
            self.rooms.0.changed.notify_one();
        }
        Ok(())
    }
}

impl Drop for Attending {
    fn drop(&mut self) {
        let table = &mut *self.rooms.lock();
        let Some(room) = table.rooms.get_mut(&self.id) else { return };
        room.leave(self.player, self.is_hidden);
        // An empty match room (without live connections of players) stays while this server's last report to the other servers shows a
        // connected player. Without other servers, the empty room is removed at once.
        if table.server.is_none() && room.is_empty() {
            table.rooms.remove(&self.id);
        }
        self.rooms.0.changed.notify_one();
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
        // A second connection, in the background, keeps player B connected when the first connection ends.
        let second = rooms.enter("match", Player::B, true);
        drop(guest);
        assert_eq!(host.players().b, Presence::Away);
        drop(second);
        assert!(matches!(host.players().b, Presence::Gone(Some(_))), "{:?}", host.players());
        drop(host);
        assert_eq!(rooms.rooms(), 0);
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
