//! Defines the fuzz targets: functions that read untrusted text or bytes, and panic if a result is inconsistent.

pub mod card_and_action;
pub mod deal;
#[cfg(feature = "libfuzzer")]
pub mod http_body;
mod input;
#[cfg(feature = "libfuzzer")]
pub mod live_messages;
#[cfg(feature = "libfuzzer")]
pub mod match_log;
pub mod position;
pub mod record;
pub mod rules_toml;
pub mod tablebase;
