//! Shows public matches to everybody: lists of the matches, and the state of each match.
//!
//! A match that began by an offer or a challenge is public, unless one of its players has switched watching off. A rematch of such a match
//! is public on the same condition. If the settings of the two players differ, the stricter setting applies. Watchers of a delayed match
//! see a prefix of its log while the match runs. Everything that watchers can read is computed from this prefix, so that nothing reveals
//! the later actions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderValue;
use moka::sync::Cache;
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::parse::{is_id, rule_set};
use super::repository::MatchRepository;
use crate::clock::now;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::matches::match_state::MatchState;
use crate::names::RefusedWords;
use crate::random::hexadecimal;
use crate::show;
use crate::show::matches::DELAY;
use crate::store::{
    EntryKind, Holder, PublicCursor, PublicMatch, PublicWanted, Selection, Visibility,
    VisibilityChange, Watching,
};
use crate::wire;

/// Cache lifetime of a list of public matches, and of the permission to watch a match. Within this time, all watchers share one read of the
/// store.
const FRESH: Duration = Duration::from_secs(1);

/// Maximum number of matches whose state for watchers is cached.
const SHOWN_MATCHES: u64 = 2_000;

/// Idle timeout of the cached match states for watchers.
const IDLE: Duration = Duration::from_mins(10);

/// Maximum number of matches on one page of a list of public matches.
const PAGE: u32 = 50;

/// Maximum number of lists of public matches in the cache. Each rule set has two lists, of running and of finished matches.
const LISTS: usize = 200;

/// Service that shows public matches to everybody.
pub(crate) struct WatchService {
    repository: Arc<MatchRepository>,
    solvers: Arc<SolverPool>,
    words: Arc<RefusedWords>,
    permitted: Cache<Box<str>, Option<Watching>>,
    shown: Cache<Box<str>, Arc<Shown>>,
    /// Cached first pages of the lists of public matches, by rule set and by kind of list (running or finished matches).
    lists: Mutex<HashMap<ListKey, Arc<KeptList>>>,
}

type ListKey = (Option<String>, bool);

/// First page of a list of public matches, with the time at which the page was read. A reader waits while another reader reads the
/// store.
type KeptList = tokio::sync::Mutex<Option<(Instant, Arc<PublicList>)>>;

/// Cached state of a match for watchers, without the actions that watchers may not see yet.
struct Shown {
    /// Sequence number of the full match state from which the state for watchers was computed.
    present: u64,
    watching: Watching,
    state: Arc<MatchState>,
}

/// Page of the list of public matches, serialised once for all watchers.
pub(crate) struct PublicList {
    /// JSON text of the page of public matches, in the form of [`wire::PublicMatches`].
    pub(crate) text: Bytes,
    /// Value of the HTTP header `ETag` for the page of public matches.
    pub(crate) tag: HeaderValue,
}

