//! Defines the columns and the metadata of Parquet files with deal values, for the writer and the
//! reader.

use std::hash::Hasher as _;
use std::io::{self, Read};
use std::sync::Arc;

use overmate_rules::RuleSet;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::errors::Result;
use parquet::schema::types::{Type, TypePtr};
use twox_hash::XxHash3_64;

use crate::error::DataError;

/// Version of the file format for deal values. The version changes whenever older programs cannot read the new files.
pub const FORMAT: u32 = 1;

/// Human-readable description of the columns of a file of deal values, stored in the file's metadata.
pub const DESCRIPTION: &str = "Mate, solved: one row for each deal; each column that is named after a rule set holds the final \
     points of the player first under best play by both, negative if second wins, 0 for a draw";

/// Name of the Parquet column with the deal number.
pub(crate) const DEAL: &str = "deal";
/// Name of the Parquet column with the canonical number of the row's deal: the smallest number among all deals with the same hands.
pub(crate) const SAME_AS: &str = "same_as";
/// Name of the Parquet column with the hand of seat *first* as text.
pub(crate) const FIRST: &str = "first";
/// Name of the Parquet column with the hand of seat *second* as text.
pub(crate) const SECOND: &str = "second";

/// Names and types of the columns that describe each row's deal in a table of deal values. The columns of values follow, each with the name
/// of a rule set.
pub(crate) const DEAL_COLUMNS: [(&str, ColumnType); 4] = [
    (DEAL, ColumnType::Number),
    (SAME_AS, ColumnType::Number),
    (FIRST, ColumnType::Text),
    (SECOND, ColumnType::Text),
];

/// Metadata key of the version of the file format for deal values.
pub(crate) const FORMAT_KEY: &str = "overmate.format";
/// Metadata key of the version of the program that wrote the file of deal values.
pub(crate) const VERSION_KEY: &str = "overmate.version";
/// Metadata key of the description of the file's columns.
pub(crate) const DESCRIPTION_KEY: &str = "overmate.description";
/// Metadata key of the checksum over all bytes before the file's footer. The checksum is XXH3-64, written as 16 hexadecimal digits.
pub(crate) const CHECKSUM_KEY: &str = "overmate.xxh3_64";

/// Data type of a column in a file of deal values. No column is optional, because every deal has a
/// value under every rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColumnType {
    /// Column of 32-bit integers.
    Number,
    /// Column of strings in UTF-8.
    Text,
}

impl ColumnType {
    /// Returns the name of the column type for error texts.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Number => "32-bit integers without gaps",
            Self::Text => "UTF-8 strings without gaps",
        }
    }

    /// Returns the Parquet definition of a column with this column type.
    pub(crate) fn field(self, name: &str) -> Result<TypePtr> {
        let (physical, logical) = match self {
            Self::Number => (Physical::INT32, None),
            Self::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(logical);
        Ok(Arc::new(field.build()?))
    }
}

/// Returns the Parquet schema of a table with columns for the given rule sets.
pub(crate) fn schema<'a>(rule_sets: impl Iterator<Item = &'a str>) -> Result<TypePtr> {
    let numbers = rule_sets.map(|name| (name, ColumnType::Number));
    let fields: Result<Vec<_>> =
        DEAL_COLUMNS.into_iter().chain(numbers).map(|(name, kind)| kind.field(name)).collect();
    Ok(Arc::new(Type::group_type_builder("deals").with_fields(fields?).build()?))
}

/// Returns the rule sets with the given names. All named rule sets must be different and have the same deck.
pub(crate) fn named_rule_sets(names: &[&str]) -> std::result::Result<Vec<Arc<RuleSet>>, DataError> {
    let mut rule_sets: Vec<Arc<RuleSet>> = Vec::new();
    for &name in names {
        let rules = RuleSet::named(name)
            .map_err(|source| DataError::ColumnName { column: name.to_owned(), source })?;
        if let Some(one) = rule_sets.first().filter(|one| one.deck() != rules.deck()) {
            let (one, other) = (one.name().to_owned(), name.to_owned());
            return Err(DataError::TwoDecks { one, other });
        }
        // A name with variations has several spellings, which differ in the order of the variations. A reader that asks for the rule set
        // would find only the first of its columns.
        if let Some(place) = rule_sets.iter().position(|known| known.name() == rules.name()) {
            let (one, other) = (names[place].to_owned(), name.to_owned());
            return Err(DataError::TwoColumns { one, other });
        }
        rule_sets.push(rules.shared());
    }
    if rule_sets.is_empty() { Err(DataError::NoRuleSet) } else { Ok(rule_sets) }
}

/// Returns the checksum of the first `length` bytes of a file, as 16 hexadecimal digits.
pub(crate) fn checksum(file: impl Read, length: u64) -> io::Result<String> {
    let mut hasher = XxHash3_64::new();
    let mut body = file.take(length);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match body.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => hasher.write(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}
