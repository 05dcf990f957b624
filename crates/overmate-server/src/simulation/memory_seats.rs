//! Implements an in-memory store of private seat texts (conditional answers and notes), for simulations.

use std::collections::HashMap;

use overmate_rules::ByPlayer;

use super::memory_link::Link;
use super::memory_match::holder_of;
use super::memory_store::MemoryStore;
use crate::store::{Appended, SeatText, SeatTextChange, SeatTextKind, SeatTexts, StoreFuture};

impl<L: Link> SeatTexts for MemoryStore<L> {
    fn seat_texts<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ByPlayer<SeatText>> {
        self.call(|tables| {
            let stored = tables.matches.get(id);
            let none = || ByPlayer::new_with(|_| SeatText::default());
            stored.map_or_else(none, |stored| stored.texts.clone())
        })
    }

    fn seat_texts_of(
        &self,
        ids: Vec<String>,
    ) -> StoreFuture<'_, HashMap<String, ByPlayer<SeatText>>> {
        self.call(move |tables| {
            let stored = ids.iter().filter_map(|id| Some((id.clone(), tables.matches.get(id)?)));
            stored.map(|(id, stored)| (id, stored.texts.clone())).collect()
        })
    }

    fn set_seat_text(&self, change: SeatTextChange) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            let last = tables.sequence(&change.id);
            let Some(stored) = tables.matches.get_mut(&change.id) else {
                return Appended::Conflict;
            };
            if holder_of(&stored.info, change.player) != Some(change.person) {
                return Appended::Conflict;
            }
            let texts = &mut stored.texts[change.player];
            match change.kind {
                SeatTextKind::Answers { sequence } if sequence != last => {
                    return Appended::Conflict;
                }
                SeatTextKind::Answers { .. } => texts.answers = change.text,
                SeatTextKind::Note => texts.note = change.text,
            }
            Appended::Stored
        })
    }
}
