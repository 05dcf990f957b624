//! The server as its clients see it: the router in process, real sockets, a database of its own for every test.

#![allow(clippy::unwrap_used, reason = "a test that panics has said what it wanted to say")]

mod acting;
mod analysis;
mod creating;
mod documents;
mod durability;
mod hidden;
mod live;
mod misuse;
mod pages;
mod sockets;
mod support;
mod traffic;
