//! Levels 1 to 9: bots that see some moves ahead and err like people.

pub(crate) mod belief;
pub(crate) mod bot;
mod chance;
mod reason;
