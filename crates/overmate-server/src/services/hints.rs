//! Computes hints: the exact values of the legal actions in a running game. The log of the match notes each hint. Matches between
//! two people, with clocks, or on a shared deal have no hints.

use std::sync::Arc;

use overmate_bots::Estimates;

use super::analysis::AnalysisService;
use super::repository::{MatchRepository, refuse_full};
use super::roles::{acting_player, role_in};
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::{MatchState, Role};
use crate::store::{EntryKind, Holder};
use crate::wire;

const NO_HINTS: ApiError = ApiError::NotAllowed(
    "a hint is not possible between two people, with clocks, and on a deal of the day or week: play against the computer without clocks",
);

/// Service that computes hints in running games, and records each hint in the log of its match.
pub(crate) struct HintService {
    repository: Arc<MatchRepository>,
    analysis: Arc<AnalysisService>,
    solvers: Arc<SolverPool>,
}

impl HintService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        analysis: Arc<AnalysisService>,
        solvers: Arc<SolverPool>,
    ) -> Self {
        Self { repository, analysis, solvers }
    }

    /// Returns exact values, or bounds with estimates, of all legal actions in the current position of a match. The log notes the
    /// hint before the values are sent. A page that computes the values by itself sends a request without values, which is checked
    /// and noted in the same way.
    ///
    /// A repeated request returns the hint for its first position. A hint for a later position
    /// needs a new request id.
    pub(crate) async fn hint(
        &self,
        id: &str,
        client: Client,
        request: &wire::HintRequest,
    ) -> Result<wire::Hint, ApiError> {
        let holder = client.browser();
        // The request is checked before the log records a hint, so that a refused request leaves no hint in the log. The check is repeated
        // after the log entry, because the noted position may belong to another deal.
        let state = self.repository.load(id).await?;
        role_in(&state, holder, None)?;
        self.refuse(&state, holder).await?;
        let (state, role) = self.note(id, holder, &request.client_id).await?;
        self.refuse(&state, holder).await?;
        let index = state.play().current_index();
        let view = state.view(index, role);
        let (dealt, sequence) = (view.dealt().clone(), state.sequence());
        if !request.values {
            return wire::Hint::without_values(&view, sequence).ok_or(ApiError::NotYourTurn);
        }
        self.solvers
            .with_deal(client, dealt, move |solver, budget| {
                let (advice, estimates) = Estimates::beside_advice(&view, solver, budget)?;
                let hint = wire::Hint::new(&view, sequence, &advice)?;
                Some(match estimates {
                    Some(Estimates { actions, horizon, .. }) => {
                        hint.with_estimates(&view, &actions, horizon)
                    }
                    None => hint,
                })
            })
            .await?
            .ok_or(ApiError::NotYourTurn)
    }

    /// Returns an error if the requesting browser may not get a hint in a match. The match itself, or a running match with the same deal,
    /// may allow no help.
    async fn refuse(&self, state: &MatchState, holder: Option<Holder>) -> Result<(), ApiError> {
        if state.is_without_help() {
            return Err(NO_HINTS);
        }
        self.analysis.refuse_running_game(state.play().current(), holder).await
    }

    /// Records a hint in the log of a match. Returns the state of the match after this entry, with
    /// the role of the browser.
    async fn note(
        &self,
        id: &str,
        holder: Option<Holder>,
        client_id: &str,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let is_hint = |kind: &EntryKind| *kind == EntryKind::Hint;
        let entry_of = |state: &MatchState, role: Role| {
            if state.is_without_help() {
                return Err(NO_HINTS);
            }
            if state.result().is_some() {
                return Err(ApiError::MatchOver);
            }
            let player = acting_player(state, role)?;
            if state.to_act() != Some(player) {
                return Err(ApiError::NotYourTurn);
            }
            if state.is_hinted() {
                return Ok(None);
            }
            refuse_full(state)?;
            Ok(Some((player, EntryKind::Hint)))
        };
        let repository = &self.repository;
        let (noted, role) =
            repository.append_to_latest(id, holder, client_id, is_hint, entry_of).await?;
        let state = match repository.earlier_entry(id, role, client_id, is_hint).await? {
            Some(entry) => repository.load_at(id, entry.sequence).await?,
            // An earlier request with another client id has already recorded a hint for the position. Therefore this request has added no
            // entry to the log.
            None => noted,
        };
        Ok((state, role))
    }
}
