//! Exports and erases the personal data of browser identities, as a whole or match by match.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use overmate_rules::{ByPlayer, Player};

use super::puzzles;
use super::repository::{BATCH, MatchRepository, SHORT_BATCH, next_entry};
use super::selected::{Selected, take_log};
use crate::clock::{now, rfc3339};
use crate::computing::compute::Class;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::{Client, NETWORKS};
use crate::matches::conditional::Conditional;
use crate::matches::match_state::{MatchState, Role};
use crate::random::random_id;
use crate::rating::glicko2::Rating;
use crate::show;
use crate::show::records::record;
use crate::store::interface::traces::OperatorAct;
use crate::store::{
    Appended, Entry, EntryKind, Holder, Occupant, OfferChange, PersonChange, SeatText, Selection,
    Traces,
};
use crate::wire::{
    self, ExportedAct, ExportedEntry, ExportedMatch, ExportedOffer, ExportedRating, ExportedRequest,
};

/// Number of matches that the server reads at a time while it erases a person's data.
const ERASED: u32 = 50;

/// Number of matches that are erased concurrently. Their writes share commits.
const AT_ONCE: usize = 16;

/// Service that exports and erases the matches and puzzle attempts of a browser identity.
pub(crate) struct PersonalDataService {
    repository: Arc<MatchRepository>,
    exporting: Exporting,
}

/// Persons whose data export is running, each with the client of their request.
type Exporting = Arc<Mutex<HashMap<Holder, Client>>>;

/// State of a running data export, which returns the matches of a browser identity one by one.
pub(crate) struct RunningExport {
    repository: Arc<MatchRepository>,
    solvers: Arc<SolverPool>,
    client: Client,
    holder: Holder,
    /// Largest id of the matches that the data export has listed. Empty before the first batch.
    last: String,
    /// Listed matches that the data export has not yet written.
    states: VecDeque<Arc<MatchState>>,
    /// Written matches that the data export has not yet returned.
    texts: VecDeque<String>,
    /// Separator that stands before the next match in the exported JSON text. The separator is empty before the first match, then a
    /// comma.
    separator: &'static str,
    exporting: Exporting,
}

impl Drop for RunningExport {
    fn drop(&mut self) {
        let mut exporting = self.exporting.lock().unwrap_or_else(PoisonError::into_inner);
        exporting.remove(&self.holder);
    }
}

impl RunningExport {
    /// Returns the next exported match as JSON, after a separator. The matches are ordered by id. `None` ends the export.
    ///
    /// The export runs in the class of expensive searches, so that the export delays no turn of a computer opponent. One permit serves for
    /// several short matches. The first permit may be refused if the queue is too long. The export waits for later permits, because the
    /// response has begun.
    pub(crate) async fn next(&mut self) -> Result<Option<String>, ApiError> {
        loop {
            if let Some(text) = self.texts.pop_front() {
                let separator = std::mem::replace(&mut self.separator, ",");
                return Ok(Some(format!("{separator}{text}")));
            }
            let permit = if self.last.is_empty() {
                self.solvers.permit(Class::Dear, self.client).await?
            } else {
                self.solvers.patient_permit(Class::Dear, self.client).await?
            };
            if self.states.is_empty() && !self.list().await? {
                return Ok(None);
            }
            let states = self.take_short();
            let ids: Vec<String> = states.iter().map(|state| state.id().to_owned()).collect();
            let store = self.repository.store();
            let mut logs = store.entries_of(ids.iter().map(|id| (id.clone(), 0)).collect()).await?;
            let mut private = store.seat_texts_of(ids).await?;
            let holder = self.holder;
            let write = move || {
                let text = |state: Arc<MatchState>| {
                    // The export leaves out a match whose log was damaged after the first read of the log.
                    let entries = take_log(&mut logs, state.id())?;
                    // A match that was removed after its state was read has no private texts of its players any more.
                    let texts = private.remove(state.id());
                    let texts =
                        texts.unwrap_or_else(|| ByPlayer::new_with(|_| SeatText::default()));
                    let role = state.role_of(Some(holder))?;
                    let exported = exported(&state, role, &entries, &texts)?;
                    Some(serde_json::to_string(&exported))
                };
                states.into_iter().filter_map(text).collect::<Result<_, _>>()
            };
            self.texts = permit.run(write).await?.map_err(ApiError::internal)?;
        }
    }

