//! Computes the value of a lead position with equal hand sizes by AVX-512 instructions.
//!
//! When both players hold *k* cards, the sets of *k* cards of *second* number at most C(10, 5) = 252: a row of bytes
//! that four registers hold. An answer takes a card out of the set, so the row after the answer is an earlier row with
//! permuted lanes, and the permutation depends on the card and *k* only. A byte holds a score code.

mod avx512;
pub(crate) mod equal_hands;
mod rows;
