//! Defines the store interface for days off, and for the secret URLs of people's feeds.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};
use crate::absence::Absence;

/// Store of people's days off, and of the secret URLs at which people read their turns and deadlines.
pub(crate) trait Absences: Send + Sync + 'static {
    /// Returns the periods of days off of a person, the earliest first.
    fn absences_of(&self, person: Holder) -> StoreFuture<'_, Vec<Absence>>;

    /// Returns the persons whose days off began or ended between two Unix times in milliseconds.
    fn changed_absences(&self, since: i64, until: i64) -> StoreFuture<'_, Vec<Holder>>;

    /// Returns the token in the secret URL of a person's feed, or `None` without a feed.
    fn feed_of(&self, person: Holder) -> StoreFuture<'_, Option<String>>;

    /// Returns the person whose feed has a given token in its secret URL, or `None`.
    fn person_of_feed<'a>(&'a self, token: &'a str) -> StoreFuture<'a, Option<Holder>>;

    /// Replaces or removes the token in the secret URL of a person's feed. Returns a conflict if the requesting browser does not
    /// belong to the person, or is signed out.
    fn set_feed(
        &self,
        person: Holder,
        browser: Holder,
        token: Option<String>,
    ) -> StoreFuture<'_, Appended>;

    /// Begins or ends the days off of a person. Returns a conflict if the days off have begun
    /// already, or if there are none to end.
    fn change_absence(&self, change: AbsenceChange) -> StoreFuture<'_, Appended>;
}

/// Begin or end of the days off of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AbsenceChange {
    pub(crate) person: Holder,
    pub(crate) kind: AbsenceKind,
}

/// Kind of change to a person's days off: begin or end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AbsenceKind {
    /// Begin of a period of days off.
    Begin(Absence),
    /// End of the person's days off at a Unix time in milliseconds.
    End { at: i64 },
}
