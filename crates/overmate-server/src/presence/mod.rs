//! Tracks the live connections of players in matches between people, and relays the players' chat phrases. All data stay in
//! memory. Servers exchange messages about their rooms.

mod message;
mod room;
mod rooms;

pub(crate) use message::RoomMessage;
pub(crate) use room::{Presence, RoomNotice};
pub(crate) use rooms::{Attending, Rooms};
