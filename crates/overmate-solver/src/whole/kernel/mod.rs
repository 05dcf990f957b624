//! The kernels: how a row is worked out from the rows after each lead and answer.
//!
//! In the lanes where the leader holds a lead `c` and the other its answer `d`, the values are those of the row
//! without both cards, in order: that row is *expanded* into those lanes. The least over the answers that come
//! first counts, or else the least over those that come after, or else the lead gives mate; and the greatest over the leads
//! is the value. If `d` is led and `c` the answer, the values are the same in the opposite lanes, negated: so a row is expanded
//! once for both. All kernels give the same bytes.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse;
mod words;

pub use dispatch::{Kernel, UnknownKernel};
pub(crate) use dispatch::{Prepared, Worker};
pub(crate) use words::prefetch;
