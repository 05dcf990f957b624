//! Stores reports about opponents, and reads and enforces operators' measures against persons: warnings, mutes and
//! closed accounts.

use std::sync::Arc;

use super::repository::MatchRepository;
use super::roles::role_in;
use crate::clock::{now, rfc3339};
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::Role;
use crate::names;
use crate::random::random_id;
use crate::store::{
    Appended, Holder, Measures, NewReport, Report, ReportChange, ReportReason, Store,
};

/// Maximum number of characters in the text of a report.
const LONGEST: usize = 500;

/// Service that stores reports about players, and reads operators' measures against persons, such as warnings and mutes.
pub(crate) struct ReportService {
    repository: Arc<MatchRepository>,
}

impl ReportService {
    pub(crate) fn new(repository: Arc<MatchRepository>) -> Self {
        Self { repository }
    }

    /// Stores a report of a person about their opponent in a match with another person.
    pub(crate) async fn report(
        &self,
        id: &str,
        (person, client): (Option<Holder>, Client),
        reason: ReportReason,
        text: Option<&str>,
    ) -> Result<(), ApiError> {
        const NOBODY: ApiError = ApiError::NotAllowed(
            "the match has no other person, or an operator has settled your report: choose a match against the person whom you want to report",
        );
        let state = self.repository.load(id).await?;
        let (Role::Player(player), Some(reporter)) = (role_in(&state, person, None)?, person)
        else {
            return Err(NOBODY);
        };
        // The list of refused words does not apply to the text of a report, because such a word may be the reason for the report.
        let text = text.and_then(names::normalised);
        if text.as_ref().is_some_and(|text| text.chars().count() > LONGEST) {
            return Err(ApiError::BadRequest(format!(
                "text: the text of the report is too long: write at most {LONGEST} characters"
            )));
        }
        let store = self.repository.store();
        let report = Report {
            id: random_id()?,
            match_id: state.id().to_owned(),
            player,
            reason,
            text,
            at: now(),
            network: client.network_number(&store.identity_key()),
            settled_at: None,
        };
        let new = NewReport { report, reporter };
        let made = store.change_report(ReportChange::Make(new)).await?;
        self.repository.refuse_over_quota(made)?;
        if made == Appended::Conflict {
            return Err(NOBODY);
        }
        metrics::counter!("overmate_reports_total", "reason" => reason.text()).increment(1);
        Ok(())
    }

    /// Returns the reports that a person has made, from old to new.
    pub(crate) async fn of(&self, person: Option<Holder>) -> Result<Vec<Report>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        Ok(self.repository.store().reports_of(person).await?)
    }

    /// Returns the measures of operators against a person. A mute that has ended is left out.
    pub(crate) async fn measures(&self, person: Option<Holder>) -> Result<Measures, ApiError> {
        let Some(person) = person else { return Ok(Measures::default()) };
        let measures = self.repository.store().measures_against(person).await?;
        let muted_until = measures.muted_until.filter(|until| *until > now());
        Ok(Measures { muted_until, ..measures })
    }

    /// Removes a person's warning, identified by its Unix time in seconds, because the person has confirmed the warning.
    pub(crate) async fn confirm(&self, person: Option<Holder>, at: i64) -> Result<(), ApiError> {
        if let Some(person) = person {
            let confirm = ReportChange::Confirm { person, at };
            self.repository.store().change_report(confirm).await?;
        }
        Ok(())
    }
}

/// Returns an error if an operator's measure (a mute or a closed account) forbids a person to send chat phrases and messages.
pub(crate) async fn check_may_talk(store: &dyn Store, person: Holder) -> Result<(), ApiError> {
    let measures = store.measures_against(person).await?;
    if measures.closed_at.is_some() {
        return Err(ApiError::AccountClosed);
    }
    match measures.muted_until {
        Some(until) if until > now() => Err(ApiError::MutedByOperator { until: rfc3339(until) }),
        Some(_) | None => Ok(()),
    }
}

/// Returns an error if a person has no account or a closed account.
pub(crate) async fn check_account(store: &dyn Store, person: Holder) -> Result<(), ApiError> {
    if store.account(person).await?.is_none() {
        return Err(ApiError::AccountNeeded);
    }
    check_open(store, person).await
}

/// Returns an error if the requesting person has a closed account.
pub(crate) async fn check_open(store: &dyn Store, person: Holder) -> Result<(), ApiError> {
    refuse_closed(store, person, ApiError::AccountClosed).await
}

/// Returns an error if the other player of a new rated match has a closed account.
pub(crate) async fn check_opponent(store: &dyn Store, opponent: Holder) -> Result<(), ApiError> {
    let refusal = ApiError::NotAllowed(
        "an operator has closed the account of the other player, so that no rated match with them begins: play against somebody else",
    );
    refuse_closed(store, opponent, refusal).await
}

async fn refuse_closed(
    store: &dyn Store,
    person: Holder,
    refusal: ApiError,
) -> Result<(), ApiError> {
    let is_closed = store.measures_against(person).await?.closed_at.is_some();
    if is_closed { Err(refusal) } else { Ok(()) }
}
