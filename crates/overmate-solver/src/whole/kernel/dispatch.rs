//! Chooses a kernel (implementation of the inner loops) at run time.

#![allow(unsafe_code, reason = "the constructor has checked the processor")]

use super::portable::{self, Portable};
use super::row::solve_row;
use super::spreads::LayerSpreads;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};
use crate::kernel::Kernel;
use crate::whole::job::{Job, SolvedLayers};

/// Kernel (implementation of the inner loops), with data that are prepared once for all positions with given hand sizes.
pub(crate) struct PreparedKernel(Prepared);

enum Prepared {
    #[cfg(target_arch = "x86_64")]
    Avx512(LayerSpreads<avx512::Spread>),
    #[cfg(target_arch = "x86_64")]
    Avx2(LayerSpreads<avx2::Spread>),
    Portable(LayerSpreads<portable::Spread>),
}

impl PreparedKernel {
    /// Prepares the solver's inner loops (kernel) for positions with given hand sizes. Both hands together have `live`
    /// cards, and the leader's hand has `held` of these cards.
    ///
    /// # Panics
    ///
    /// Panics if the processor does not support the kernel.
    pub(crate) fn new(kernel: Kernel, live: usize, held: usize) -> Self {
        assert!(kernel.is_supported(), "the caller must check the processor first");
        let sizes = (live, held);
        Self(match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => Prepared::Avx512(LayerSpreads::new(sizes, avx512::Spread::new)),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Prepared::Avx2(LayerSpreads::new(sizes, avx2::Spread::new)),
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx512 | Kernel::Avx2 => {
                unreachable!("no other processor supports these kernels")
            }
            Kernel::Portable => Prepared::Portable(LayerSpreads::new(sizes, portable::Spread::new)),
        })
    }

    /// Computes the values of all positions whose hands together hold the cards of `job`, and writes the values to the
    /// row `out`. `side` is the index of the leader's hand size in
    /// [`JobLead::mates`](crate::whole::job::JobLead::mates). The buffer `after_leads` receives the values after each
    /// lead, and is reused between calls.
    pub(crate) fn solve(
        &self,
        job: &Job,
        (side, solved): (usize, SolvedLayers<'_>),
        after_leads: &mut Vec<i8>,
        out: &mut [i8],
    ) {
        match &self.0 {
            #[cfg(target_arch = "x86_64")]
            Prepared::Avx512(spreads) => {
                // SAFETY: `PreparedKernel::new` has checked that the processor supports the solver's AVX-512 kernel.
                unsafe { avx512::solve(spreads, job, (side, solved), after_leads, out) }
            }
            #[cfg(target_arch = "x86_64")]
            Prepared::Avx2(spreads) => {
                // SAFETY: `PreparedKernel::new` has checked that the processor supports the solver's AVX2 kernel.
                unsafe { avx2::solve(spreads, job, (side, solved), after_leads, out) }
            }
            Prepared::Portable(spreads) => {
                solve_row::<_, 1>(Portable, spreads, job, (side, solved), after_leads, out);
            }
        }
    }
}