    /// Takes the next listed matches whose logs together have at most [`SHORT_BATCH`] entries, but at least one match.
    fn take_short(&mut self) -> Vec<Arc<MatchState>> {
        let mut entries = 0;
        let fits = |state: &&Arc<MatchState>| {
            entries += state.sequence();
            entries <= SHORT_BATCH
        };
        let count = self.states.iter().take_while(fits).count().max(1);
        self.states.drain(..count.min(self.states.len())).collect()
    }

    /// Reads the states of the next matches of the export. Returns whether there are further matches.
    async fn list(&mut self) -> Result<bool, ApiError> {
        let (holder, after) = (self.holder, self.last.clone());
        let batch = Selection::Batch { holder, after, limit: BATCH };
        let selected = self.repository.select(batch).await?;
        let damaged = selected.damaged.iter().map(|(id, _)| id.as_str());
        let ids = selected.states.iter().map(|state| state.id()).chain(damaged);
        let Some(last) = ids.max().map(str::to_owned) else { return Ok(false) };
        self.last = last;
        self.states = selected.log_damaged().into();
        Ok(true)
    }
}

impl PersonalDataService {
    pub(crate) fn new(repository: Arc<MatchRepository>) -> Self {
        Self { repository, exporting: Exporting::default() }
    }

    /// Begins an export of the matches of a browser identity. While another export of the browser runs, the request is refused, and also
    /// while other browsers of one of the client's networks have as many running exports as the network has shares.
    pub(crate) fn begin_export(
        &self,
        solvers: Arc<SolverPool>,
        client: Client,
        holder: Holder,
    ) -> Result<RunningExport, ApiError> {
        let mut exporting = self.exporting.lock().unwrap_or_else(PoisonError::into_inner);
        let browsers = self.repository.limits().browsers_per_address as usize;
        let mut networks = client.networks().zip(NETWORKS).enumerate();
        let is_full = networks.any(|(size, (network, (_, factor)))| {
            let is_inside = |other: &&Client| other.networks().nth(size) == Some(network);
            exporting.values().filter(is_inside).count() >= browsers * factor as usize
        });
        if exporting.contains_key(&holder) || is_full {
            return Err(ApiError::TooMany { what: "exports", seconds: 10 });
        }
        exporting.insert(holder, client);
        Ok(RunningExport {
            repository: Arc::clone(&self.repository),
            solvers,
            client,
            holder,
            last: String::new(),
            states: VecDeque::new(),
            texts: VecDeque::new(),
            separator: "",
            exporting: Arc::clone(&self.exporting),
        })
    }

    /// Returns a browser identity's puzzle attempts that counted for ratings, from new to old. Without an identity the list is empty.
    pub(crate) async fn puzzle_attempts(
        &self,
        holder: Option<Holder>,
    ) -> Result<Vec<wire::CountedAttempt>, ApiError> {
        let Some(holder) = holder else { return Ok(Vec::new()) };
        let attempts = self.repository.store().puzzle_attempts(holder, u32::MAX).await?;
        Ok(attempts.iter().map(puzzles::exported).collect())
    }

    /// Returns the open offers of a browser identity, or an empty list for a request without an identity.
    pub(crate) async fn offers(
        &self,
        holder: Option<Holder>,
    ) -> Result<Vec<ExportedOffer>, ApiError> {
        let Some(holder) = holder else { return Ok(Vec::new()) };
        let offers = self.repository.store().offers_of(holder).await?;
        let at = now();
        let exported = offers.iter().filter_map(|offer| {
            Some(ExportedOffer {
                offer: show::lobby::own(offer, at)?,
                client_id: offer.client_id.clone(),
                network: offer.network,
                until: rfc3339(offer.until),
            })
        });
        Ok(exported.collect())
    }

