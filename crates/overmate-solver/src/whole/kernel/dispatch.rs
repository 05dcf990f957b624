//! Chooses an implementation of the inner loops at run time, and checks the preconditions of its
//! vector code.

use core::fmt;
use core::str::FromStr;

use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{avx512, sse};
use crate::whole::job::{Job, MAX_MASKS, NO_LEAD, OF_GROUPS, SourceRange};
use crate::whole::mirror::{FAR, Mirror, NEAR};

/// Implementation (kernel) of the inner loops that solve all positions of a rule set.
///
/// This example shows the use of `Kernel`.
/// ```
/// use overmate_solver::whole::Kernel;
/// assert_eq!("portable".parse(), Ok(Kernel::Portable));
/// assert!(Kernel::fastest().is_supported());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kernel {
    /// AVX-512 VBMI2 implementation, for 64 positions at once.
    Avx512,
    /// SSE4.1 implementation, for 16 positions at once.
    Sse,
    /// Portable implementation, for one position at a time on any processor.
    Portable,
}

impl Kernel {
    /// All implementations of the inner loops, the fastest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Sse, Self::Portable];

    /// Returns the fastest implementation that this processor supports.
    #[must_use]
    pub fn fastest() -> Self {
        Self::ALL.into_iter().find(|kernel| kernel.is_supported()).unwrap_or(Self::Portable)
    }

    /// Returns whether this processor supports the implementation.
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

    /// Returns the command-line name of the implementation.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Sse => "sse",
            Self::Portable => "portable",
        }
    }
}

/// Data that the inner loops prepare once for all positions of a layer.
pub(crate) struct Prepared<'a> {
    kernel: Kernel,
    mirror: &'a Mirror,
    #[cfg(target_arch = "x86_64")]
    expansions: Option<sse::Expansions>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(kernel: Kernel, mirror: &'a Mirror) -> Self {
        Self {
            kernel,
            mirror,
            #[cfg(target_arch = "x86_64")]
            expansions: (kernel == Kernel::Sse).then(|| sse::Expansions::new(mirror)).flatten(),
        }
    }
}

/// Implementation of the inner loops, with the buffers of one thread.
pub(crate) struct Worker<'a> {
    prepared: &'a Prepared<'a>,
    room: KernelBuffers,
}

/// Buffers of an implementation, which a thread reuses for all positions.
enum KernelBuffers {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Scratch),
    #[cfg(target_arch = "x86_64")]
    Sse(sse::Scratch),
    Portable(Box<portable::Scratch>),
}

impl<'a> Worker<'a> {
    pub(crate) fn new(prepared: &'a Prepared<'a>) -> Self {
        let room = match prepared.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => KernelBuffers::Avx512(avx512::Scratch::new()),
            #[cfg(target_arch = "x86_64")]
            Kernel::Sse => KernelBuffers::Sse(sse::Scratch::new()),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx512 | Kernel::Sse => KernelBuffers::Portable(Box::default()),
            Kernel::Portable => KernelBuffers::Portable(Box::default()),
        };
        Self { prepared, room }
    }

    /// Computes the values of all positions whose hands together hold the same cards, in two
    /// mirrored halves.
    pub(crate) fn sides(&mut self, job: &mut Job<'_>, mut out: [&mut [i8]; 2]) {
        let mirror = self.prepared.mirror;
        begin(job, mirror, &out);
        match &mut self.room {
            #[cfg(target_arch = "x86_64")]
            KernelBuffers::Avx512(scratch) => avx512::sides(scratch, job, mirror, &mut out),
            #[cfg(target_arch = "x86_64")]
            KernelBuffers::Sse(scratch) => {
                sse::sides(scratch, self.prepared.expansions.as_ref(), job, mirror, &mut out);
            }
            KernelBuffers::Portable(scratch) => portable::sides(scratch, job, mirror, &mut out),
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Error for a text that names no implementation of the inner loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownKernel(String);

impl fmt::Display for UnknownKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no kernel `{}`: use avx512, sse or portable", self.0)
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

/// Checks the offsets, masks and lengths on which the vector code relies.
///
/// Every row lies in its layer with 64 more bytes after the row, so reading 64 bytes from any
/// offset of a row stays in the layer.
fn begin(job: &Job<'_>, mirror: &Mirror, out: &[&mut [i8]; 2]) {
    assert_eq!(
        [NEAR, FAR].map(|side| out[side].len()),
        mirror.lens(),
        "each side of the result has a byte for each split of the cards"
    );
    let masks = usize::from(OF_GROUPS) + 4 * job.groups.len();
    assert!(masks <= MAX_MASKS, "the job has at most MAX_MASKS bit masks");
    let is_live = |place: u8| usize::from(place) < mirror.live();
    assert!(job.leads.iter().all(|lead| is_live(lead.card)), "every led card is still held");
    let len = job.layers.iter().flatten().map(|layer| layer.len()).min().unwrap_or_default();
    let (mut last, mut fine) = (0, true);
    // One flag collects all checks, which costs less than a branch for each source.
    for SourceRange { up, down, pairing } in &job.sources[..job.used] {
        last = last.max(*down);
        fine &= *down as usize == *up as usize + mirror.after_move();
        fine &= is_live(pairing.loser);
        fine &= pairing.swapped <= NO_LEAD;
        fine &= usize::from(pairing.masks[0].max(pairing.masks[1])) < masks;
    }
    assert!(fine, "every source has valid offsets, a held losing card, a lead and masks");
    assert!(last as usize + 64 <= len, "every row and the padding after it lie in the layer");
}
