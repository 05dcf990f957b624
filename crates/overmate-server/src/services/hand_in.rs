//! Accepts matches played offline in the web client, replays them by the rules, and stores them with their logs.

use std::sync::Arc;

use overmate_bots::BuiltIn;
use overmate_json::{OwnEntry, OwnMatch};
use overmate_rules::{ByPlayer, Player, RuleSet, error_with_causes};

use super::parse::{numbered_deal, rule_set};
use super::repository::MatchRepository;
use crate::clock::{now, seconds_of};
use crate::computing::compute::Class;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::MatchState;
use crate::names::RefusedWords;
use crate::random::random_id;
use crate::store::{
    Appended, Entry, EntryKind, Holder, MatchInfo, NewMatchRequest, Occupant, SeatInfo,
};

/// Error text for an id that the person has already used for another match.
const OTHER_MATCH: &str = "id: you have created or handed in another match with this id, so that this match is refused: give each match an id of its own";

/// Service that accepts matches played offline in the web client against computer opponents.
pub(crate) struct HandInService {
    repository: Arc<MatchRepository>,
    solvers: Arc<SolverPool>,
    words: Arc<RefusedWords>,
}

impl HandInService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        solvers: Arc<SolverPool>,
        words: Arc<RefusedWords>,
    ) -> Self {
        Self { repository, solvers, words }
    }

    /// Returns the stored match from an earlier submission of the given offline match, or `None` without an earlier submission. Another
    /// match under the same id is refused.
    pub(crate) async fn find(
        &self,
        own: &Arc<OwnMatch>,
        holder: Holder,
        client: Client,
    ) -> Result<Option<Arc<MatchState>>, ApiError> {
        let store = self.repository.store();
        let Some(id) = store.created_by(&request_of(own, holder)).await? else { return Ok(None) };
        let state = self.repository.load(&id).await?;
        let log = store.entries(&id, 0).await?.ok_or(ApiError::NotFound("match"))?;
        let permit = self.solvers.permit(Class::Cheap, client).await?;
        let (own, stored) = (Arc::clone(own), Arc::clone(&state));
        if permit.run(move || is_same(&own, &stored, &log)).await? {
            Ok(Some(state))
        } else {
            Err(ApiError::bad_request(OTHER_MATCH))
        }
    }

    /// Replays a submitted offline match by the rules, and stores the match with its whole log. The match is marked as played offline,
    /// and is never rated.
    pub(crate) async fn hand_in(
        &self,
        own: &Arc<OwnMatch>,
        holder: Holder,
        client: Client,
    ) -> Result<Arc<MatchState>, ApiError> {
        let (mut info, opponent) = self.plan(own, holder)?;
        self.repository.note_network(&mut info, client);
        let permit = self.solvers.permit(Class::Cheap, client).await?;
        let (replayed, shared) = (Arc::clone(own), Arc::new(info));
        let begun = self.repository.begun(Arc::clone(&shared))?;
        let log = permit.run(move || replay(&replayed, begun)).await??;
        let request = request_of(own, holder);
        let stored = self.repository.store().hand_in((*shared).clone(), request, log).await?;
        self.repository.refuse_over_quota(stored)?;
        if stored == Appended::Conflict {
            // Another tab of the browser has submitted the match at the same time.
            let found = self.find(own, holder, client).await?;
            return found.ok_or_else(|| {
                ApiError::busy("another request removed the submitted offline match")
            });
        }
        metrics::counter!("overmate_matches_total", "opponent" => opponent).increment(1);
        self.repository.load(&shared.id).await
    }

    /// Returns the metadata of a submitted offline match, and the metric label of its computer opponent.
    fn plan(&self, own: &OwnMatch, holder: Holder) -> Result<(MatchInfo, &'static str), ApiError> {
        let rules = rule_set(&own.rules)?;
        if own.deals.len() != usize::from(rules.rounds()) {
            return Err(ApiError::bad_request(format!(
                "deals: the rule set has {} rounds: send one deal for each round",
                rules.rounds()
            )));
        }
        let deals = deals_of(own, &rules)?;
        let opponent: BuiltIn = own.opponent.parse().map_err(ApiError::bad_request)?;
        let seed = own.seed.parse().map_err(|_| {
            ApiError::bad_request(
                "seed: the seed is not a whole number below 2^64: send digits only",
            )
        })?;
        let began_at = seconds_of(&own.created_at).ok_or_else(|| {
            ApiError::bad_request(
                "created_at: the time is not in the form of RFC 3339: send a time such as 2026-11-22T09:30:00Z",
            )
        })?;
        // If the server refuses the person's name, the match is stored without a name. After the end of a match, the person can no longer
        // change the name.
        let name = self.words.check(own.name.as_deref()).unwrap_or(None);
        let person = SeatInfo::new(name, Occupant::Holder(holder));
        let computer = SeatInfo::new(None, Occupant::Bot(opponent.into(), seed));
        let seats = match Player::from(own.you) {
            Player::A => ByPlayer { a: person, b: computer },
            Player::B => ByPlayer { a: computer, b: person },
        };
        let now = now();
        let info = MatchInfo {
            id: random_id()?,
            rules: rules.name().to_owned(),
            deals,
            watch: random_id()?,
            invitation: None,
            created_at: now,
            shared_deal: None,
            deal_chosen: own.deal_chosen,
            network: None,
            clock: None,
            rated: false,
            public: false,
            // A start time in the future is replaced by the present time, because the clock of the player's device may be wrong.
            played_at: Some(began_at.min(now)),
            seats,
        };
        let opponent = match opponent {
            BuiltIn::Level(_) => "level",
            BuiltIn::Perfect => "perfect",
        };
        Ok((info, opponent))
    }
}

