//! Converts matches to their JSON types, and keeps the log of a match.

pub(crate) mod clocks;
pub(crate) mod forms;
pub(crate) mod hints;
pub(crate) mod log;
pub(crate) mod own;
pub(crate) mod record;
pub(crate) mod view;
