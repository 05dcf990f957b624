//! Defines the interface of a match store: its traits, and the types of the stored data.

pub(super) mod absence;
pub(super) mod bot;
pub(super) mod entry;
pub(super) mod event;
pub(super) mod holder;
pub(super) mod mail;
pub(super) mod match_info;
pub(super) mod offer;
pub(super) mod outcome;
pub(super) mod passkey;
pub(super) mod person;
pub(super) mod push;
pub(super) mod rating;
pub(super) mod relation;
pub(super) mod report;
pub(super) mod seat;
pub(super) mod store;
pub(super) mod talk;
pub(crate) mod traces;
pub(super) mod turn_mail;
pub(super) mod visibility;
