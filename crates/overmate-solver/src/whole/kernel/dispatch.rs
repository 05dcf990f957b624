//! Chooses a kernel (implementation of the inner loops) at run time, and checks the preconditions
//! of the kernel's vector code.

use super::portable;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::kernel::Kernel;
use crate::whole::job::{Job, MAX_MASKS, NO_LEAD, OF_GROUPS, SourceRange};
use crate::whole::mirror::{FAR, Mirror, NEAR};

/// Data that a solver kernel prepares once for all positions of a layer.
pub(crate) struct Prepared<'a> {
    kernel: Kernel,
    mirror: &'a Mirror,
    #[cfg(target_arch = "x86_64")]
    expansions: Option<avx2::Expansions>,
}

impl<'a> Prepared<'a> {
    pub(crate) fn new(kernel: Kernel, mirror: &'a Mirror) -> Self {
        Self {
            kernel,
            mirror,
            #[cfg(target_arch = "x86_64")]
            expansions: (kernel == Kernel::Avx2).then(|| avx2::Expansions::new(mirror)).flatten(),
        }
    }
}

/// Kernel (implementation of the inner loops) with the buffers of one thread.
pub(crate) struct Worker<'a> {
    prepared: &'a Prepared<'a>,
    room: KernelBuffers,
}

/// Buffers of a solver kernel, which one thread reuses for all positions.
enum KernelBuffers {
    #[cfg(target_arch = "x86_64")]
    Avx512(avx512::Scratch),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Scratch),
    Portable(Box<portable::Scratch>),
}

impl<'a> Worker<'a> {
    pub(crate) fn new(prepared: &'a Prepared<'a>) -> Self {
        let room = match prepared.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => KernelBuffers::Avx512(avx512::Scratch::new()),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => KernelBuffers::Avx2(avx2::Scratch::new()),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx512 | Kernel::Avx2 => KernelBuffers::Portable(Box::default()),
            Kernel::Portable => KernelBuffers::Portable(Box::default()),
        };
        Self { prepared, room }
    }

    /// Computes the values of all positions whose hands together hold a given set of cards. The
    /// positions are in two halves that mirror each other by an exchange of hands.
    pub(crate) fn sides(&mut self, job: &mut Job<'_>, mut out: [&mut [i8]; 2]) {
        let mirror = self.prepared.mirror;
        begin(job, mirror, &out);
        match &mut self.room {
            #[cfg(target_arch = "x86_64")]
            KernelBuffers::Avx512(scratch) => avx512::sides(scratch, job, mirror, &mut out),
            #[cfg(target_arch = "x86_64")]
            KernelBuffers::Avx2(scratch) => {
                avx2::sides(scratch, self.prepared.expansions.as_ref(), job, mirror, &mut out);
            }
            KernelBuffers::Portable(scratch) => portable::sides(scratch, job, mirror, &mut out),
        }
    }
}

/// Checks all offsets, mask numbers and lengths of a job, because the vector code relies on them.
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
