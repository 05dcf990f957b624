//! Starts PostgreSQL and NATS servers for tests. Also checks the recorded [requests and responses](history) of a test run and
//! the live [clocks] of a match, and summarises measured [times]. Each server has its own folder, and its own socket or port.
//!
//! A test never uses a server that is already running. `cargo xtask test` installs missing
//! programs. The servers need Unix; the checks of histories and clocks do not.

#[cfg(unix)]
mod certificates;
pub mod clocks;
pub mod history;
#[cfg(unix)]
mod nats;
#[cfg(unix)]
mod postgres;
#[cfg(unix)]
mod process;
pub mod times;

#[cfg(unix)]
pub use certificates::Authority;
#[cfg(unix)]
pub use nats::Nats;
#[cfg(unix)]
pub use postgres::Postgres;
