//! Integration tests of the report, which compare stored statistics with recomputed statistics.

mod figures;
mod guide;
mod levels;
