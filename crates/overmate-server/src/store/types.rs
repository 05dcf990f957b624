//! Defines the interface of a match store, and the types of the stored data.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::BoxFuture;
use overmate_rules::{ByPlayer, Player};

use super::absence_types::Absences;
use super::bot_types::BotTokens;
use super::entry::Entry;
use super::event_types::PlayEvents;
pub(crate) use super::holder::Holder;
use super::mail_types::Mails;
pub(crate) use super::match_info::{MatchInfo, Occupant, SeatInfo};
use super::offer_types::{Offer, OfferLimits};
pub(crate) use super::outcome::{Appended, Quota, StoreError, StoreFuture};
use super::person_types::People;
use super::push_types::PushSubscriptions;
use super::rating_types::{RatedEnd, Ratings};
use super::relation_types::Relations;
use super::report_types::Reports;
use super::seat_types::{AnswersRead, SeatTexts};
use super::talk_types::Talk;
use super::visibility_types::Visibilities;
use crate::glicko2::Rating;
use crate::puzzle_run::PuzzleRun;
use crate::shared_deal::SharedDealKey;

/// Durable store of matches and their logs, which several servers may share. When a write is
/// acknowledged, the disk holds its data.
///
/// The insert of an entry under its sequence number is the compare-and-swap, so that two servers cannot append different entries
/// after one log entry.
pub(crate) trait Store:
    People
    + BotTokens
    + Clocks
    + Lobby
    + Mails
    + PlayEvents
    + Ratings
    + Relations
    + Reports
    + SeatTexts
    + Talk
    + Absences
    + PushSubscriptions
    + Visibilities
    + Send
    + Sync
    + 'static
{
    /// Stores a new match, unless an earlier copy of the request has created the match.
    fn create(&self, new: MatchInfo, request: Option<NewMatchRequest>)
    -> StoreFuture<'_, Appended>;

    /// Stores a match that a person played offline, with its complete log, unless an earlier copy of the request has stored the
    /// match. The entries have no client ids, and their times are whole seconds.
    fn hand_in(
        &self,
        new: MatchInfo,
        request: NewMatchRequest,
        log: Vec<Entry>,
    ) -> StoreFuture<'_, Appended>;

    /// Returns the id of the match that an earlier copy of the request has created, or `None`.
    fn created_by<'a>(&'a self, request: &'a NewMatchRequest) -> StoreFuture<'a, Option<String>>;

    /// Returns the rules, deals and seats of a match, without its log.
    fn info<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<MatchInfo>>;

    /// Returns the log entries of a match after a sequence number, in order, or `None` if the
    /// match does not exist.
    fn entries<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Option<Vec<Entry>>>;

    /// Returns the log entries of several matches, each after a given sequence number.
    fn entries_of(&self, matches: Vec<(String, u64)>) -> StoreFuture<'_, Vec<(String, Entry)>>;

    /// Returns the last sequence number of each existing match; 0 for an empty log.
    fn sequences(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, u64)>>;

    /// Appends an entry to a match's log, if the sequence number and the client id of the entry are unused.
    fn append(&self, addition: Addition) -> StoreFuture<'_, Appended>;

    /// Returns the log entry that an earlier request with a client id has appended, or `None`.
    fn entry_of_request<'a>(
        &'a self,
        id: &'a str,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<Entry>>;

    /// Returns the id of the match to which an invitation token belongs, or `None`.
    fn invited_to<'a>(&'a self, invitation: &'a str) -> StoreFuture<'a, Option<String>>;

    /// Returns the ids of the matches on a shared deal that have ended since a Unix time in seconds. Of several matches of one
    /// person, only the one that began first counts.
    fn ended_on<'a>(
        &'a self,
        shared_deal: &'a str,
        rules: &'a str,
        since: i64,
    ) -> StoreFuture<'a, Vec<String>>;

    /// Returns the matches of a browser on shared deals, from new to old.
    fn shared_deals_of(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<SharedDealMatch>>;

    /// Returns the secret key from which the server derives shared deals.
    fn shared_deal_key(&self) -> SharedDealKey;

    /// Returns the secret key with which the server signs identity tokens.
    fn identity_key(&self) -> [u8; 32];

    /// Returns whether the store knows a browser by a seat, a puzzle attempt, or another browser of
    /// the same person.
    fn is_known(&self, holder: Holder) -> StoreFuture<'_, bool>;

    /// Returns whether a person has a match or puzzle attempt from before a Unix time in seconds.
    fn has_played(&self, holder: Holder, before: i64) -> StoreFuture<'_, bool>;

    /// Returns the last sequence number of the longest log, or 0 if every log has fewer than 128
    /// entries.
    fn longest_log(&self) -> StoreFuture<'_, u64>;

    /// Returns the selected matches with their seats and last sequence numbers, by one query.
    fn list(&self, selection: Selection) -> StoreFuture<'_, Vec<Listed>>;

    /// Removes a match with its seats and log, if the last log entry still has a given sequence number.
    fn remove(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended>;

    /// Returns a batch of unfinished matches that were created before a Unix time in seconds, ordered by creation. The batch
    /// begins after the match `after`, and has at most `limit` matches.
    fn unfinished(
        &self,
        created_before: i64,
        after: Option<Unfinished>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<Unfinished>>;

    /// Returns the ids of finished matches with unfolded logs that ended before a Unix time in
    /// seconds. The match that ended first comes first.
    fn foldable(&self, ended_before: i64, limit: u32) -> StoreFuture<'_, Vec<String>>;

    /// Folds the log of a finished match into one row. The log keeps its entries, but loses the client ids.
    fn fold(&self, id: String) -> StoreFuture<'_, Appended>;

    /// Records a puzzle attempt, and updates the ratings of the player and the puzzle. If the
    /// browser has tried the puzzle before, nothing changes.
    fn attempt(&self, attempt: Attempt) -> StoreFuture<'_, Appended>;

    /// Returns the latest counted puzzle attempts of a browser, from new to old.
    fn puzzle_attempts(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<CountedAttempt>>;

    /// Returns the numbers of a browser's counted attempts and solved puzzles, and the scores of its best runs.
    fn puzzle_counts(&self, holder: Holder) -> StoreFuture<'_, PuzzleCounts>;

    /// Returns for each counted puzzle attempt of a browser whether the attempt solved its puzzle, from new to old.
    fn puzzle_results(&self, holder: Holder) -> StoreFuture<'_, Vec<bool>>;

    /// Returns the puzzles that a browser has tried, ordered by attempt number. Attempts with smaller numbers than `from` are
    /// left out; 0 is below all numbers. The result also says whether the browser has tried the puzzle `asked`, at whatever time.
    fn tried_puzzles<'a>(
        &'a self,
        holder: Holder,
        from: i64,
        asked: &'a str,
    ) -> StoreFuture<'a, TriedPuzzles>;

    /// Returns the puzzle rating of a browser, or `None` before its first attempt.
    fn puzzle_player(&self, holder: Holder) -> StoreFuture<'_, Option<Rating>>;

    /// Returns the rating of a puzzle, or `None` before its first attempt.
    fn puzzle_rating<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Rating>>;

    /// Returns the ratings of all puzzles with attempts, by puzzle id.
    fn puzzle_ratings(&self) -> StoreFuture<'_, HashMap<String, f64>>;

    /// Takes a lease of background work for this server. Returns a conflict if another server holds
    /// the lease, or if this server takes no leases.
    fn take_lease<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Appended>;

    /// Renews the leases of this server before they expire, and takes over expired leases except those of events. Returns the
    /// names of all leases that this server then holds, without those of events.
    fn keep_leases(&self) -> StoreFuture<'_, Vec<String>>;

    /// Releases a lease of this server, so that a server can take the lease again after a pause. No server takes the work again
    /// until the pause is over.
    fn release_lease(&self, name: String, pause: Duration) -> StoreFuture<'_, Appended>;

    /// Releases all leases of this server for good, before the server stops. Work that begins later
    /// waits for another server.
    fn retire(&self) -> StoreFuture<'_, Appended>;

    /// Removes the lease of a match in which no computer opponent is to act, if the last log entry still has a given sequence
    /// number.
    fn remove_lease(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended>;

    /// Returns the targets of the measures that operators took in the last `seconds` seconds, by the clock of the store. A target
    /// is a match, a player of a match, or a browser. Browsers that joined another person or were signed out in this time are also
    /// targets.
    fn act_targets(&self, seconds: i64) -> StoreFuture<'_, Vec<String>>;

    /// Deletes from the operators' log the measures that were taken before a Unix time in seconds.
    fn forget_acts(&self, before: i64) -> StoreFuture<'_, Appended>;

    /// Counts a request against rate limits that all servers of a database share. If a limit refuses the request, returns the
    /// time after which a repeated request may succeed; otherwise `None`. A refused request counts for no limit, with one
    /// exception: of several simultaneous requests, a refused one may count for limits that have room.
    ///
    /// A database with a single server counts nothing, because that server counts for itself.
    fn count(&self, counted: Vec<Counted>, window: Duration) -> StoreFuture<'_, Option<Duration>>;

    /// Deletes the rate-limit counters that no longer affect a request.
    fn forget_counts(&self) -> StoreFuture<'_, ()>;

    /// Checks that the database is writable, by storing the current time.
    fn check_writable(&self) -> StoreFuture<'_, ()>;

    /// Commits the queued writes, and closes the database.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Rate limit against which a request counts, and the share of the limit that the request uses up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    /// Keyed hash of the rate limit and of the limited browser or address. The hash reveals neither a browser nor an address.
    pub(crate) key: i64,
    /// Share of the rate limit's window that one request uses up.
    pub(crate) step: Duration,
}

/// Last heartbeat of the servers, kinds of running clocks, and presence of a running event, at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClockStatus {
    /// Time of the last heartbeat of any server, as a Unix time in milliseconds. The method [`beat`](Clocks::beat) records the
    /// time; the first value is 0.
    pub(crate) seen: i64,
    /// Unix time of the database, in milliseconds, at or before the read of `seen`. All heartbeats that were stored before this
    /// time are known. The time is `None` if the database uses the clock of this machine.
    pub(crate) now: Option<i64>,
    /// Whether a live clock runs in any match.
    pub(crate) has_live: bool,
    /// Whether a clock of any kind runs in any match.
    pub(crate) has_any: bool,
    /// Whether an event runs. The players of a running event must act within a limited time after the start of their match.
    pub(crate) has_event: bool,
}

/// Store of the deadlines of matches, and of the last heartbeat of the servers.
pub(crate) trait Clocks: Send + Sync + 'static {
    /// Returns the last heartbeat of the servers, the database's time, the kinds of running clocks, and whether an event runs.
    fn clock_status(&self) -> StoreFuture<'_, ClockStatus>;

    /// Returns the matches whose deadline is at or before `until`, each with its id and its deadline as a Unix time in
    /// milliseconds. The earliest deadline comes first.
    fn deadlines(&self, until: i64, limit: u32) -> StoreFuture<'_, Vec<(String, i64)>>;

    /// Returns the ids of matches with a running live clock.
    fn live_clocks(&self, limit: u32) -> StoreFuture<'_, Vec<String>>;

    /// Replaces the deadline of a match, if the last log entry still has a given sequence number.
    fn set_deadline(
        &self,
        id: String,
        sequence: u64,
        deadline: Deadline,
    ) -> StoreFuture<'_, Appended>;

    /// Records that a server was running at a Unix time in milliseconds. An earlier time than the
    /// stored one changes nothing.
    fn beat(&self, at_ms: i64) -> StoreFuture<'_, Appended>;
}

/// Store of open offers.
pub(crate) trait Lobby: Send + Sync + 'static {
    /// Returns the version number of the offers, which grows with each change except an expiry.
    fn lobby_version(&self) -> StoreFuture<'_, i64>;

    /// Returns the open offers, from old to new.
    fn offers(&self, at: i64) -> StoreFuture<'_, Vec<Offer>>;

    /// Returns the open offers to everybody that are hidden from a person by a block between the person and the maker. Each item
    /// consists of the person and the id of the hidden offer.
    fn hidden_offers(&self, at: i64) -> StoreFuture<'_, Vec<(Holder, String)>>;

    /// Returns the offer with a given id, or `None`. The addressee of a challenge is unknown if one of the two players has blocked
    /// the other.
    fn offer<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Offer>>;

    /// Returns all stored offers of a person, the earliest first.
    fn offers_of(&self, person: Holder) -> StoreFuture<'_, Vec<Offer>>;

    /// Returns the earliest open offer by another person for a match under equal conditions, or `None`.
    fn equal_offer<'a>(&'a self, offer: &'a Offer) -> StoreFuture<'a, Option<Offer>>;

    /// Executes a change of offers. Returns a conflict if nothing is to be changed: see
    /// [`OfferChange`].
    fn change_offer(&self, change: OfferChange) -> StoreFuture<'_, Appended>;
}

