//! Analyses games and positions exactly, and defines the JSON forms of requests and results.

pub(crate) mod forms;
pub(crate) mod review;
pub(crate) mod subject;
