//! Integration tests of the report: committed figures compared with recomputed ones.

mod figures;
mod levels;
