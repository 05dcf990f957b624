//! Defines the store interface, and its data types, for matches (with logs and clocks), open offers and puzzles.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::future::BoxFuture;
use overmate_rules::{ByPlayer, Player};

use super::absence::Absences;
use super::bot::BotTokens;
use super::entry::Entry;
use super::event::PlayEvents;
use super::holder::Holder;
use super::mail::Mails;
use super::match_info::MatchInfo;
use super::offer::{Offer, OfferLimits};
use super::outcome::{Appended, StoreError, StoreFuture};
use super::person::People;
use super::push::PushSubscriptions;
use super::rating::{RatedEnd, Ratings};
use super::relation::Relations;
use super::report::Reports;
use super::seat::{AnswersRead, SeatTexts};
use super::talk::Talk;
use super::visibility::Visibilities;
use crate::puzzle_run::PuzzleRun;
use crate::rating::glicko2::Rating;
use crate::shared_deal::SharedDealKey;

/// Durable store of matches and their logs, which several servers may share. The store acknowledges a write only after the data is
/// on the disk.
///
/// Servers coordinate by a compare-and-swap: the insert of a log entry under its sequence number. If two servers append entries
/// with the same sequence number to a match, only one server succeeds.
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
    /// Stores a new match. Returns a conflict if an earlier copy of the request has already created the match.
    fn create(&self, new: MatchInfo, request: Option<NewMatchRequest>)
    -> StoreFuture<'_, Appended>;

    /// Stores a person's offline match with its complete log, unless an earlier copy of the request has stored the
    /// match. The entries have no client ids, and their times are whole seconds.
    fn hand_in(
        &self,
        new: MatchInfo,
        request: NewMatchRequest,
        log: Vec<Entry>,
    ) -> StoreFuture<'_, Appended>;

    /// Returns the id of the match that an earlier copy of a request has created, or `None` if no copy has created a
    /// match.
    fn created_by<'a>(&'a self, request: &'a NewMatchRequest) -> StoreFuture<'a, Option<String>>;

    /// Returns the rules, deals and seats of a match, without its log.
    fn info<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<MatchInfo>>;

    /// Returns the log entries of a match after a given sequence number, in order, or `None` if the
    /// match does not exist.
    fn entries<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Option<Vec<Entry>>>;

    /// Returns, for each of several matches, the log entries after a given sequence number.
    fn entries_of(&self, matches: Vec<(String, u64)>) -> StoreFuture<'_, Logs>;

    /// Returns the sequence number of the last log entry of each given match that exists; 0 for an empty log.
    fn sequences(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, u64)>>;

    /// Appends an entry to the log of a match, if the entry has the next sequence number and a new idempotency key (client id).
    fn append(&self, addition: Addition) -> StoreFuture<'_, Appended>;

    /// Returns the log entry of a match that an earlier request with a given client id has appended, or `None`.
    fn entry_of_request<'a>(
        &'a self,
        id: &'a str,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<Entry>>;

    /// Returns the id of the match to which an invitation token belongs, or `None`.
    fn invited_to<'a>(&'a self, invitation: &'a str) -> StoreFuture<'a, Option<String>>;

    /// Returns the ids of the matches on a given shared deal that have ended since a Unix time in seconds. If a person has several
    /// matches on the deal, only the match that began first counts.
    fn ended_on<'a>(
        &'a self,
        shared_deal: &'a str,
        rules: &'a str,
        since: i64,
    ) -> StoreFuture<'a, Vec<String>>;

    /// Returns the matches of a person on deals of the day or week, from new to old. Matches of events are left out.
    fn shared_deals_of(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<SharedDealMatch>>;

    /// Returns the secret key from which the server derives shared deals.
    fn shared_deal_key(&self) -> SharedDealKey;

    /// Returns the secret key with which the server signs identity tokens.
    fn identity_key(&self) -> [u8; 32];

    /// Returns whether the store contains any data of a browser: a seat, a puzzle attempt, or the person to whom the browser
    /// belongs.
    fn is_known(&self, holder: Holder) -> StoreFuture<'_, bool>;

    /// Returns whether a person had a match or a puzzle attempt before a Unix time in seconds. A match counts from its
    /// creation.
    fn has_played(&self, holder: Holder, before: i64) -> StoreFuture<'_, bool>;

    /// Returns the last sequence number of the longest match log. Logs of fewer than 128 entries are ignored; without a longer log,
    /// the result is 0.
    fn longest_log(&self) -> StoreFuture<'_, u64>;

    /// Returns the matches that meet a selection condition, each with its seats and the sequence number of its last log entry. One
    /// database query reads all matches.
    fn list(&self, selection: Selection) -> StoreFuture<'_, Vec<Listed>>;

    /// Removes a match with its seats and log, if the last log entry still has a given sequence number.
    fn remove(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended>;

    /// Returns a batch of the unfinished matches that were created before a Unix time in seconds, ordered by creation. The batch
    /// begins after the match `after`, and has at most `limit` matches.
    fn unfinished(
        &self,
        created_before: i64,
        after: Option<Unfinished>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<Unfinished>>;

    /// Returns the ids of matches that ended before a Unix time in seconds, and whose logs are not folded (packed into one
    /// database row). The match that ended first comes first.
    fn foldable(&self, ended_before: i64, limit: u32) -> StoreFuture<'_, Vec<String>>;

    /// Folds (packs) the log of a finished match into one database row. The folded log keeps all entries, but loses their client
    /// ids.
    fn fold(&self, id: String) -> StoreFuture<'_, Appended>;

    /// Records a puzzle attempt of a person, and updates the puzzle rating of the person. The rating of the puzzle changes only
    /// if the person's rating is certain enough. If the person has tried the puzzle before, nothing changes.
    fn attempt(&self, attempt: Attempt) -> StoreFuture<'_, Appended>;

    /// Returns a person's latest puzzle attempts that counted for ratings, from new to old. The first attempt of a
    /// person at a puzzle counts.
    fn puzzle_attempts(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<CountedAttempt>>;

    /// Returns the puzzle statistics of a person: counted attempts, solved puzzles, and best scores in puzzle runs (streak and
    /// storm).
    fn puzzle_counts(&self, holder: Holder) -> StoreFuture<'_, PuzzleCounts>;

    /// Returns the results of a person's puzzle attempts that counted for ratings, newest first. A result is `true` for a solved
    /// puzzle.
    fn puzzle_results(&self, holder: Holder) -> StoreFuture<'_, Vec<bool>>;

    /// Returns the puzzles that a person has tried, ordered by attempt number. Attempts with smaller numbers than `from` are left
    /// out; with `from` 0, no attempt is left out. The result also says whether the person has ever tried the puzzle `asked`.
    fn tried_puzzles<'a>(
        &'a self,
        holder: Holder,
        from: i64,
        asked: &'a str,
    ) -> StoreFuture<'a, TriedPuzzles>;

    /// Returns the puzzle rating of a person, or `None` before the person's first puzzle attempt.
    fn puzzle_player(&self, holder: Holder) -> StoreFuture<'_, Option<Rating>>;

    /// Returns the rating of a puzzle, or `None` before the first attempt at the puzzle.
    fn puzzle_rating<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Rating>>;

    /// Returns the ratings of all puzzles that players have tried, by puzzle id.
    fn puzzle_ratings(&self) -> StoreFuture<'_, HashMap<String, f64>>;

    /// Takes a database lease (a claim that expires) on background work, on behalf of this server. Returns a conflict if another server
    /// holds the lease, or if this server takes no leases.
    fn take_lease<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Appended>;

    /// Renews the database leases of this server before they expire, and takes over expired leases of all servers. Leases on
    /// tournament events are not taken over. Returns the names of all leases that this server then holds, without the leases on
    /// events.
    fn keep_leases(&self) -> StoreFuture<'_, Vec<String>>;

    /// Releases a database lease of this server. [`keep_leases`](Self::keep_leases) gives the lease to a server again only after
    /// a pause.
    fn release_lease(&self, name: String, pause: Duration) -> StoreFuture<'_, Appended>;

    /// Releases all database leases of this server before the server stops. After this call, this server takes no leases, so that
    /// other servers do the background work.
    fn retire(&self) -> StoreFuture<'_, Appended>;

    /// Removes a database lease on finished background work, such as the turn of a computer opponent or a push message. The lease
    /// stays, and the result is a conflict, unless the last log entry of the match still has a given sequence number. For work
    /// without a match, the number is 0.
    fn remove_lease(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended>;

    /// Returns the targets of the operators' acts (such as mutes) of the last `seconds` seconds. The clock of the
    /// database determines the time. A target is a match, a player of a match, a browser, or an event with its host. Browsers
    /// that joined another person or were signed out in this time are also targets.
    fn act_targets(&self, seconds: i64) -> StoreFuture<'_, Vec<String>>;

    /// Removes old entries from the operators' log: all acts that precede a Unix time in seconds.
    fn forget_acts(&self, before: i64) -> StoreFuture<'_, Appended>;

    /// Counts a request against rate limits that all servers of a database share. If a limit refuses the request, the result is the
    /// time after which a repeated request may succeed; otherwise `None`. A refused request counts for no limit, with one
    /// exception: of several simultaneous requests, a refused request may count for limits that are not exhausted.
    ///
    /// A store that only a single server can use, such as SQLite, counts nothing, because that server counts the requests in its own
    /// memory.
    fn count(&self, counted: Vec<Counted>, window: Duration) -> StoreFuture<'_, Option<Duration>>;

    /// Deletes the rate-limit counters that no longer affect any request.
    fn forget_counts(&self) -> StoreFuture<'_, ()>;

    /// Checks that the database is writable, by storing the current time.
    fn check_writable(&self) -> StoreFuture<'_, ()>;

    /// Commits the queued writes, and closes the database.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Rate limit against which a request is counted, as input of the generic cell rate algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    /// Keyed hash of a rate limit and of its subject: a browser, IP address, IP network, account or e-mail address. The hash does not
    /// reveal the subject.
    pub(crate) key: i64,
    /// Emission interval of the generic cell rate algorithm: the time window divided by the number of permitted requests.
    pub(crate) step: Duration,
}

/// Status of the clocks of all stored matches: the last heartbeat of any server, the kinds of running clocks, and whether a
/// tournament event runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ClockStatus {
    /// Time of the last heartbeat of any server, as a Unix time in milliseconds. The method [`beat`](Clocks::beat) records the
    /// time; the first value is 0.
    pub(crate) seen: i64,
    /// Current Unix time by the database's clock, in milliseconds. The server reads this time before or together with the heartbeat `seen`.
    /// Thus `seen` takes account of all heartbeats that were stored before this time. `None` if the database uses the clock of this
    /// machine.
    pub(crate) now: Option<i64>,
    /// Whether a live clock runs in any stored match.
    pub(crate) has_live: bool,
    /// Whether a live or correspondence clock runs in any stored match.
    pub(crate) has_any: bool,
    /// Whether a tournament event runs. The players of a running event must act within a limited time after the start of their
    /// match.
    pub(crate) has_event: bool,
}

/// Store of the deadlines in matches with clocks, and of the last heartbeat of the servers.
pub(crate) trait Clocks: Send + Sync + 'static {
    /// Returns the last heartbeat of the servers, the database's time, and whether match clocks and tournament events run. The result tells
    /// whether any live clock, and whether any clock at all, runs.
    fn clock_status(&self) -> StoreFuture<'_, ClockStatus>;

    /// Returns the matches whose clock deadline is at or before `until`, each with its id and its deadline as a Unix time in
    /// milliseconds. The earliest deadline comes first.
    fn deadlines(&self, until: i64, limit: u32) -> StoreFuture<'_, Vec<(String, i64)>>;

    /// Returns the ids of matches with a running live clock.
    fn live_clocks(&self, limit: u32) -> StoreFuture<'_, Vec<String>>;

    /// Replaces the clock deadline of a match, if the last log entry still has a given sequence number.
    fn set_deadline(
        &self,
        id: String,
        sequence: u64,
        deadline: Deadline,
    ) -> StoreFuture<'_, Appended>;

    /// Records a heartbeat: a server was running at a Unix time in milliseconds. A time before the
    /// stored heartbeat changes nothing.
    fn beat(&self, at_ms: i64) -> StoreFuture<'_, Appended>;
}

/// Store of the match offers in the lobby.
pub(crate) trait Lobby: Send + Sync + 'static {
    /// Returns the version number of the list of open match offers. The number grows with each change of the offers, except when
    /// an offer expires or its expiry is extended.
    fn lobby_version(&self) -> StoreFuture<'_, i64>;

    /// Returns the open match offers, from old to new.
    fn offers(&self, at: i64) -> StoreFuture<'_, Vec<Offer>>;

    /// Returns the open match offers that are hidden from persons because of blocks, each as a pair of the person and
    /// the offer's id. The person has blocked the offer's maker, or the maker has blocked the person. Challenges are
    /// left out.
    fn hidden_offers(&self, at: i64) -> StoreFuture<'_, Vec<(Holder, String)>>;

    /// Returns the match offer with a given id, or `None`. A challenge is returned without its addressee if the challenger or the
    /// challenged person has blocked the other person.
    fn offer<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Offer>>;

    /// Returns all stored match offers that a person has made, the earliest first.
    fn offers_of(&self, person: Holder) -> StoreFuture<'_, Vec<Offer>>;

    /// Returns the earliest open match offer by another person that agrees with a given offer in rule set, clock and
    /// rated flag. Returns `None` without such an offer.
    fn equal_offer<'a>(&'a self, offer: &'a Offer) -> StoreFuture<'a, Option<Offer>>;

    /// Executes a change of the match offers, such as the creation or withdrawal of an offer. Returns a conflict if nothing is to be
    /// changed: see [`OfferChange`].
    fn change_offer(&self, change: OfferChange) -> StoreFuture<'_, Appended>;
}

