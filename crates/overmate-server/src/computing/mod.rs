//! Runs searches and computer opponents on threads that all clients share fairly.

pub(crate) mod bot_cache;
pub(crate) mod compute;
pub(crate) mod fair_cache;
pub(crate) mod fair_semaphore;
pub(crate) mod match_bot;
pub(crate) mod program_pool;
pub(crate) mod scheduling;
pub(crate) mod solver_pool;
