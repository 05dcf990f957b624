//! Notifies long-polling requests, live connections and other servers of changes.

pub(crate) mod channel;
pub(crate) mod events;
pub(crate) mod nats_events;
pub(crate) mod postgres_events;
pub(crate) mod room_sharing;
pub(crate) mod sharing;
