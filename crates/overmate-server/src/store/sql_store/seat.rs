//! Implements the database store of conditional answers and private notes.

use std::collections::HashMap;

use futures_util::{FutureExt as _, TryFutureExt as _};
use overmate_rules::ByPlayer;

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::seat::{SeatText, SeatTextChange, SeatTexts};
use crate::store::queries::seats::{texts, texts_of};

impl SeatTexts for SqlStore {
    fn seat_texts<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ByPlayer<SeatText>> {
        texts(&self.readers, id).map_err(store_error).boxed()
    }

    fn seat_texts_of(
        &self,
        ids: Vec<String>,
    ) -> StoreFuture<'_, HashMap<String, ByPlayer<SeatText>>> {
        texts_of(&self.readers, ids).map_err(store_error).boxed()
    }

    fn set_seat_text(&self, change: SeatTextChange) -> StoreFuture<'_, Appended> {
        self.write(Write::SeatText(Box::new(change))).boxed()
    }
}
