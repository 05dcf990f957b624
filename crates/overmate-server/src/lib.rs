//! Serves matches of the card game *Mate* over HTTP and WebSocket, and stores the matches in SQLite or PostgreSQL.
//!
//! [`Server::open`] opens the store, [`app`] returns the router, and [`serve()`] serves the router until a stop.
//!
//! A request passes the layers and a handler in `routes`, a service in `services`, the state of the match in `matches`, and the `store`.
//! The JSON types stand in [`wire`] and in the crate `overmate-json`.

/// Placeholder item with the README as its documentation, which makes the README's example a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod clock;
mod clocks;
mod computer;
mod computing;
mod connections;
mod data_folder;
mod database;
mod dear;
mod error;
#[doc(hidden)]
pub mod fuzzing;
mod head;
mod http;
mod identity;
mod keyed_hash;
mod lessons;
mod limits;
mod mail;
mod matches;
mod names;
mod notices;
mod operator;
mod pairing;
mod picture;
mod play_events;
mod presence;
mod present;
mod programs;
mod push;
mod puzzle_run;
mod random;
mod rating;
mod routes;
mod serve;
mod server;
mod services;
mod settings;
mod shared_deal;
mod show;
#[cfg(test)]
mod simulation;
mod store;
mod system;
mod telemetry;
mod turn_text;
pub mod wire;

pub use clock::ClockFault;
pub use computing::scheduling::prefer_short_waits;
pub use data_folder::{NoDatabase, TargetFault};
pub use database::{AddressFault, Database, PostgresAddress};
pub use http::public_url::{PublicUrl, PublicUrlFault};
pub use mail::{MailFault, MailFrom, MailSettings, SmtpAddress};
pub use names::{is_line_of_refused_words, normalised as normalised_name};
pub use notices::channel::{NatsAddress, NoticeChannel, NoticeChannelFault};
pub use operator::admin::{Admin, Found, FoundBrowser, Renamed, Revoked};
pub use operator::admin_error::{AdminError, NameNotAllowed};
pub use operator::archive::{ArchiveError, Archived, SkippedMatch, archive};
pub use operator::backup::{Backup, BackupError, back_up, restore};
pub use operator::database_copy::{Copied, CopyError, copy_database};
pub use operator::doctor::{Finding, Verdict, examine};
pub use operator::moderation::Measure;
pub use programs::{OfferedProgram, ProgramName, ProgramNameFault, ProgramSeat, ProgramSource};
pub use push::{PushContact, PushContactFault, PushTest};
pub use routes::{app, metrics_app, openapi_json};
pub use serve::{serve, serve_metrics};
pub use server::{OpenError, Server};
pub use services::{FairPlay, Peers, RatingBand, TimedPlay};
pub use settings::{Limits, ServerRole, Settings};
pub use store::connection::inspect::{Contents, Unsound};
pub use store::copy::CopiedTable;
pub use store::interface::traces::OperatorAct;
pub use store::queries::operator_offers::FoundOffer;
pub use store::queries::operator_reports::{FoundMessage, FoundParty, FoundReport};
pub use store::queries::operators::{FoundMatch, FoundOccupant, FoundSeat};
