//! Stores and reads the free-text chat messages of two players who have added one another to their favourites.
//!
//! The texts are no part of the log of a match. A text is stored before the live connections of both players are notified.
//! Spectators get no texts, and neither do players who have muted or blocked the sender.

use std::sync::Arc;

use overmate_rules::Player;

use super::relations::hides_texts;
use super::reports::check_may_talk;
use super::repository::MatchRepository;
use super::roles::role_in;
use crate::clock::now;
use crate::error::ApiError;
use crate::matches::match_state::{MatchState, Role};
use crate::names::RefusedWords;
use crate::store::{Appended, Holder, NewTalk, Occupant, TalkText};

/// Service that stores and reads the free-text chat messages of players.
pub(crate) struct TalkService {
    repository: Arc<MatchRepository>,
    words: Arc<RefusedWords>,
}

/// Free-text chat messages of a match, and whether the viewer may send a further message.
#[derive(Clone, Debug)]
pub(crate) struct ReadTalk {
    pub(crate) is_writable: bool,
    pub(crate) texts: Vec<TalkText>,
}

impl TalkService {
    pub(crate) fn new(repository: Arc<MatchRepository>, words: Arc<RefusedWords>) -> Self {
        Self { repository, words }
    }

    /// Returns the free-text chat messages of a match with numbers above `after`, for a player of the match.
    pub(crate) async fn read(
        &self,
        id: &str,
        person: Option<Holder>,
        after: u64,
    ) -> Result<ReadTalk, ApiError> {
        let (state, player, person) = self.seat(id, person).await?;
        let store = self.repository.store();
        let is_writable = match state.seats()[!player].occupant {
            Occupant::Holder(other) => store.relations_between(person, other).await?.is_mutual(),
            Occupant::Open | Occupant::Deleted | Occupant::Bot(..) => false,
        };
        let mut texts = store.talk(id, after).await?;
        if hides_texts(store, &state, player).await? {
            texts.retain(|text| text.player == player);
        }
        Ok(ReadTalk { is_writable, texts })
    }

    /// Stores a player's free-text chat message, and notifies both players. Returns the messages of the match with numbers above `after`.
    pub(crate) async fn send(
        &self,
        id: &str,
        person: Option<Holder>,
        (text, client_id): (&str, String),
        after: u64,
    ) -> Result<ReadTalk, ApiError> {
        let (_, player, person) = self.seat(id, person).await?;
        let store = self.repository.store();
        check_may_talk(store, person).await?;
        let text = self.words.check_text(text)?;
        let new = NewTalk { id: id.to_owned(), player, person, text, client_id, at: now() };
        let sent = store.send_talk(new).await?;
        self.repository.refuse_over_quota(sent)?;
        if sent == Appended::Conflict {
            return Err(ApiError::TalkClosed);
        }
        // The service reads all chat messages of the match, not only those with numbers above `after`. It thus always announces the latest
        // message.
        let mut read = self.read(id, Some(person), 0).await?;
        if let Some(last) = read.texts.last() {
            self.repository.publish_talk(id, last.number);
        }
        read.texts.retain(|text| text.number > after);
        Ok(read)
    }

    /// Returns all free-text chat messages that a person has sent, each with the id of the match.
    pub(crate) async fn all_of(
        &self,
        person: Option<Holder>,
    ) -> Result<Vec<(String, TalkText)>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        Ok(self.repository.store().talk_of(person).await?)
    }

    /// Returns a match, and the player (A or B) whose seat a person holds. Returns an error unless the person holds exactly one
    /// seat.
    async fn seat(
        &self,
        id: &str,
        person: Option<Holder>,
    ) -> Result<(Arc<MatchState>, Player, Holder), ApiError> {
        let state = self.repository.load(id).await?;
        match (role_in(&state, person, None)?, person) {
            (Role::Player(player), Some(person)) => Ok((state, player, person)),
            (Role::Player(_) | Role::Both | Role::Spectator, _) => Err(ApiError::TalkClosed),
        }
    }
}
