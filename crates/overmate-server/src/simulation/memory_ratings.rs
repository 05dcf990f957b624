//! Implements an in-memory store of the ratings of accounts, for tests.

use std::collections::{BTreeMap, BTreeSet};

use overmate_rules::{ByPlayer, Player};

use super::memory_accounts::AccountTables;
use super::memory_link::Link;
use super::memory_match::StoredMatch;
use super::memory_store::{MemoryStore, Tables};
use crate::clock::DAY;
use crate::rating::match_rating::{MatchRating, MatchScore, Pace, after_match, is_provisional};
use crate::store::{
    Account, Addition, EntryKind, Holder, KnownRating, Leader, Rated, RatedEnd, RatedMatch,
    RatingChange, Ratings, Results, Rival, StoreFuture, rated_pairs_of,
};

/// Key of a leaderboard: a rule set and a pace (live or correspondence).
type Board = (String, Pace);

/// In-memory table of the ratings of all accounts.
#[derive(Default)]
pub(super) struct RatingTables {
    ratings: BTreeMap<([u8; 32], Board), (MatchRating, Results)>,
    changes: Vec<Change>,
}

struct Change {
    player: Player,
    person: Holder,
    rated: RatedMatch,
}

impl RatingTables {
    /// Updates the ratings of the persons in a rated match when the match ends. Ratings stay unchanged if a person has no account or has a
    /// bot account.
    pub(super) fn settle(&mut self, accounts: &AccountTables, id: &str, end: &RatedEnd, at: i64) {
        let is_rated = |person| accounts.of_person(person).is_some_and(|own| !own.is_bot);
        if end.rivals.a.person() == end.rivals.b.person() || !end.persons().all(is_rated) {
            return;
        }
        let board = (end.rules.clone(), end.pace);
        let before = ByPlayer::new_with(|player| match end.rivals[player] {
            Rival::Person(person) => {
                let known = self.ratings.get(&(person.0, board.clone())).copied();
                known.unwrap_or((MatchRating::new(at), Results::default()))
            }
            Rival::Anchor(rating) => (MatchRating { rating, at }, Results::default()),
        });
        let known = ByPlayer { a: before.a.0, b: before.b.0 };
        let after = after_match(known, end.winner, at);
        for player in Player::BOTH {
            let Some(person) = end.rivals[player].person() else { continue };
            let rating = after[player];
            let score = MatchScore::of(end.winner, player);
            let (former, one) = (before[player].1, Results::of(score));
            let results = Results {
                wins: former.wins + one.wins,
                draws: former.draws + one.draws,
                losses: former.losses + one.losses,
            };
            let shown = known[player].at(at);
            let changed = MatchRating { rating, at: at.max(known[player].at) };
            self.ratings.insert((person.0, board.clone()), (changed, results));
            let change = RatingChange {
                before: Rated { rating: shown.rating, deviation: shown.deviation },
                after: Rated { rating: rating.rating, deviation: rating.deviation },
            };
            let rated = RatedMatch {
                id: id.to_owned(),
                rules: end.rules.clone(),
                pace: end.pace,
                score,
                margin: end.margin(player),
                change,
                at,
                opponent: None,
                computer: None,
                is_kept: true,
            };
            self.changes.push(Change { player, person, rated });
        }
    }

    /// Returns whether a person has a match rating for any rule set and pace (live or correspondence).
    pub(super) fn has_rating(&self, person: Holder) -> bool {
        self.ratings.keys().any(|(own, _)| *own == person.0)
    }

    /// Returns whether an account has a rating or is a bot. Only such accounts have a public profile.
    pub(super) fn is_rated(&self, account: &Account) -> bool {
        account.is_bot || self.has_rating(account.person)
    }

    /// Returns a person's rating for a rule set and pace (live or correspondence).
    pub(super) fn of(&self, person: Holder, rules: &str, pace: Pace) -> Option<MatchRating> {
        self.ratings.get(&(person.0, (rules.to_owned(), pace))).map(|(known, _)| *known)
    }