/// Condition by which a query selects matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Selection {
    /// Matches in which a person holds a seat. Unfinished matches stand before finished matches; both groups begin with the
    /// newest match.
    HeldBy {
        /// Person who holds the seat.
        holder: Holder,
        /// Maximum number of selected matches.
        limit: u32,
    },
    /// Batch of the matches in which a person holds a seat, ordered by match id.
    Batch {
        /// Person who holds the seat.
        holder: Holder,
        /// Id of the match after which the batch of matches begins; empty for the first batch.
        after: String,
        /// Maximum number of selected matches.
        limit: u32,
    },
    /// Finished matches in which a person holds exactly one seat, from the latest end to the earliest.
    Finished {
        /// Person whose finished matches are selected. The person holds exactly one seat of each selected match.
        holder: Holder,
        /// Maximum number of selected matches.
        limit: u32,
    },
    /// Running matches in which help, such as hints, is forbidden to a person: matches against another person, on a shared deal, or
    /// with clocks.
    WithoutHelp {
        /// Person to whom help is forbidden in the matches.
        holder: Holder,
    },
    /// Matches with given ids.
    Ids(Vec<String>),
}

/// Match of a person on a shared deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SharedDealMatch {
    pub(crate) id: String,
    /// Name of the shared deal, such as `2026-11-21`.
    pub(crate) shared_deal: String,
    pub(crate) rules: String,
    /// Whether the match on the shared deal was played to its end. A resigned match is not finished.
    pub(crate) is_finished: bool,
}

