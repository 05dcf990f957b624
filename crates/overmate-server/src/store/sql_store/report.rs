//! Implements the database store of the reports about players, and of operators' measures against
//! persons.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::SqlStore;
use super::writer::Write;
use crate::store::connection::fault::store_error;
use crate::store::interface::holder::Holder;
use crate::store::interface::outcome::{Appended, StoreFuture};
use crate::store::interface::report::{Measures, Report, ReportChange, Reports};
use crate::store::queries::reports;

impl Reports for SqlStore {
    fn reports_of(&self, person: Holder) -> StoreFuture<'_, Vec<Report>> {
        reports::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn measures_against(&self, person: Holder) -> StoreFuture<'_, Measures> {
        reports::measures(&self.readers, person).map_err(store_error).boxed()
    }

    fn change_report(&self, change: ReportChange) -> StoreFuture<'_, Appended> {
        async move {
            // A query first checks whether old reports or ended mutes exist, because even a write that removes nothing would wait for the
            // disk.
            if let ReportChange::Forget { before, at } = change
                && !reports::has_old(&self.readers, before, at).await.map_err(store_error)?
            {
                return Ok(Appended::Stored);
            }
            self.write(Write::Report(Box::new(change))).await
        }
        .boxed()
    }
}
