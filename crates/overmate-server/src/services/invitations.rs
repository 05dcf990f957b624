//! Reads and accepts invitations. With an invitation, one friend can join a match.

use std::sync::Arc;

use overmate_rules::Player;

use super::bot_accounts::check_human;
use super::rated_pair::check_pair;
use super::reports::{check_account, check_opponent};
use super::repository::{MatchRepository, next_entry};
use crate::error::ApiError;
use crate::matches::match_state::{MatchState, Role};
use crate::names::RefusedWords;
use crate::random::random_id;
use crate::store::{Addition, EntryKind, Holder, Occupant, SeatTaken};

/// Service that finds the match of an invitation, and lets the invited friend join.
pub(crate) struct InvitationService {
    repository: Arc<MatchRepository>,
    words: Arc<RefusedWords>,
}

impl InvitationService {
    pub(crate) fn new(repository: Arc<MatchRepository>, words: Arc<RefusedWords>) -> Self {
        Self { repository, words }
    }

    /// Returns the match to which an invitation token belongs.
    pub(crate) async fn read(&self, token: &str) -> Result<Arc<MatchState>, ApiError> {
        let id = self.repository.store().invited_to(token).await?;
        self.repository.load(&id.ok_or(ApiError::NotFound("invitation"))?).await
    }

    /// Returns the player (A or B) whose seat in a match is open to a person. Returns `None` if the seat is taken, or if the person
    /// and the host are separated by a block.
    pub(crate) async fn open_seat(
        &self,
        state: &MatchState,
        person: Option<Holder>,
    ) -> Result<Option<Player>, ApiError> {
        let Some(player) = state.open_seat() else { return Ok(None) };
        if let (Some(person), Occupant::Holder(host)) = (person, state.seats()[!player].occupant)
            && self.repository.store().relations_between(person, host).await?.is_apart()
        {
            return Ok(None);
        }
        Ok(Some(player))
    }

    /// Gives the requesting browser the open seat in the match to which an invitation belongs. The operation is idempotent: a player of the
    /// match gets the match again.
    pub(crate) async fn join(
        &self,
        token: &str,
        holder: Holder,
        name: Option<&str>,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let name = self.words.check(name)?;
        let invited = self.read(token).await?;
        let name = name.as_ref();
        self.repository
            .retry(invited.id(), |state| async move { self.try_join(state, holder, name).await })
            .await
    }

    async fn try_join(
        &self,
        state: Arc<MatchState>,
        holder: Holder,
        name: Option<&String>,
    ) -> Result<Option<(Arc<MatchState>, Role)>, ApiError> {
        if let Some(role) = state.role_of(Some(holder)) {
            return Ok(Some((state, role)));
        }
        let player = self.open_seat(&state, Some(holder)).await?;
        let player = player.ok_or(ApiError::InvitationUsed)?;
        if state.result().is_some() {
            return Err(ApiError::MatchOver);
        }
        check_human(self.repository.store(), holder).await?;
        let mut rated_host = None;
        if state.info().rated {
            check_account(self.repository.store(), holder).await?;
            if let Occupant::Holder(host) = state.seats()[!player].occupant {
                check_opponent(self.repository.store(), host).await?;
                check_pair(&self.repository, holder, host).await?;
                rated_host = Some(host);
            }
        }
        let entry = next_entry(&state, player, EntryKind::Join, random_id()?);
        let taken = Some(SeatTaken { player, holder, name: name.cloned(), rated_host });
        let next = self.repository.append(&state, entry, |a| Addition { taken, ..a }).await?;
        Ok(next.map(|next| (next, Role::Player(player))))
    }
}
