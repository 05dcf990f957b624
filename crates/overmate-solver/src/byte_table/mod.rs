//! Computes the values of all positions of a deal, or one value, by vector instructions.
//!
//! In a game both players hold equally many cards, or one of them holds one card less. When *second* holds *k* cards, their sets number at
//! most C(10, 5) = 252: a row of bytes that a few registers hold. An answer takes a card out of the set, so the row after the answer is an
//! earlier row with permuted lanes, and the permutation depends on the card and *k* only. The algorithm stands in `row_solver`, on vector
//! operations that each instruction set implements.

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
