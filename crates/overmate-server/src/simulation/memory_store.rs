//! Implements an in-memory store of matches, for tests. This store passes the same conformance suite as the databases.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use overmate_rules::{ByPlayer, Player};

use super::memory_absences::AbsenceTables;
use super::memory_bots::BotTables;
use super::memory_clocks::Clocks;
use super::memory_counts::Counts;
use super::memory_events::EventTables;
use super::memory_leases::Leases;
use super::memory_link::Link;
use super::memory_lobby::Offers;
use super::memory_match::{StoredMatch, holder_of};
use super::memory_people::PeopleTables;
use super::memory_push::{self, PushTables};
use super::memory_puzzles::Puzzles;
use super::memory_ratings::{self, RatingTables};
use super::memory_relations::RelationTables;
use super::memory_reports::ReportTables;
use super::memory_talk::TalkTables;
use super::memory_visibility::VisibilityTables;
use crate::rating::glicko2::Rating;
use crate::settings::Limits;
use crate::shared_deal::SharedDealKey;
use crate::store::{
    Addition, Appended, Attempt, Counted, CountedAttempt, Deadline, Entry, EntryKind, Holder,
    Listed, Logs, MatchInfo, NewMatchRequest, Occupant, PuzzleCounts, Quota, SeatInfo, SeatTaken,
    SeatText, Selection, SharedDealMatch, Standing, Store, StoreError, StoreFuture, TriedPuzzles,
    Unfinished, match_of,
};

/// Data tables of the in-memory store, which all simulated servers share.
pub(crate) struct Tables {
    pub(super) limits: Limits,
    pub(super) matches: BTreeMap<String, StoredMatch>,
    pub(super) puzzles: Puzzles,
    pub(super) leases: Leases,
    counts: Counts,
    pub(super) clocks: Clocks,
    pub(super) people: PeopleTables,
    pub(super) absences: AbsenceTables,
    pub(super) bots: BotTables,
    pub(super) offers: Offers,
    pub(super) events: EventTables,
    pub(super) push: PushTables,
    pub(super) ratings: RatingTables,
    pub(super) relations: RelationTables,
    pub(super) reports: ReportTables,
    pub(super) talk: TalkTables,
    pub(super) visibility: VisibilityTables,
    /// Number of servers that have been connected to the in-memory store. A new server gets its id from this number.
    servers: u32,
}

/// In-memory store of one simulated server. The store accesses, over a simulated network link, the tables that all servers share.
pub(crate) struct MemoryStore<L> {
    tables: Arc<Mutex<Tables>>,
    link: L,
    /// Id of this server in the leases of background work.
    server: u32,
    is_retired: AtomicBool,
    is_closed: AtomicBool,
}

