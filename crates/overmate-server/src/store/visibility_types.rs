//! Defines the store interface for public matches, for what persons show of themselves, and for the people who are here.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Store of the settings of persons on what others see of them, with the queries that obey the settings.
pub(crate) trait Visibilities: Send + Sync + 'static {
    /// Returns what a person shows of themselves.
    fn visibility(&self, person: Holder) -> StoreFuture<'_, Visibility>;

    /// Replaces what a person shows of themselves.
    fn set_visibility(&self, change: VisibilityChange) -> StoreFuture<'_, Appended>;

    /// Returns a page of the public matches, the newest first, by one query.
    fn public_matches(&self, wanted: PublicWanted) -> StoreFuture<'_, PublicPage>;

    /// Returns how a match may be watched by everybody, or `None` if it is not public.
    fn public_watching<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Watching>>;

    /// Replaces the people who are connected to a server.
    fn set_present(&self, present: Present) -> StoreFuture<'_, Appended>;

    /// Returns the number of people who are connected to servers, except one server, at a Unix time in seconds.
    fn people_elsewhere<'a>(&'a self, server: &'a str, at: i64) -> StoreFuture<'a, u64>;

    /// Returns the favourites of a person who have added the person and who show their presence, ordered by handle. The Unix time
    /// is in seconds.
    fn favourites_present(&self, person: Holder, at: i64) -> StoreFuture<'_, Vec<KnownPresence>>;
}

/// Permission to watch matches, from the most open to the most closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) enum Watching {
    #[default]
    AtOnce,
    /// Watchers see the match some actions later.
    Delayed,
    Never,
}

impl Watching {
    const ALL: [Self; 3] = [Self::AtOnce, Self::Delayed, Self::Never];

    /// Returns the database text for the permission.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::AtOnce => "at-once",
            Self::Delayed => "delayed",
            Self::Never => "never",
        }
    }

    /// Returns the permission with a database text. An unknown text permits nothing.
    pub(crate) fn of_text(text: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.text() == text).unwrap_or(Self::Never)
    }
}

/// What a person shows of themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visibility {
    pub(crate) watching: Watching,
    /// Whether favourites who have added one another see that the person is here.
    pub(crate) shows_presence: bool,
}

impl Default for Visibility {
    fn default() -> Self {
        Self { watching: Watching::AtOnce, shows_presence: true }
    }
}

impl Visibility {
    /// Returns the database text for the presence.
    pub(crate) fn presence_text(self) -> &'static str {
        if self.shows_presence { "favourites" } else { "nobody" }
    }

    /// Returns the more closed parts of two settings.
    pub(crate) fn stricter(self, other: Self) -> Self {
        Self {
            watching: self.watching.max(other.watching),
            shows_presence: self.shows_presence && other.shows_presence,
        }
    }
}

/// Change of what a person shows of themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VisibilityChange {
    pub(crate) person: Holder,
    pub(crate) visibility: Visibility,
    /// Unix time of the change, in seconds.
    pub(crate) at: i64,
}

/// Time in seconds for which the setting of a browser is kept that has neither a seat, an offer nor another browser.
pub(crate) const UNUSED_TIME: i64 = 30 * 24 * 60 * 60;

/// Request for a page of public matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PublicWanted {
    /// Name of the rule set; `None` for all rule sets.
    pub(crate) rules: Option<String>,
    /// Whether the matches have ended.
    pub(crate) is_finished: bool,
    /// Last match of the page before, or `None` for the first page.
    pub(crate) after: Option<PublicCursor>,
    /// Largest number of matches that the query reads. A match that a player hides counts, too.
    pub(crate) limit: u32,
}

/// Place in the list of public matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PublicCursor {
    /// Unix time, in seconds, at which a running match began or a finished match ended.
    pub(crate) at: i64,
    pub(crate) id: String,
}

/// Page of public matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PublicPage {
    pub(crate) matches: Vec<PublicMatch>,
    /// Place after which the next page begins, or `None` after the last page.
    pub(crate) next: Option<PublicCursor>,
}

/// Match that everybody may watch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PublicMatch {
    pub(crate) id: String,
    /// Unix time, in seconds, at which a running match began or a finished match ended.
    pub(crate) at: i64,
    pub(crate) watching: Watching,
}

/// People who are connected to a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Present {
    /// Id of the running process.
    pub(crate) server: String,
    /// Number of people, including those without an identity.
    pub(crate) people: u64,
    pub(crate) persons: Vec<Holder>,
    /// Unix times in seconds of the report, and of its end if no report follows.
    pub(crate) at: i64,
    pub(crate) until: i64,
}

/// Favourite who shows their presence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownPresence {
    pub(crate) person: Holder,
    pub(crate) handle: String,
    /// Whether a server has reported the favourite.
    pub(crate) is_here: bool,
}
