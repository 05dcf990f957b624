//! Reads and writes tablebases: files with the values of all positions of a rule set, in compressed blocks with checksums.
//!
//! The file docs/tablebase.md describes the format. For most uses, solving all positions again is faster than reading the file. A tablebase
//! gives random access to the values without a gigabyte of memory.

mod bytes;
pub(crate) mod error;
pub(crate) mod file;
mod format;
mod one_ply;
pub(crate) mod reader;
pub(crate) mod verify;
mod version;
pub(crate) mod write;

pub use error::TablebaseError;
pub use file::Tablebase;
pub use reader::TablebaseReader;
pub use verify::Verified;
pub use write::NewTablebase;
