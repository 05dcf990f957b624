//! Defines the store interface for the ratings of accounts.

use overmate_rules::{ByPlayer, Player};

use super::holder::Holder;
use super::outcome::StoreFuture;
use crate::rating::glicko2::Rating;
use crate::rating::match_rating::{MatchRating, MatchScore, Pace};

/// Store of the ratings of accounts. The last log entry of a rated match changes the ratings of its players.
pub(crate) trait Ratings: Send + Sync + 'static {
    /// Returns the ratings of a person, ordered by rule set and pace (live or correspondence).
    fn ratings_of(&self, person: Holder) -> StoreFuture<'_, Vec<KnownRating>>;

    /// Returns the rating changes of the players of a match, except players who have erased their data.
    fn rating_changes<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Vec<(Player, RatingChange)>>;

    /// Returns the person who was the given player (A or B) in a match, if the match changed this person's rating. The
    /// person may have deleted the match since. Returns `None` if the match has not changed the rating of this player,
    /// and after the person has erased their data.
    fn rated_player<'a>(&'a self, id: &'a str, player: Player) -> StoreFuture<'a, Option<Holder>>;

    /// Returns the latest rated matches of a person, most recent end first. An opponent who has blocked the viewer has no handle
    /// in the result, like an opponent with a private profile.
    fn rated_matches(
        &self,
        person: Holder,
        viewer: Option<Holder>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<RatedMatch>>;

    /// Returns the number of rated matches that two persons began with each other after a Unix time in seconds. A match
    /// begins when it is created or, after an invitation, when the second player joins.
    fn rated_between(&self, one: Holder, other: Holder, since: i64) -> StoreFuture<'_, u64>;

    /// Returns each combination of rule set and pace (live or correspondence) in which any account has a rating. The
    /// combinations are ordered by rule set and pace.
    fn boards(&self) -> StoreFuture<'_, Vec<(String, Pace)>>;

    /// Returns the persons whose latest ratings for a rule set and a pace (live or correspondence) lie within given bounds. The bounds are
    /// inclusive. The person with the most recent rated match comes first.
    fn rated_near<'a>(
        &'a self,
        rules: &'a str,
        pace: Pace,
        band: (f64, f64),
        limit: u32,
    ) -> StoreFuture<'a, Vec<Holder>>;

    /// Returns the accounts with the highest ratings for a rule set and a pace (live or correspondence) at a Unix time, in
    /// seconds. Private accounts and provisional ratings are left out.
    fn board<'a>(
        &'a self,
        rules: &'a str,
        pace: Pace,
        at: i64,
        limit: u32,
    ) -> StoreFuture<'a, Vec<Leader>>;
}

/// Participant in a rated match: a person or a computer opponent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Rival {
    /// Person who takes part in the rated match. The rating of the person changes if the person has an account.
    Person(Holder),
    /// Computer opponent with a fixed rating.
    Anchor(Rating),
}

impl Rival {
    /// Returns the person who took part in a rated match, or `None` for a computer opponent.
    pub(crate) fn person(self) -> Option<Holder> {
        match self {
            Self::Person(person) => Some(person),
            Self::Anchor(_) => None,
        }
    }
}

/// Result of a rated match, from which the new ratings of its players are computed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RatedEnd {
    pub(crate) rules: String,
    pub(crate) pace: Pace,
    pub(crate) rivals: ByPlayer<Rival>,
    pub(crate) winner: Option<Player>,
    /// Points of each player in the rated match.
    pub(crate) points: ByPlayer<i32>,
}

impl RatedEnd {
    /// Returns the persons who played the rated match, without computer opponents.
    pub(crate) fn persons(&self) -> impl Iterator<Item = Holder> + use<> {
        [self.rivals.a, self.rivals.b].into_iter().filter_map(Rival::person)
    }

    /// Returns a player's points in the rated match minus the opponent's points.
    pub(crate) fn margin(&self, player: Player) -> i64 {
        i64::from(self.points[player]) - i64::from(self.points[!player])
    }
}

/// Rating of a person for one rule set and one pace (live or correspondence).
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct KnownRating {
    pub(crate) rules: String,
    pub(crate) pace: Pace,
    pub(crate) known: MatchRating,
    /// Numbers of the person's wins, draws and losses in rated matches.
    pub(crate) results: Results,
}

/// Numbers of wins, draws and losses in rated matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Results {
    pub(crate) wins: i64,
    pub(crate) draws: i64,
    pub(crate) losses: i64,
}

impl Results {
    /// Returns the results of a single match with a given score: one win, one draw or one loss.
    pub(crate) fn of(score: MatchScore) -> Self {
        let number = |counted| i64::from(score == counted);
        Self {
            wins: number(MatchScore::Win),
            draws: number(MatchScore::Draw),
            losses: number(MatchScore::Loss),
        }
    }
}

/// Rating of a player before or after a match, with the deviation of the rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Rated {
    pub(crate) rating: f64,
    pub(crate) deviation: f64,
}

/// Rating of a player before and after a match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RatingChange {
    pub(crate) before: Rated,
    pub(crate) after: Rated,
}

/// Rated match from the point of view of one of its players.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RatedMatch {
    pub(crate) id: String,
    pub(crate) rules: String,
    pub(crate) pace: Pace,
    pub(crate) score: MatchScore,
    /// Points of the player from whose point of view the match is seen, minus the opponent's points.
    pub(crate) margin: i64,
    pub(crate) change: RatingChange,
    /// Unix time at which the rated match ended, in seconds.
    pub(crate) at: i64,
    /// Handle of the opponent's account; `None` if the opponent has a private account or no account.
    pub(crate) opponent: Option<String>,
    /// Name of the computer opponent, such as `level:3`. `None` if the opponent is a person, or if the match has been deleted.
    pub(crate) computer: Option<String>,
    /// Whether the match is still stored, and the person still has their seat in the match. The rating change stays stored after
    /// the deletion of the match.
    pub(crate) is_kept: bool,
}

/// Account on a leaderboard, with its rating.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Leader {
    pub(crate) handle: String,
    pub(crate) known: MatchRating,
    pub(crate) results: Results,
}
