//! Creates, reads and changes matches on behalf of players and spectators.

use std::sync::Arc;
use std::time::Duration;

use overmate_rules::Player;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::absences::settle_absence;
use super::bot_accounts::check_human;
use super::clocks::ClockService;
use super::new_match::{plan, plan_rematch};
use super::parse::{numbered_deal, rule_set};
use super::rated_pair::check_pair;
use super::reports::{check_account, check_open, check_opponent};
use super::repository::{MatchRepository, next_entry, refuse_full};
use super::roles::{acting_player, role_in};
use super::running_deals::RunningDeals;
use super::watching::WatchService;
use crate::clocks::match_clock::MatchClock;
use crate::clocks::store_time::StoreTime;
use crate::computing::program_pool::ProgramPool;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::{MatchState, Role};
use crate::names::RefusedWords;
use crate::show;
use crate::show::matches::PUBLIC;
use crate::store::{
    Addition, Appended, Entry, EntryKind, Holder, MatchInfo, NewMatchRequest, Occupant, Selection,
};
use crate::wire::{Act, NewMatch, Opponent};

/// Error for a request to pause a match whose clocks cannot be paused.
const NO_PAUSE: ApiError = ApiError::NotAllowed(
    "clocks pause only in a live match between two people who have both acted: in a correspondence match, take days off",
);

/// Maximum number of matches in the list of matches of a browser identity.
const LISTED: u32 = 100;

/// Time at which a request arrived at this server, by the monotonic and the wall clock.
struct Arrival {
    at: Instant,
    /// Unix time of the request's arrival by the clock of this machine, in milliseconds.
    at_ms: i64,
}

impl Arrival {
    /// Returns the present time as the arrival time of a request.
    fn new(time: &StoreTime) -> Self {
        Self { at: Instant::now(), at_ms: time.here_ms() }
    }

    /// Returns the time, in milliseconds, since the request arrived at the server. The result is the larger of the times that the monotonic
    /// clock and the wall clock measured. The monotonic clock alone does not suffice, because this clock may stand still while the machine
    /// sleeps.
    fn waited_ms(&self, time: &StoreTime) -> i64 {
        let waited = i64::try_from(self.at.elapsed().as_millis()).unwrap_or(0);
        waited.max(time.here_ms().saturating_sub(self.at_ms))
    }
}

/// Service that creates, reads and changes matches, and checks the role of the requesting browser.
pub(crate) struct MatchService {
    repository: Arc<MatchRepository>,
    clocks: Arc<ClockService>,
    watching: Arc<WatchService>,
    words: Arc<RefusedWords>,
    programs: Arc<ProgramPool>,
    stop: CancellationToken,
}

impl MatchService {
    pub(crate) fn new(
        (repository, clocks, watching): (
            Arc<MatchRepository>,
            Arc<ClockService>,
            Arc<WatchService>,
        ),
        words: Arc<RefusedWords>,
        programs: Arc<ProgramPool>,
        stop: CancellationToken,
    ) -> Self {
        Self { repository, clocks, watching, words, programs, stop }
    }

    pub(crate) fn repository(&self) -> &MatchRepository {
        &self.repository
    }

    /// Returns the matches in which a browser identity holds a seat: unfinished before finished matches, both from new to old. Also wakes
    /// the service for computer opponents for each match in which a computer opponent is to act. The replay of long logs counts for the
    /// share of the client in the processors.
    pub(crate) async fn list(
        &self,
        holder: Holder,
        solvers: &SolverPool,
        client: Client,
    ) -> Result<Vec<Arc<MatchState>>, ApiError> {
        let held = Selection::HeldBy { holder, limit: LISTED };
        let states = self.repository.list_for(held, solvers, client).await?;
        for state in &states {
            self.repository.wake_bot(state);
        }
        Ok(states)
    }

    /// Returns the match that an earlier request with the idempotency key of `new` has created, or `None` without such a request. Both
    /// requests come from the browser identity `holder`.
    pub(crate) async fn find_created(
        &self,
        new: &NewMatch,
        holder: Holder,
    ) -> Result<Option<Arc<MatchState>>, ApiError> {
        let Some(request) = request_of(new, holder) else { return Ok(None) };
        // An invalid request is refused even if an earlier request had the same client id.
        plan(new, holder, &self.words)?;
        match self.repository.store().created_by(&request).await? {
            Some(id) => self.repository.load(&id).await.map(Some),
            None => Ok(None),
        }
    }

