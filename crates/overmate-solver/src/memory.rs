//! Allocates memory for large tables, and prefetches cache lines.

use std::io;

use memmap2::MmapMut;

/// Allocates zeroed memory, in large pages if the operating system supports them.
///
/// Large pages halve the time of the allocation and speed up random reads.
///
/// # Errors
///
/// Returns an error if the operating system refuses the memory.
pub(crate) fn zeros(bytes: usize) -> io::Result<MmapMut> {
    let memory = MmapMut::map_anon(bytes)?;
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}

/// Prefetches the cache line of an address before its use.
#[allow(unsafe_code, reason = "a prefetch has no effect that could be unsound")]
#[inline]
pub(crate) fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads no memory that the program sees, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
