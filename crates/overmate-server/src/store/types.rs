//! Defines the interface of a match store, and the types of the stored data.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use futures_util::future::BoxFuture;
use overmate_bots::BuiltIn;
use overmate_rules::{ByPlayer, Player};

use super::entry::Entry;
pub(crate) use super::holder::Holder;
pub(crate) use super::outcome::{Appended, Quota, StoreError, StoreFuture};
use super::person_types::People;
use super::seat_types::{AnswersRead, SeatTexts};
use crate::match_clock::ClockSetting;
use crate::puzzle_rating::PuzzleRating;
use crate::shared_deal::SharedDealKey;

/// Durable store of matches and their logs. An acknowledged write is on the disk.
///
/// Several processes may share a store: the insert of an entry under its sequence is the compare-and-swap.
pub(crate) trait Store: People + Clocks + SeatTexts + Send + Sync + 'static {
    /// Stores a new match, unless an identical request has already created the match.
    fn create(&self, new: MatchInfo, request: Option<NewMatchRequest>)
    -> StoreFuture<'_, Appended>;

    /// Returns the id of the match that an earlier copy of this request has created, if any.
    fn created_by<'a>(&'a self, request: &'a NewMatchRequest) -> StoreFuture<'a, Option<String>>;

    /// Returns the rules, deals and seats of the match with this id, without its log.
    fn info<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<MatchInfo>>;

    /// Returns the log entries of a match after a sequence number, in order, or `None` if the store holds no such match.
    fn entries<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Option<Vec<Entry>>>;

    /// Returns the log entries of each given match after the given sequence number, ordered by match and sequence number.
    fn entries_of(&self, matches: Vec<(String, u64)>) -> StoreFuture<'_, Vec<(String, Entry)>>;

    /// Returns the sequence number of the last log entry of each given match that the store holds; 0 for an empty log.
    fn sequences(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, u64)>>;

    /// Appends an entry to the log of a match, if the sequence number and the client id of the entry are unused.
    fn append(&self, addition: Addition) -> StoreFuture<'_, Appended>;

    /// Returns the log entry of a match that the request with this client id has appended, if any.
    fn entry_of_request<'a>(
        &'a self,
        id: &'a str,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<Entry>>;

    /// Returns the id of the match to which an invitation token belongs.
    fn invited_to<'a>(&'a self, invitation: &'a str) -> StoreFuture<'a, Option<String>>;

    /// Returns the ids of the matches on a shared deal under a rule set that ended at a time or later, in seconds since 1970.
    fn ended_on<'a>(
        &'a self,
        shared_deal: &'a str,
        rules: &'a str,
        since: i64,
    ) -> StoreFuture<'a, Vec<String>>;

    /// Returns the matches of a browser on shared deals, the newest first.
    fn shared_deals_of(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<SharedDealMatch>>;

    /// Returns the server's key of shared deals, which never changes.
    fn shared_deal_key(&self) -> SharedDealKey;

    /// Returns the server's key of identity tokens, which never changes.
    fn identity_key(&self) -> [u8; 32];

    /// Returns whether a browser holds a seat, has attempts at puzzles, or shares its matches with other browsers.
    fn is_known(&self, holder: Holder) -> StoreFuture<'_, bool>;

    /// Returns whether a person holds a seat of a match that was created before a time, in seconds since 1970, or has an attempt at a puzzle before it.
    fn has_played(&self, holder: Holder, before: i64) -> StoreFuture<'_, bool>;

    /// Returns the sequence number of the last entry of the longest log, or 0 if no log has 128 entries.
    fn longest_log(&self) -> StoreFuture<'_, u64>;

    /// Returns the selected matches with their seats, each with the sequence number of its last log entry, in one query.
    fn list(&self, selection: Selection) -> StoreFuture<'_, Vec<Listed>>;

    /// Removes a match with its seats and its log, if the last log entry has this sequence number.
    fn remove(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended>;

    /// Returns a batch of the unfinished matches that were created before a time, in the order of their creation. The batch starts after the match
    /// `after`, and has at most `limit` matches.
    fn unfinished(
        &self,
        created_before: i64,
        after: Option<Unfinished>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<Unfinished>>;

    /// Returns the ids of finished matches that ended before a time, in seconds since 1970, and whose logs are not folded. The match that ended first
    /// comes first.
    fn foldable(&self, ended_before: i64, limit: u32) -> StoreFuture<'_, Vec<String>>;

    /// Folds the log of a finished match into one row. The log stays the same, except that its client ids become empty.
    fn fold(&self, id: String) -> StoreFuture<'_, Appended>;

    /// Counts an attempt at a puzzle and changes both ratings, if the browser has not tried the puzzle before.
    fn attempt(&self, attempt: Attempt) -> StoreFuture<'_, Appended>;

    /// Returns the last counted attempts of a browser at puzzles, at most `limit`, the last counted first.
    fn puzzle_attempts(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<CountedAttempt>>;

    /// Returns for each counted attempt of a browser whether it solved its puzzle, the last counted first.
    fn puzzle_results(&self, holder: Holder) -> StoreFuture<'_, Vec<bool>>;

    /// Returns the ids of the puzzles that a browser has tried.
    fn tried_puzzles(&self, holder: Holder) -> StoreFuture<'_, HashSet<String>>;

    /// Returns the puzzle rating of a browser, or `None` before its first attempt.
    fn puzzle_player(&self, holder: Holder) -> StoreFuture<'_, Option<PuzzleRating>>;

    /// Returns the rating of a puzzle, or `None` before the first attempt of any browser.
    fn puzzle_rating<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<PuzzleRating>>;

    /// Returns the ratings of all puzzles that some browser has tried, by their ids.
    fn puzzle_ratings(&self) -> StoreFuture<'_, HashMap<String, f64>>;

    /// Takes a lease for this server. Returns a conflict if another server holds the lease, or if this server takes no leases.
    fn take_lease<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Appended>;

    /// Renews the leases of this server before they run out, takes leases that have run out, and returns the names of all leases of this server.
    fn keep_leases(&self) -> StoreFuture<'_, Vec<String>>;

    /// Gives a lease of this server back. No server takes the work again for a time.
    fn release_lease(&self, name: String, pause: Duration) -> StoreFuture<'_, Appended>;

    /// Gives all leases of this server back, and takes no more leases: work that begins later waits for another server.
    fn retire(&self) -> StoreFuture<'_, Appended>;

    /// Removes the lease of a match in which no computer opponent is to act, if the last log entry has this sequence number.
    fn remove_lease(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended>;

    /// Returns the targets of the acts of operators that began in the last seconds, by the clock of the store: a match, a player of a match, or a browser. Browsers that
    /// have got another person or were signed out in this time are targets too.
    fn act_targets(&self, seconds: i64) -> StoreFuture<'_, Vec<String>>;

    /// Removes the acts of operators that began before a time, in seconds since 1970.
    fn forget_acts(&self, before: i64) -> StoreFuture<'_, Appended>;

    /// Counts a request against limits that hold for all servers on the database, and returns the time after which a repeated request may succeed if a
    /// limit refuses the request, otherwise `None`. A refused request counts against no limit; of several requests at the same time, a refused one may count against limits with room.
    ///
    /// A database that only one server uses counts nothing, because the server itself counts.
    fn count(&self, counted: Vec<Counted>, window: Duration) -> StoreFuture<'_, Option<Duration>>;

    /// Removes the counts that no longer affect a limit.
    fn forget_counts(&self) -> StoreFuture<'_, ()>;

    /// Checks that the database can be written, by committing a transaction that changes nothing.
    fn check_writable(&self) -> StoreFuture<'_, ()>;

    /// Commits the queued writes, and closes the database.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Subject of a limit that holds for all servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    /// Keyed hash of the limit and its subject, which names neither a browser nor an address.
    pub(crate) key: i64,
    /// Time that a request of the subject uses up of the window of the limit.
    pub(crate) step: Duration,
}

/// Store of the deadlines of matches, and of the time at which a server ran last.
pub(crate) trait Clocks: Send + Sync + 'static {
    /// Returns the time of the database in milliseconds since 1970, or `None` if the database has the clock of this machine.
    fn now_ms(&self) -> StoreFuture<'_, Option<i64>>;

    /// Returns the ids of matches in which a clock runs, each with its deadline in milliseconds since 1970, up to the deadline `until`. The earliest
    /// deadline comes first.
    fn deadlines(&self, until: i64, limit: u32) -> StoreFuture<'_, Vec<(String, i64)>>;

    /// Returns the ids of matches in which a clock of minutes and not of days runs, at most `limit`.
    fn live_clocks(&self, limit: u32) -> StoreFuture<'_, Vec<String>>;

    /// Replaces the deadline of a match, if the last log entry has this sequence number.
    fn set_deadline(
        &self,
        id: String,
        sequence: u64,
        deadline: Deadline,
    ) -> StoreFuture<'_, Appended>;

    /// Returns the latest time that [`beat`](Self::beat) has stored, in milliseconds since 1970; 0 at first.
    fn last_beat(&self) -> StoreFuture<'_, i64>;

    /// Stores that a server ran at a time, in milliseconds since 1970, unless a later time is stored.
    fn beat(&self, at_ms: i64) -> StoreFuture<'_, Appended>;
}

/// Condition that selects matches for a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Selection {
    /// Selects the matches in which a browser holds a seat, unfinished matches first, then the newest.
    HeldBy {
        /// Browser that holds the seat.
        holder: Holder,
        /// Largest number of matches in the list.
        limit: u32,
    },
    /// Selects a batch of the matches in which a browser holds a seat, in the order of their ids.
    Batch {
        /// Browser that holds the seat.
        holder: Holder,
        /// Id of the match after which the batch begins; empty for the first batch.
        after: String,
        /// Largest number of matches in the batch.
        limit: u32,
    },
    /// Selects the finished matches in which a browser holds exactly one seat, the match that ended last first.
    Finished {
        /// Browser that holds one seat.
        holder: Holder,
        /// Largest number of matches in the list.
        limit: u32,
    },
    /// Selects the running matches in which a browser plays without help: against another person, with an open seat for an invited person, on a
    /// shared deal, or with clocks.
    WithoutHelp {
        /// Browser that holds a seat of the match.
        holder: Holder,
    },
    /// Selects the matches with these ids.
    Ids(Vec<String>),
}

/// Match of a browser on a shared deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SharedDealMatch {
    pub(crate) id: String,
    /// Name of the shared deal, such as `2026-11-21`.
    pub(crate) shared_deal: String,
    pub(crate) rules: String,
    /// Whether the match was played to its end. A match that a player resigned is not finished.
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
    /// Time when the match was created, in seconds since 1970.
    pub(crate) created_at: i64,
    /// Time of the last log entry, or of the creation of the match for an empty log, in seconds since 1970.
    pub(crate) acted_at: i64,
    /// Whether nobody has used the invitation to the match.
    pub(crate) is_open: bool,
    /// Whether the log has no entry of a person, and the match is no shared deal.
    pub(crate) is_empty: bool,
}

/// First attempt of a browser at a puzzle, which may be counted.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Attempt {
    pub(crate) holder: Holder,
    /// Id of the puzzle.
    pub(crate) puzzle: String,
    /// Name of the rule set of the puzzle.
    pub(crate) rules: String,
    /// Rating of the puzzle if nobody has tried it before.
    pub(crate) new_puzzle: PuzzleRating,
    pub(crate) solved: bool,
    /// Time of the attempt in seconds since 1970.
    pub(crate) at: i64,
}

