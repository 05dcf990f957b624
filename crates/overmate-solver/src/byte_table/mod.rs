//! Computes the values of all positions of a deal, or one value, by AVX-512 instructions.
//!
//! In a game both players hold equally many cards, or one of them holds one card less. When *second* holds *k* cards, their sets number at
//! most C(10, 5) = 252: a row of bytes that four registers hold. An answer takes a card out of the set, so the row after the answer is an
//! earlier row with permuted lanes, and the permutation depends on the card and *k* only. A byte holds a score code.

mod avx512;
mod rows;
pub(crate) mod solve;
