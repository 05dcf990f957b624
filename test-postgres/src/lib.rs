//! Starts PostgreSQL and NATS servers for tests, each with a folder, a socket or a port of its own, and checks the [histories](history) of clusters.
//!
//! A test never uses a server that runs already. `cargo xtask test` installs the programs where they are missing. The servers need Unix; the check of
//! histories does not.

#[cfg(unix)]
mod certificates;
pub mod history;
#[cfg(unix)]
mod nats;
#[cfg(unix)]
mod postgres;
#[cfg(unix)]
mod process;

#[cfg(unix)]
pub use certificates::Authority;
#[cfg(unix)]
pub use nats::Nats;
#[cfg(unix)]
pub use postgres::Postgres;
