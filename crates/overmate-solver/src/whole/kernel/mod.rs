//! Inner loops (kernels) that solve positions from the solved positions after each move, in three implementations.
//!
//! In the lanes where the leader holds a lead `c` and the follower an answer `d`, the values are those of the row
//! without both cards, in order: the smaller row is *expanded* into those lanes. The value of a lead is the minimum
//! over the answers of the first tier that the follower holds, or a mate without any answer. The value of a position is
//! the maximum over the leads. If `d` is led and `c` the answer, the values are the same in the opposite lanes,
//! negated, so each row is expanded once for both leads. All kernels give the same bytes.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod portable;
mod words;

pub(crate) use dispatch::{Prepared, Worker};
pub(crate) use words::prefetch;