impl Tables {
    pub(crate) fn new(limits: &Limits) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            limits: *limits,
            matches: BTreeMap::new(),
            puzzles: Puzzles::default(),
            leases: Leases::new(),
            counts: Counts::default(),
            clocks: Clocks::default(),
            people: PeopleTables::default(),
            absences: AbsenceTables::default(),
            bots: BotTables::default(),
            offers: Offers::default(),
            events: EventTables::default(),
            push: PushTables::default(),
            ratings: RatingTables::default(),
            relations: RelationTables::default(),
            reports: ReportTables::default(),
            talk: TalkTables::default(),
            visibility: VisibilityTables::default(),
            servers: 0,
        }))
    }

    /// Returns the maximum number of days off of a person in a calendar year.
    pub(super) fn days_off(&self) -> u32 {
        self.limits.days_off
    }

    /// Returns the logs of all matches in the in-memory store, each with the id of its match.
    pub(crate) fn logs(&self) -> impl Iterator<Item = (&str, &[Entry])> {
        self.matches.iter().map(|(id, stored)| (id.as_str(), &*stored.log))
    }

    pub(super) fn sequence(&self, id: &str) -> u64 {
        self.matches.get(id).map_or(0, |stored| stored.log.len() as u64)
    }

    /// Returns the matches in which a browser identity holds a seat.
    pub(super) fn of(&self, holder: Holder) -> impl Iterator<Item = &StoredMatch> {
        self.matches.values().filter(move |stored| stored.is_held_by(holder))
    }

    pub(super) fn created_by(&self, request: &NewMatchRequest) -> Option<String> {
        let is_created = |stored: &&StoredMatch| stored.request.as_ref() == Some(request);
        let created = self.matches.values().filter(is_created);
        // Two browsers may have created matches with the same client id before they were linked to one person. The latest match counts.
        let newest = created.min_by_key(|stored| (-stored.info.created_at, &stored.info.id))?;
        Some(newest.info.id.clone())
    }

    pub(super) fn full_quota(&self, holder: Holder) -> Option<Quota> {
        let unfinished = self.of(holder).filter(|stored| stored.ended_at.is_none()).count();
        let is_reached =
            |count: usize, most: Option<u32>| most.is_some_and(|most| count >= most as usize);
        if is_reached(unfinished, self.limits.unfinished_matches) {
            return Some(Quota::Unfinished);
        }
        self.kept_quota(holder)
    }

    fn kept_quota(&self, holder: Holder) -> Option<Quota> {
        let most = self.limits.kept_matches?;
        (self.of(holder).count() >= most as usize).then_some(Quota::Kept)
    }

    fn full_quota_of(&self, info: &MatchInfo) -> Option<Quota> {
        let holders = Player::BOTH.into_iter().filter_map(|player| holder_of(info, player));
        holders.into_iter().find_map(|holder| self.full_quota(holder))
    }

    fn create(
        &mut self,
        info: MatchInfo,
        request: Option<NewMatchRequest>,
        log: Vec<Entry>,
        server: Option<u32>,
    ) -> Appended {
        if request.as_ref().is_some_and(|request| self.created_by(request).is_some()) {
            return Appended::Conflict;
        }
        let ended_at = log.last().map(Entry::at);
        let mut holders = Player::BOTH.into_iter().filter_map(|player| holder_of(&info, player));
        let quota = match ended_at {
            None => self.full_quota_of(&info),
            Some(_) => holders.find_map(|holder| self.kept_quota(holder)),
        };
        if let Some(quota) = quota {
            return Appended::Full(quota);
        }
        let id = info.id.clone();
        self.insert(info, request, server);
        if let (Some(_), Some(stored)) = (ended_at, self.matches.get_mut(&id)) {
            (stored.log, stored.ended_at, stored.folded) = (log, ended_at, true);
            self.leases.end(&id);
        }
        Appended::Stored
    }

    pub(super) fn insert(
        &mut self,
        mut info: MatchInfo,
        request: Option<NewMatchRequest>,
        server: Option<u32>,
    ) {
        self.people.settle(&mut info);
        let id = info.id.clone();
        if info.has_bot() {
            self.leases.hold(id.clone(), server);
        }
        let texts = ByPlayer::new_with(|_| SeatText::default());
        let log = Vec::new();
        let stored = StoredMatch { info, request, log, ended_at: None, folded: false, texts };
        self.matches.insert(id, stored);
    }

    pub(super) fn append(&mut self, addition: Addition, server: Option<u32>) -> Appended {
        if memory_ratings::begins_too_many(self, &addition) {
            return Appended::Full(Quota::RatedPair);
        }
        let Addition { id, entry, followed_by, answers, .. } = addition;
        let Addition { ends, computer_acts, deadline, rated, taken, begun, .. } = addition;
        let quota = taken.as_ref().and_then(|taken| self.full_quota(taken.holder));
        if let Some(quota) = quota.or_else(|| self.full_quota_of(begun.as_ref()?)) {
            return Appended::Full(quota);
        }
        let Some(stored) = self.matches.get_mut(&id) else { return Appended::Conflict };
        let is_next = entry.sequence == stored.log.len() as u64 + 1;
        let is_new = stored.log.iter().all(|known| known.client_id != entry.client_id);
        let is_free = taken.as_ref().is_none_or(|taken| {
            stored.info.seats[taken.player].occupant == Occupant::Open
                && !self.people.accounts.of_person(taken.holder).is_some_and(|own| own.is_bot)
        });
        let are_same = answers.as_ref().is_none_or(|read| stored.has_answers(read));
        if !is_next || !is_new || !is_free || !are_same {
            return Appended::Conflict;
        }
        if let Some(SeatTaken { player, holder, name, .. }) = taken {
            stored.info.seats[player] = SeatInfo::new(name, Occupant::Holder(holder));
            self.people.settle(&mut stored.info);
        }
        if entry.kind == EntryKind::Leave {
            let left = holder_of(&stored.info, entry.player);
            if stored.request.as_ref().is_some_and(|request| Some(request.holder) == left) {
                stored.request = None;
            }
            let seat = SeatInfo::new(None, Occupant::Deleted);
            stored.info.seats[entry.player] = seat;
            stored.texts[entry.player] = SeatText::default();
            self.ratings.leave(&id, Some(entry.player));
            self.talk.remove(&id, Some(entry.player));
        }
        if let Some(read) = answers {
            stored.forget_answers(|player| !read[player].stay);
        }
        if ends {
            stored.ended_at = Some(entry.at());
            stored.forget_answers(|_| true);
        }
        if let Some(end) = rated {
            self.ratings.settle(&self.people.accounts, &id, &end, entry.at());
        }
        let (kind, at) = (entry.kind.clone(), entry.at());
        stored.log.push(entry);
        stored.log.extend(followed_by);
        if let Some(deadline) = deadline {
            self.clocks.append(&id, deadline);
        }
        match computer_acts {
            Some(true) => self.leases.hold(id, server),
            Some(false) => drop(self.leases.end(&id)),
            None => memory_push::announce(self, &id, &kind),
        }
        if let Some(info) = begun {
            memory_push::begin_rematch(self, info, server, at);
        }
        Appended::Stored
    }

    pub(super) fn remove(&mut self, id: &str, sequence: u64) -> Appended {
        if !self.matches.contains_key(id) || self.sequence(id) != sequence {
            return Appended::Conflict;
        }
        self.matches.remove(id);
        self.ratings.leave(id, None);
        self.talk.remove(id, None);
        self.leases.end(id);
        self.clocks.set(id, Deadline(None));
        Appended::Stored
    }
}

