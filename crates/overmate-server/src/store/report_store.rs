//! Implements the database store of the reports about players, and of operators' measures against
//! persons.

use futures_util::{FutureExt as _, TryFutureExt as _};

use super::fault::store_error;
use super::report_types::{Measures, Report, ReportChange, Reports};
use super::reports;
use super::sql_store::SqlStore;
use super::types::{Appended, Holder, StoreFuture};
use super::writer::Write;

impl Reports for SqlStore {
    fn reports_of(&self, person: Holder) -> StoreFuture<'_, Vec<Report>> {
        reports::of_person(&self.readers, person).map_err(store_error).boxed()
    }

    fn measures_against(&self, person: Holder) -> StoreFuture<'_, Measures> {
        reports::measures(&self.readers, person).map_err(store_error).boxed()
    }

    fn change_report(&self, change: ReportChange) -> StoreFuture<'_, Appended> {
        async move {
            // The check avoids a write without effect, which would wait for the disk.
            if let ReportChange::Forget { before } = change
                && !reports::has_old(&self.readers, before).await.map_err(store_error)?
            {
                return Ok(Appended::Stored);
            }
            self.write(Write::Report(Box::new(change))).await
        }
        .boxed()
    }
}
