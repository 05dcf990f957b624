//! Implements an in-memory store of the players' chat messages, for tests.

use std::collections::BTreeMap;

use overmate_rules::Player;

use super::memory_link::Link;
use super::memory_match::holder_of;
use super::memory_store::{MemoryStore, Tables};
use crate::store::{
    Appended, Holder, MOST_IN_PERIOD, MOST_TEXTS, NewTalk, Quota, StoreFuture, TALK_PERIOD, Talk,
    TalkText,
};

/// In-memory table of chat messages.
#[derive(Default)]
pub(super) struct TalkTables {
    /// Chat messages by match id, each with the client id of the request that sent the message.
    by_match: BTreeMap<String, Vec<(TalkText, String)>>,
}

impl TalkTables {
    /// Removes all chat messages of a match, or the chat messages of one player in the match.
    pub(super) fn remove(&mut self, id: &str, player: Option<Player>) {
        if let Some(texts) = self.by_match.get_mut(id) {
            texts.retain(|(text, _)| player.is_some_and(|player| player != text.player));
        }
    }
}

fn send(tables: &mut Tables, new: NewTalk) -> Appended {
    let NewTalk { id, player, person, text, client_id, at } = new;
    let Some(stored) = tables.matches.get(&id) else { return Appended::Conflict };
    let [own, other] = [player, !player].map(|player| holder_of(&stored.info, player));
    let (Some(own), Some(other)) = (own, other) else { return Appended::Conflict };
    if own != person || !tables.relations.between(own, other).is_mutual() {
        return Appended::Conflict;
    }
    let texts = tables.talk.by_match.entry(id).or_default();
    let of_player = || texts.iter().filter(|(known, _)| known.player == player);
    if of_player().any(|(_, known)| *known == client_id) {
        return Appended::Stored;
    }
    if texts.len() >= MOST_TEXTS {
        return Appended::Full(Quota::Talk);
    }
    if of_player().filter(|(known, _)| known.at > at - TALK_PERIOD).count() >= MOST_IN_PERIOD {
        return Appended::Full(Quota::TalkInPeriod);
    }
    let number = texts.last().map_or(0, |(known, _)| known.number) + 1;
    texts.push((TalkText { number, player, text, at }, client_id));
    Appended::Stored
}

impl<L: Link> Talk for MemoryStore<L> {
    fn talk<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Vec<TalkText>> {
        self.call(move |tables| {
            let texts = tables.talk.by_match.get(id).into_iter().flatten();
            texts.map(|(text, _)| text.clone()).filter(|text| text.number > after).collect()
        })
    }

    fn talk_of(&self, person: Holder) -> StoreFuture<'_, Vec<(String, TalkText)>> {
        self.call(move |tables| {
            let mut found = Vec::new();
            for (id, texts) in &tables.talk.by_match {
                let Some(stored) = tables.matches.get(id) else { continue };
                let own = texts
                    .iter()
                    .filter(|(text, _)| holder_of(&stored.info, text.player) == Some(person));
                found.extend(own.map(|(text, _)| (id.clone(), text.clone())));
            }
            found
        })
    }

    fn send_talk(&self, text: NewTalk) -> StoreFuture<'_, Appended> {
        self.write(move |tables| send(tables, text))
    }

    fn forget_talk(&self, before: i64) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            for texts in tables.talk.by_match.values_mut() {
                texts.retain(|(text, _)| text.at >= before);
            }
            Appended::Stored
        })
    }
}
