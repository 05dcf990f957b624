//! Value of one position with a card to be led from equal hands, by retrograde analysis of all smaller equal hands
//! with AVX-512.
//!
//! When both players hold *k* cards, the sets of *k* cards of *second* number at most C(10, 5) = 252: a row of bytes
//! that four registers hold. An answer takes a card out of the set, so the row after the answer is an earlier row with
//! permuted lanes, and the permutation depends on the card and *k* only. A byte holds a score code.

mod avx512;
pub(crate) mod equal_hands;
mod rows;
