//! Implements the bot protocol, in which an arena and an external program exchange lines of JSON over standard input
//! and output.
//!
//! The file `docs/bot-protocol.md` describes the protocol. [`Program`] is an entrant that runs a
//! program. [`serve()`] implements the program's side of the protocol for a built-in bot.

mod clock;
mod logs;
mod message_fault;
mod messages;
mod process;
mod program;
mod serve;
#[cfg(test)]
mod tests;
pub mod wire;

pub use clock::TimeControl;
pub use logs::ProgramLogs;
pub use message_fault::MessageFault;
pub use program::{Program, ProgramOptions};
pub use serve::{ServeError, serve};
