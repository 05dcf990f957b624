//! Defines the store interface for public matches, for visibility settings, and for the people who are online.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Store of the visibility settings of persons, with the queries that obey these settings.
pub(crate) trait Visibilities: Send + Sync + 'static {
    /// Returns the visibility settings of a person.
    fn visibility(&self, person: Holder) -> StoreFuture<'_, Visibility>;

    /// Replaces the visibility settings of a person.
    fn set_visibility(&self, change: VisibilityChange) -> StoreFuture<'_, Appended>;

    /// Returns a page of the public matches, from new to old, by one query.
    fn public_matches(&self, wanted: PublicWanted) -> StoreFuture<'_, PublicPage>;

    /// Returns the permission with which everybody may watch a match, or `None` if the match is not public.
    fn public_watching<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Watching>>;

    /// Replaces the list of people who are connected to a server.
    fn set_present(&self, present: Present) -> StoreFuture<'_, Appended>;

    /// Returns the number of people who are connected to the servers other than a given server, at a Unix time in seconds.
    fn people_elsewhere<'a>(&'a self, server: &'a str, at: i64) -> StoreFuture<'a, u64>;

    /// Returns the favourites of a person who show their presence and have the person among their own favourites, ordered by
    /// handle. The Unix time is in seconds.
    fn favourites_present(&self, person: Holder, at: i64) -> StoreFuture<'_, Vec<KnownPresence>>;
}

/// Permission for others to watch a person's matches. The values are ordered from the most open to the most closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) enum Watching {
    #[default]
    AtOnce,
    /// Watchers see each action only after some further actions.
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

    /// Returns the permission for a database text. An unknown text permits nothing.
    pub(crate) fn of_text(text: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.text() == text).unwrap_or(Self::Never)
    }
}

/// Visibility settings of a person: the permission to watch their matches, and whether others see their presence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Visibility {
    pub(crate) watching: Watching,
    /// Whether the person's mutual favourites see that the person is online.
    pub(crate) shows_presence: bool,
}

impl Default for Visibility {
    fn default() -> Self {
        Self { watching: Watching::AtOnce, shows_presence: true }
    }
}

impl Visibility {
    /// Returns the database text for the setting of the presence.
    pub(crate) fn presence_text(self) -> &'static str {
        if self.shows_presence { "favourites" } else { "nobody" }
    }

    /// Returns the more closed value of each setting.
    pub(crate) fn stricter(self, other: Self) -> Self {
        Self {
            watching: self.watching.max(other.watching),
            shows_presence: self.shows_presence && other.shows_presence,
        }
    }
}

/// Change of the visibility settings of a person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VisibilityChange {
    pub(crate) person: Holder,
    pub(crate) visibility: Visibility,
    /// Unix time of the change, in seconds.
    pub(crate) at: i64,
}

/// Time, in seconds, for which the store keeps visibility settings that nobody uses: 30 days.
pub(crate) const UNUSED_TIME: i64 = 30 * 24 * 60 * 60;

/// Request for a page of public matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PublicWanted {
    /// Name of the rule set; `None` for all rule sets.
    pub(crate) rules: Option<String>,
    /// Whether the matches have ended.
    pub(crate) is_finished: bool,
    /// Last match of the previous page, or `None` for the first page.
    pub(crate) after: Option<PublicCursor>,
    /// Largest number of matches that the query reads. A match that a player hides counts, too.
    pub(crate) limit: u32,
}

/// Position in the list of public matches, at which a page ends.
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
    /// Position at which the next page begins, or `None` after the last page.
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

/// List of the people who are connected to a server, as the server reports it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Present {
    /// Id of the server process that reports.
    pub(crate) server: String,
    /// Number of connected people, including people without an identity.
    pub(crate) people: u64,
    pub(crate) persons: Vec<Holder>,
    /// Unix time of the report, in seconds.
    pub(crate) at: i64,
    /// Unix time at which the report expires, in seconds.
    pub(crate) until: i64,
}

/// Favourite who shows their presence, and whether the favourite is online.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownPresence {
    pub(crate) person: Holder,
    pub(crate) handle: String,
    /// Whether a server reports that the favourite is connected.
    pub(crate) is_here: bool,
}