    /// Creates a match in which the requesting browser holds one seat or both seats. The operation is idempotent: a repeated
    /// request of the browser returns the first match.
    pub(crate) async fn create(
        &self,
        new: &NewMatch,
        holder: Holder,
        client: Client,
    ) -> Result<Arc<MatchState>, ApiError> {
        let (mut info, opponent) = plan(new, holder, &self.words)?;
        if info.rated || info.invitation.is_some() {
            check_human(self.repository.store(), holder).await?;
        }
        if info.rated {
            check_account(self.repository.store(), holder).await?;
        }
        self.check_offered(&info)?;
        self.refuse_running_deal(new, holder).await?;
        self.repository.note_network(&mut info, client);
        let (state, created) = self.repository.create(info, request_of(new, holder)).await?;
        if created == Appended::Stored {
            metrics::counter!("overmate_matches_total", "opponent" => opponent).increment(1);
        }
        Ok(state)
    }

    /// Refuses a new match against an opponent program that this server does not offer.
    fn check_offered(&self, info: &MatchInfo) -> Result<(), ApiError> {
        let is_missing = |player: Player| matches!(info.seats[player].occupant, Occupant::Bot(bot, _) if self.programs.lacks(bot));
        if Player::BOTH.into_iter().any(is_missing) {
            return Err(ApiError::bad_request(
                "this server offers no program of this name: choose another opponent",
            ));
        }
        Ok(())
    }

    /// Refuses a match against a computer opponent on a deal that the requesting browser is playing without help in another match. The
    /// opponent's actions would help in the running match.
    async fn refuse_running_deal(&self, new: &NewMatch, holder: Holder) -> Result<(), ApiError> {
        let (Opponent::Level { .. } | Opponent::Perfect {} | Opponent::Program { .. }, Some(deal)) =
            (&new.opponent, &new.deal)
        else {
            return Ok(());
        };
        let rules = rule_set(&new.rules)?;
        let dealt = numbered_deal(&rules, deal)?;
        let running = RunningDeals::of(&self.repository, Some(holder)).await?;
        if running.contain(&rules, dealt.hands()) {
            return Err(ApiError::MatchRunning(
                "you are playing this deal without help in another match: finish that round, or choose another deal",
            ));
        }
        Ok(())
    }

    /// Returns a match with only the data that the requesting browser may see, together with the browser's role (player or spectator). A
    /// browser without a seat needs the spectators' token, or [`PUBLIC`] for a public match.
    pub(crate) async fn read(
        &self,
        id: &str,
        holder: Option<Holder>,
        watch: Option<&str>,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let state = self.repository.load(id).await?;
        self.repository.wake_bot(&state);
        self.seen(state, holder, watch).await
    }

    /// Returns the match state that the requesting browser may see, together with the browser's role (player or spectator). With the token
    /// [`PUBLIC`] this is the state that everybody may see, which may be an earlier state.
    pub(crate) async fn seen(
        &self,
        state: Arc<MatchState>,
        holder: Option<Holder>,
        watch: Option<&str>,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        if watch == Some(PUBLIC) && state.role_of(holder).is_none() {
            return Ok((self.watching.shown(&state).await?, Role::Spectator));
        }
        let role = role_in(&state, holder, watch)?;
        Ok((state, role))
    }

    /// Waits until the log of a match exceeds a sequence number, at most for the time `wait`. Then
    /// returns the match and the browser's role.
    pub(crate) async fn wait_beyond(
        &self,
        id: &str,
        holder: Option<Holder>,
        watch: Option<&str>,
        sequence: u64,
        wait: Duration,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let mut changes = self.repository.subscribe(id);
        // The match is read after the subscription to its changes, so that the read sees every earlier change.
        let (state, role) = self.read(id, holder, watch).await?;
        if state.sequence() != sequence {
            return Ok((state, role));
        }
        // This long-polling request waits for a notice that comes after its subscription to the changes of the match. The sequence number
        // that the channel already has does not count, because another server may have reported a wrong number.
        let end = Instant::now() + wait;
        loop {
            let change = async {
                while changes.changed().await.is_ok() {
                    if changes.borrow_and_update().sequence() > sequence {
                        return;
                    }
                }
            };
            let has_changed = tokio::select! {
                changed = timeout_at(end, change) => changed.is_ok(),
                () = self.stop.cancelled() => false,
            };
            // The match is read again even if no notice came, because notices may be lost and the browser may have lost its seat.
            let (state, role) = self.read(id, holder, watch).await?;
            // If watchers see the match with a delay, its newest log entry may still be hidden from the requesting client. The wait then
            // continues.
            if !has_changed || state.sequence() != sequence || state.public().is_none() {
                return Ok((state, role));
            }
        }
    }

