//! Allocation of memory for large tables, and prefetching of cache lines.

use std::io;

use memmap2::MmapMut;

/// Allocates `bytes` bytes of zeroed memory, in large pages if the operating system supports large pages.
///
/// Large pages halve the time of the allocation and speed up random reads.
///
/// # Errors
///
/// Returns an error if the system does not give the memory.
pub(crate) fn zeros(bytes: usize) -> io::Result<MmapMut> {
    let memory = MmapMut::map_anon(bytes)?;
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}

/// Prefetches the cache line of an address that will be read soon.
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
