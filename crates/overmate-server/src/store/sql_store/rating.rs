//! Implements the database store of ratings.

use futures_util::{FutureExt as _, TryFutureExt as _};
use overmate_rules::Player;

use super::SqlStore;
use crate::rating::match_rating::Pace;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::StoreFuture;
use crate::store::interface::rating::{KnownRating, Leader, RatedMatch, RatingChange, Ratings};
use crate::store::queries::{rated_pairs, ratings};

impl Ratings for SqlStore {
    fn ratings_of(&self, person: Holder) -> StoreFuture<'_, Vec<KnownRating>> {
        ratings::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn rating_changes<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Vec<(Player, RatingChange)>> {
        ratings::changes(&self.readers, id).map_err(store_error).boxed()
    }

    fn rated_player<'a>(&'a self, id: &'a str, player: Player) -> StoreFuture<'a, Option<Holder>> {
        ratings::player(&self.readers, id, player).map_err(store_error).boxed()
    }

    fn rated_matches(
        &self,
        person: Holder,
        viewer: Option<Holder>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<RatedMatch>> {
        ratings::matches(&self.readers, person, viewer, limit).map_err(store_error).boxed()
    }

    fn rated_between(&self, one: Holder, other: Holder, since: i64) -> StoreFuture<'_, u64> {
        rated_pairs::between(&self.readers, (one, other), since).map_err(store_error).boxed()
    }

    fn boards(&self) -> StoreFuture<'_, Vec<(String, Pace)>> {
        ratings::boards(&self.readers).map_err(store_error).boxed()
    }

    fn rated_near<'a>(
        &'a self,
        rules: &'a str,
        pace: Pace,
        band: (f64, f64),
        limit: u32,
    ) -> StoreFuture<'a, Vec<Holder>> {
        ratings::near(&self.readers, (rules, pace), band, limit).map_err(store_error).boxed()
    }

    fn board<'a>(
        &'a self,
        rules: &'a str,
        pace: Pace,
        at: i64,
        limit: u32,
    ) -> StoreFuture<'a, Vec<Leader>> {
        ratings::board(&self.readers, rules, pace, at, limit).map_err(store_error).boxed()
    }
}
