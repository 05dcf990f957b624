//! Converts matches to their JSON types, and maintains the log of each match: its actions, undos and hints.

pub(crate) mod clocks;
pub(crate) mod forms;
pub(crate) mod hints;
pub(crate) mod log;
pub(crate) mod own;
pub(crate) mod record;
pub(crate) mod view;