/// Condition that selects matches for a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Selection {
    /// Matches in which a browser holds a seat: unfinished matches first, then from new to old.
    HeldBy {
        /// Browser that holds the seat.
        holder: Holder,
        /// Maximum number of matches in the list.
        limit: u32,
    },
    /// Batch of the matches in which a browser holds a seat, ordered by id.
    Batch {
        /// Browser that holds the seat.
        holder: Holder,
        /// Id of the last match in the previous batch; empty for the first batch.
        after: String,
        /// Maximum number of matches in the batch.
        limit: u32,
    },
    /// Finished matches in which a browser holds exactly one seat, from the latest end to the earliest.
    Finished {
        /// Browser that holds one seat.
        holder: Holder,
        /// Maximum number of matches in the list.
        limit: u32,
    },
    /// Running matches in which a browser may get no help: against another person, on a shared
    /// deal, or with clocks.
    WithoutHelp {
        /// Browser that holds a seat of the match.
        holder: Holder,
    },
    /// Matches with these ids.
    Ids(Vec<String>),
}

/// Match of a browser on a shared deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SharedDealMatch {
    pub(crate) id: String,
    /// Name of the shared deal, such as `2026-11-21`.
    pub(crate) shared_deal: String,
    pub(crate) rules: String,
    /// Whether the match was played to its end. A resigned match is not finished.
    pub(crate) is_finished: bool,
}

