//! Builds deal tables, which hold the values of all positions of a deal of at most 20 cards, by retrograde analysis.
//!
//! The module `rows` holds the inner loops, `build` solves all rows, and `deal_table` and
//! `hands_table` are the public types.

pub(crate) mod build;
pub(crate) mod deal_table;
pub(crate) mod hands_table;
pub(crate) mod rows;
#[cfg(test)]
mod tests;
