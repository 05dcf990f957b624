//! Writer and reader of deal values of the card game *Mate* as Parquet files.
//!
//! [`DealTable`] is the table in memory, with one row for each deal and one column for each rule set. [`DealFile`] is a
//! Parquet file of such a table. The names and types of the columns, and the metadata, are defined in the module
//! `format`.

/// Empty type that turns the README's code example into a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod error;
mod format;
mod pages;
mod reader;
mod table;
mod writer;

pub use error::DataError;
pub use format::{DESCRIPTION, FORMAT};
pub use reader::DealFile;
pub use table::{CsvWriter, DealColumn, DealTable};
