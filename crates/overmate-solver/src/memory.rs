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

/// Asks the processor to fetch what lies at a place: it will be read soon.
#[allow(unsafe_code, reason = "a prefetch has no effect that could be unsound")]
#[inline]
pub(crate) fn fetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing, wherever it points.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
