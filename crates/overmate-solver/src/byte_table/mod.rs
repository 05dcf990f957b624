//! Computes the values of all positions of a deal, or one value, by vector instructions.
//!
//! In a game both players hold equally many cards, or one of them holds one card less. When the leader holds *k* cards, their sets number at
//! most C(10, 5) = 252: a row of bytes that a few registers hold. A row has all positions with one hand of the follower, so that the legal
//! answers are the same in the whole row, and the value of a lead is a minimum of earlier rows. The lead takes a card out of the leader's
//! hand, so that only the maximum over the leads permutes bytes, once for each card. If the follower wins, they lead next, and the earlier
//! rows are read in a transposed copy. The algorithm is in `row_solver`, and uses vector operations that each instruction set implements.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod estimate;
mod lanes;
#[cfg(target_arch = "x86_64")]
mod row_solver;
mod rows;
pub(crate) mod solve;
