//! Defines the store interface for public matches, for visibility settings, and for the people who are online.

use super::holder::Holder;
use super::outcome::{Appended, StoreFuture};

/// Store of public matches, of people's visibility settings, and of the people who are online.
pub(crate) trait Visibilities: Send + Sync + 'static {
    /// Returns the visibility settings of a person.
    fn visibility(&self, person: Holder) -> StoreFuture<'_, Visibility>;

    /// Replaces the visibility settings of a person.
    fn set_visibility(&self, change: VisibilityChange) -> StoreFuture<'_, Appended>;

    /// Returns a page of the public matches, newest first, by a single database query.
    fn public_matches(&self, wanted: PublicWanted) -> StoreFuture<'_, PublicPage>;

    /// Returns the spectator setting of a public match: spectators see each action at once, or with a delay. Returns
    /// `None` if the match is not public, or if a player permits no spectators.
    fn public_watching<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Watching>>;

    /// Replaces the stored list of the people who are connected to a given server.
    fn set_present(&self, present: Present) -> StoreFuture<'_, Appended>;

    /// Returns the number of people who are connected to servers other than a given server, at a Unix time in seconds.
    fn people_elsewhere<'a>(&'a self, server: &'a str, at: i64) -> StoreFuture<'a, u64>;

    /// Returns the favourites of a person with their online status at a Unix time in seconds, ordered by handle. The result
    /// contains only favourites who show their presence, and who have added the person to their own favourites.
    fn favourites_present(&self, person: Holder, at: i64) -> StoreFuture<'_, Vec<KnownPresence>>;
}

/// Permission for others to watch a person's matches. The values are ordered from the least to the most restrictive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) enum Watching {
    #[default]
    AtOnce,
    /// Spectators see each action only after some further actions.
    Delayed,
    Never,
}

impl Watching {
    const ALL: [Self; 3] = [Self::AtOnce, Self::Delayed, Self::Never];

    /// Returns the text by which the database stores a permission to watch a person's matches.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::AtOnce => "at-once",
            Self::Delayed => "delayed",
            Self::Never => "never",
        }
    }

    /// Parses the text by which the database stores a permission to watch a person's matches. An unknown text permits nothing.
    pub(crate) fn of_text(text: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.text() == text).unwrap_or(Self::Never)
    }
}

/// Visibility settings of a person: the permission to watch the person's matches, and whether mutual favourites see the person's presence.
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
    /// Returns the text by which the database stores whether favourites see that the person is online.
    pub(crate) fn presence_text(self) -> &'static str {
        if self.shows_presence { "favourites" } else { "nobody" }
    }

    /// Compares the visibility settings of two persons, and returns the more restrictive value of each setting.
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
    /// Unix time at which the person changed the visibility settings, in seconds.
    pub(crate) at: i64,
}

/// Retention, in seconds, of the visibility settings of a person without any stored browser, seat or match offer: 30 days.
pub(crate) const UNUSED_TIME: i64 = 30 * 24 * 60 * 60;

/// Request for one page of the paginated list of public matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PublicWanted {
    /// Name of the rule set of the requested matches; `None` for all rule sets.
    pub(crate) rules: Option<String>,
    /// Whether the page lists finished matches; otherwise the page lists running matches.
    pub(crate) is_finished: bool,
    /// Position of the last public match on the previous page, or `None` for the first page.
    pub(crate) after: Option<PublicCursor>,
    /// Maximum number of matches that the server reads for one page of the paginated list of public matches. A match that a player hides
    /// counts, too.
    pub(crate) limit: u32,
}

/// Pagination cursor: the position in the list of public matches at which a page ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PublicCursor {
    /// Unix time in seconds: the start of a running match, or the end of a finished match.
    pub(crate) at: i64,
    pub(crate) id: String,
}

/// One page of the paginated list of public matches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PublicPage {
    pub(crate) matches: Vec<PublicMatch>,
    /// Position after which the next page of public matches begins, or `None` after the last page.
    pub(crate) next: Option<PublicCursor>,
}

/// Public match: a match that everybody may watch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PublicMatch {
    pub(crate) id: String,
    /// Unix time in seconds: the start of a running match, or the end of a finished match.
    pub(crate) at: i64,
    pub(crate) watching: Watching,
}

/// Report of a server about the people who are connected to the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Present {
    /// Id of the server process that reports its connected people.
    pub(crate) server: String,
    /// Number of people who are connected to the server, including people without an identity.
    pub(crate) people: u64,
    pub(crate) persons: Vec<Holder>,
    /// Unix time of the server's report about connected people, in seconds.
    pub(crate) at: i64,
    /// Unix time at which the server's report about connected people expires, in seconds.
    pub(crate) until: i64,
}

/// Online status of a person's favourite. Favourites who hide their presence have no such record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KnownPresence {
    pub(crate) person: Holder,
    pub(crate) handle: String,
    /// Whether the favourite player is connected to any server, according to the servers' reports.
    pub(crate) is_here: bool,
}