    /// Appends an action of the requesting browser to a match, if the log still ends at the sequence number that the client sent. A running
    /// clock compensates a part of the measured lag of the connection, in milliseconds.
    ///
    /// For a cached match, the store is not read before the write. If the browser has lost its seat
    /// meanwhile, the write fails, because the loss is a log entry.
    pub(crate) async fn act(
        &self,
        id: &str,
        holder: Option<Holder>,
        attempt: Act,
        lag: i64,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let time = self.repository.time();
        let arrival = Arrival::new(time);
        let mut state = self.repository.load_since(id, attempt.sequence).await?;
        let mut down_until = i64::MIN;
        if let Some(setting) = state.clock().map(MatchClock::setting) {
            // The code sets `down_until` before it loads the match, so that the loaded match includes the players' time credits for all
            // downtimes up to this time. Only a downtime that is already credited may influence the time of the action.
            down_until = self.clocks.settle_for(setting).await?;
            state = self.repository.load(id).await?;
        } else if state.sequence() != attempt.sequence {
            state = self.repository.load(id).await?;
        }
        if !(state.unchanged_since()..=state.sequence()).contains(&attempt.sequence) {
            return self.resolve_conflict(state, holder, &attempt).await;
        }
        let role = role_in(&state, holder, None)?;
        let player = acting_player(&state, role)?;
        if state.hides_deal() {
            return Err(ApiError::DEAL_HIDDEN);
        }
        let kind = EntryKind::Act(canonical(&state, &attempt.action));
        let mut entry = next_entry(&state, player, kind, attempt.client_id.clone());
        if let Some(clock) = state.clock() {
            // The time for which the request waited at this server does not count against the player.
            entry.at_ms = entry.at_ms.saturating_sub(arrival.waited_ms(time)).max(down_until);
            entry.given_ms = clock.compensated(player, entry.at_ms, lag);
            if self.flag_if_late(&state, &entry).await? {
                let latest = self.repository.load(id).await?;
                return self.resolve_conflict(latest, holder, &attempt).await;
            }
        }
        if let Some(next) = self.repository.append(&state, entry, |addition| addition).await? {
            // The write of an action also stores the conditional answers to the action.
            let acted = next.actions().saturating_sub(state.actions());
            metrics::counter!("overmate_actions_total", "by" => "person").increment(acted);
            Ok((next, role))
        } else {
            let latest = self.repository.load(id).await?;
            self.resolve_conflict(latest, holder, &attempt).await
        }
    }

    /// Ends the match if an action arrives after the end of the player's thinking time, and returns whether the action is late. If the
    /// clock must first be adjusted to days off, the match does not end, and the player has to send the action again.
    async fn flag_if_late(&self, state: &MatchState, entry: &Entry) -> Result<bool, ApiError> {
        let is_late = |clock: &MatchClock| clock.is_late(entry.player, entry.at_ms, entry.given_ms);
        if !state.clock().is_some_and(is_late) {
            return Ok(false);
        }
        // Before the player loses on time, the clock is paused or resumed for their days off. A server may have died after it had stored
        // days off, and before it had adjusted the clock.
        if settle_absence(&self.repository, state.id()).await? {
            return Ok(true);
        }
        // The code ignores whether the method `flag` has ended the match, because the caller loads the match again anyway. The match does
        // not end if another log entry, such as a time credit, was appended first.
        self.repository.flag(state).await?;
        Ok(true)
    }

    /// Decides whether an action that does not follow the latest log entry succeeds or gets a conflict error. The action succeeds if the
    /// request is a repetition, whose log entry already exists.
    async fn resolve_conflict(
        &self,
        state: Arc<MatchState>,
        holder: Option<Holder>,
        attempt: &Act,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let role = role_in(&state, holder, None)?;
        let kind = EntryKind::Act(canonical(&state, &attempt.action));
        let is_same = |known: &EntryKind| *known == kind;
        let client_id = &attempt.client_id;
        let earlier = self.repository.earlier_entry(state.id(), role, client_id, is_same).await?;
        if earlier.is_some() {
            return Ok((state, role));
        }
        Err(ApiError::Conflict(Box::new(show::matches::view(&state, role, 0))))
    }