/// Match in a list, with the sequence number of its last log entry.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) info: MatchInfo,
    /// Sequence number of the last log entry; 0 for an empty log.
    pub(crate) sequence: u64,
}

/// Unfinished match, with the times that decide whether the match has expired.
#[derive(Clone, Debug)]
pub(crate) struct Unfinished {
    pub(crate) id: String,
    /// Sequence number of the last log entry; 0 for an empty log.
    pub(crate) sequence: u64,
    /// Unix time of the match's creation, in seconds.
    pub(crate) created_at: i64,
    /// Unix time of the last log entry, or of the match's creation for an empty log, in seconds.
    pub(crate) acted_at: i64,
    /// Whether the match has an unused invitation.
    pub(crate) is_open: bool,
    /// Whether the log holds no entry by a person. For a match on a shared deal the value is false.
    pub(crate) is_empty: bool,
}

/// Attempt of a browser at a puzzle. The store counts only the first attempt.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Attempt {
    pub(crate) holder: Holder,
    /// Id of the puzzle.
    pub(crate) puzzle: String,
    /// Name of the rule set of the puzzle.
    pub(crate) rules: String,
    /// Rating that the puzzle gets before its first attempt.
    pub(crate) new_puzzle: Rating,
    pub(crate) solved: bool,
    /// Unix time of the attempt, in seconds.
    pub(crate) at: i64,
    /// Streak or storm (run of puzzles) to which the attempt belongs, or `None` in training.
    pub(crate) run: Option<PuzzleRun>,
}

