//! The kernels: how a row is worked out from the rows after each lead and answer.
//!
//! In the lanes where the leader holds a lead `c` and the other its answer `d`, the values are those of the row
//! without both cards, in order: that row is *expanded* into those lanes. The least over the answers that come
//! first counts, or else the least over those that come after, or else the lead gives mate; and the greatest over the leads
//! is the value. All kernels give the same bytes.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse;

use core::fmt;
use core::str::FromStr;

use super::geometry::Splits;
use super::job::Job;

/// A way to work rows out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kernel {
    /// 64 lanes at once, with AVX-512 VBMI2.
    Avx512,
    /// 16 lanes at once, with SSE4.1.
    Sse,
    /// One lane at a time, on any processor.
    Portable,
}

impl Kernel {
    /// All kernels, the fastest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Sse, Self::Portable];

    /// The fastest kernel that this processor has the instructions for.
    #[must_use]
    pub fn fastest() -> Self {
        Self::ALL.into_iter().find(|kernel| kernel.is_supported()).unwrap_or(Self::Portable)
    }

    /// Whether this processor has the instructions.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::supported(),
            #[cfg(target_arch = "x86_64")]
            Self::Sse => sse::supported(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx512 | Self::Sse => false,
            Self::Portable => true,
        }
    }

    /// What it is called on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Sse => "sse",
            Self::Portable => "portable",
        }
    }
}

/// A kernel at work, with the room that it needs.
pub(crate) struct Worker {
    kernel: Kernel,
    #[cfg(target_arch = "x86_64")]
    scratch: Box<avx512::Scratch<{ avx512::CHUNK }>>,
}

impl Worker {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self {
            kernel,
            #[cfg(target_arch = "x86_64")]
            scratch: Box::new(avx512::Scratch::new()),
        }
    }

    /// Works out a row.
    pub(crate) fn row(&mut self, job: &mut Job<'_>, splits: &Splits, out: &mut [i8]) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => avx512::row(&mut self.scratch, job, splits, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Sse => sse::row(job, splits, out),
            _ => portable::row(job, splits, out),
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no such kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownKernel(String);

impl fmt::Display for UnknownKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no kernel `{}`: it is avx512, sse or portable", self.0)
    }
}

impl core::error::Error for UnknownKernel {}

impl FromStr for Kernel {
    type Err = UnknownKernel;

    fn from_str(name: &str) -> Result<Self, UnknownKernel> {
        let found = Self::ALL.into_iter().find(|kernel| kernel.name() == name);
        found.ok_or_else(|| UnknownKernel(name.to_owned()))
    }
}

/// Asks the processor to fetch the rows of a job that will be worked out next.
#[allow(unsafe_code, reason = "a prefetch has no effect that could be unsound")]
pub(crate) fn prefetch(job: &Job<'_>, after_move: usize) {
    #[cfg(target_arch = "x86_64")]
    for (lead, [from, .., to]) in job.runs() {
        for source in &job.sources[from.start..to.end] {
            // A pair of cards that both can lead reads one row from either side: ask for it once.
            if source.answer > lead.card {
                continue;
            }
            for at in (source.start..source.start + after_move).step_by(64) {
                use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
                // SAFETY: a prefetch reads nothing, wherever it points.
                unsafe { _mm_prefetch::<_MM_HINT_T1>(source.layer.as_ptr().wrapping_add(at)) };
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (job, after_move);
}

/// Checks what the vector kernels rely on, and puts every source where reading begins: at the start of its row, or at the
/// end of a row that is read backwards.
///
/// Every row lies in its layer with 64 bytes before and after it. So reading 64 bytes from any place of a row, or up to
/// it, stays in the layer.
fn begin(job: &mut Job<'_>, splits: &Splits, out: &[i8]) {
    assert_eq!(out.len(), splits.lanes(), "a row has a byte for each split");
    let mut from = 0;
    for lead in &job.leads {
        assert!(lead.card < splits.live(), "a lead is live");
        for (run, to) in lead.ends.into_iter().enumerate() {
            for source in &mut job.sources[from..to] {
                let end = source.start + splits.after_move();
                assert!(
                    source.start >= 64 && end + 64 <= source.layer.len(),
                    "a row lies in its layer"
                );
                assert!(source.answer < splits.live(), "an answer is live");
                if run % 2 == 1 {
                    source.start = end;
                }
            }
            from = to;
        }
    }
}
