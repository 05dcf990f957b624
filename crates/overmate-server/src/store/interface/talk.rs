//! Defines the store interface for the chat messages of players in their matches.

use overmate_rules::Player;

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Maximum number of chat messages in a match.
pub(crate) const MOST_TEXTS: usize = 500;

/// Length, in seconds, of the period in which a player may send at most [`MOST_IN_PERIOD`] chat messages: one minute.
pub(crate) const TALK_PERIOD: i64 = 60;

/// Maximum number of chat messages that a player may send within a minute ([`TALK_PERIOD`]).
pub(crate) const MOST_IN_PERIOD: usize = 10;

/// Retention of a chat message, in seconds: 90 days.
pub(crate) const TALK_TIME: i64 = 90 * 24 * 60 * 60;

/// Store of the chat messages of players. The store removes the messages of a player when the player leaves the match, and all
/// messages with the match.
pub(crate) trait Talk: Send + Sync + 'static {
    /// Returns the chat messages of a match after the message with a given number, in order.
    fn talk<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Vec<TalkText>>;

    /// Returns the chat messages of a person in all matches, each with the id of the match, ordered by match and number.
    fn talk_of(&self, person: Holder) -> StoreFuture<'_, Vec<(String, TalkText)>>;

    /// Stores a chat message under the next message number of its match. A repeated request stores nothing. Returns a conflict
    /// unless the person holds the seat and the persons of both seats have added one another to their favourites.
    fn send_talk(&self, text: NewTalk) -> StoreFuture<'_, Appended>;

    /// Removes the chat messages that were sent before a Unix time in seconds.
    fn forget_talk(&self, before: i64) -> StoreFuture<'_, Appended>;
}

/// Stored chat message of a player in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TalkText {
    /// Number of the chat message in its match, from 1. The numbers grow; removed messages leave gaps.
    pub(crate) number: u64,
    pub(crate) player: Player,
    pub(crate) text: String,
    /// Unix time at which the chat message was stored, in seconds.
    pub(crate) at: i64,
}

/// New chat message that a player sends in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewTalk {
    /// Id of the match in which the chat message is sent.
    pub(crate) id: String,
    pub(crate) player: Player,
    pub(crate) person: Holder,
    pub(crate) text: String,
    /// Id that the client chose for the request to send the chat message.
    pub(crate) client_id: String,
    pub(crate) at: i64,
}
