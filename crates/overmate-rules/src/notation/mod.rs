//! Defines the text notation of actions, deals, positions and match records.

mod actions;
mod deals;
mod positions;
mod record;
mod record_read;

pub use positions::{PositionFault, PositionFaults, PositionSetup};
pub use record::{
    IllegalInRecord, NotRecordable, Note, NoteText, Record, RecordError, RecordFault,
};
