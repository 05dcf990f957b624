//! Implements a match of a human against the computer, without any code for the display.

pub(crate) mod adviser;
pub(crate) mod autosave;
pub(crate) mod controller;
pub(crate) mod explanation;
pub(crate) mod hint;
pub(crate) mod messages;
pub(crate) mod moment;
pub(crate) mod opponent;
pub(crate) mod reviewed;
pub(crate) mod session;
pub(crate) mod setup;
