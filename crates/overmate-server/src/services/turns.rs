//! Finds the correspondence matches in which it is a person's turn, for the turn feed at the person's secret URL.

use std::sync::Arc;

use super::repository::MatchRepository;
use crate::clocks::clock_setting::ClockSetting;
use crate::clocks::match_clock::MatchClock;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::{MatchState, Role};
use crate::random::random_token;
use crate::store::{Appended, Holder, Selection};

/// Correspondence match in which it is a person's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DueTurn {
    /// Id of the match in which it is the person's turn.
    pub(crate) id: String,
    /// Sequence number of the log entry with which the turn began. The number identifies the turn. Later entries concern only the
    /// clocks.
    pub(crate) sequence: u64,
    /// Display name of the opponent, or `None` if the opponent has no name.
    pub(crate) opponent: Option<String>,
    /// Unix time, in seconds, at which the person's clock started to run in this turn; if no clock runs, the creation
    /// time of the match.
    pub(crate) since: i64,
    /// Unix time, in seconds, at which the person loses on time; `None` if no clock runs.
    pub(crate) deadline: Option<i64>,
}

/// Service that manages the secret URLs of people's turn feeds (web feeds), and finds the correspondence matches in which a feed's owner is
/// to act.
pub(crate) struct TurnService {
    repository: Arc<MatchRepository>,
    solvers: Arc<SolverPool>,
}

impl TurnService {
    pub(crate) fn new(repository: Arc<MatchRepository>, solvers: Arc<SolverPool>) -> Self {
        Self { repository, solvers }
    }

    /// Returns the token in the secret URL of a person's turn feed, or `None` if the person has no feed.
    pub(crate) async fn token(&self, person: Option<Holder>) -> Result<Option<String>, ApiError> {
        match person {
            Some(person) => Ok(self.repository.store().feed_of(person).await?),
            None => Ok(None),
        }
    }

    /// Creates a new secret URL for a person's turn feed, at the request of one of their browsers. The former URL becomes invalid.
    pub(crate) async fn renew(&self, person: Holder, browser: Holder) -> Result<String, ApiError> {
        let token = random_token()?;
        match self.repository.store().set_feed(person, browser, Some(token.clone())).await? {
            Appended::Stored => Ok(token),
            Appended::Conflict | Appended::Full(_) => Err(ApiError::BROWSER_UNKNOWN),
        }
    }

    /// Removes the secret URL of a person's turn feed, at the request of one of their browsers.
    pub(crate) async fn revoke(&self, person: Holder, browser: Holder) -> Result<(), ApiError> {
        self.repository.store().set_feed(person, browser, None).await?;
        Ok(())
    }

    /// Returns the due turns of the person who owns the secret URL of a turn feed, the earliest deadline first. The replay of long logs
    /// counts for the share of the reading client in the processors.
    pub(crate) async fn turns(
        &self,
        token: &str,
        client: Client,
    ) -> Result<Vec<DueTurn>, ApiError> {
        let person = self.repository.store().person_of_feed(token).await?;
        let holder = person.ok_or(ApiError::NotFound("feed"))?;
        let unfinished = Selection::WithoutHelp { holder };
        let states = self.repository.list_for(unfinished, &self.solvers, client).await?;
        let mut turns: Vec<DueTurn> =
            states.iter().filter_map(|state| due(state, holder)).collect();
        turns.sort_by_key(|turn| (turn.deadline.is_none(), turn.deadline, turn.id.clone()));
        Ok(turns)
    }
}

/// Returns the match, the opponent and the deadline of a person's turn in a correspondence match, or `None` if it is not their turn.
fn due(state: &MatchState, person: Holder) -> Option<DueTurn> {
    let Role::Player(player) = state.role_of(Some(person))? else { return None };
    let is_due = state.to_act() == Some(player)
        && !state.hides_deal()
        && matches!(state.info().clock, Some(ClockSetting::Days(_)));
    let clock = state.clock().filter(|_| is_due)?;
    let since = clock.running().map(|running| running.from.min(state.now_ms()).div_euclid(1_000));
    Some(DueTurn {
        id: state.id().to_owned(),
        sequence: state.unchanged_since(),
        opponent: state.seats()[!player].marked_name(),
        since: since.unwrap_or(state.info().created_at),
        deadline: MatchClock::deadline(clock).map(|deadline| deadline.div_euclid(1_000)),
    })
}
