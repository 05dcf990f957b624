//! Defines the faults of files and tables of deal values.

use std::io;

use overmate_rules::{DealFaults, NameFault};
use parquet::errors::ParquetError;

/// Reason why a file of deal values cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The operating system refused to read or write the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not begin like a Parquet file.
    #[error("the file is not a Parquet file: choose a file that `cargo xtask solved --data` wrote")]
    NotParquet,
    /// The file begins like a Parquet file but does not end like one.
    #[error("the file is not complete: copy or write the file again")]
    Truncated,
    /// The contents of the file contradict each other or the checksum.
    #[error("the file is damaged ({0}): copy or write the file again")]
    Damaged(String),
    /// The file lacks a column about the deal, or has the column at another index.
    #[error(
        "column {number} of the file is {}, but must be `{expected}`: choose a file that `cargo xtask solved --data` wrote",
        found.as_ref().map_or_else(|| "missing".to_owned(), |found| format!("`{found}`"))
    )]
    Column {
        /// Number of the column in the file, from 1.
        number: usize,
        /// Name of the column that the format requires.
        expected: &'static str,
        /// Name of the column in the file, or `None` if the file has fewer columns.
        found: Option<String>,
    },
    /// A column has another type than the format requires.
    #[error(
        "the column `{column}` does not hold {expected}: choose a file that `cargo xtask solved --data` wrote"
    )]
    ColumnType {
        /// Name of the column.
        column: String,
        /// Description of the required type.
        expected: &'static str,
    },
    /// The name of a column is not the name of a rule set.
    #[error("the column `{column}` is not named after a rule set")]
    ColumnName {
        /// Name of the column.
        column: String,
        /// Fault in the name.
        source: NameFault,
    },
    /// The file or table has no column of values.
    #[error("no column is named after a rule set: give the values under at least one rule set")]
    NoRuleSet,
    /// Two columns belong to rule sets with different decks.
    #[error(
        "the columns `{one}` and `{other}` belong to different decks: write one file for each deck"
    )]
    TwoDecks {
        /// Name of the first rule set in the file.
        one: String,
        /// Name of a rule set with another deck.
        other: String,
    },
    /// The file has a format that this version does not know.
    #[error(
        "the file has format {found}, but this version reads format {known}: install the version that wrote the file"
    )]
    Format {
        /// Format in the metadata of the file.
        found: String,
        /// Format that this version reads.
        known: u32,
    },
    /// The metadata of the file lacks an entry of the format.
    #[error(
        "the metadata of the file lack `{key}`, as after a change by another program: choose a file that `cargo xtask solved --data` wrote"
    )]
    NoMetadata {
        /// Key of the missing entry.
        key: &'static str,
    },
    /// The caller asks for a rule set without a column in the file.
    #[error("the file has no column `{name}`: choose {choices}")]
    NoColumn {
        /// Name of the rule set.
        name: String,
        /// Names of the columns in the file, as a list.
        choices: String,
    },
    /// The file has no row for a deal.
    #[error("the file has no deal {deal}: its deals go from {least} to {most}")]
    NoDeal {
        /// Number of the deal.
        deal: u64,
        /// Smallest deal number in the file.
        least: i32,
        /// Largest number of a deal in the file.
        most: i32,
    },
    /// A deal number is not valid for the deck.
    #[error("a row has no valid deal number")]
    Deal(#[from] DealFaults),
    /// A deal number exceeds the 32 bits of its column.
    #[error(
        "the deal number {number} is too large for a column of 32 bits: choose a deck of 20 cards"
    )]
    LargeNumber {
        /// Number of the deal.
        number: u64,
    },
    /// The deal numbers of the rows do not ascend.
    #[error(
        "the deals of the table are not in ascending order at deal {deal}: sort the rows by their deals"
    )]
    Order {
        /// Number of the first deal that does not exceed its predecessor.
        deal: i32,
    },
    /// A column of values has another number of rows than the table.
    #[error(
        "the column `{column}` has {found} values for {rows} deals: give one value for each deal"
    )]
    Length {
        /// Name of the rule set.
        column: String,
        /// Number of values in the column.
        found: usize,
        /// Number of rows in the table.
        rows: usize,
    },
    /// The table cannot be written as Parquet.
    #[error("the table cannot be written as Parquet")]
    Write(#[source] ParquetError),
}

impl From<csv::Error> for DataError {
    fn from(error: csv::Error) -> Self {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Self::Io(error),
            // All rows of a table have equally many fields, so that no other error can occur.
            kind => Self::Io(io::Error::other(format!("{kind:?}"))),
        }
    }
}

impl DataError {
    /// Converts an error that the Parquet library returned while reading.
    pub(crate) fn reading(error: ParquetError) -> Self {
        match error {
            ParquetError::External(source) => match source.downcast::<io::Error>() {
                Ok(source) if source.kind() != io::ErrorKind::UnexpectedEof => Self::Io(*source),
                Ok(source) => Self::Damaged(source.to_string()),
                Err(source) => Self::Damaged(source.to_string()),
            },
            error => Self::Damaged(error.to_string()),
        }
    }
}
