//! A whole game in a file: packed in blocks, checked against damage, read where it lies.
//!
//! The format is described in docs/tablebase.md. Working a whole game out anew is faster than reading it for most
//! uses; the file is for those who want the values at hand without a gigabyte of memory.

mod bytes;
pub(crate) mod error;
pub(crate) mod file;
mod format;
mod one_ply;
pub(crate) mod reader;
pub(crate) mod verify;
pub(crate) mod write;
