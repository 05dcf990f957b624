//! How strong the opponents are: everybody against everybody, exactly for each of many deals.

mod document;
mod hidden;
mod pairing;

pub(crate) use document::{read_table, work_out, write};

/// How many deals everybody plays against everybody.
pub(crate) const DEALS: u64 = 24;

/// How many deals those play against each other who lose few points: where one of them errs, the other often does too, so that
/// few deals tell them apart.
pub(crate) const DEALS_OF_THE_STRONG: u64 = 240;

/// The rule sets that are worked out: one with foreplacing and one without.
const RULES: [&str; 2] = ["sackson", "bga"];