    pub(super) fn forget(&mut self, person: Holder) {
        self.ratings.retain(|(own, _), _| *own != person.0);
        self.changes.retain(|change| change.person != person);
    }

    /// Returns the person who was the given player (A or B) in a rated match, if the end of the match changed the person's rating.
    pub(super) fn player(&self, id: &str, player: Player) -> Option<Holder> {
        let mut changes = self.changes.iter();
        let found = changes.find(|change| change.rated.id == id && change.player == player);
        found.map(|change| change.person)
    }

    /// Records that a player has vacated their seat in a rated match. `None` stands for both players.
    pub(super) fn leave(&mut self, id: &str, player: Option<Player>) {
        for change in &mut self.changes {
            if change.rated.id == id && player.is_none_or(|player| player == change.player) {
                change.rated.is_kept = false;
            }
        }
    }

    /// Returns the number of rated matches between two persons in which at least one of them has vacated their seat.
    /// Only matches that ended after the Unix time `since`, in seconds, count.
    fn left(&self, one: Holder, other: Holder, since: i64) -> usize {
        let own = self.changes.iter().filter(|own| own.person == one && own.rated.at > since);
        let is_left = |own: &&Change| {
            self.changes.iter().any(|theirs| {
                theirs.rated.id == own.rated.id
                    && theirs.person == other
                    && !(own.rated.is_kept && theirs.rated.is_kept)
            })
        };
        own.filter(is_left).count()
    }

    fn matches(
        &self,
        accounts: &AccountTables,
        person: Holder,
        is_hidden: impl Fn(Holder) -> bool,
        limit: u32,
    ) -> Vec<RatedMatch> {
        let own = self.changes.iter().filter(|change| change.person == person);
        let with_opponent = own.map(|change| {
            let theirs = self.changes.iter().find(|theirs| {
                theirs.rated.id == change.rated.id && theirs.player != change.player
            });
            let account = theirs.and_then(|theirs| accounts.of_person(theirs.person));
            let is_shown = |account: &Account| !account.is_private && !is_hidden(account.person);
            let opponent = account.filter(is_shown);
            RatedMatch { opponent: opponent.map(|account| account.handle), ..change.rated.clone() }
        });
        let mut found: Vec<_> = with_opponent.collect();
        found.sort_by_key(|rated| (-rated.at, rated.id.clone()));
        found.truncate(limit as usize);
        found
    }

    fn near(&self, board: &Board, (from, to): (f64, f64), limit: u32) -> Vec<Holder> {
        let rated = self.ratings.iter().filter(|((_, own), _)| own == board);
        let near = rated.filter(|(_, (known, _))| (from..=to).contains(&known.rating.rating));
        let mut found: Vec<_> =
            near.map(|((person, _), (known, _))| (-known.at, *person)).collect();
        found.sort_unstable();
        found.truncate(limit as usize);
        found.into_iter().map(|(_, person)| Holder(person)).collect()
    }

    fn board(&self, accounts: &AccountTables, board: &Board, at: i64, limit: u32) -> Vec<Leader> {
        let rated = self.ratings.iter().filter(|((_, own), _)| own == board);
        let leaders = rated.filter_map(|((person, _), (known, results))| {
            let Account { handle, is_private, .. } = accounts.of_person(Holder(*person))?;
            let is_shown = !is_private && !is_provisional(known.at(at).deviation);
            is_shown.then_some(Leader { handle, known: *known, results: *results })
        });
        let mut leaders: Vec<_> = leaders.collect();
        leaders.sort_by(|a, b| b.known.rating.rating.total_cmp(&a.known.rating.rating));
        leaders.truncate(limit as usize);
        leaders
    }
}

