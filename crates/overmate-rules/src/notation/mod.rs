//! Text notation in which actions, deals, positions and records of matches are written and read.

mod actions;
mod deals;
mod positions;
mod record;
mod record_read;

pub use positions::{PositionFault, PositionFaults, PositionSetup};
pub use record::{
    IllegalInRecord, NotRecordable, Note, NoteText, Record, RecordError, RecordFault,
};