    /// Returns the requesting person if they would abandon a rated match by a resignation, and `None` for any other resignation. Without a
    /// limit on such resignations, a player could resign one match after another until they like the deal.
    pub(crate) async fn abandoned_by(
        &self,
        id: &str,
        holder: Option<Holder>,
        who: Option<Player>,
    ) -> Result<Option<Holder>, ApiError> {
        let state = self.repository.load(id).await?;
        let (Role::Player(player), Some(person)) = (role_in(&state, holder, None)?, holder) else {
            return Ok(None);
        };
        // A player may not resign for the opponent. Such a resignation is refused later, and is not counted.
        if who.is_some_and(|who| who != player) || !state.would_be_abandoned_by(player) {
            return Ok(None);
        }
        // The server counts a player's resignations by the identity of the person. Neither a new handle nor a new password changes this
        // identity. The revocation of the account's cookies by an operator changes it, but that is rare.
        Ok(Some(person))
    }

    /// Ends a match by the resignation of the player for whom the requesting browser acts.
    pub(crate) async fn resign(
        &self,
        id: &str,
        holder: Option<Holder>,
        who: Option<Player>,
        client_id: &str,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let entry_of = |state: &MatchState, role: Role| {
            let player = match (role, who) {
                (Role::Both, Some(player)) | (Role::Player(player), None) => player,
                (Role::Player(player), Some(who)) if player == who => player,
                (Role::Player(_), Some(_)) => {
                    return Err(ApiError::NotAllowed(
                        "the seat belongs to the other player: resign for your own seat",
                    ));
                }
                (Role::Both, None) | (Role::Spectator, _) => acting_player(state, role)?,
            };
            Ok(Some((player, EntryKind::Resign)))
        };
        let is_same = |kind: &EntryKind| *kind == EntryKind::Resign;
        self.repository.append_to_latest(id, holder, client_id, is_same, entry_of).await
    }

    /// Asks the opponent for a pause of the clocks or, during a pause, for the end of the pause. The pause begins or ends
    /// when both players have asked. The operation is idempotent.
    pub(crate) async fn pause(
        &self,
        id: &str,
        holder: Option<Holder>,
        client_id: &str,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let time = self.repository.time();
        let arrival = Arrival::new(time);
        // The server credits players for server downtime before it appends a request for a pause of the clocks to the log. Time before the
        // last log entry of a match cannot be credited.
        let down_until = self.clocks.settle_for_pause().await?;
        let entry_of = |state: &MatchState, role: Role| {
            if state.result().is_some() {
                return Err(ApiError::MatchOver);
            }
            let (Role::Player(player), Some(clock)) = (role, state.clock()) else {
                return Err(NO_PAUSE);
            };
            if state.info().is_of_event() {
                return Err(ApiError::NotAllowed(
                    "the other players of the event wait for the end of the match, so that its clocks do not pause: play on or resign",
                ));
            }
            if !clock.may_pause() {
                return Err(NO_PAUSE);
            }
            let now = state.now_ms();
            if clock.paused_until(now).is_none() {
                refuse_full(state)?;
            }
            Ok((!clock.has_asked(player, now)).then_some((player, EntryKind::Pause)))
        };
        let is_same = |kind: &EntryKind| *kind == EntryKind::Pause;
        let at = |state: &MatchState, now: i64| {
            let arrived = now.saturating_sub(arrival.waited_ms(time));
            let wanted = state.clock().map_or(arrived, |clock| clock.pause_asked_at(arrived, now));
            // In the log, a request for a pause of the clocks is never earlier than the end of the last server downtime that was credited
            // to live clocks. This downtime may have begun after the arrival of the request.
            wanted.max(down_until)
        };
        self.repository.append_to_latest_at(id, holder, client_id, at, is_same, entry_of).await
    }

    /// Takes back the last action, in the current game, of the player for whom the requesting browser acts.
    ///
    /// The server refuses the undo while the browser plays the same deal in a match without help.
    /// The undo would let the player try out actions for that match.
    pub(crate) async fn undo(
        &self,
        id: &str,
        holder: Option<Holder>,
        client_id: &str,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let running = RunningDeals::of(&self.repository, holder).await?;
        let entry_of = |state: &MatchState, role: Role| {
            if state.is_without_help() {
                return Err(ApiError::NotAllowed(
                    "an undo is not possible between two people, with clocks, and on a deal of the day or week: play against the computer without clocks",
                ));
            }
            if state.result().is_some() {
                return Err(ApiError::MatchOver);
            }
            if running.contain_game(state.play().current()) {
                return Err(ApiError::MatchRunning(
                    "you are playing this deal without help in another match: finish that round before you take an action back here",
                ));
            }
            let player = state.undone_by(role).ok_or(ApiError::NothingToUndo)?;
            refuse_full(state)?;
            if state.has_all_undos() {
                return Err(ApiError::MatchFull(
                    "the game accepts no more undos: play on or resign",
                ));
            }
            Ok(Some((player, EntryKind::Undo)))
        };
        let is_same = |kind: &EntryKind| *kind == EntryKind::Undo;
        self.repository.append_to_latest(id, holder, client_id, is_same, entry_of).await
    }

