//! Finds the matches by correspondence in which a person is to act, for their feed under a secret address.

use std::sync::Arc;

use super::repository::MatchRepository;
use crate::clock_setting::ClockSetting;
use crate::error::ApiError;
use crate::match_clock::MatchClock;
use crate::match_state::{MatchState, Role};
use crate::random::random_token;
use crate::store::{Appended, Holder, Selection};

/// Match in which a person is to act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DueTurn {
    /// Id of the match.
    pub(crate) id: String,
    /// Sequence number of the last log entry, which makes each turn another one.
    pub(crate) sequence: u64,
    /// Display name of the opponent, if any.
    pub(crate) opponent: Option<String>,
    /// Time when the turn began, in seconds since 1970; that of the match for a turn without a running clock.
    pub(crate) since: i64,
    /// Time at which the person loses on time, in seconds since 1970; `None` for a turn without a running clock.
    pub(crate) deadline: Option<i64>,
}

/// Keeps the secret addresses of feeds, and finds the turns of their persons.
pub(crate) struct TurnService {
    repository: Arc<MatchRepository>,
}

impl TurnService {
    pub(crate) fn new(repository: Arc<MatchRepository>) -> Self {
        Self { repository }
    }

    /// Returns the token of the secret address of a person, if there is one.
    pub(crate) async fn token(&self, person: Option<Holder>) -> Result<Option<String>, ApiError> {
        match person {
            Some(person) => Ok(self.repository.store().feed_of(person).await?),
            None => Ok(None),
        }
    }

    /// Makes a new secret address for a person, at the request of one of their browsers. The former one is no address any more.
    pub(crate) async fn renew(&self, person: Holder, browser: Holder) -> Result<String, ApiError> {
        let token = random_token()?;
        match self.repository.store().set_feed(person, browser, Some(token.clone())).await? {
            Appended::Stored => Ok(token),
            Appended::Conflict | Appended::Full(_) => Err(ApiError::NotFound("match")),
        }
    }

    /// Removes the secret address of a person, at the request of one of their browsers.
    pub(crate) async fn revoke(&self, person: Holder, browser: Holder) -> Result<(), ApiError> {
        self.repository.store().set_feed(person, browser, None).await?;
        Ok(())
    }

    /// Returns the turns of the person with a secret address, the earliest deadline first.
    pub(crate) async fn turns(&self, token: &str) -> Result<Vec<DueTurn>, ApiError> {
        let person = self.repository.store().person_of_feed(token).await?;
        let holder = person.ok_or(ApiError::NotFound("feed"))?;
        let states = self.repository.list(Selection::WithoutHelp { holder }).await?;
        let mut turns: Vec<DueTurn> =
            states.iter().filter_map(|state| due(state, holder)).collect();
        turns.sort_by_key(|turn| (turn.deadline.is_none(), turn.deadline, turn.id.clone()));
        Ok(turns)
    }
}

/// Returns the turn of a person in a match by correspondence, if they are to act.
fn due(state: &MatchState, person: Holder) -> Option<DueTurn> {
    let Role::Player(player) = state.role_of(Some(person))? else { return None };
    let is_due =
        state.to_act() == Some(player) && matches!(state.info().clock, Some(ClockSetting::Days(_)));
    let clock = state.clock().filter(|_| is_due)?;
    let since = clock.running().map(|running| running.from.min(state.now_ms()).div_euclid(1_000));
    Some(DueTurn {
        id: state.id().to_owned(),
        sequence: state.unchanged_since(),
        opponent: state.seats()[!player].name.clone(),
        since: since.unwrap_or(state.info().created_at),
        deadline: MatchClock::deadline(clock).map(|deadline| deadline.div_euclid(1_000)),
    })
}
