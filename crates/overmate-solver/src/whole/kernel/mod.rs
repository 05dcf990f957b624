//! Implements the inner loops (kernels) that solve positions from the solved positions after each move. There are three implementations.
//!
//! A row has the values of all positions in which both hands together hold the same cards. Each division of these cards between both hands
//! is a lane of the row. In the lanes in which the leader holds a card `c` and the follower an answer `d`, the values after this move are
//! the values of the smaller row without both cards, in the same order. The kernels *expand* the smaller row into those lanes.
//!
//! The value of a lead is the minimum over the answers of the first tier of which the follower holds a card. If no card can answer, the
//! value is that of a mate. The value of a position is the maximum over the leads. If `d` is led and `c` is the answer, the lanes with
//! exchanged hands have the same values, negated. Each row is therefore expanded once for both leads. All kernels give the same bytes.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod portable;
mod words;

pub(crate) use dispatch::{Prepared, Worker};
pub(crate) use words::prefetch;
