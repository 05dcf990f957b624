//! The protocol by which programs in any language play in the arena: JSON lines on their standard input and output.
//!
//! `docs/bot-protocol.md` describes it. A [`Program`] is a player at the other end of the pipes; [`serve()`] is that other
//! end for a built-in opponent.

mod facts;
mod process;
mod program;
mod serve;
mod tell;
#[cfg(test)]
mod tests;
pub mod wire;

pub use facts::{
    DeckWire, FaceWire, ForeplacingWire, OvermateWire, PrivilegeWire, RankWire, RulesWire,
    SoleWire, SuitWire,
};
pub use program::{Program, ProgramOptions};
pub use serve::{ServeError, serve};
