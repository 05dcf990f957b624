//! Opens connections to SQLite and PostgreSQL, executes SQL statements on both, and examines databases.

pub(crate) mod connection_pool;
pub(super) mod fault;
pub(crate) mod inspect;
pub(super) mod link;
pub(super) mod migrations;
pub(crate) mod postgres;
pub(crate) mod sql;
pub(crate) mod sqlite;
#[cfg(test)]
pub(super) mod statement_coverage;
