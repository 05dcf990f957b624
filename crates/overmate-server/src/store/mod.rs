//! Stores matches and their logs durably.

mod clock_store;
mod clocks;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod conformance_clocks;
#[cfg(test)]
mod conformance_counts;
#[cfg(test)]
mod conformance_leases;
#[cfg(test)]
mod conformance_pair;
#[cfg(test)]
mod conformance_people;
pub(crate) mod copy;
mod counts;
#[cfg(test)]
mod earlier_schemas;
mod entry;
mod fault;
pub(crate) mod finished;
mod fold;
#[cfg(test)]
mod folding;
pub(crate) mod inspect;
pub(crate) mod leases;
mod link;
pub(crate) mod operators;
mod people;
pub(crate) mod person_sql;
mod person_store;
pub(crate) mod postgres;
mod puzzles;
mod queries;
mod rows;
mod secrets;
pub(crate) mod sql;
mod sql_store;
pub(crate) mod sqlite;
mod tables;
pub(crate) mod traces;
mod types;
mod writer;

pub(crate) use entry::{Entry, EntryKind};
pub(crate) use people::CODE_TIME;
pub(crate) use rows::player_text;
pub(crate) use sql_store::SqlStore;
pub(crate) use traces::Traces;
pub(crate) use types::{
    Addition, Appended, Attempt, CodeKind, CodeOffer, Counted, CountedAttempt, Deadline, Holder,
    KnownBrowser, Listed, MatchInfo, NewMatchRequest, Occupant, PersonChange, Quota, SeatInfo,
    SeatTaken, Selection, SharedDealMatch, Standing, Store, StoreError, Unfinished,
};
#[cfg(test)]
pub(crate) use types::{Clocks, People, StoreFuture};
