//! Tests of the binary as people and programs use it: its output, its exit codes, and its files.

#![allow(clippy::unwrap_used, reason = "a test that panics has said what it wanted to say")]

mod arena;
mod bot_protocol;
mod deals;
mod generated;
mod play;
mod play_kept;
mod records;
mod rules;
#[cfg(unix)]
mod serve;
mod solve;
mod solved;
mod streams;
mod support;
mod tablebase;
mod tui;