/// Returns a temporary store error, after which the caller may retry the operation.
pub(crate) fn busy(cause: &'static str) -> StoreError {
    StoreError::Busy(Arc::from(Box::<dyn Error + Send + Sync>::from(cause)))
}

impl<L: Link> MemoryStore<L> {
    /// Returns an in-memory store for a new server. The store reaches the shared tables over a connection that a test can cut.
    pub(crate) fn new(tables: Arc<Mutex<Tables>>, link: L) -> Self {
        let server = {
            let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.servers += 1;
            tables.servers
        };
        Self {
            tables,
            link,
            server,
            is_retired: AtomicBool::default(),
            is_closed: AtomicBool::default(),
        }
    }

    /// Returns the id of this server in the leases of background work, or `None` after the server has retired.
    pub(super) fn server(&self) -> Option<u32> {
        (!self.is_retired.load(Ordering::Relaxed)).then_some(self.server)
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes an operation, over a simulated network link, on the tables that all servers share. Returns the result of the operation.
    pub(super) fn call<'a, T: Send + 'a>(
        &'a self,
        operation: impl FnOnce(&mut Tables) -> T + Send + 'a,
    ) -> StoreFuture<'a, T> {
        async move {
            self.link.pass().await?;
            let answer = operation(&mut self.tables());
            self.link.pass().await?;
            Ok(answer)
        }
        .boxed()
    }

    /// Executes a write, over a simulated network link, on the tables that all servers share. Returns the result of the write. A
    /// closed store refuses the write.
    pub(super) fn write<'a>(
        &'a self,
        write: impl FnOnce(&mut Tables) -> Appended + Send + 'a,
    ) -> StoreFuture<'a, Appended> {
        if self.is_closed.load(Ordering::Relaxed) {
            return async { Err(busy("the store is closed")) }.boxed();
        }
        self.call(write)
    }
}

