//! Stores matches and their logs durably.

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod conformance_leases;
#[cfg(test)]
mod conformance_pair;
pub(crate) mod copy;
#[cfg(test)]
mod earlier_schemas;
mod fault;
pub(crate) mod finished;
mod fold;
#[cfg(test)]
mod folding;
pub(crate) mod inspect;
pub(crate) mod leases;
mod link;
pub(crate) mod operators;
pub(crate) mod postgres;
mod puzzles;
mod rows;
mod secrets;
pub(crate) mod sql;
mod sql_store;
pub(crate) mod sqlite;
mod tables;
mod types;
mod writer;

pub(crate) use sql_store::SqlStore;
#[cfg(test)]
pub(crate) use types::StoreFuture;
pub(crate) use types::{
    Addition, Appended, Attempt, CountedAttempt, Entry, EntryKind, Holder, Listed, MatchInfo,
    NewMatchRequest, Occupant, Quota, SeatInfo, SeatTaken, Selection, SharedDealMatch, Store,
    StoreError, Unfinished,
};