/// Attempt of a browser at a puzzle that changed the ratings.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CountedAttempt {
    /// Id of the puzzle.
    pub(crate) puzzle: String,
    /// Name of the rule set of the puzzle.
    pub(crate) rules: String,
    pub(crate) solved: bool,
    /// Puzzle rating of the browser after this attempt.
    pub(crate) rating: f64,
    /// Unix time of the attempt, in seconds.
    pub(crate) at: i64,
    /// Name of the streak or storm in which the attempt counts, or `None` in training and after the end of the run.
    pub(crate) run: Option<String>,
}

/// Numbers of a browser's counted attempts and solved puzzles, with the scores of its best runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PuzzleCounts {
    pub(crate) attempts: u64,
    /// Number of counted attempts that solved their puzzle.
    pub(crate) solved: u64,
    /// Number of solved puzzles in the browser's best streak.
    pub(crate) best_streak: u64,
    /// Number of solved puzzles in the browser's best storm.
    pub(crate) best_storm: u64,
}

/// Puzzles that a browser has tried since the attempt with a given number, ordered by attempt number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TriedPuzzles {
    /// Ids of the puzzles.
    pub(crate) puzzles: Vec<String>,
    /// Numbers of the first and the last attempt in the list, or `None` without attempts. A later attempt has a larger number,
    /// unless two servers count attempts of one browser at the same time.
    pub(crate) numbers: Option<(i64, i64)>,
    /// Whether the browser has ever tried the puzzle that the query asked for.
    pub(crate) has_asked: bool,
}