impl WatchService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        solvers: Arc<SolverPool>,
        words: Arc<RefusedWords>,
    ) -> Self {
        let shown = Cache::builder().max_capacity(SHOWN_MATCHES).time_to_idle(IDLE).build();
        let permitted = Cache::builder().max_capacity(SHOWN_MATCHES).time_to_live(FRESH).build();
        Self { repository, solvers, words, permitted, shown, lists: Mutex::default() }
    }

    /// Returns the match state that watchers of a public match may see now.
    pub(crate) async fn shown(&self, state: &Arc<MatchState>) -> Result<Arc<MatchState>, ApiError> {
        const NOT_FOUND: ApiError = ApiError::NotFound("match");
        let id = state.id();
        if !state.info().public || state.has_deleted_seat() {
            return Err(NOT_FOUND);
        }
        let watching = self.permission(id).await?.ok_or(NOT_FOUND)?;
        let kept = self.shown.get(id).filter(|kept| kept.watching == watching);
        if let Some(kept) = &kept
            && kept.present >= state.sequence()
        {
            return Ok(Arc::clone(&kept.state));
        }
        let made = if watching == Watching::Delayed && state.result().is_none() {
            self.earlier(state, kept.map(|kept| Arc::clone(&kept.state))).await?
        } else {
            (**state).clone()
        };
        let made = Arc::new(made.shown_to_all(watching));
        let (present, shown) = (state.sequence(), Arc::clone(&made));
        let kept = Arc::new(Shown { present, watching, state: shown });
        self.shown.insert(id.into(), kept);
        Ok(made)
    }

    /// Returns the permission to watch a match, or `None` if the match is not public. The permission was read at most [`FRESH`]
    /// ago.
    async fn permission(&self, id: &str) -> Result<Option<Watching>, ApiError> {
        if let Some(known) = self.permitted.get(id) {
            return Ok(known);
        }
        let watching = self.repository.store().public_watching(id).await?;
        self.permitted.insert(id.into(), watching);
        Ok(watching)
    }

    /// Returns the state of a running match that watchers may see: the state before the latest actions, which are still hidden. The number
    /// of these actions is [`DELAY`]. The replay starts from `kept`, the cached state for watchers, or from the beginning of the match.
    async fn earlier(
        &self,
        state: &MatchState,
        kept: Option<Arc<MatchState>>,
    ) -> Result<MatchState, ApiError> {
        let base = match kept {
            Some(kept) => (*kept).clone().with_info(Arc::clone(state.info())),
            None => self.repository.begun(Arc::clone(state.info()))?,
        };
        let entries = self.repository.store().entries(state.id(), base.sequence()).await?;
        let mut entries = entries.ok_or(ApiError::NotFound("match"))?;
        entries.retain(|entry| entry.sequence <= state.sequence());
        let places = entries.iter().enumerate();
        let actions = places.filter(|(_, entry)| matches!(entry.kind, EntryKind::Act(_)));
        let actions: Vec<usize> = actions.map(|(index, _)| index).collect();
        let first_hidden = actions.len().saturating_sub(usize::from(DELAY));
        // If none of the log entries that the server has just read is an action, watchers may see all of these entries.
        let first_hidden = actions.get(first_hidden).copied().unwrap_or(entries.len());
        entries.truncate(first_hidden);
        base.replay(&entries).map_err(ApiError::internal)
    }

    /// Returns a page of the list of running or of finished public matches. The first page is at most a second old. For later pages, the
    /// replay of long logs counts for the share of the client in the processors. The first page needs no such permit, because all watchers
    /// wait for its one reader.
    pub(crate) async fn list(
        &self,
        rules: Option<&str>,
        is_finished: bool,
        after: Option<&str>,
        client: Client,
    ) -> Result<Arc<PublicList>, ApiError> {
        let rules = rules.map(rule_set).transpose()?.map(|rules| rules.name().to_owned());
        if let Some(after) = after {
            let after = Some(cursor_of(after)?);
            let wanted = PublicWanted { rules, is_finished, after, limit: PAGE };
            return self.read(wanted, Some(client)).await.map(Arc::new);
        }
        let kept = {
            let mut lists = self.lists();
            if lists.len() >= LISTS {
                lists.clear();
            }
            Arc::clone(lists.entry((rules.clone(), is_finished)).or_default())
        };
        let mut kept = kept.lock().await;
        if let Some((at, list)) = &*kept
            && at.elapsed() < FRESH
        {
            return Ok(Arc::clone(list));
        }
        let begin = Instant::now();
        let wanted = PublicWanted { rules, is_finished, after: None, limit: PAGE };
        let list = Arc::new(self.read(wanted, None).await?);
        *kept = Some((begin, Arc::clone(&list)));
        Ok(list)
    }

    async fn read(
        &self,
        wanted: PublicWanted,
        client: Option<Client>,
    ) -> Result<PublicList, ApiError> {
        let is_finished = wanted.is_finished;
        let page = self.repository.store().public_matches(wanted).await?;
        let ids: Vec<String> = page.matches.iter().map(|found| found.id.clone()).collect();
        let selection = Selection::Ids(ids);
        let states = match client {
            _ if page.matches.is_empty() => Vec::new(),
            Some(client) => self.repository.list_for(selection, &self.solvers, client).await?,
            None => self.repository.list(selection).await?,
        };
        let states: HashMap<&str, &Arc<MatchState>> =
            states.iter().map(|state| (state.id(), state)).collect();
        let shown = page.matches.iter().filter_map(|found: &PublicMatch| {
            let state = states.get(&*found.id)?;
            // A match in the list of running matches may have ended since the server read the list.
            let is_wanted = state.result().is_some() == is_finished && !state.is_abandoned();
            is_wanted.then(|| show::watching::public_match(state, found, |name| self.clean(name)))
        });
        let next = page.next.map(|PublicCursor { at, id }| format!("{at}-{id}"));
        let list = wire::PublicMatches { matches: shown.collect(), next };
        let text = serde_json::to_vec(&list).map_err(ApiError::internal)?;
        let hash = Sha256::digest(&text);
        let tag = format!("\"{}\"", hexadecimal(hash.get(..12).unwrap_or_default()));
        let tag = HeaderValue::from_str(&tag).map_err(ApiError::internal)?;
        Ok(PublicList { text: text.into(), tag })
    }

    /// Returns the display name of a player, or `None` if the operator's word list now refuses the name.
    fn clean(&self, name: Option<&str>) -> Option<String> {
        self.words.check(name).unwrap_or_default()
    }

    /// Returns a person's visibility settings: who may watch their matches and see their presence.
    pub(crate) async fn visibility(&self, person: Option<Holder>) -> Result<Visibility, ApiError> {
        match person {
            Some(person) => Ok(self.repository.store().visibility(person).await?),
            None => Ok(Visibility::default()),
        }
    }

    /// Replaces a person's visibility settings. This server obeys the new setting at once, and other servers within a second.
    pub(crate) async fn set_visibility(
        &self,
        person: Holder,
        visibility: Visibility,
    ) -> Result<(), ApiError> {
        let change = VisibilityChange { person, visibility, at: now() };
        self.repository.store().set_visibility(change).await?;
        self.permitted.invalidate_all();
        self.lists().clear();
        Ok(())
    }

    fn lists(&self) -> MutexGuard<'_, HashMap<ListKey, Arc<KeptList>>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Parses the pagination cursor of a list of public matches. The response with an earlier page holds the cursor in the field `next`.
fn cursor_of(text: &str) -> Result<PublicCursor, ApiError> {
    let parts = text.split_once('-').filter(|(_, id)| is_id(id));
    let place = parts.and_then(|(at, id)| Some((at.parse().ok()?, id)));
    let (at, id) = place.ok_or_else(|| {
        ApiError::bad_request(
            "after: the value is not valid: give the value `next` of an earlier page of the list",
        )
    })?;
    Ok(PublicCursor { at, id: id.to_owned() })
}