    /// Returns three parts of a browser identity's data export: the puzzle rating, the requests for new matches, and the acts of operators.
    /// An example of an act on the identity's data is the change of a name.
    pub(crate) async fn traces(
        &self,
        holder: Option<Holder>,
    ) -> Result<(Option<ExportedRating>, Vec<ExportedRequest>, Vec<ExportedAct>), ApiError> {
        let Some(holder) = holder else { return Ok((None, Vec::new(), Vec::new())) };
        let store = self.repository.store();
        let rating = store.puzzle_player(holder).await?;
        let rating = rating.map(|Rating { rating, deviation, volatility }| ExportedRating {
            rating,
            deviation,
            volatility,
        });
        let Traces { requests, acts } = store.traces_of(holder).await?;
        let request = |(match_id, client_id)| ExportedRequest { match_id, client_id };
        let act = |OperatorAct { at, act, target, reason, matches }| ExportedAct {
            at,
            act,
            target,
            reason,
            matches,
        };
        let requests = requests.into_iter().map(request).collect();
        Ok((rating, requests, acts.into_iter().map(act).collect()))
    }

    /// Erases all data of a browser identity. Matches without another person are removed. In a match with another person, the browser
    /// resigns if the match is running, and the browser's seat loses its holder and name. A damaged match is left without a replay of its
    /// log. The operation is idempotent, so that an interrupted erasure can be repeated.
    pub(crate) async fn erase(&self, holder: Holder) -> Result<(), ApiError> {
        // The person's open offers are withdrawn first, so that nobody accepts an offer while the matches are removed.
        self.repository.store().change_offer(OfferChange::WithdrawAll { person: holder }).await?;
        let mut refused = HashSet::new();
        let mut is_forgotten = false;
        loop {
            let all = Selection::Batch { holder, after: String::new(), limit: ERASED };
            let Selected { states, damaged } = self.repository.select(all).await?;
            let is_last = states.is_empty() && damaged.is_empty();
            for (id, error) in damaged {
                let vacate = PersonChange::Vacate { person: holder, id: id.clone(), at: now() };
                let vacated = self.repository.store().change_person(vacate).await?;
                self.repository.forget(&id);
                self.repository.events().publish(&id, u64::MAX);
                // The database write gives a conflict if another request has already vacated the person's seat or removed the match. If the
                // match is listed again, the erasure ends with its fault, and does not try to leave the match without end.
                if vacated == Appended::Conflict && !refused.insert(id) {
                    return Err(error);
                }
            }
            if is_last && is_forgotten {
                return Ok(());
            }
            if is_last {
                // The person's browsers are removed last, because the seats in the matches are found by the identities of the browsers. The
                // matches are then searched once more: an event may have paired the person after the search before.
                let forget = PersonChange::Forget { person: holder, at: now() };
                self.repository.store().change_person(forget).await?;
                is_forgotten = true;
            }
            stream::iter(states)
                .map(Ok)
                .try_for_each_concurrent(AT_ONCE, |state| async move {
                    match self.leave(state.id(), holder).await {
                        // Another request has already removed the match.
                        Ok(()) | Err(ApiError::NotFound(_)) => Ok(()),
                        Err(error) => Err(error),
                    }
                })
                .await?;
        }
    }

    /// Removes a match at the request of a browser identity, or vacates only the identity's seat if another person
    /// holds the opponent's seat.
    pub(crate) async fn delete(&self, id: &str, holder: Holder) -> Result<(), ApiError> {
        let state = self.repository.load(id).await?;
        let role = state.role_of(Some(holder)).ok_or(ApiError::NotFound("match"))?;
        if state.info().is_of_event() {
            return Err(ApiError::NotAllowed(
                "the match cannot be deleted, because it counts for the standings of its event",
            ));
        }
        if state.info().shared_deal.is_some() {
            return Err(ApiError::NotAllowed(
                "the match on a shared deal cannot be deleted, because each browser may play a shared deal only once",
            ));
        }
        let is_running = state.result().is_none() && state.is_begun();
        if state.info().rated && state.info().has_bot() && is_running {
            return Err(ApiError::NotAllowed(
                "a running rated match against the computer cannot be deleted: resign the match first",
            ));
        }
        // A player may not abandon a rated match by deleting it, because the limit on abandoned matches counts only resignations.
        if matches!(role, Role::Player(player) if state.would_be_abandoned_by(player)) {
            return Err(ApiError::NotAllowed(
                "a rated match in which not both players have acted cannot be deleted: resign the match first",
            ));
        }
        self.leave(id, holder).await
    }

