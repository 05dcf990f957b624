//! Stores matches and their logs durably.

pub(crate) mod inspect;
pub(crate) mod operators;
mod puzzles;
mod sqlite;
mod types;
mod writer;

pub(crate) use sqlite::Sqlite;
pub(crate) use types::{
    Addition, Appended, Attempt, CountedAttempt, Entry, EntryKind, Holder, Listed, MatchInfo,
    NewMatchRequest, Occupant, Quota, SeatInfo, SeatTaken, Selection, SharedDealMatch, Store,
    StoreError, Unfinished,
};
