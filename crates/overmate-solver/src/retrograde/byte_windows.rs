//! Permutes short runs of bytes, 16 bytes at a time.

use super::cells::Cells;
use crate::kernel::Kernel;

/// Number of bytes that one vector instruction permutes. A [`Window`] covers this many adjacent bytes of the source and of the target.
const BYTES: usize = 16;

/// Entry of [`Window::places`] for a target byte to which no source byte moves. The byte shuffle writes zero for indices with the highest
/// bit set.
const NONE: u8 = 0x80;

/// Permutation that moves bytes from a source slice to a target slice, stored as windows of 16 bytes of the target slice.
pub(super) struct ByteWindows(Vec<Window>);

/// Part of a byte permutation that moves bytes from 16 adjacent places of the source to 16 adjacent places of the target.
struct Window {
    /// Offset, in the target slice, of the first of the 16 bytes to which a [`Window`] moves source bytes. The offset counts from the place
    /// at which the permutation is applied.
    target: usize,
    /// Offset, in the source slice, of the first of the 16 bytes from which a [`Window`] moves bytes. The offset counts from the place at
    /// which the permutation is applied.
    source: usize,
    /// Indices of the source bytes that a byte permutation moves to 16 adjacent target bytes. A target byte with the entry [`NONE`] stays
    /// unchanged. The indices count from the offset `source`.
    places: [u8; BYTES],
}

impl ByteWindows {
    /// Returns whether the current processor has instructions that permute 16 bytes at once.
    pub(super) fn are_fast() -> bool {
        Kernel::Avx2.is_supported()
    }

    /// Creates a byte permutation from runs of adjacent bytes that move together. Each run has an offset in the target, an offset in the
    /// source, and a length. Both offsets must ascend from run to run.
    pub(super) fn new(runs: impl Iterator<Item = (usize, usize, usize)>) -> Self {
        let mut windows: Vec<Window> = Vec::new();
        let bytes = runs.flat_map(|(target, source, len)| (target..target + len).zip(source..));
        for (target, source) in bytes {
            let ends = windows
                .last()
                .is_none_or(|last| target >= last.target + BYTES || source >= last.source + BYTES);
            if ends {
                windows.push(Window { target, source, places: [NONE; BYTES] });
            }
            if let Some(window) = windows.last_mut()
                && let Ok(place) = u8::try_from(source - window.source)
            {
                window.places[target - window.target] = place;
            }
        }
        Self(windows)
    }

    /// Applies this byte permutation: each byte of `target` becomes the minimum of its old value and of the byte that moves there from
    /// `source`. Each moved byte is first combined with `flip` by an exclusive or. The permutation is applied once for each pair of offsets
    /// in `starts`, which are added to the offsets in the target and in the source.
    pub(super) fn lower<C: Cells>(
        &self,
        target: &mut [u8],
        source: &[u8],
        starts: impl Iterator<Item = (usize, usize)>,
        flip: u8,
    ) {
        #[cfg(target_arch = "x86_64")]
        if Self::are_fast() {
            return avx2::lower::<C>(&self.0, target, source, starts, flip);
        }
        self.lower_bytes::<C>(target, source, starts, flip);
    }

    /// Implements [`lower`](Self::lower) byte by byte, without vector instructions.
    pub(super) fn lower_bytes<C: Cells>(
        &self,
        target: &mut [u8],
        source: &[u8],
        starts: impl Iterator<Item = (usize, usize)>,
        flip: u8,
    ) {
        for (to, from) in starts {
            for window in &self.0 {
                window.lower::<C>(
                    &mut target[to + window.target..],
                    &source[from + window.source..],
                    flip,
                );
            }
        }
    }
}

impl Window {
    /// Moves up to 16 bytes from `source` to `target` one by one, and never replaces a byte by a higher byte. Each moved byte is first
    /// combined with `flip` by an exclusive or.
    fn lower<C: Cells>(&self, target: &mut [u8], source: &[u8], flip: u8) {
        for (target, &place) in target.iter_mut().zip(&self.places) {
            if place != NONE {
                *target = C::lower(*target, source[usize::from(place)] ^ flip);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "vector instructions: each block states why it is sound")]
mod avx2 {
    //! Applies a byte permutation with AVX2 byte shuffles, 16 bytes at a time.

    use core::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmplt_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_or_si128,
        _mm_set1_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_storeu_si128, _mm_xor_si128,
    };

    use super::{BYTES, ByteWindows, Cells, Window};

    /// Implements [`ByteWindows::lower`] with AVX2 instructions.
    pub(super) fn lower<C: Cells>(
        windows: &[Window],
        target: &mut [u8],
        source: &[u8],
        starts: impl Iterator<Item = (usize, usize)>,
        flip: u8,
    ) {
        assert!(ByteWindows::are_fast(), "the caller must check `are_fast` first");
        // SAFETY: the processor supports AVX2, as has just been asserted.
        unsafe { lower_here::<C>(windows, target, source, starts, flip) }
    }

    #[target_feature(enable = "avx2")]
    fn lower_here<C: Cells>(
        windows: &[Window],
        target: &mut [u8],
        source: &[u8],
        starts: impl Iterator<Item = (usize, usize)>,
        flip: u8,
    ) {
        let flips = _mm_set1_epi8(flip.cast_signed());
        for (to, from) in starts {
            for window in windows {
                let target = &mut target[to + window.target..];
                let source = &source[from + window.source..];
                let (Some(chunk), Some(codes)) =
                    (target.first_chunk_mut::<BYTES>(), source.first_chunk::<BYTES>())
                else {
                    // If fewer than 16 bytes are left in `target` or in `source`, the bytes are moved one by one, without vector
                    // instructions.
                    window.lower::<C>(target, source, flip);
                    continue;
                };
                let places = load(&window.places);
                let codes = _mm_shuffle_epi8(_mm_xor_si128(load(codes), flips), places);
                // Each place without a source index gets the highest byte, 255, in `codes`. The bytewise minimum therefore leaves the byte
                // of `chunk` at that place unchanged.
                let codes = _mm_or_si128(codes, _mm_cmplt_epi8(places, _mm_setzero_si128()));
                let lowered = match C::POSITIONS_A_BYTE {
                    1 => _mm_min_epu8(load(chunk), codes),
                    _ => _mm_and_si128(load(chunk), codes),
                };
                store(chunk, lowered);
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8; BYTES]) -> __m128i {
        // SAFETY: `bytes` has 16 bytes, and the load needs no alignment.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(bytes: &mut [u8; BYTES], lanes: __m128i) {
        // SAFETY: `bytes` has 16 bytes, and the store needs no alignment.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), lanes) }
    }
}
