//! Provides helper functions of the inner loops for bit masks and prefetching.

use crate::deal::subsets::elements;
use crate::memory;
use crate::whole::job::Job;
use crate::whole::mirror::{FAR, Mirror, NEAR};

/// Returns two bit masks: the positions in which the leader holds all cards of `group`, and the
/// positions in which the leader holds at least one card of `group`.
#[inline]
pub(super) fn holding<const WORDS: usize>(
    mirror: &Mirror,
    side: usize,
    first: usize,
    group: u32,
) -> [[u64; WORDS]; 2] {
    let (mut all, mut some) = ([!0; WORDS], [0; WORDS]);
    for place in elements(group) {
        let held = words::<WORDS>(mirror.held(side, place), first);
        for word in 0..WORDS {
            all[word] &= held[word];
            some[word] |= held[word];
        }
    }
    [all, some]
}

/// Returns `WORDS` consecutive 64-bit words of a slice.
#[inline]
pub(super) fn words<const WORDS: usize>(words: &[u64], first: usize) -> &[u64; WORDS] {
    words[first..].first_chunk().expect("the caller must ask for at most the existing words")
}

/// Prefetches the solved values that the inner loops read for a job.
pub(crate) fn prefetch(job: &Job<'_>, after_move: usize) {
    let [near, far] = job.layers[0];
    let sides = if core::ptr::eq(near, far) { &[NEAR][..] } else { &[NEAR, FAR] };
    // Only both ends of a long row are prefetched here. The inner loops prefetch the middle of the row while they read the ends.
    let most = if after_move > LONG { 192 } else { after_move };
    for source in &job.sources[..job.used] {
        for &side in sides {
            for ahead in (0..u32::try_from(most).unwrap_or_default()).step_by(64) {
                fetch(job.layers[0][side].as_ptr(), source.up + ahead);
                if after_move > LONG {
                    fetch(job.layers[0][side].as_ptr(), source.down - ahead);
                }
            }
        }
    }
}

/// Length of a row of solved values, in bytes, above which only the ends of the row are prefetched in advance.
const LONG: usize = 400;

/// Prefetches the cache line of the solved value at the offset `at`.
#[inline]
pub(super) fn fetch(layer: *const i8, at: u32) {
    memory::prefetch(layer.wrapping_add(at as usize));
}
