//! Defines the version number of the tablebase format.

/// Version of the tablebase format that this program reads and writes.
pub(super) const VERSION: u32 = 1;
