//! Defines the JSON types of public matches, of people who are online, and of visibility settings.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use overmate_json::{ClockWire, MatchResultWire, Points};

/// Page of the list of public matches.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PublicMatches {
    /// List of public matches: running matches by start time or finished matches by end time, the latest first.
    pub matches: Vec<PublicMatch>,
    /// Pagination cursor: the value of the query parameter `after` for the next page; null on the last page. A page may have no match
    /// although another page follows.
    #[schema(required)]
    pub next: Option<String>,
}

/// Public match: a match that everybody may watch.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PublicMatch {
    /// Id of the match.
    pub id: String,
    /// URL path of the page on which the match can be watched.
    pub watch: String,
    /// Name of the match's rule set.
    pub rules: String,
    /// English title of the match's rule set.
    pub rules_title: String,
    /// Names of both players, as all watchers see them.
    pub players: PublicPlayers,
    /// Number of games in the match.
    pub games: u8,
    /// Time control of the match; null for a match without clocks.
    #[schema(required)]
    pub clock: Option<ClockWire>,
    /// Whether the match changes the ratings of its players.
    pub rated: bool,
    /// Number of latest actions of a running match that watchers cannot see yet.
    pub delay: u8,
    /// Start time of a running match, or end time of a finished match, in RFC 3339.
    pub at: String,
    /// Progress of the match; null for a running match that is shown with a delay.
    #[schema(required)]
    pub progress: Option<PublicProgress>,
    /// Result of the match; null until the match is over.
    #[schema(required)]
    pub result: Option<MatchResultWire>,
}

/// Names of the players of a public match; null for a player without a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PublicPlayers {
    /// Name of player A; null for a player without a name.
    #[schema(required)]
    pub a: Option<String>,
    /// Name of player B; null for a player without a name.
    #[schema(required)]
    pub b: Option<String>,
}

/// Progress of a public match: the current game and the points so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PublicProgress {
    /// Index of the current game in the match, from 0.
    pub game: usize,
    /// Points of both players in the match so far.
    pub totals: Points,
}

/// Number of people who are online on this site, and favourites who show their presence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PeopleHere {
    /// Number of people who have an open live connection to a server of this site. The number is at most a minute old, and names nobody.
    pub people: u64,
    /// Favourites who have also added you to their favourites and who show you their presence, ordered by handle.
    pub favourites: Vec<FavouriteHere>,
}

/// Favourite player who shows you whether they are online.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct FavouriteHere {
    /// Handle of the favourite, in the spelling that the favourite chose.
    pub handle: String,
    /// Whether the favourite is online. The information is at most a minute old.
    pub here: bool,
}

/// Permission for others to watch the matches that you begin by offers and challenges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WatchPermission {
    /// Everybody may watch your matches, and sees each action at once.
    AtOnce,
    /// Everybody may watch your matches, but sees each action only after some further actions.
    Delayed,
    /// Only people with the spectators' link of a match may watch the match.
    Never,
}

/// Setting that decides who can see whether you are online.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PresenceShown {
    /// Only mutual favourites see whether you are online: you have added them, and they have added you.
    Favourites,
    /// Nobody sees whether you are online.
    Nobody,
}

/// Your visibility settings: who may watch your matches, and who can see whether you are online.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MyVisibility {
    /// Permission for others to watch your matches. In each match, the stricter permission of the two players applies.
    pub watching: WatchPermission,
    /// Setting that decides who can see whether you are online.
    pub presence: PresenceShown,
    /// Number of latest actions that watchers cannot see yet in a match that is shown with a delay.
    pub delay: u8,
}

/// Request to change your visibility settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetVisibility {
    /// Permission for others to watch your matches. In each match, the stricter permission of the two players applies.
    pub watching: WatchPermission,
    /// Setting that decides who can see whether you are online.
    pub presence: PresenceShown,
}
