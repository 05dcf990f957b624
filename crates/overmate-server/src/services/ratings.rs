//! Reads the ratings, profiles and leaderboards of accounts.

use std::sync::Arc;
use std::time::Duration;

use overmate_rules::Player;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::blocks::is_visible;
use super::casual::{CasualMatches, casual_matches};
use super::repository::MatchRepository;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::handle::Handle;
use crate::matches::match_state::MatchState;
use crate::rating::anchors::anchor;
use crate::rating::match_rating::{MatchRating, Pace};
use crate::show;
use crate::store::{Account, Holder, KnownRating, Leader, Occupant, RatedMatch};
use crate::wire::{MatchRatingState, MatchRatings};

/// Maximum number of rated matches in a profile.
const MATCHES: u32 = 20;

/// Maximum number of players on a leaderboard.
const LEADERS: u32 = 100;

/// Maximum age of the cached list of leaderboards.
const BOARDS_AGE: Duration = Duration::from_mins(1);

/// Rule set and pace (live or correspondence) of a leaderboard.
type Board = (String, Pace);

/// Service that reads ratings from the store.
pub(crate) struct RatingService {
    repository: Arc<MatchRepository>,
    solvers: Arc<SolverPool>,
    /// Cached list of the leaderboards (each with its rule set and pace), with the time at which the list was read; `None` before the first
    /// read.
    boards: Mutex<Option<(Instant, Vec<Board>)>>,
}

/// Account with its ratings, its latest rated matches, and its unrated matches.
pub(crate) struct RatedAccount {
    pub(crate) account: Account,
    pub(crate) ratings: Vec<KnownRating>,
    pub(crate) matches: Vec<RatedMatch>,
    pub(crate) casual: CasualMatches,
}

impl RatingService {
    pub(crate) fn new(repository: Arc<MatchRepository>, solvers: Arc<SolverPool>) -> Self {
        Self { repository, solvers, boards: Mutex::default() }
    }

    /// Returns the profile of the account with the given handle, if the requesting person may see the profile. The replay of long
    /// logs counts for the share of the client in the processors.
    pub(crate) async fn profile(
        &self,
        handle: &str,
        viewer: Option<Holder>,
        client: Client,
    ) -> Result<RatedAccount, ApiError> {
        let (account, ratings) = self.visible(handle, viewer).await?;
        let matches =
            self.repository.store().rated_matches(account.person, viewer, MATCHES).await?;
        let share = (&*self.solvers, client);
        let casual = casual_matches(&self.repository, &account, viewer, share).await?;
        Ok(RatedAccount { account, ratings, matches, casual })
    }

    /// Returns the account that has the given handle, with its ratings, if the requesting person may see the profile of the
    /// account.
    ///
    /// Other people see neither a private account nor an account without a rated match. Bots need no rated match. A person whom the
    /// account has blocked gets the same error as for an unknown handle.
    pub(crate) async fn visible(
        &self,
        handle: &str,
        viewer: Option<Holder>,
    ) -> Result<(Account, Vec<KnownRating>), ApiError> {
        const NOT_FOUND: ApiError = ApiError::NotFound("player");
        let handle = Handle::read(handle).map_err(|_| NOT_FOUND)?;
        let account = self
            .repository
            .store()
            .account_by_tag(handle.tag(&self.repository.store().identity_key()))
            .await?;
        let account = account.ok_or(NOT_FOUND)?;
        let ratings = self.repository.store().ratings_of(account.person).await?;
        let is_known = !ratings.is_empty() || account.is_bot || viewer == Some(account.person);
        if !is_known || !is_visible(self.repository.store(), &account, viewer).await? {
            return Err(NOT_FOUND);
        }
        Ok((account, ratings))
    }

    /// Returns all ratings of a person with all rating changes, for the data export.
    pub(crate) async fn all_of(
        &self,
        person: Option<Holder>,
    ) -> Result<(Vec<KnownRating>, Vec<RatedMatch>), ApiError> {
        let Some(person) = person else { return Ok((Vec::new(), Vec::new())) };
        let ratings = self.repository.store().ratings_of(person).await?;
        Ok((ratings, self.repository.store().rated_matches(person, None, u32::MAX).await?))
    }

    /// Returns the rule set and pace (live or correspondence) of each leaderboard that has a player. The answer is at most a minute old.
    pub(crate) async fn boards(&self) -> Result<Vec<Board>, ApiError> {
        // The query for the list of leaderboards reads all ratings. The lock lets only one of several concurrent requests run the query.
        let mut read = self.boards.lock().await;
        if let Some((at, boards)) = &*read
            && at.elapsed() < BOARDS_AGE
        {
            return Ok(boards.clone());
        }
        let (begin, boards) = (Instant::now(), self.repository.store().boards().await?);
        // An empty list of leaderboards is not cached: without ratings the query is quick, and the first rating must appear at once.
        *read = (!boards.is_empty()).then(|| (begin, boards.clone()));
        Ok(boards)
    }

    /// Returns the accounts with the highest ratings on a leaderboard, as of a Unix time in seconds.
    pub(crate) async fn board(
        &self,
        rules: &str,
        pace: Pace,
        at: i64,
    ) -> Result<Vec<Leader>, ApiError> {
        Ok(self.repository.store().board(rules, pace, at, LEADERS).await?)
    }

    /// Returns the ratings of both players of a rated match, as of a Unix time in seconds.
    pub(crate) async fn of_match(
        &self,
        state: &MatchState,
        viewer: Option<Holder>,
        at: i64,
    ) -> Result<MatchRatings, ApiError> {
        let info = state.info();
        let clock = info.clock.filter(|_| info.rated);
        let pace = Pace::of(
            clock.ok_or(ApiError::Lacking("the match is not rated, so that it has no ratings"))?,
        );
        let changes = self.repository.store().rating_changes(state.id()).await?;
        let of = async |player: Player| -> Result<Option<MatchRatingState>, ApiError> {
            let person = match state.seats()[player].occupant {
                Occupant::Holder(person) => person,
                Occupant::Bot(bot, _) => {
                    let fixed = anchor(&info.rules, bot).map(show::ratings::present);
                    return Ok(fixed.map(|before| MatchRatingState {
                        handle: None,
                        before,
                        after: None,
                    }));
                }
                Occupant::Open | Occupant::Deleted => return Ok(None),
            };
            let Some(account) = self.repository.store().account(person).await? else {
                return Ok(None);
            };
            let is_shown = is_visible(self.repository.store(), &account, viewer).await?;
            let handle = is_shown.then_some(account.handle);
            let change = changes.iter().find(|(changed, _)| *changed == player);
            if let Some((_, change)) = change {
                let [before, after] = [change.before, change.after].map(show::ratings::rating);
                return Ok(Some(MatchRatingState { handle, before, after: Some(after) }));
            }
            let ratings = self.repository.store().ratings_of(person).await?;
            let known = ratings.iter().find(|own| own.rules == info.rules && own.pace == pace);
            let known = known.map_or_else(|| MatchRating::new(at), |own| own.known);
            let before = show::ratings::present(known.at(at));
            Ok(Some(MatchRatingState { handle, before, after: None }))
        };
        let (a, b) = (of(Player::A).await?, of(Player::B).await?);
        Ok(MatchRatings { pace: show::ratings::pace(pace), a, b })
    }
}
