//! Defines the errors of reading and writing files and tables of deal values.

use std::io;

use overmate_rules::{DealFaults, NameFault};
use parquet::errors::ParquetError;

/// Reason why a file of deal values cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// Reading or writing the file failed with an I/O error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not begin with the magic bytes of a Parquet file.
    #[error("the file is not a Parquet file: choose a file that `cargo xtask solved --data` wrote")]
    NotParquet,
    /// The Parquet file is truncated: the file does not end with the magic bytes.
    #[error("the file is not complete: copy or write the file again")]
    Truncated,
    /// The contents of the file of deal values contradict each other, or do not match the file's checksum.
    #[error("the file is damaged ({0}): copy or write the file again")]
    Damaged(String),
    /// A required column of the file is missing, or stands at the wrong position.
    #[error(
        "column {number} of the file is {}, but must be `{expected}`: choose a file that `cargo xtask solved --data` wrote",
        found.as_ref().map_or_else(|| "missing".to_owned(), |found| format!("`{found}`"))
    )]
    Column {
        /// Position, counted from 1, at which the file of deal values lacks a required column.
        number: usize,
        /// Name of the column that a file of deal values must have at the position `number`.
        expected: &'static str,
        /// Name of the column that the file of deal values has at the position `number`, or `None` if the file has too few columns.
        found: Option<String>,
    },
    /// The type of a column differs from the required type.
    #[error(
        "the column `{column}` does not hold {expected}: choose a file that `cargo xtask solved --data` wrote"
    )]
    ColumnType {
        /// Name of the column with the wrong data type.
        column: String,
        /// Description of the required column type for the error text.
        expected: &'static str,
    },
    /// The name of a column of values is not the name of a rule set.
    #[error("the column `{column}` is not named after a rule set")]
    ColumnName {
        /// Rejected name of a column of deal values, which is not the name of a rule set.
        column: String,
        /// Reason why the name of a column of deal values is not the name of a rule set.
        source: NameFault,
    },
    /// The table of deals has no rows, so that it cannot be written as a file.
    #[error("the table has no deal: write a table with at least one deal")]
    NoRows,
    /// The file or table of deals has no columns of values: no column has the name of a rule set.
    #[error(
        "no column is named after a rule set: add a column of values with the name of a rule set"
    )]
    NoRuleSet,
    /// Two columns of values belong to the same rule set, whose name may have two spellings.
    #[error(
        "the columns `{one}` and `{other}` belong to the same rule set: write one column for each rule set"
    )]
    TwoColumns {
        /// Name of the first of two columns of values for the same rule set.
        one: String,
        /// Name of the second of two columns of values for the same rule set. The name is the same or another spelling.
        other: String,
    },
    /// Two columns of values belong to rule sets with different decks.
    #[error(
        "the columns `{one}` and `{other}` belong to different decks: write one file for each deck"
    )]
    TwoDecks {
        /// Name of the rule set of the first column of values.
        one: String,
        /// Name of a rule set whose deck differs from the deck of the rule set `one`.
        other: String,
    },
    /// The file of deal values has an unsupported format version.
    #[error(
        "the file has format version {found}, but this program reads format version {known}: install the version of Overmate that wrote the file"
    )]
    Format {
        /// Format version in the metadata of the file.
        found: String,
        /// Supported version of the file format for deal values.
        known: u32,
    },
    /// The metadata of the file lacks a required entry.
    #[error(
        "the metadata of the file lack the key `{key}`, possibly because another program has changed the file: choose a file that `cargo xtask solved --data` wrote"
    )]
    NoMetadata {
        /// Required metadata key that the file lacks.
        key: &'static str,
    },
    /// The requested rule set has no column in the file.
    #[error("the file has no column `{name}`: choose {choices}")]
    NoColumn {
        /// Name of the requested rule set.
        name: String,
        /// Names of the rule sets that have a column in the file of deal values, as a list for the error text.
        choices: String,
    },
    /// The table of deals has no row for the requested deal.
    #[error(
        "the file has no deal {deal}: choose a deal that the file lists, from {least} to {most}"
    )]
    NoDeal {
        /// Number of the requested deal.
        deal: u64,
        /// Smallest deal number in the table of deals, or 0 for an empty table.
        least: i32,
        /// Largest deal number in the table of deals, or 0 for an empty table.
        most: i32,
    },
    /// A deal number does not name a deal of the deck.
    #[error("the deal number in a row of the table is not valid")]
    Deal(#[from] DealFaults),
    /// A deal number is too large for the 32-bit column of deal numbers.
    #[error(
        "the deal number {number} is too large for a column of 32 bits: choose deals with smaller numbers, or a deck with fewer cards"
    )]
    LargeNumber {
        /// Rejected deal number, which exceeds the 32-bit range of the column.
        number: u64,
    },
    /// The rows of a table of deals are not in ascending order of their deal numbers.
    #[error(
        "the deals of the table are not in ascending order at deal {deal}: sort the rows by their deals"
    )]
    Order {
        /// First deal number in the table of deals that is negative or breaks the ascending order.
        deal: i32,
    },
    /// The number of values in a column differs from the number of rows in the table.
    #[error(
        "the column `{column}` has {found} values for {rows} deals: give one value for each deal"
    )]
    Length {
        /// Name of the rule set whose column in the table of deals has the wrong number of values.
        column: String,
        /// Wrong number of values in a column of the table of deals: the column must have one value for each row.
        found: usize,
        /// Number of rows in the table of deals.
        rows: usize,
    },
    /// The table of deals cannot be written as a Parquet file.
    #[error("writing the table as a Parquet file has failed")]
    Write(#[source] ParquetError),
}

impl From<csv::Error> for DataError {
    fn from(error: csv::Error) -> Self {
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Self::Io(error),
            // All rows of a table have equally many fields, so that the CSV writer can fail only with an I/O error.
            kind => Self::Io(io::Error::other(format!("{kind:?}"))),
        }
    }
}

impl DataError {
    /// Converts a read error of the Parquet library to a [`DataError`].
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
