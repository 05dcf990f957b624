//! Reads tables of deals from untrusted (possibly damaged) Parquet files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use overmate_rules::{Dealt, RuleSet, format_names};
use parquet::basic::{Compression, Repetition};
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;

use crate::error::DataError;
use crate::format::{
    CHECKSUM_KEY, ColumnType, DEAL_COLUMNS, DESCRIPTION_KEY, FORMAT, FORMAT_KEY, VERSION_KEY,
    checksum, named_rule_sets,
};
use crate::pages::CheckedPages;
use crate::table::{DealColumn, DealTable, check_ascending};

/// Magic bytes at the start and at the end of each Parquet file.
const MAGIC: [u8; 4] = *b"PAR1";
/// Number of bytes after the footer of a Parquet file: four for the footer's length and four for the magic bytes.
const TAIL: usize = 8;
/// Maximum accepted length of a Parquet file's footer, in bytes. The footer of a file with a hundred columns has
/// about 30 kB.
const MAX_FOOTER: u64 = 4 << 20;

/// Opened Parquet file with a table of deals. The checksum of the file is correct.
pub struct DealFile {
    reader: SerializedFileReader<File>,
    rule_sets: Vec<Arc<RuleSet>>,
    rows: usize,
    metadata: BTreeMap<String, String>,
}

impl DealFile {
    /// Opens a file of deal values, and checks its columns, its metadata and its checksum.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is damaged, or is not a file of deal values.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let mut file = File::open(path)?;
        let body = body_length(&mut file)?;
        let reader = SerializedFileReader::new(file.try_clone()?).map_err(DataError::reading)?;
        let rule_sets = rule_sets(reader.metadata())?;
        let metadata = key_values(reader.metadata());
        for key in [FORMAT_KEY, VERSION_KEY, DESCRIPTION_KEY, CHECKSUM_KEY] {
            if !metadata.contains_key(key) {
                return Err(DataError::NoMetadata { key });
            }
        }
        if metadata[FORMAT_KEY] != FORMAT.to_string() {
            return Err(DataError::Format { found: metadata[FORMAT_KEY].clone(), known: FORMAT });
        }
        file.rewind()?;
        if checksum(&file, body)? != metadata[CHECKSUM_KEY] {
            return Err(DataError::Damaged("the checksum of the file is wrong".to_owned()));
        }
        let rows = rows(reader.metadata(), body, Dealt::count(&rule_sets[0]))?;
        Ok(Self { reader, rule_sets, rows, metadata })
    }

    /// Returns the rule set of each column of values, in the order of the columns. All these rule sets have the same
    /// deck.
    pub fn rule_sets(&self) -> &[Arc<RuleSet>] {
        &self.rule_sets
    }

    /// Returns the names of the rule sets that have a column in the file of deal values, in the order of the columns.
    pub fn names(&self) -> Vec<&str> {
        self.rule_sets.iter().map(|rules| rules.name()).collect()
    }

    /// Returns the number of rows in the file's table of deals.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the metadata of the file, as a map from keys to values.
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.metadata
    }

    /// Reads the table of deals with the columns of the named rule sets, in the given order.
    ///
    /// # Errors
    ///
    /// Returns an error if the file has no such column, cannot be read, or is damaged.
    pub fn read(&self, names: &[&str]) -> Result<DealTable, DataError> {
        let known = self.names();
        let place = |name: &&str| {
            known.iter().position(|known| known == name).ok_or_else(|| DataError::NoColumn {
                name: (*name).to_owned(),
                choices: format_names(&known),
            })
        };
        let places: Vec<usize> = names.iter().map(place).collect::<Result<_, _>>()?;
        // The decoders of the Parquet library panic on some invalid pages. The checksum does not exclude such pages, because a hostile
        // author can compute a correct checksum.
        let read = catch_unwind(AssertUnwindSafe(|| self.read_places(names, &places)));
        read.unwrap_or_else(|_| Err(DataError::Damaged("a page cannot be decoded".to_owned())))
    }

    /// Reads the table of deals with the columns of values at the given indices.
    fn read_places(&self, names: &[&str], places: &[usize]) -> Result<DealTable, DataError> {
        let deals = self.numbers(0)?;
        check_ascending(&deals)?;
        let count = Dealt::count(&self.rule_sets[0]);
        let most = deals.last().and_then(|&deal| u64::try_from(deal).ok());
        if most.is_none_or(|most| most >= count) {
            let text = format!("the deals of the file do not go from 0 to at most {}", count - 1);
            return Err(DataError::Damaged(text));
        }
        let mut columns = Vec::with_capacity(names.len());
        for (name, place) in names.iter().zip(places) {
            let values = self.numbers(DEAL_COLUMNS.len() + place)?;
            columns.push(DealColumn { rules: (*name).to_owned(), values });
        }
        Ok(DealTable {
            deals,
            same_as: self.numbers(1)?,
            first: self.texts(2)?,
            second: self.texts(3)?,
            columns,
        })
    }

    /// Reads a column of 32-bit integers from the Parquet file, given the index of the column.
    fn numbers(&self, column: usize) -> Result<Vec<i32>, DataError> {
        self.values::<Int32Type>(column)
    }

    /// Reads a column of hands (as text) from the Parquet file, given the index of the column.
    fn texts(&self, column: usize) -> Result<Vec<String>, DataError> {
        // No hand holds more cards than the whole deck, so that the text of the deck is at least as long as the text of a hand.
        let deck = self.rule_sets[0].deck();
        let longest = deck.cards_text(deck.all(), " ").len();
        let text = |bytes: &ByteArray| match bytes.as_utf8() {
            Ok(text) if text.len() <= longest => Ok(text.to_owned()),
            _ => Err(DataError::Damaged(format!(
                "a hand is not a UTF-8 text of at most {longest} bytes"
            ))),
        };
        self.values::<ByteArrayType>(column)?.iter().map(text).collect()
    }

    /// Reads all values of a column from the Parquet file. The column must have a value of the given type for each row.
    fn values<T: DataType>(&self, column: usize) -> Result<Vec<T::T>, DataError> {
        let reader = self.column(column).map_err(DataError::reading)?;
        let mut reader = T::get_column_reader(reader).ok_or_else(|| {
            DataError::Damaged("the types of the columns contradict each other".to_owned())
        })?;
        let mut values = Vec::with_capacity(self.rows);
        while let Some(missing) = self.rows.checked_sub(values.len()).filter(|&count| count > 0) {
            let read = reader.read_records(missing, None, None, &mut values);
            if let (_, 0, _) = read.map_err(DataError::reading)? {
                break;
            }
        }
        if values.len() == self.rows {
            return Ok(values);
        }
        let (found, rows) = (values.len(), self.rows);
        Err(DataError::Damaged(format!("a column has {found} values for {rows} rows")))
    }

    fn column(&self, column: usize) -> Result<ColumnReader, ParquetError> {
        let group = self.reader.get_row_group(0)?;
        let descriptor = self.reader.metadata().file_metadata().schema_descr().column(column);
        let pages = CheckedPages::new(group.get_column_page_reader(column)?, self.rows);
        Ok(get_column_reader(descriptor, Box::new(pages)))
    }
}

