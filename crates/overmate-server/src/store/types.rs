//! Interface of a store of matches, and the stored types.

use futures_util::future::BoxFuture;
use overmate_bots::BuiltIn;
use overmate_rules::{ByPlayer, Player};

/// Future of a store operation.
pub(crate) type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Durable store of matches. An acknowledged write is on the disk.
///
/// Several processes may share a store: the insert of an entry under its sequence is the compare-and-swap.
pub(crate) trait Store: Send + Sync + 'static {
    /// Stores a new match, unless the same request has created one.
    fn create(&self, new: MatchInfo, request: Option<NewMatchRequest>) -> Answer<'_, Appended>;

    /// Returns the id of the match that a request has created.
    fn created_by<'a>(&'a self, request: &'a NewMatchRequest) -> Answer<'a, Option<String>>;

    /// Returns a match without its log.
    fn info<'a>(&'a self, id: &'a str) -> Answer<'a, Option<MatchInfo>>;

    /// Returns the entries of a match after a sequence number, in order.
    fn entries<'a>(&'a self, id: &'a str, after: u64) -> Answer<'a, Vec<Entry>>;

    /// Returns the entries of several matches, each after a sequence number, with the ids of their matches, in order.
    fn entries_of(&self, matches: Vec<(String, u64)>) -> Answer<'_, Vec<(String, Entry)>>;

    /// Appends an entry to the log if its sequence number and its client id are free.
    fn append(&self, addition: Addition) -> Answer<'_, Appended>;

    /// Returns the entry of a match with a client id.
    fn entry_of_request<'a>(&'a self, id: &'a str, client_id: &'a str)
    -> Answer<'a, Option<Entry>>;

    /// Returns the id of the match to which an invitation token belongs.
    fn invited_to<'a>(&'a self, invitation: &'a str) -> Answer<'a, Option<String>>;

    /// Returns the selected matches with the sequence number of their last entry, in one query.
    fn list(&self, selection: Selection) -> Answer<'_, Vec<Listed>>;

    /// Returns the ids of the running matches with a computer opponent.
    fn running_with_bots(&self) -> Answer<'_, Vec<String>>;

    /// Checks that the store can be read.
    fn check(&self) -> Answer<'_, ()>;

    /// Checks that the store can be written: commits a transaction that changes nothing.
    fn check_writable(&self) -> Answer<'_, ()>;

    /// Commits the queued writes, and closes the store.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Selection of matches for a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Selection {
    /// Matches in which a browser holds a seat: unfinished ones first, then the newest.
    HeldBy {
        /// Browser that holds the seat.
        holder: Holder,
        /// Largest number of listed matches.
        limit: u32,
    },
    /// Running matches of a browser whose other seat is another person's or open.
    BetweenPeople {
        /// Browser that holds a seat.
        holder: Holder,
    },
}

/// Match in a list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) info: MatchInfo,
    /// Sequence number of the last entry of the log; 0 for an empty log.
    pub(crate) sequence: u64,
}

/// Identity of a browser: the SHA-256 of its token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Holder(pub(crate) [u8; 32]);

/// Identity of a request for a new match, which makes the request idempotent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewMatchRequest {
    pub(crate) holder: Holder,
    pub(crate) client_id: String,
}

/// Match without its log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MatchInfo {
    pub(crate) id: String,
    pub(crate) rules: String,
    /// Number of the deal of each round.
    pub(crate) deals: Vec<u64>,
    /// Token of the spectators' link.
    pub(crate) watch: String,
    pub(crate) invitation: Option<String>,
    /// Creation time in seconds since 1970.
    pub(crate) created_at: i64,
    pub(crate) seats: ByPlayer<SeatInfo>,
}

/// Name and occupant of a player's seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatInfo {
    pub(crate) name: Option<String>,
    pub(crate) occupant: Occupant,
}

/// Occupant of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occupant {
    /// Nobody: an invitation is open.
    Open,
    /// Browser that holds the seat.
    Holder(Holder),
    /// Computer opponent with its seed.
    Bot(BuiltIn, u64),
}

/// Entry of a match's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// Position in the log, from 1, without gaps.
    pub(crate) sequence: u64,
    pub(crate) player: Player,
    pub(crate) kind: EntryKind,
    /// Name of the request, unique in the match, which makes the request idempotent.
    pub(crate) client_id: String,
    /// Time in seconds since 1970.
    pub(crate) at: i64,
}

/// Kind of a log entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EntryKind {
    /// Action, in notation.
    Act(String),
    /// Resignation of the player.
    Resign,
    /// Undo of the player's last action.
    Undo,
    /// Hint for the player.
    Hint,
    /// Player taking the open seat.
    Join,
    /// Offer of a rematch by the player.
    Offer,
    /// Acceptance of a rematch by the player, with the id of the new match.
    Accept(String),
}

/// Entry to append, and the changes of the same transaction.
#[derive(Clone, Debug)]
pub(crate) struct Addition {
    /// Id of the match.
    pub(crate) id: String,
    pub(crate) entry: Entry,
    /// Whether the entry ends the match.
    pub(crate) ends: bool,
    /// Open seat that the entry takes, if any.
    pub(crate) taken: Option<SeatTaken>,
    /// Rematch that the entry creates, if any.
    pub(crate) begun: Option<MatchInfo>,
}

/// Open seat that a browser takes.
#[derive(Clone, Debug)]
pub(crate) struct SeatTaken {
    pub(crate) player: Player,
    pub(crate) holder: Holder,
    pub(crate) name: Option<String>,
}

impl Addition {
    /// Creates an addition of an entry alone.
    pub(crate) fn of(id: &str, entry: Entry) -> Self {
        Self { id: id.to_owned(), entry, ends: false, taken: None, begun: None }
    }
}

/// Result of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Appended {
    /// The write is committed.
    Stored,
    /// Nothing is written: the sequence number, the client id or the seat is taken.
    Conflict,
}

/// Failure of a store operation. The operation changed nothing.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// Temporary failure: a locked database or a full disk.
    #[error("the store is busy: {0}")]
    Busy(String),
    /// Permanent failure, such as a damaged database file.
    #[error("the store failed: {0}")]
    Failed(String),
}
