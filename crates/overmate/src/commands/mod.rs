//! Implements the commands of the program `overmate`, with one module for each command.

pub(crate) mod admin;
mod admin_events;
pub(crate) mod arena;
pub(crate) mod bot;
mod config_file;
pub(crate) mod data;
pub(crate) mod database;
mod database_options;
pub(crate) mod deal;
mod environment;
pub(crate) mod generated;
pub(crate) mod maintenance;
mod moderation;
pub(crate) mod play;
mod programs;
pub(crate) mod puzzle;
pub(crate) mod puzzles;
pub(crate) mod replay;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod serve;
mod serve_settings;
pub(crate) mod solve;
pub(crate) mod solved;
pub(crate) mod tablebase;