/// Counted attempt of a browser at a puzzle.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CountedAttempt {
    /// Id of the puzzle.
    pub(crate) puzzle: String,
    /// Name of the rule set of the puzzle.
    pub(crate) rules: String,
    pub(crate) solved: bool,
    /// Puzzle rating of the browser's player after this attempt at a puzzle.
    pub(crate) rating: f64,
    /// Time of the attempt in seconds since 1970.
    pub(crate) at: i64,
}

/// Key that makes a request for a new match idempotent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewMatchRequest {
    pub(crate) holder: Holder,
    pub(crate) client_id: String,
}

/// Rules, deals and seats of a match, without its log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchInfo {
    pub(crate) id: String,
    pub(crate) rules: String,
    /// Number of each round's deal, in the order of the rounds.
    pub(crate) deals: Vec<u64>,
    /// Secret token in the link for spectators of the match.
    pub(crate) watch: String,
    pub(crate) invitation: Option<String>,
    /// Time when the match was created, in seconds since 1970.
    pub(crate) created_at: i64,
    /// Name of the shared deal that the match plays, such as `2026-11-21`; `None` for all other
    /// matches.
    pub(crate) shared_deal: Option<String>,
    /// Whether the creator of the match chose the deal of the first round by its number.
    pub(crate) deal_chosen: bool,
    /// Number of the creator's network, for the shares of the processors; `None` if the match has no computer opponent, or an earlier version created it.
    pub(crate) network: Option<u16>,
    /// Setting of the players' clocks; `None` for a match without clocks.
    pub(crate) clock: Option<ClockSetting>,
    pub(crate) seats: ByPlayer<SeatInfo>,
}