    /// Vacates a browser identity's seat in a match against another person, or removes a match without another person. If the match against
    /// a person is running, the browser identity first resigns.
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

/// Returns the player (A or B) of the role, if a person holds the seat of this player's opponent. Returns `None` otherwise, and for a role
/// that is not that of a single player.
fn against_person(state: &MatchState, role: Role) -> Option<Player> {
    let Role::Player(player) = role else { return None };
    matches!(state.seats()[!player].occupant, Occupant::Holder(_)).then_some(player)
}

/// Returns the data of a match for the data export of a browser identity. The data include the log entries, conditional answers and notes
/// of the identity's own seats.
fn exported(
    state: &MatchState,
    role: Role,
    log: &[Entry],
    texts: &ByPlayer<SeatText>,
) -> Option<ExportedMatch> {
    let view = show::matches::view(state, role, usize::MAX);
    let is_own = |player: Player| role == Role::Both || role == Role::Player(player);
    // A person may hold both seats of a match, each with private texts. This is the case if the browsers of the two opponents later came
    // to belong to one person.
    let own =
        Player::BOTH.into_iter().filter(|player| is_own(*player)).map(|player| &texts[player]);
    let answers =
        own.clone().filter_map(|text| text.answers.as_deref().and_then(Conditional::read));
    let notes: Vec<&str> = own.filter_map(|text| text.note.as_deref()).collect();
    let entries = log.iter().filter(|entry| is_own(entry.player)).map(|entry| {
        let (kind, detail) = entry.kind.texts();
        ExportedEntry {
            sequence: entry.sequence,
            player: wire::PlayerWire::from(entry.player),
            kind: kind.to_owned(),
            detail: detail.map(str::to_owned),
            client_id: entry.client_id.clone(),
            at: rfc3339(entry.at()),
            at_ms: entry.at_ms,
            given_ms: entry.given_ms,
        }
    });
    Some(ExportedMatch {
        summary: show::matches::summary(state, role)?,
        record: record(state, role).map(|record| record.to_string()).unwrap_or_default(),
        invitation: view.invitation,
        watch: view.watch,
        deal_chosen: state.info().deal_chosen,
        network: state.info().network,
        conditional_answers: answers
            .flat_map(Conditional::into_branches)
            .map(wire::AnswerBranch::from)
            .collect(),
        note: (!notes.is_empty()).then(|| notes.join("\n\n")),
        entries: entries.collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;
    use crate::computing::compute::Compute;
    use crate::notices::events::InProcess;
    use crate::settings::Limits;
    use crate::simulation::memory_link::Direct;
    use crate::simulation::memory_store::{MemoryStore, Tables};
    use crate::store::{Store, hand_in_sample};

    #[tokio::test(start_paused = true)]
    async fn short_matches_of_an_export_share_a_permit_and_a_long_one_stands_alone() {
        const SECOND: Duration = Duration::from_secs(1);
        let limits = Limits::default();
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Tables::new(&limits), Direct));
        let holder = Holder([1; 32]);
        let logs = [300, 500, 1, SHORT_BATCH + 1, 1, 1, 1, 1, 1];
        for (number, length) in logs.into_iter().enumerate() {
            hand_in_sample(&*store, &number.to_string(), holder, length).await;
        }
        let (repository, _notices) =
            MatchRepository::new(store, Arc::new(InProcess::default()), &limits);
        let solvers = Arc::new(SolverPool::new(Arc::new(Compute::inline())));
        let client = Client::at([192, 0, 2, 1].into()).with_browser(Some(holder));
        let service = PersonalDataService::new(Arc::new(repository));
        let mut export =
            service.begin_export(Arc::clone(&solvers), client, holder).expect("an export");
        let mut batches = Vec::new();
        while export.next().await.expect("a read").is_some() {
            // While the test holds all permits, the export returns the rest of the matches that shared its last permit.
            let mut held = Vec::new();
            while let Ok(permit) = timeout(SECOND, solvers.permit(Class::Dear, client)).await {
                held.push(permit.expect("a permit"));
            }
            assert!(!held.is_empty());
            let mut batch = 1;
            while let Ok(text) = timeout(SECOND, export.next()).await {
                assert!(text.expect("a read").is_some());
                batch += 1;
            }
            batches.push(batch);
        }
        // The store lists eight matches at a time.
        assert_eq!(batches, [2, 1, 1, 4, 1]);
    }
}
