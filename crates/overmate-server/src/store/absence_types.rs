//! Defines the interface to the days off of persons, and to the secret addresses of their feeds.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};
use crate::absence::Absence;

/// Store of the days off of persons, and of the secret addresses of their feeds.
pub(crate) trait Absences: Send + Sync + 'static {
    /// Returns the absences of a person, the first one first.
    fn absences_of(&self, person: Holder) -> StoreFuture<'_, Vec<Absence>>;

    /// Returns the persons whose absences began or ended between two times, in milliseconds since 1970.
    fn changed_absences(&self, since: i64, until: i64) -> StoreFuture<'_, Vec<Holder>>;

    /// Returns the token of the secret address of a person's feed, if there is one.
    fn feed_of(&self, person: Holder) -> StoreFuture<'_, Option<String>>;

    /// Returns the person whose feed has a secret address with a token.
    fn person_of_feed<'a>(&'a self, token: &'a str) -> StoreFuture<'a, Option<Holder>>;

    /// Replaces the token of the secret address of a person's feed, or removes it. Returns a conflict if the browser that asks does not belong to the person, or is
    /// signed out.
    fn set_feed(
        &self,
        person: Holder,
        browser: Holder,
        token: Option<String>,
    ) -> StoreFuture<'_, Appended>;

    /// Begins or ends an absence. Returns a conflict if the person is away already, or is not away.
    fn change_absence(&self, change: AbsenceChange) -> StoreFuture<'_, Appended>;
}

/// Begin or end of an absence of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AbsenceChange {
    pub(crate) person: Holder,
    pub(crate) kind: AbsenceKind,
}

/// Kind of the change of an absence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AbsenceKind {
    /// The person is away from now on.
    Begin(Absence),
    /// The person is back at a time, in milliseconds since 1970.
    End { at: i64 },
}
