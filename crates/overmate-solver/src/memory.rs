//! Allocates memory for large tables, and prefetches cache lines.

use std::io;

#[cfg(target_family = "wasm")]
pub(crate) use heap::Memory;
#[cfg(not(target_family = "wasm"))]
pub(crate) use memmap2::MmapMut as Memory;

/// Allocates zeroed memory, in large pages if the operating system supports them.
///
/// Large pages halve the time of the allocation and speed up random reads.
///
/// # Errors
///
/// Returns an error if the operating system refuses the memory.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn zeros(bytes: usize) -> io::Result<Memory> {
    let memory = Memory::map_anon(bytes)?;
    // Miri does not know large pages.
    #[cfg(all(target_os = "linux", not(miri)))]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}

/// Allocates zeroed memory on the heap, for WebAssembly.
///
/// # Errors
///
/// Returns an error if the heap cannot grow by so many bytes.
#[cfg(target_family = "wasm")]
pub(crate) fn zeros(bytes: usize) -> io::Result<Memory> {
    Memory::zeros(bytes)
}

/// Zeroed heap memory for WebAssembly, where no operating system provides memory pages.
#[cfg(target_family = "wasm")]
mod heap {
    use core::ops::{Deref, DerefMut};
    use std::io;

    /// Block of zeroed bytes on the heap, aligned for every type of table entry.
    pub(crate) struct Memory {
        blocks: Vec<u128>,
        bytes: usize,
    }

    impl Memory {
        pub(super) fn zeros(bytes: usize) -> io::Result<Self> {
            let count = bytes.div_ceil(size_of::<u128>());
            let mut blocks = Vec::new();
            blocks.try_reserve_exact(count).map_err(|_| io::ErrorKind::OutOfMemory)?;
            blocks.resize(count, 0);
            Ok(Self { blocks, bytes })
        }
    }

    impl Deref for Memory {
        type Target = [u8];

        fn deref(&self) -> &[u8] {
            &bytemuck::cast_slice(&self.blocks)[..self.bytes]
        }
    }

    impl DerefMut for Memory {
        fn deref_mut(&mut self) -> &mut [u8] {
            &mut bytemuck::cast_slice_mut(&mut self.blocks)[..self.bytes]
        }
    }
}

/// Cache level of the processor that a cache line is prefetched into.
#[derive(Clone, Copy)]
pub(crate) enum Cache {
    /// First-level cache of the processor, which is the fastest cache but has room for few cache lines.
    L1,
    /// Second-level cache, for more cache lines than fit in the first-level cache.
    L2,
}

/// Prefetches the cache line that contains the address `at`.
#[allow(unsafe_code, reason = "a prefetch has no effect that could be unsound")]
#[inline]
pub(crate) fn prefetch<T>(at: *const T, cache: Cache) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch cannot fault and changes no memory, whatever the address.
        unsafe {
            match cache {
                Cache::L1 => _mm_prefetch::<_MM_HINT_T0>(at.cast()),
                Cache::L2 => _mm_prefetch::<_MM_HINT_T1>(at.cast()),
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (at, cache);
}
