//! Where matches are kept: what a store can do, whatever keeps it.

mod sqlite;
mod writer;

use futures_util::future::BoxFuture;
use overmate_bots::BuiltIn;
use overmate_rules::{ByPlayer, Player};

pub(crate) use sqlite::Sqlite;

/// What a store answers, some time later.
pub(crate) type Answer<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// Keeps matches. What it has acknowledged is on the disk.
///
/// Several processes may share one: the insert of an entry under its sequence decides who comes first.
pub(crate) trait Store: Send + Sync + 'static {
    /// Keeps a new match, unless there is one of the same request.
    fn create(&self, new: Head, request: Option<Request>) -> Answer<'_, Appended>;

    /// The match that was begun by a request.
    fn begun_by<'a>(&'a self, request: &'a Request) -> Answer<'a, Option<String>>;

    /// The unchanging part of a match, and who sits where now.
    fn head<'a>(&'a self, id: &'a str) -> Answer<'a, Option<Head>>;

    /// What happened in a match after a sequence, in order.
    fn entries<'a>(&'a self, id: &'a str, after: u64) -> Answer<'a, Vec<Entry>>;

    /// Adds what happened to the log, if its sequence is free.
    fn append(&self, addition: Addition) -> Answer<'_, Appended>;

    /// What a request of this name has put into the log of a match.
    fn entry_named<'a>(&'a self, id: &'a str, client_id: &'a str) -> Answer<'a, Option<Entry>>;

    /// The match that an invitation is to.
    fn invited_to<'a>(&'a self, invitation: &'a str) -> Answer<'a, Option<String>>;

    /// The matches in which a browser holds a seat: unfinished ones first, then the newest.
    fn held_by(&self, holder: Holder, limit: u32) -> Answer<'_, Vec<String>>;

    /// The running matches of a browser in which somebody else sits, or is invited to.
    fn running_between_people(&self, holder: Holder) -> Answer<'_, Vec<String>>;

    /// The running matches with a computer opponent.
    fn running_with_bots(&self) -> Answer<'_, Vec<String>>;

    /// Whether it can be read from.
    fn check(&self) -> Answer<'_, ()>;

    /// Ends its work; what was acknowledged is kept anyway.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Who a browser is: the SHA-256 of its token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Holder(pub(crate) [u8; 32]);

/// What a browser called its request for a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    pub(crate) holder: Holder,
    pub(crate) client_id: String,
}

/// A match without what happened in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub(crate) id: String,
    pub(crate) rules: String,
    /// The number of every round's deal.
    pub(crate) deals: Vec<u64>,
    pub(crate) watch: String,
    pub(crate) invitation: Option<String>,
    /// Seconds since 1970.
    pub(crate) created_at: i64,
    pub(crate) seats: ByPlayer<SeatHead>,
}

/// A seat and who sits there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeatHead {
    pub(crate) name: Option<String>,
    pub(crate) sitter: Sitter,
}

/// Who sits in a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sitter {
    /// Nobody yet.
    Open,
    /// A browser.
    Holder(Holder),
    /// The computer, with its seed.
    Bot(BuiltIn, u64),
}

/// Something that happened in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// From 1, without gaps.
    pub(crate) sequence: u64,
    pub(crate) player: Player,
    pub(crate) what: What,
    pub(crate) client_id: String,
    /// Seconds since 1970.
    pub(crate) at: i64,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// An action, in notation.
    Act(String),
    /// The player gave up.
    Resign,
    /// The player took back his last action.
    Undo,
    /// The player had a hint.
    Hint,
    /// The player took the open seat.
    Join,
    /// The player wants another match.
    Offer,
    /// The player agreed to another match: this one.
    Accept(String),
}

/// An entry to be added, and what is stored with it or not at all.
#[derive(Clone, Debug)]
pub(crate) struct Addition {
    pub(crate) id: String,
    pub(crate) entry: Entry,
    /// Whether it ends the match.
    pub(crate) ends: bool,
    /// The seat that is taken with it.
    pub(crate) taken: Option<(Player, Holder, Option<String>)>,
    /// The match that is begun with it.
    pub(crate) begun: Option<Head>,
}

impl Addition {
    /// An entry alone.
    pub(crate) fn of(id: &str, entry: Entry) -> Self {
        Self { id: id.to_owned(), entry, ends: false, taken: None, begun: None }
    }
}

/// What became of an addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Appended {
    /// It is stored.
    Stored,
    /// Something else stands under its sequence, or the request is in the log already.
    Taken,
}

/// A store failed; nothing of what was asked for has happened.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// It may work in a moment.
    #[error("the store is busy: {0}")]
    Busy(String),
    /// It may not.
    #[error("the store failed: {0}")]
    Failed(String),
}
