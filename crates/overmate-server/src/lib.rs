//! Matches of *Mate* over HTTP and WebSocket, kept in SQLite.
//!
//! [`Server::open`] opens the store, [`app`] is everything as a router, and [`serve()`] serves it until it is told to stop.

mod analysis;
mod begin;
mod bots;
mod client;
mod connections;
mod contest;
mod error;
mod events;
mod hints;
mod identity;
mod kept;
mod limits;
mod matches;
mod openapi;
mod origin;
mod problems;
mod records;
mod routes;
mod serve;
mod server;
mod settings;
mod show;
mod solving;
mod store;
mod telemetry;
pub mod wire;

pub use openapi::openapi_json;
pub use routes::app;
pub use serve::serve;
pub use server::{OpenError, Server};
pub use settings::{Limits, Settings};
