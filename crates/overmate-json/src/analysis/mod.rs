//! Exact analyses of games and positions: requests, their subjects, and the JSON forms of the results.

pub(crate) mod forms;
pub(crate) mod review;
pub(crate) mod subject;