/// Log entries of several matches, by match id; the entries of each match are in log order. The error stands for a log
/// that cannot be read. A match without wanted entries may be missing.
pub(crate) type Logs = HashMap<String, Result<Vec<Entry>, StoreError>>;

/// Match in a list of matches, with the sequence number of its last log entry.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) id: String,
    /// Rules, deals and seats of the match, or an error if the stored data are unreadable.
    pub(crate) info: Result<MatchInfo, StoreError>,
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
    /// Unix time of the last log entry in seconds; for an empty log, the time of the match's creation.
    pub(crate) acted_at: i64,
    /// Deadline of the running clock as a Unix time in milliseconds; `None` while no clock runs.
    pub(crate) deadline: Option<i64>,
    /// Whether the match has an unused invitation.
    pub(crate) is_open: bool,
    /// Whether no person has made an entry in the match log. Always false for a match on a shared deal.
    pub(crate) is_empty: bool,
}

/// Attempt of a person at a puzzle. The store counts only the first attempt.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Attempt {
    pub(crate) holder: Holder,
    /// Id of the puzzle.
    pub(crate) puzzle: String,
    /// Name of the rule set of the puzzle.
    pub(crate) rules: String,
    /// Initial rating of the puzzle, before the first attempt at the puzzle.
    pub(crate) new_puzzle: Rating,
    pub(crate) solved: bool,
    /// Unix time of the puzzle attempt, in seconds.
    pub(crate) at: i64,
    /// Streak or storm (run of puzzles) to which the puzzle attempt belongs, or `None` in training.
    pub(crate) run: Option<PuzzleRun>,
}