fn rated_between(tables: &Tables, one: Holder, other: Holder, since: i64) -> u64 {
    let has_begun = |stored: &StoredMatch| {
        stored.info.created_at > since
            || stored.log.iter().any(|entry| entry.kind == EntryKind::Join && entry.at() > since)
    };
    let rated = tables.of(one).filter(|stored| stored.info.rated && stored.is_held_by(other));
    (rated.filter(|stored| has_begun(stored)).count() + tables.ratings.left(one, other, since))
        as u64
}

/// Returns whether two persons have reached the limit of rated matches with each other within a day.
pub(super) fn is_pair_full(tables: &Tables, (one, other): (Holder, Holder), at: i64) -> bool {
    let (one, other) = (tables.people.owner(one), tables.people.owner(other));
    let most = tables.limits.rated_matches_of_pair;
    most.is_some_and(|most| rated_between(tables, one, other, at - DAY) >= u64::from(most))
}

/// Returns whether a log entry would begin a rated match of two persons who have already reached their daily limit of
/// rated matches with each other.
pub(super) fn begins_too_many(tables: &Tables, addition: &Addition) -> bool {
    rated_pairs_of(addition).any(|pair| is_pair_full(tables, pair, addition.entry.at()))
}

impl<L: Link> Ratings for MemoryStore<L> {
    fn ratings_of(&self, person: Holder) -> StoreFuture<'_, Vec<KnownRating>> {
        self.call(move |tables| {
            let own = tables.ratings.ratings.iter().filter(|((own, _), _)| *own == person.0);
            let known = own.map(|((_, (rules, pace)), (known, results))| KnownRating {
                rules: rules.clone(),
                pace: *pace,
                known: *known,
                results: *results,
            });
            let mut known: Vec<_> = known.collect();
            known.sort_by_key(|known| (known.rules.clone(), known.pace.text()));
            known
        })
    }

    fn rating_changes<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Vec<(Player, RatingChange)>> {
        self.call(move |tables| {
            let changes = tables.ratings.changes.iter().filter(|change| change.rated.id == id);
            changes.map(|change| (change.player, change.rated.change)).collect()
        })
    }

    fn rated_player<'a>(&'a self, id: &'a str, player: Player) -> StoreFuture<'a, Option<Holder>> {
        self.call(move |tables| tables.ratings.player(id, player))
    }

    fn rated_matches(
        &self,
        person: Holder,
        viewer: Option<Holder>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<RatedMatch>> {
        self.call(move |tables| {
            let has_blocked = |other| {
                viewer.is_some_and(|viewer| tables.relations.between(viewer, other).is_blocked)
            };
            tables.ratings.matches(&tables.people.accounts, person, has_blocked, limit)
        })
    }

    fn rated_between(&self, one: Holder, other: Holder, since: i64) -> StoreFuture<'_, u64> {
        self.call(move |tables| rated_between(tables, one, other, since))
    }

    fn boards(&self) -> StoreFuture<'_, Vec<(String, Pace)>> {
        self.call(move |tables| {
            let boards: BTreeSet<_> = tables.ratings.ratings.keys().map(|key| &key.1).collect();
            let mut boards: Vec<_> = boards.into_iter().cloned().collect();
            boards.sort_by_key(|(rules, pace)| (rules.clone(), pace.text()));
            boards
        })
    }

    fn rated_near<'a>(
        &'a self,
        rules: &'a str,
        pace: Pace,
        band: (f64, f64),
        limit: u32,
    ) -> StoreFuture<'a, Vec<Holder>> {
        let board = (rules.to_owned(), pace);
        self.call(move |tables| tables.ratings.near(&board, band, limit))
    }

    fn board<'a>(
        &'a self,
        rules: &'a str,
        pace: Pace,
        at: i64,
        limit: u32,
    ) -> StoreFuture<'a, Vec<Leader>> {
        let board = (rules.to_owned(), pace);
        self.call(move |tables| tables.ratings.board(&tables.people.accounts, &board, at, limit))
    }
}
