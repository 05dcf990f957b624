//! Table of the values of every position of one deal of at most 20 cards, computed by retrograde
//! analysis.
//!
//! `rows` holds the inner loops, `build` solves all rows of two hands, and `deal_table` and `hands_table` are the public
//! faces.

pub(crate) mod build;
pub(crate) mod deal_table;
pub(crate) mod hands_table;
pub(crate) mod rows;