/// Returns the idempotency key of a request that submits an offline match.
fn request_of(own: &OwnMatch, holder: Holder) -> NewMatchRequest {
    NewMatchRequest { holder, client_id: own.id.clone() }
}

/// Returns the canonical numbers of the deals of a submitted offline match. Deals that differ only by identical cards have one canonical
/// number.
fn deals_of(own: &OwnMatch, rules: &Arc<RuleSet>) -> Result<Vec<u64>, ApiError> {
    own.deals.iter().map(|deal| Ok(numbered_deal(rules, deal)?.number())).collect()
}

/// Converts an entry of a submitted offline match to the kind of the corresponding log entry. The text of an action is converted to the
/// notation of match logs. An unreadable text stays unchanged.
fn kind_of(rules: &RuleSet, entry: &OwnEntry) -> EntryKind {
    match entry {
        OwnEntry::Act(text) => EntryKind::Act(
            rules
                .read_action(text)
                .map_or_else(|_| text.clone(), |action| overmate_json::action(rules, action)),
        ),
        OwnEntry::Undo => EntryKind::Undo,
        OwnEntry::Hint => EntryKind::Hint,
        OwnEntry::Resign => EntryKind::Resign,
    }
}

/// Replays a submitted offline match by the rules. Returns the log of the match, or the fault of the first entry that is not
/// allowed.
fn replay(own: &OwnMatch, mut state: MatchState) -> Result<Vec<Entry>, ApiError> {
    let person = Player::from(own.you);
    let at_ms = 1_000 * state.info().created_at;
    let mut log = Vec::with_capacity(own.entries.len());
    for (sequence, entry) in (1..).zip(&own.entries) {
        let faulty = |reason: &str| {
            ApiError::bad_request(format!("entries: entry {sequence} is not allowed: {reason}"))
        };
        let Some(to_act) = state.to_act() else {
            return Err(faulty(
                "the match ended before this entry: send no entries after the end of the match",
            ));
        };
        // The limits of a match on the server hold for undos and hints, so that no browser stores a longer log by a hand-in.
        if matches!(entry, OwnEntry::Undo | OwnEntry::Hint) && state.is_full() {
            return Err(faulty("a match of this length takes no more undos and hints"));
        }
        if *entry == OwnEntry::Undo && state.has_all_undos() {
            return Err(faulty("the game takes no more undos"));
        }
        let player = match entry {
            OwnEntry::Act(_) => to_act,
            OwnEntry::Hint if to_act != person => {
                return Err(faulty("the person gets a hint only when they are to act"));
            }
            OwnEntry::Undo | OwnEntry::Hint | OwnEntry::Resign => person,
        };
        let kind = kind_of(state.rules(), entry);
        // The log entries of a submitted offline match have an empty client id. The whole log comes with one request, whose client id is
        // the id of the match.
        let client_id = String::new();
        let next = Entry { sequence, player, kind, client_id, at_ms, given_ms: 0 };
        state = state.apply(&next).map_err(|error| faulty(&error_with_causes(&error)))?;
        log.push(next);
    }
    if state.result().is_none() {
        return Err(ApiError::MatchRunning(
            "the match is not over: finish it before you hand it in",
        ));
    }
    Ok(log)
}

/// Returns whether a stored match equals the submitted offline match. The stored log may have later entries, such as a rematch.
fn is_same(own: &OwnMatch, state: &MatchState, log: &[Entry]) -> bool {
    let info = state.info();
    let Ok(rules) = rule_set(&own.rules) else { return false };
    let (Ok(deals), Ok(opponent), Ok(seed)) =
        (deals_of(own, &rules), own.opponent.parse(), own.seed.parse())
    else {
        return false;
    };
    let (played, later) = log.split_at(own.entries.len().min(log.len()));
    let computer = !Player::from(own.you);
    let is_later = |entry: &Entry| {
        matches!(
            entry.kind,
            EntryKind::Offer | EntryKind::Accept(_) | EntryKind::Leave | EntryKind::Operator
        )
    };
    info.is_offline()
        && info.rules == rules.name()
        && info.deals == deals
        && info.deal_chosen == own.deal_chosen
        && info.seats[computer].occupant == Occupant::Bot(opponent, seed)
        && played.len() == own.entries.len()
        && played.iter().zip(&own.entries).all(|(a, b)| a.kind == kind_of(&rules, b))
        && later.iter().all(is_later)
}
