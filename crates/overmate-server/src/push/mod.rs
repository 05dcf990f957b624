//! Sends push messages to browsers over the push services of browser vendors (RFC 8030). The messages are encrypted for the
//! browser and signed by the server.

mod address;
mod contact;
mod delivery;
mod key;

pub(crate) use address::Endpoint;
pub use contact::{PushContact, PushContactFault};
pub use delivery::PushTest;
pub(crate) use delivery::{Delivery, Outcome, PushClient};
pub(crate) use key::{PushKey, is_key};
