//! The version of the tablebase format.

/// Version of the format that this program reads and writes.
pub(super) const VERSION: u32 = 1;