/// Person and client id of a request for a new match, by which the server recognises a repeated request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewMatchRequest {
    pub(crate) holder: Holder,
    pub(crate) client_id: String,
}

/// Log entry to append, with the other writes of the same transaction.
#[derive(Clone, Debug)]
pub(crate) struct Addition {
    /// Id of the match that gets the log entry.
    pub(crate) id: String,
    pub(crate) entry: Entry,
    /// Further log entries: the conditional answers that follow the appended action.
    pub(crate) followed_by: Vec<Entry>,
    /// Conditional answers that the server read before. If they have changed, nothing is appended. `None` if the entry does not
    /// concern conditional answers.
    pub(crate) answers: Option<ByPlayer<AnswersRead>>,
    /// Whether the appended entries end the match.
    pub(crate) ends: bool,
    /// Whether a computer opponent is to act next, so that this server leases its turn; `None` without computer opponents.
    pub(crate) computer_acts: Option<bool>,
    /// Next deadline of the match; `None` for a match without clocks.
    pub(crate) deadline: Option<Deadline>,
    /// Result of a rated match that ends with the appended entries, otherwise `None`.
    pub(crate) rated: Option<RatedEnd>,
    /// Open seat that a browser takes with this entry, or `None`.
    pub(crate) taken: Option<SeatTaken>,
    /// Rematch that begins with this entry, or `None`.
    pub(crate) begun: Option<MatchInfo>,
}

/// Deadline of the player to act, as a Unix time in milliseconds; `None` while no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deadline(pub(crate) Option<i64>);

/// Open seat of a match, with the browser that takes it.
#[derive(Clone, Debug)]
pub(crate) struct SeatTaken {
    pub(crate) player: Player,
    pub(crate) holder: Holder,
    pub(crate) name: Option<String>,
    /// Person in the other seat of a rated match; `None` for an unrated match.
    pub(crate) rated_host: Option<Holder>,
}

impl Addition {
    /// Returns an addition that appends a single log entry and changes nothing else.
    pub(crate) fn of(id: &str, entry: Entry) -> Self {
        let id = id.to_owned();
        Self {
            id,
            entry,
            followed_by: Vec::new(),
            answers: None,
            ends: false,
            computer_acts: None,
            deadline: None,
            rated: None,
            taken: None,
            begun: None,
        }
    }
}

/// Change of the open offers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum OfferChange {
    /// Creates an offer. Returns a conflict if a request of the person with the same client id has made an offer that is open or
    /// accepted, or has created a match. If `is_new` is set, an equal open offer of another person is a conflict, too.
    Make { offer: Offer, is_new: bool, limits: OfferLimits },
    /// Accepts an open offer, and creates the offered match. Returns a conflict if the offer is not open, if the acceptor is the
    /// maker, if the request has created a match before, or if the maker cannot have another match. All other offers of the two
    /// players that need their makers online end, because these players now play a match.
    Accept {
        id: String,
        info: MatchInfo,
        /// Idempotency key of the acceptor's request.
        request: NewMatchRequest,
        at: i64,
    },
    /// Declines an open challenge to a person.
    Decline { id: String, person: Holder, at: i64 },
    /// Withdraws an open offer of a person.
    Withdraw { id: String, person: Holder },
    /// Withdraws all open offers of a person.
    WithdrawAll { person: Holder },
    /// Extends the expiry of open offers whose makers are still online. Ended offers do not open again.
    Keep { ids: Vec<String>, at: i64, until: i64 },
    /// Deletes expired offers.
    ForgetOld { at: i64 },
}