/// First attempt of a person at a puzzle, which changed the person's puzzle rating.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CountedAttempt {
    /// Id of the puzzle.
    pub(crate) puzzle: String,
    /// Name of the rule set of the puzzle.
    pub(crate) rules: String,
    pub(crate) solved: bool,
    /// Puzzle rating of the person after the puzzle attempt.
    pub(crate) rating: f64,
    /// Unix time of the puzzle attempt, in seconds.
    pub(crate) at: i64,
    /// Name of the puzzle run (streak or storm) in which the attempt counts; `None` in training and after the end of the run.
    pub(crate) run: Option<String>,
}

/// Puzzle statistics of a person: counted attempts, solved puzzles, and best scores in puzzle runs (streak and storm).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PuzzleCounts {
    pub(crate) attempts: u64,
    /// Number of puzzles that the person solved in attempts that counted for ratings.
    pub(crate) solved: u64,
    /// Largest number of puzzles that the person solved in one streak (puzzle run that ends with the first failed attempt).
    pub(crate) best_streak: u64,
    /// Largest number of puzzles that the person solved in one storm (puzzle run of three minutes).
    pub(crate) best_storm: u64,
}

/// Puzzles that a person has tried in attempts whose numbers are at least a given number. The store numbers the attempts of all persons
/// together. The puzzles are ordered by attempt number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct TriedPuzzles {
    /// Ids of the tried puzzles.
    pub(crate) puzzles: Vec<String>,
    /// Attempt numbers of the first and the last puzzle in `puzzles`, or `None` if `puzzles` is empty. A later attempt has a larger
    /// number, unless two servers count attempts of one person at the same time.
    pub(crate) numbers: Option<(i64, i64)>,
    /// Whether the person has ever tried the puzzle with the requested id `asked`, even if `puzzles` does not contain the puzzle.
    pub(crate) has_asked: bool,
}

