//! Exports and erases the data of a browser, as a whole or match by match.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use overmate_rules::Player;

use super::puzzles;
use super::repository::{MatchRepository, next_entry};
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::match_state::{MatchState, Role};
use crate::random::random_id;
use crate::records::record;
use crate::show;
use crate::store::{Entry, EntryKind, Holder, Occupant, Selection};
use crate::wire::{self, ExportedEntry, ExportedMatch};

/// Number of matches that one step of an export or erasure reads.
const BATCH: u32 = 50;

/// Number of matches that are erased at the same time, so that their writes share commits.
const AT_ONCE: usize = 16;

/// Exports and erases the matches and the puzzle attempts of a browser.
pub(crate) struct PersonalDataService {
    repository: Arc<MatchRepository>,
}

impl PersonalDataService {
    pub(crate) fn new(repository: Arc<MatchRepository>) -> Self {
        Self { repository }
    }

    /// Returns a batch of the browser's matches in the order of their ids, after the match with the id `after`; an empty batch ends the export.
    pub(crate) async fn export(
        &self,
        holder: Holder,
        after: String,
    ) -> Result<Vec<ExportedMatch>, ApiError> {
        let states = self.batch(holder, after).await?;
        let wanted = states.iter().map(|state| (state.id().to_owned(), 0)).collect();
        let mut logs: HashMap<String, Vec<Entry>> = HashMap::new();
        for (id, entry) in self.repository.store().entries_of(wanted).await? {
            logs.entry(id).or_default().push(entry);
        }
        let export = |state: &Arc<MatchState>| {
            let role = state.role_of(Some(holder))?;
            let entries = logs.remove(state.id()).unwrap_or_default();
            exported(state, role, &entries)
        };
        Ok(states.iter().filter_map(export).collect())
    }

    /// Returns the counted attempts of the browser at puzzles, the newest first.
    pub(crate) async fn puzzle_attempts(
        &self,
        holder: Holder,
    ) -> Result<Vec<wire::CountedAttempt>, ApiError> {
        let attempts = self.repository.store().puzzle_attempts(holder, u32::MAX).await?;
        Ok(attempts.iter().map(puzzles::exported).collect())
    }

    /// Erases the data of a browser. Matches without another person are removed; in matches with another person the browser resigns if the match is
    /// running, and its seat loses its holder and its name. The operation is idempotent, so that an interrupted erasure can be repeated.
    pub(crate) async fn erase(&self, holder: Holder) -> Result<(), ApiError> {
        loop {
            let states = self.batch(holder, String::new()).await?;
            if states.is_empty() {
                self.repository.store().forget_attempts(holder).await?;
                return Ok(());
            }
            stream::iter(states)
                .map(Ok)
                .try_for_each_concurrent(AT_ONCE, |state| async move {
                    match self.leave(state.id(), holder).await {
                        // The match is missing, because another request has removed the match.
                        Ok(()) | Err(ApiError::NotFound(_)) => Ok(()),
                        Err(error) => Err(error),
                    }
                })
                .await?;
        }
    }

    /// Removes one match of a browser, or the browser's seat if another person keeps the match.
    pub(crate) async fn delete(&self, id: &str, holder: Holder) -> Result<(), ApiError> {
        let state = self.repository.load(id).await?;
        state.role_of(Some(holder)).ok_or(ApiError::NotFound("match"))?;
        if state.info().shared_deal.is_some() {
            return Err(ApiError::NotAllowed(
                "each browser plays a shared deal once, so this match stays",
            ));
        }
        self.leave(id, holder).await
    }

    async fn batch(&self, holder: Holder, after: String) -> Result<Vec<Arc<MatchState>>, ApiError> {
        self.repository.list(Selection::Batch { holder, after, limit: BATCH }).await
    }

    /// Removes a match, or only the browser's seat if another person keeps the match.
    async fn leave(&self, id: &str, holder: Holder) -> Result<(), ApiError> {
        self.repository.retry(id, |state| self.try_leave(state, holder)).await
    }

    async fn try_leave(
        &self,
        state: Arc<MatchState>,
        holder: Holder,
    ) -> Result<Option<()>, ApiError> {
        let Some(role) = state.role_of(Some(holder)) else { return Ok(Some(())) };
        let Some(player) = against_person(&state, role) else {
            let is_removed = self.repository.remove(state.id(), state.sequence()).await?;
            return Ok(is_removed.then_some(()));
        };
        let state = if state.result().is_some() {
            state
        } else {
            let entry = next_entry(&state, player, EntryKind::Resign, random_id()?);
            let resigned = self.repository.append(&state, entry, |addition| addition).await?;
            let Some(resigned) = resigned else { return Ok(None) };
            resigned
        };
        let entry = next_entry(&state, player, EntryKind::Leave, random_id()?);
        let left = self.repository.append(&state, entry, |addition| addition).await?;
        Ok(left.map(|_| ()))
    }
}

/// Returns the player as which a browser plays against another person who keeps the match, or
/// `None` without such a person.
fn against_person(state: &MatchState, role: Role) -> Option<Player> {
    let Role::Player(player) = role else { return None };
    matches!(state.seats()[!player].occupant, Occupant::Holder(_)).then_some(player)
}

/// Returns the part of a match that belongs to a browser: the summary, the record, and the log entries that the browser caused.
fn exported(state: &MatchState, role: Role, log: &[Entry]) -> Option<ExportedMatch> {
    let view = show::matches::view(state, role, usize::MAX);
    let is_own = |entry: &&Entry| role == Role::Both || role == Role::Player(entry.player);
    let entries = log.iter().filter(is_own).map(|entry| {
        let (kind, detail) = entry.kind.texts();
        ExportedEntry {
            sequence: entry.sequence,
            player: wire::PlayerWire::from(entry.player),
            kind: kind.to_owned(),
            detail: detail.map(str::to_owned),
            client_id: entry.client_id.clone(),
            at: rfc3339(entry.at),
        }
    });
    Some(ExportedMatch {
        summary: show::matches::summary(state, role)?,
        record: record(state, role).to_string(),
        invitation: view.invitation,
        watch: view.watch,
        entries: entries.collect(),
    })
}