impl MatchInfo {
    /// Returns whether a computer opponent has a seat.
    pub(crate) fn has_bot(&self) -> bool {
        Player::BOTH.into_iter().any(|player| self.is_bot(player))
    }

    /// Returns whether a computer opponent has the seat of a player.
    pub(crate) fn is_bot(&self, player: Player) -> bool {
        matches!(self.seats[player].occupant, Occupant::Bot(..))
    }
}

/// Display name of one of the two players, and the occupant of the player's seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatInfo {
    pub(crate) name: Option<String>,
    pub(crate) occupant: Occupant,
}

/// Occupant of a player's seat in a match: nobody, a browser or a computer opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occupant {
    /// The seat is open for an invited friend.
    Open,
    /// The seat is vacant, because its browser has erased its data.
    Deleted,
    /// A person has the seat, identified by their browser.
    Holder(Holder),
    /// A computer opponent has the seat and plays with this random seed.
    Bot(BuiltIn, u64),
}

/// Log entry to append, and the other changes that the same transaction makes.
#[derive(Clone, Debug)]
pub(crate) struct Addition {
    /// Id of the match to whose log the entry is appended.
    pub(crate) id: String,
    pub(crate) entry: Entry,
    /// Entries that follow the entry in the same transaction: conditional answers to an action.
    pub(crate) followed_by: Vec<Entry>,
    /// Conditional answers of both players as they were read; the entry is refused if they have changed. `None` if the entry concerns none.
    pub(crate) answers: Option<ByPlayer<AnswersRead>>,
    /// Whether the match is over after the entries.
    pub(crate) ends: bool,
    /// Whether a computer opponent is to act after the entries, so that this server leases its turn; `None` for a match without a computer opponent.
    pub(crate) computer_acts: Option<bool>,
    /// Deadline of the player to act after the entries; `None` for a match without clocks.
    pub(crate) deadline: Option<Deadline>,
    /// Open seat that a browser takes with the entry, if any.
    pub(crate) taken: Option<SeatTaken>,
    /// Rematch that is created with the entry, if any.
    pub(crate) begun: Option<MatchInfo>,
}

/// Time in milliseconds since 1970 at which the player to act has lost on time; `None` while no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deadline(pub(crate) Option<i64>);

/// Open seat of a match, and the browser that takes the seat.
#[derive(Clone, Debug)]
pub(crate) struct SeatTaken {
    pub(crate) player: Player,
    pub(crate) holder: Holder,
    pub(crate) name: Option<String>,
}

impl Addition {
    /// Returns the addition of a log entry without other changes.
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
            taken: None,
            begun: None,
        }
    }
}