impl<L: Link> Store for MemoryStore<L> {
    fn create(
        &self,
        new: MatchInfo,
        request: Option<NewMatchRequest>,
    ) -> StoreFuture<'_, Appended> {
        let server = self.server();
        self.write(move |tables| tables.create(new, request, Vec::new(), server))
    }

    fn hand_in(
        &self,
        new: MatchInfo,
        request: NewMatchRequest,
        log: Vec<Entry>,
    ) -> StoreFuture<'_, Appended> {
        let server = self.server();
        self.write(move |tables| tables.create(new, Some(request), log, server))
    }

    fn created_by<'a>(&'a self, request: &'a NewMatchRequest) -> StoreFuture<'a, Option<String>> {
        self.call(|tables| tables.created_by(request))
    }

    fn info<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<MatchInfo>> {
        self.call(|tables| tables.matches.get(id).map(|stored| stored.info.clone()))
    }

    fn entries<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Option<Vec<Entry>>> {
        self.call(move |tables| {
            let log = &tables.matches.get(id)?.log;
            Some(log.iter().filter(|entry| entry.sequence > after).cloned().collect())
        })
    }

    fn entries_of(&self, matches: Vec<(String, u64)>) -> StoreFuture<'_, Logs> {
        self.call(|tables| {
            let of = |(id, after): (String, u64)| {
                let log = tables.matches.get(&id)?.log.iter();
                let later = log.filter(move |entry| entry.sequence > after).cloned();
                Some((id, Ok(later.collect())))
            };
            matches.into_iter().filter_map(of).collect()
        })
    }

    fn sequences(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, u64)>> {
        self.call(|tables| {
            let known = ids.into_iter().filter(|id| tables.matches.contains_key(id));
            known.map(|id| (id.clone(), tables.sequence(&id))).collect()
        })
    }

    fn append(&self, addition: Addition) -> StoreFuture<'_, Appended> {
        let server = self.server();
        self.write(move |tables| tables.append(addition, server))
    }

    fn entry_of_request<'a>(
        &'a self,
        id: &'a str,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<Entry>> {
        self.call(move |tables| {
            let mut log = tables.matches.get(id)?.log.iter();
            log.find(|entry| entry.client_id == client_id).cloned()
        })
    }

    fn invited_to<'a>(&'a self, invitation: &'a str) -> StoreFuture<'a, Option<String>> {
        self.call(|tables| {
            let mut matches = tables.matches.values();
            let invited =
                matches.find(|stored| stored.info.invitation.as_deref() == Some(invitation));
            invited.map(|stored| stored.info.id.clone())
        })
    }

    fn ended_on<'a>(
        &'a self,
        shared_deal: &'a str,
        rules: &'a str,
        since: i64,
    ) -> StoreFuture<'a, Vec<String>> {
        self.call(move |tables| {
            let is_on_deal = |stored: &&StoredMatch| {
                stored.info.shared_deal.as_deref() == Some(shared_deal)
                    && stored.info.rules == rules
            };
            let on_deal = || tables.matches.values().filter(is_on_deal);
            let began = |stored: &StoredMatch| (stored.info.created_at, stored.info.id.clone());
            let is_first = |stored: &&StoredMatch| {
                let player = &stored.info.seats.a.occupant;
                let mut own = on_deal().filter(|other| other.info.seats.a.occupant == *player);
                own.all(|other| began(other) >= began(stored))
            };
            let is_ended = |stored: &&StoredMatch| stored.ended_at.is_some_and(|at| at >= since);
            let found = on_deal().filter(is_ended).filter(is_first);
            found.map(|stored| stored.info.id.clone()).collect()
        })
    }

    fn shared_deals_of(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<SharedDealMatch>> {
        self.call(move |tables| {
            let is_of_day = |name: &String| !name.starts_with("event-");
            let is_chosen =
                |stored: &&StoredMatch| stored.info.shared_deal.as_ref().is_some_and(is_of_day);
            let mut found: Vec<_> = tables.of(holder).filter(is_chosen).collect();
            found.sort_by_key(|stored| (-stored.info.created_at, stored.info.id.clone()));
            found.truncate(limit as usize);
            let is_no_end = |entry: &Entry| entry.kind != EntryKind::Resign;
            let read = |stored: &StoredMatch| {
                Some(SharedDealMatch {
                    id: stored.info.id.clone(),
                    shared_deal: stored.info.shared_deal.clone()?,
                    rules: stored.info.rules.clone(),
                    is_finished: stored.ended_at.is_some() && stored.log.iter().all(is_no_end),
                })
            };
            found.into_iter().filter_map(read).collect()
        })
    }

    fn shared_deal_key(&self) -> SharedDealKey {
        [1; 32]
    }

    fn identity_key(&self) -> [u8; 32] {
        [2; 32]
    }

    fn is_known(&self, holder: Holder) -> StoreFuture<'_, bool> {
        self.call(move |tables| {
            tables.of(holder).next().is_some()
                || tables.puzzles.of(holder).next().is_some()
                || tables.people.standing(holder) != Standing::Alone
        })
    }

    fn has_played(&self, holder: Holder, before: i64) -> StoreFuture<'_, bool> {
        self.call(move |tables| {
            tables.of(holder).any(|stored| stored.info.created_at < before)
                || tables.puzzles.of(holder).any(|attempt| attempt.at < before)
        })
    }

    fn longest_log(&self) -> StoreFuture<'_, u64> {
        self.call(|tables| {
            let lasts = tables.logs().filter_map(|(_, log)| Some(log.last()?.sequence));
            lasts.filter(|last| *last >= 128).max().unwrap_or_default()
        })
    }

    fn list(&self, selection: Selection) -> StoreFuture<'_, Vec<Listed>> {
        self.call(move |tables| tables.list(&selection))
    }

    fn remove(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended> {
        self.write(move |tables| tables.remove(&id, sequence))
    }

    fn unfinished(
        &self,
        created_before: i64,
        after: Option<Unfinished>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<Unfinished>> {
        self.call(move |tables| tables.unfinished(created_before, after, limit))
    }

    fn foldable(&self, ended_before: i64, limit: u32) -> StoreFuture<'_, Vec<String>> {
        self.call(move |tables| tables.foldable(ended_before, limit))
    }

    fn fold(&self, id: String) -> StoreFuture<'_, Appended> {
        self.write(move |tables| tables.fold(&id))
    }

    fn attempt(&self, attempt: Attempt) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            let holder = tables.people.owner(attempt.holder);
            tables.puzzles.count(Attempt { holder, ..attempt })
        })
    }

    fn puzzle_attempts(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<CountedAttempt>> {
        self.call(move |tables| tables.puzzles.of(holder).take(limit as usize).cloned().collect())
    }

    fn puzzle_counts(&self, holder: Holder) -> StoreFuture<'_, PuzzleCounts> {
        self.call(move |tables| tables.puzzles.counts(holder))
    }

    fn puzzle_results(&self, holder: Holder) -> StoreFuture<'_, Vec<bool>> {
        self.call(move |tables| tables.puzzles.of(holder).map(|counted| counted.solved).collect())
    }

    fn tried_puzzles<'a>(
        &'a self,
        holder: Holder,
        from: i64,
        asked: &'a str,
    ) -> StoreFuture<'a, TriedPuzzles> {
        self.call(move |tables| tables.puzzles.tried(holder, from, asked))
    }

    fn puzzle_player(&self, holder: Holder) -> StoreFuture<'_, Option<Rating>> {
        self.call(move |tables| tables.puzzles.players.get(&holder.0).copied())
    }

    fn puzzle_rating<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Rating>> {
        self.call(|tables| tables.puzzles.ratings.get(id).copied())
    }

    fn puzzle_ratings(&self) -> StoreFuture<'_, HashMap<String, f64>> {
        self.call(|tables| {
            let ratings = tables.puzzles.ratings.iter();
            ratings.map(|(id, rating)| (id.clone(), rating.rating)).collect()
        })
    }

    fn take_lease<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Appended> {
        let server = self.server();
        self.write(move |tables| tables.leases.take(name, server))
    }

    fn keep_leases(&self) -> StoreFuture<'_, Vec<String>> {
        let server = self.server();
        self.call(move |tables| tables.leases.keep(server))
    }

    fn release_lease(&self, name: String, pause: Duration) -> StoreFuture<'_, Appended> {
        let server = self.server();
        self.write(move |tables| tables.leases.release(&name, pause, server))
    }

    fn retire(&self) -> StoreFuture<'_, Appended> {
        let server = self.server();
        self.is_retired.store(true, Ordering::Relaxed);
        self.write(move |tables| tables.leases.retire(server))
    }

    fn remove_lease(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended> {
        self.write(move |tables| {
            let is_unchanged = tables.sequence(match_of(&id)) == sequence;
            Appended::stored_if(is_unchanged && tables.leases.end(&id))
        })
    }

    fn act_targets(&self, _: i64) -> StoreFuture<'_, Vec<String>> {
        // The list of the targets of operators' acts is empty, because operators work only on databases, and not on the in-memory store.
        self.call(|_| Vec::new())
    }

    fn forget_acts(&self, _: i64) -> StoreFuture<'_, Appended> {
        self.write(|_| Appended::Stored)
    }

    fn count(&self, counted: Vec<Counted>, window: Duration) -> StoreFuture<'_, Option<Duration>> {
        self.call(move |tables| tables.counts.count(&counted, window))
    }

    fn forget_counts(&self) -> StoreFuture<'_, ()> {
        self.call(|tables| tables.counts.forget())
    }

    fn check_writable(&self) -> StoreFuture<'_, ()> {
        self.call(|_| ())
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        async { self.is_closed.store(true, Ordering::Relaxed) }.boxed()
    }
}
