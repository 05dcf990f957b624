//! Memory for large tables.

use std::io;

use memmap2::MmapMut;

/// Zeros in large pages: they halve the time that the system takes to hand memory out, and what is looked up here and there is
/// found sooner. Without them all works too.
///
/// # Errors
///
/// If the system does not give the memory.
pub(crate) fn zeros(bytes: usize) -> io::Result<MmapMut> {
    let memory = MmapMut::map_anon(bytes)?;
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}