/// Person and client id of a request for a new match, by which the server recognises a repeated request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewMatchRequest {
    pub(crate) holder: Holder,
    pub(crate) client_id: String,
}

/// Log entry to append to a match, with the other writes of the same transaction.
#[derive(Clone, Debug)]
pub(crate) struct Addition {
    /// Id of the match that gets the log entry.
    pub(crate) id: String,
    pub(crate) entry: Entry,
    /// Further log entries to append after `entry`: conditional answers to the appended action, and days off.
    pub(crate) followed_by: Vec<Entry>,
    /// Conditional answers of both players at the time when the server composed the log entry `entry`. If the stored
    /// conditional answers have changed since then, nothing is appended. `None` if the entry does not concern
    /// conditional answers.
    pub(crate) answers: Option<ByPlayer<AnswersRead>>,
    /// Whether the appended log entries end the match.
    pub(crate) ends: bool,
    /// Whether a computer opponent is to act after the appended log entries; `None` in a match without computer
    /// opponents. If a computer opponent is to act, this server leases the turn.
    pub(crate) computer_acts: Option<bool>,
    /// Next clock deadline of the match; `None` for a match without clocks.
    pub(crate) deadline: Option<Deadline>,
    /// Result of the match, if the match is rated and the appended log entries end it; otherwise `None`.
    pub(crate) rated: Option<RatedEnd>,
    /// Open seat that a person takes with the appended log entry, or `None`.
    pub(crate) taken: Option<SeatTaken>,
    /// Rematch that the appended log entry starts, or `None`.
    pub(crate) begun: Option<MatchInfo>,
}

/// Clock deadline of the player whose turn it is, as a Unix time in milliseconds; `None` while no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deadline(pub(crate) Option<i64>);

/// Open seat of a match, with the person who takes the seat.
#[derive(Clone, Debug)]
pub(crate) struct SeatTaken {
    pub(crate) player: Player,
    pub(crate) holder: Holder,
    pub(crate) name: Option<String>,
    /// Opponent of the person who takes the open seat of a rated match. `None` if the match is unrated, or if no person holds the
    /// opponent's seat.
    pub(crate) rated_host: Option<Holder>,
}

impl Addition {
    /// Returns an `Addition` that appends a single log entry and changes nothing else.
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

/// Change of the stored match offers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum OfferChange {
    /// Creates a match offer. Returns a conflict if an earlier request of the person with the same client id has made an offer that
    /// is open, accepted or declined, or has created a match. An offer by a bot is also a conflict unless bots may make such
    /// offers. If `is_new` is set, an equal open offer of another person is a conflict, too.
    Make { offer: Offer, is_new: bool, limits: OfferLimits },
    /// Accepts an open match offer, and creates the offered match. Returns a conflict if the offer is not open, if the acceptor may
    /// not accept the offer, or if the acceptor's request has already created a match. If the maker's match quota is used up, the
    /// offer is removed, and the result is also a conflict.
    ///
    /// Unless the match is by correspondence, the other open offers of both players end, because these players now play a match.
    /// Offers of correspondence matches stay open.
    Accept {
        id: String,
        info: MatchInfo,
        /// Idempotency key of the request that accepts the match offer: the accepting person and the client id.
        request: NewMatchRequest,
        at: i64,
    },
    /// Declines an open challenge on behalf of the challenged person.
    Decline { id: String, person: Holder, at: i64 },
    /// Withdraws one open match offer that a person has made.
    Withdraw { id: String, person: Holder },
    /// Withdraws all unaccepted match offers of a person.
    WithdrawAll { person: Holder },
    /// Extends the expiry of open match offers whose makers are still online. Ended offers do not open again.
    Keep { ids: Vec<String>, at: i64, until: i64 },
    /// Deletes expired match offers.
    ForgetOld { at: i64 },
}