    /// Offers a rematch to the other player, or accepts the other player's offer and creates the new match. Against the computer,
    /// and if one browser has both seats, the rematch begins at once.
    pub(crate) async fn rematch(
        &self,
        id: &str,
        holder: Option<Holder>,
        client_id: &str,
        client: Client,
    ) -> Result<(Arc<MatchState>, Role), ApiError> {
        let attempt = async |state: Arc<MatchState>| {
            let role = role_in(&state, holder, None)?;
            let player = match role {
                Role::Player(player) => player,
                Role::Both => Player::A,
                Role::Spectator => return Err(ApiError::NotAPlayer),
            };
            let next = self.try_rematch(state, role, player, client_id, client).await?;
            Ok(next.map(|next| (next, role)))
        };
        self.repository.retry(id, attempt).await
    }

    async fn try_rematch(
        &self,
        state: Arc<MatchState>,
        role: Role,
        player: Player,
        client_id: &str,
        client: Client,
    ) -> Result<Option<Arc<MatchState>>, ApiError> {
        if state.result().is_none() {
            return Err(ApiError::MatchRunning(
                "a rematch can be offered only after the end of the match: finish the match first",
            ));
        }
        let is_same = |kind: &EntryKind| matches!(kind, EntryKind::Offer | EntryKind::Accept(_));
        let earlier = self.repository.earlier_entry(state.id(), role, client_id, is_same).await?;
        if state.rematch().is_some() || earlier.is_some() {
            return Ok(Some(state));
        }
        if state.info().is_of_event() {
            return Err(ApiError::NotAllowed(
                "the event pairs its players, and has no rematches: create a new match",
            ));
        }
        if state.info().shared_deal.is_some() {
            return Err(ApiError::NotAllowed(
                "a deal of the day or week is played once: create a new match",
            ));
        }
        if state.open_seat().is_some() {
            return Err(ApiError::NotAllowed(
                "nobody has joined the match, and a rematch needs two players: create a new match",
            ));
        }
        if state.has_deleted_seat() {
            return Err(ApiError::NotAllowed(
                "a rematch needs two players, and the other player has erased their data: create a new match",
            ));
        }
        if state.info().rated
            && let Occupant::Holder(person) = state.seats()[player].occupant
        {
            check_open(self.repository.store(), person).await?;
            if let Occupant::Holder(other) = state.seats()[!player].occupant {
                check_opponent(self.repository.store(), other).await?;
                check_pair(&self.repository, person, other).await?;
            }
        }
        let (kind, begun) = match state.offered_by() {
            Some(offered_by) if offered_by == player => return Ok(Some(state)),
            None if state.is_between_people() => (EntryKind::Offer, None),
            Some(_) | None => {
                let mut info = plan_rematch(state.info())?;
                self.check_offered(&info)?;
                self.repository.note_network(&mut info, client);
                (EntryKind::Accept(info.id.clone()), Some(info))
            }
        };
        let entry = next_entry(&state, player, kind, client_id.to_owned());
        let begun_id = begun.as_ref().map(|info| info.id.clone());
        let next = self.repository.append(&state, entry, |a| Addition { begun, ..a }).await?;
        if let (Some(_), Some(id)) = (&next, begun_id) {
            metrics::counter!("overmate_matches_total", "opponent" => "rematch").increment(1);
            self.repository.wake_bot(&*self.repository.load(&id).await?);
        }
        Ok(next)
    }
}

/// Returns the idempotency key of a request for a new match, or `None` if the request has no client id.
fn request_of(new: &NewMatch, holder: Holder) -> Option<NewMatchRequest> {
    new.client_id.clone().map(|client_id| NewMatchRequest { holder, client_id })
}

/// Converts the text of an action to the standard notation that match logs use. An unreadable text stays unchanged.
fn canonical(state: &MatchState, text: &str) -> String {
    match state.read(text.trim()) {
        Some(action) => overmate_json::action(state.rules(), action),
        None => text.to_owned(),
    }
}
