//! Defines the store interface for people's days off, and for the secret URLs of turn feeds (web feeds of the matches
//! in which it is a person's turn).

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};
use crate::clocks::absence::Absence;

/// Store of people's days off, and of the secret URLs of their turn feeds (web feeds of a person's turns and deadlines).
pub(crate) trait Absences: Send + Sync + 'static {
    /// Returns the periods of days off of a person, the earliest first.
    fn absences_of(&self, person: Holder) -> StoreFuture<'_, Vec<Absence>>;

    /// Returns the persons whose days off began or ended between two Unix times in milliseconds.
    fn changed_absences(&self, since: i64, until: i64) -> StoreFuture<'_, Vec<Holder>>;

    /// Returns the token in the secret URL of a person's turn feed, or `None` if the person has no feed.
    fn feed_of(&self, person: Holder) -> StoreFuture<'_, Option<String>>;

    /// Returns the person whose turn feed has a given token in its secret URL, or `None` if no feed has this token.
    fn person_of_feed<'a>(&'a self, token: &'a str) -> StoreFuture<'a, Option<Holder>>;

    /// Replaces or removes the token in the secret URL of a person's turn feed. Returns a conflict if the requesting browser does
    /// not belong to the person, or is signed out.
    fn set_feed(
        &self,
        person: Holder,
        browser: Holder,
        token: Option<String>,
    ) -> StoreFuture<'_, Appended>;

    /// Begins or ends the days off of a person. Returns a conflict if a begin finds current days off, or if an end finds none.
    fn change_absence(&self, change: AbsenceChange) -> StoreFuture<'_, Appended>;
}

/// Beginning or end of the days off of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AbsenceChange {
    pub(crate) person: Holder,
    pub(crate) kind: AbsenceKind,
}

/// Kind of change to a person's days off: the beginning or the end of the days off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AbsenceKind {
    /// Beginning of a period of a person's days off.
    Begin(Absence),
    /// End of the person's current days off. The field `at` is a Unix time in milliseconds.
    End { at: i64 },
}
