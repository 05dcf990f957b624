//! Permutes short runs of bits, 64 bits at a time.

/// Permutation that moves bits from a source slice to a target slice, and keeps their order. It is stored as windows of 64 bits.
pub(super) struct BitWindows(Vec<Window>);

/// Part of a bit permutation that moves bits from 64 adjacent places of the source to 64 adjacent places of the target.
struct Window {
    /// Offset, in bytes, of the 64 target bits. The offset counts from the place at which the permutation is applied.
    target: usize,
    /// Offset, in bytes, of the 64 source bits. The offset counts from the place at which the permutation is applied.
    source: usize,
    /// Bits of the target that the window sets, from the lowest bit of the first byte.
    to: u64,
    /// Bits of the source that the window moves to the bits of `to`, in the same order.
    from: u64,
}

impl BitWindows {
    /// Creates a bit permutation from runs of adjacent bits that move together. Each run has an offset in the target, an offset in the
    /// source, and a length, all in bits. Both offsets must ascend from run to run.
    pub(super) fn new(runs: impl Iterator<Item = (usize, usize, usize)>) -> Self {
        let mut windows: Vec<Window> = Vec::new();
        let bits = runs.flat_map(|(target, source, len)| (target..target + len).zip(source..));
        for (target, source) in bits {
            let fits =
                |last: &Window| target < last.target * 8 + 64 && source < last.source * 8 + 64;
            if !windows.last().is_some_and(fits) {
                windows.push(Window { target: target / 8, source: source / 8, to: 0, from: 0 });
            }
            if let Some(window) = windows.last_mut() {
                window.to |= 1 << (target - window.target * 8);
                window.from |= 1 << (source - window.source * 8);
            }
        }
        Self(windows)
    }

    /// Applies this bit permutation: each bit of `target` to which a bit of `source` moves stays set only if that bit is set. Each moved
    /// bit is first combined with `flip`, which is 0 or 255, by an exclusive or. The permutation is applied once for each pair of byte
    /// offsets in `starts`, which are added to the offsets in the target and in the source.
    ///
    /// `target` must have seven more bytes than the permutation reaches.
    pub(super) fn lower(
        &self,
        target: &mut [u8],
        source: &[u8],
        starts: impl Iterator<Item = (usize, usize)>,
        flip: u8,
    ) {
        #[cfg(target_arch = "x86_64")]
        if bmi2::is_supported() {
            return bmi2::lower(&self.0, target, source, starts, flip);
        }
        self.lower_bits(target, source, starts, flip);
    }

    /// Implements [`lower`](Self::lower) bit by bit, without special instructions.
    pub(super) fn lower_bits(
        &self,
        target: &mut [u8],
        source: &[u8],
        starts: impl Iterator<Item = (usize, usize)>,
        flip: u8,
    ) {
        lower_by(&self.0, target, source, starts, flip, |bits, mut from, mut to| {
            let mut moved = 0;
            while from != 0 {
                let (source, target) = (from.trailing_zeros(), to.trailing_zeros());
                moved |= (bits >> source & 1) << target;
                from &= from - 1;
                to &= to - 1;
            }
            moved
        });
    }
}

/// Implements [`BitWindows::lower`] by the function `place`, which moves the bits of a window. The function gets the source bits, the bits
/// to move and their places.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "the caller's instruction set applies only to inlined code"
)]
fn lower_by(
    windows: &[Window],
    target: &mut [u8],
    source: &[u8],
    starts: impl Iterator<Item = (usize, usize)>,
    flip: u8,
    place: impl Fn(u64, u64, u64) -> u64,
) {
    for (to, from) in starts {
        for window in windows {
            let bits = load(&source[from + window.source..]) ^ u64::from_ne_bytes([flip; 8]);
            let moved = place(bits, window.from, window.to);
            if let Some(chunk) = target[to + window.target..].first_chunk_mut::<8>() {
                *chunk = (u64::from_le_bytes(*chunk) & (moved | !window.to)).to_le_bytes();
            }
        }
    }
}

/// Reads up to 64 bits from the start of a slice. Bits after the end of the slice are 0.
#[inline]
pub(super) fn load(bytes: &[u8]) -> u64 {
    if let Some(chunk) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*chunk);
    }
    let mut chunk = [0; 8];
    chunk[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(chunk)
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "special instructions: each block states why it is sound")]
mod bmi2 {
    //! Applies a bit permutation with the instructions PEXT and PDEP of BMI2.

    use core::arch::x86_64::{_pdep_u64, _pext_u64};

    use super::{Window, lower_by};

    /// Returns whether the current processor has the instructions.
    pub(super) fn is_supported() -> bool {
        is_x86_feature_detected!("bmi2")
    }

    /// Implements [`BitWindows::lower`](super::BitWindows::lower) with BMI2 instructions.
    pub(super) fn lower(
        windows: &[Window],
        target: &mut [u8],
        source: &[u8],
        starts: impl Iterator<Item = (usize, usize)>,
        flip: u8,
    ) {
        assert!(is_supported(), "the caller must check `is_supported` first");
        // SAFETY: the processor supports BMI2, as has just been asserted.
        unsafe { lower_here(windows, target, source, starts, flip) }
    }

    #[target_feature(enable = "bmi2")]
    fn lower_here(
        windows: &[Window],
        target: &mut [u8],
        source: &[u8],
        starts: impl Iterator<Item = (usize, usize)>,
        flip: u8,
    ) {
        lower_by(windows, target, source, starts, flip, |bits, from, to| {
            _pdep_u64(_pext_u64(bits, from), to)
        });
    }
}