/// Checks the magic bytes of a Parquet file, and returns the number of bytes before the footer.
fn body_length(file: &mut File) -> Result<u64, DataError> {
    let mut start = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    if start != MAGIC {
        return Err(DataError::NotParquet);
    }
    let size = file.metadata()?.len();
    let Some(tail_at) = size.checked_sub(TAIL as u64).filter(|at| *at >= MAGIC.len() as u64) else {
        return Err(DataError::Truncated);
    };
    let mut tail = [0; TAIL];
    file.seek(SeekFrom::Start(tail_at))?;
    file.read_exact(&mut tail)?;
    let [a, b, c, d, magic @ ..] = tail;
    if magic != MAGIC {
        return Err(DataError::Truncated);
    }
    let footer = u64::from(u32::from_le_bytes([a, b, c, d]));
    match tail_at.checked_sub(footer) {
        Some(body) if footer <= MAX_FOOTER && body >= MAGIC.len() as u64 => Ok(body),
        _ => Err(DataError::Damaged("the length of the footer is wrong".to_owned())),
    }
}

/// Returns the rule set of each column of values in a Parquet file, after a check of the names and types of all columns.
fn rule_sets(metadata: &ParquetMetaData) -> Result<Vec<Arc<RuleSet>>, DataError> {
    let columns = metadata.file_metadata().schema_descr().columns();
    let paths: Vec<String> = columns.iter().map(|column| column.path().string()).collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    for (place, (expected, kind)) in DEAL_COLUMNS.into_iter().enumerate() {
        match (columns.get(place), names.get(place)) {
            (Some(column), Some(&name)) if name == expected => check_type(column, kind)?,
            (_, found) => {
                let (number, found) = (place + 1, found.map(|&found| found.to_owned()));
                return Err(DataError::Column { number, expected, found });
            }
        }
    }
    let rule_sets = named_rule_sets(&names[DEAL_COLUMNS.len()..])?;
    for column in &columns[DEAL_COLUMNS.len()..] {
        check_type(column, ColumnType::Number)?;
    }
    Ok(rule_sets)
}

fn check_type(column: &ColumnDescriptor, kind: ColumnType) -> Result<(), DataError> {
    let name = column.path().string();
    let expected = kind.field(&name).map_err(DataError::reading)?;
    let found = column.self_type().get_basic_info();
    let fits = column.physical_type() == expected.get_physical_type()
        && found.has_repetition()
        && found.repetition() == Repetition::REQUIRED
        && column.max_def_level() == 0
        && column.max_rep_level() == 0;
    if fits {
        return Ok(());
    }
    Err(DataError::ColumnType { column: name, expected: kind.name() })
}

/// Returns the metadata of a Parquet file, as a map from keys to values. Keys without a value are left out.
fn key_values(metadata: &ParquetMetaData) -> BTreeMap<String, String> {
    let entries = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    entries.filter_map(|entry| Some((entry.key.clone(), entry.value.clone()?))).collect()
}

/// Returns the number of rows in the table of a Parquet file. Checks that the columns fill all bytes before the footer without gaps.
fn rows(metadata: &ParquetMetaData, body: u64, deals: u64) -> Result<usize, DataError> {
    let damaged = |text: &str| DataError::Damaged(text.to_owned());
    let [group] = metadata.row_groups() else {
        return Err(damaged("the file does not have exactly one row group"));
    };
    let rows = group.num_rows();
    let valid = rows == metadata.file_metadata().num_rows()
        && u64::try_from(rows).is_ok_and(|rows| (1..=deals).contains(&rows));
    if !valid {
        return Err(damaged("the number of rows is wrong"));
    }
    let mut at = i64::try_from(MAGIC.len()).unwrap_or_default();
    for column in group.columns() {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let packed = matches!(column.compression(), Compression::ZSTD(_));
        if start != at || column.compressed_size() <= 0 || column.num_values() != rows || !packed {
            return Err(damaged("the places of the columns contradict each other"));
        }
        at = at.saturating_add(column.compressed_size());
    }
    if u64::try_from(at) != Ok(body) {
        return Err(damaged("the columns do not fill the file"));
    }
    usize::try_from(rows).map_err(|_| damaged("the number of rows is wrong"))
}
