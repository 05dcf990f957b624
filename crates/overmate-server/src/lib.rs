//! Serves matches of the card game *Mate* over HTTP and WebSocket, and stores the matches in SQLite or PostgreSQL.
//!
//! [`Server::open`] opens the store, [`app`] returns the router, and [`serve()`] serves the router until a stop.
//!
//! A request passes the layers and a handler in `routes`, a service in `services`, the replayed `match_state`, and the `store`.
//! The JSON types stand in [`wire`] and in the crate `overmate-json`.

/// Item whose documentation is the README, so that the README's example is compiled as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod absence;
mod admin;
mod admin_events;
mod anchors;
mod archive;
mod assets;
mod backup;
mod bot_cache;
mod bot_token;
mod client;
mod clock;
mod clock_setting;
mod codes;
mod compute;
mod computer;
mod conditional;
mod connections;
mod data_folder;
mod database;
mod database_copy;
mod dear;
mod doctor;
mod error;
mod events;
mod fair_cache;
mod fair_semaphore;
mod forwarded;
#[doc(hidden)]
pub mod fuzzing;
mod game_report;
mod glicko2;
mod handle;
mod head;
mod identity;
mod keyed_hash;
mod lessons;
mod limits;
mod mail;
mod match_bot;
mod match_clock;
mod match_rating;
mod match_state;
mod moderation;
mod names;
mod nats_events;
mod notice_channel;
mod notices;
mod openapi;
mod pairing;
mod passwords;
mod picture;
mod play_events;
mod postgres_events;
mod presence;
mod present;
mod program_pool;
mod programs;
mod public_url;
mod push;
mod puzzle_rating;
mod puzzle_run;
mod random;
mod records;
mod relying_party;
mod replay_error;
mod room_sharing;
mod routes;
mod scheduling;
mod serve;
mod server;
mod services;
mod settings;
mod shared_deal;
mod show;
#[cfg(test)]
mod simulation;
mod solver_pool;
mod store;
mod store_time;
mod stream;
mod system;
mod telemetry;
mod turn_text;
pub mod wire;

pub use admin::{Admin, AdminError, Found, FoundBrowser, NameNotAllowed, Revoked};
pub use archive::{ArchiveError, Archived, SkippedMatch, archive};
pub use backup::{Backup, BackupError, back_up, restore};
pub use clock::ClockFault;
pub use data_folder::NoDatabase;
pub use database::{AddressFault, Database, PostgresAddress};
pub use database_copy::{Copied, CopyError, copy_database};
pub use doctor::{Finding, Verdict, examine};
pub use mail::{MailFault, MailFrom, MailSettings, SmtpAddress};
pub use moderation::Measure;
pub use names::normalised as normalised_name;
pub use notice_channel::{NatsAddress, NoticeChannel, NoticeChannelFault};
pub use programs::{OfferedProgram, ProgramName, ProgramNameFault, ProgramSeat, ProgramSource};
pub use public_url::{PublicUrl, PublicUrlFault};
pub use push::{PushContact, PushContactFault, PushTest};
pub use routes::{app, metrics_app, openapi_json};
pub use scheduling::prefer_short_waits;
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
