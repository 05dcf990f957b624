//! Defines time controls and days off, and computes the clocks of matches.

pub(crate) mod absence;
pub(crate) mod clock_setting;
pub(crate) mod match_clock;
pub(crate) mod store_time;
