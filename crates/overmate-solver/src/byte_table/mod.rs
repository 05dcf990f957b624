//! Computes, by vector instructions, the values of all positions of a deal or the value of one position.
//!
//! In a game both players hold equally many cards, or one player holds one card less. A leader with *k* of ten cards has C(10, *k*)
//! possible hands, at most C(10, 5) = 252. A row has one byte for each of these hands, so that a few registers hold a row.
//!
//! All positions of a row have the same hand of the follower and therefore the same legal answers. The value of a lead is the bytewise
//! minimum of earlier rows, one for each answer. A lead takes a card out of the leader's hand, so the maximum over the leads must permute
//! bytes, once for each card. If the follower wins the move, they lead next, and the earlier rows are read from a transposed copy.
//!
//! The module `row_solver` contains the algorithm, and uses vector operations that each instruction set implements.

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
