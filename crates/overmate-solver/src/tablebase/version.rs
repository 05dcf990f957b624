//! Version number of the tablebase file format.

/// Version of the tablebase format that this program reads and writes.
pub(super) const VERSION: u32 = 1;
