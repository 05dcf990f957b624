//! Implements the database store of days off, and of the secret URLs of turn feeds (lists of the matches in which it is
//! a person's turn).

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::clocks::absence::Absence;
use crate::store::connection::fault::store_error;
use crate::store::interface::absence::{AbsenceChange, Absences};
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::queries::{absences, feeds};

impl Absences for SqlStore {
    fn absences_of(&self, person: Holder) -> StoreFuture<'_, Vec<Absence>> {
        absences::of(&self.readers, person).map_err(store_error).boxed()
    }

    fn changed_absences(&self, since: i64, until: i64) -> StoreFuture<'_, Vec<Holder>> {
        absences::changed(&self.readers, since, until).map_err(store_error).boxed()
    }

    fn feed_of(&self, person: Holder) -> StoreFuture<'_, Option<String>> {
        feeds::of(&self.readers, person).map_err(store_error).boxed()
    }

    fn person_of_feed<'a>(&'a self, token: &'a str) -> StoreFuture<'a, Option<Holder>> {
        feeds::person_of(&self.readers, token).map_err(store_error).boxed()
    }

    fn set_feed(
        &self,
        person: Holder,
        browser: Holder,
        token: Option<String>,
    ) -> StoreFuture<'_, Appended> {
        self.write(Write::Feed { person, browser, token }).boxed()
    }

    fn change_absence(&self, change: AbsenceChange) -> StoreFuture<'_, Appended> {
        self.write(Write::Absence(change)).boxed()
    }
}
