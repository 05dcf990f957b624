//! Tests the server through its HTTP and WebSocket interface. Each test has its own database, and uses the router in process or
//! real sockets.

#![allow(clippy::unwrap_used, reason = "a panic reports the failure of a test")]

mod accounts;
mod acting;
mod analysis;
#[cfg(unix)]
mod archiving;
mod bot_tokens;
mod bots;
mod clocks;
#[cfg(unix)]
mod copying;
mod creating;
mod days_off;
mod documents;
mod durability;
#[cfg(unix)]
mod encryption;
mod event_absences;
mod events;
mod expiry;
mod export;
mod favourites;
mod folding;
mod hand_in;
mod hidden;
mod hints;
mod ignored;
mod lessons;
mod letters;
mod live;
mod lobby;
mod mail;
mod metrics;
mod misuse;
mod operator_acts;
mod pages;
mod passkeys;
mod people;
mod personal;
#[cfg(unix)]
mod presence;
mod previews;
mod progress;
mod push;
mod puzzles;
mod ratings;
mod reports;
mod shared_deals;
mod shares;
mod smtp;
mod sockets;
mod support;
mod talk;
mod traffic;
mod turn_mails;
mod values;
mod watching;
