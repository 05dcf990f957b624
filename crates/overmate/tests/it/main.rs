//! Tests the output, the exit codes and the files of the binary `overmate`.

#![allow(clippy::unwrap_used, reason = "a panic reports the failure of a test")]

#[cfg(unix)]
mod admin;
mod arena;
#[cfg(unix)]
mod arena_contests;
mod bot_protocol;
mod bot_schema;
#[cfg(target_os = "linux")]
mod clocks;
#[cfg(unix)]
mod cluster;
mod data;
#[cfg(unix)]
mod database;
mod deals;
#[cfg(target_os = "linux")]
mod downtime;
#[cfg(unix)]
mod events;
#[cfg(unix)]
mod fair_play;
#[cfg(unix)]
mod faults;
mod generated;
#[cfg(unix)]
mod killed_clocks;
#[cfg(unix)]
mod maintenance;
#[cfg(unix)]
mod moderation;
#[cfg(unix)]
mod online_bot;
#[cfg(unix)]
mod people_limits;
mod play;
mod play_kept;
mod positions;
mod puzzles;
mod records;
mod rules;
#[cfg(unix)]
mod serve;
#[cfg(target_os = "linux")]
mod served_program;
mod solve;
mod solved;
mod streams;
mod support;
mod tablebase;
#[cfg(target_os = "linux")]
mod timed;
mod tui;
