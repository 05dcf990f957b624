//! Defines the table of deals with one column of values for each rule set, and writes rows of the table as CSV.

use std::io::Write;
use std::sync::Arc;

use overmate_rules::{Deal, Position, RuleSet};

use crate::error::DataError;
use crate::format::DEAL_COLUMNS;

/// Values of all deals of a table under one rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealColumn {
    /// Name of the rule set to which a column of deal values belongs.
    pub rules: String,
    /// Value of each deal under best play by both players, in final points for seat *first*. A negative value means that
    /// *second* wins.
    pub values: Vec<i32>,
}

/// Table with one row for each deal and one column of values for each rule set.
///
/// The deal numbers are in ascending order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealTable {
    pub(crate) deals: Vec<i32>,
    pub(crate) same_as: Vec<i32>,
    pub(crate) first: Vec<String>,
    pub(crate) second: Vec<String>,
    pub(crate) columns: Vec<DealColumn>,
}

impl DealTable {
    /// Creates a table of deals from deal numbers and columns of values. `rules` has the deck of all columns.
    ///
    /// # Errors
    ///
    /// Returns an error if the deck has no deal with one of the numbers, if the numbers do not ascend, or if a column does
    /// not have exactly one value for each deal.
    pub fn new(
        rules: &Arc<RuleSet>,
        numbers: impl IntoIterator<Item = u64>,
        columns: Vec<DealColumn>,
    ) -> Result<Self, DataError> {
        let (deals, same_as, first, second) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut table = Self { deals, same_as, first, second, columns };
        for number in numbers {
            let described = DescribedDeal::new(rules, number)?;
            table.deals.push(described.deal);
            table.same_as.push(described.same_as);
            table.first.push(described.first);
            table.second.push(described.second);
        }
        check_ascending(&table.deals)?;
        for DealColumn { rules, values } in &table.columns {
            if values.len() != table.deals.len() {
                let (found, rows) = (values.len(), table.deals.len());
                return Err(DataError::Length { column: rules.clone(), found, rows });
            }
        }
        Ok(table)
    }

    /// Returns the number of rows in the table of deals.
    pub fn rows(&self) -> usize {
        self.deals.len()
    }

    /// Returns the deal number in each row of the table of deals, in ascending order.
    pub fn deals(&self) -> &[i32] {
        &self.deals
    }

    /// Returns, for each row of the table, the smallest deal number with the same hands as the row's deal. This canonical number can differ
    /// from the row's deal number in decks with identical cards, in which several deal numbers have the same hands.
    pub fn same_as(&self) -> &[i32] {
        &self.same_as
    }

    /// Returns the hand of seat *first* in each row of the table of deals, such as `Ac Tc`.
    pub fn first(&self) -> &[String] {
        &self.first
    }

    /// Returns the hand of seat *second* in each row of the table of deals.
    pub fn second(&self) -> &[String] {
        &self.second
    }

    /// Returns the columns of values in the table of deals, one for each rule set.
    pub fn columns(&self) -> &[DealColumn] {
        &self.columns
    }

    /// Returns the index of the table row for the deal with the given number.
    ///
    /// # Errors
    ///
    /// Returns an error if the table has no row for the deal.
    pub fn row_of(&self, deal: u64) -> Result<usize, DataError> {
        let row = i32::try_from(deal).ok().and_then(|deal| self.deals.binary_search(&deal).ok());
        row.ok_or_else(|| DataError::NoDeal {
            deal,
            least: self.deals.first().copied().unwrap_or(0),
            most: self.deals.last().copied().unwrap_or(0),
        })
    }

    /// Returns whether the hands and the canonical deal number in a row of the table match the row's deal number. `rules` has the deck of
    /// the table.
    ///
    /// # Errors
    ///
    /// Returns an error if the deck has no deal with the number in the row.
    ///
    /// # Panics
    ///
    /// Panics if the table has no such row.
    pub fn describes_its_deal(&self, rules: &Arc<RuleSet>, row: usize) -> Result<bool, DataError> {
        let number = u64::try_from(self.deals[row]).unwrap_or(u64::MAX);
        let expected = DescribedDeal::new(rules, number)?;
        Ok(expected.same_as == self.same_as[row]
            && expected.first == self.first[row]
            && expected.second == self.second[row])
    }
}

/// Deal columns in one row of a table of deals: deal number, canonical deal number and both hands.
struct DescribedDeal {
    deal: i32,
    same_as: i32,
    first: String,
    second: String,
}

impl DescribedDeal {
    fn new(rules: &Arc<RuleSet>, number: u64) -> Result<Self, DataError> {
        let dealt = Deal::numbered(rules, number)?;
        let hands = Position::start(&dealt).hands();
        Ok(Self {
            deal: stored(number)?,
            same_as: stored(dealt.number())?,
            first: rules.deck().cards_text(hands.first, " "),
            second: rules.deck().cards_text(hands.second, " "),
        })
    }
}

/// Converts a deal number to the 32-bit integer that a table of deals stores.
fn stored(number: u64) -> Result<i32, DataError> {
    i32::try_from(number).map_err(|_| DataError::LargeNumber { number })
}

/// Checks that deal numbers are in ascending order and not negative.
pub(crate) fn check_ascending(deals: &[i32]) -> Result<(), DataError> {
    let mut least = 0;
    for &deal in deals {
        if deal < least {
            return Err(DataError::Order { deal });
        }
        // The deal number after the largest 32-bit number is not representable, so the addition saturates.
        least = deal.saturating_add(1);
    }
    Ok(())
}

/// Writer that formats a table of deals as CSV, in UTF-8 with commas and a header line.
pub struct CsvWriter<W: Write>(csv::Writer<W>);

impl<W: Write> CsvWriter<W> {
    /// Creates a CSV writer, and writes the header line with the names of the table's columns.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `out` fails.
    pub fn new(out: W, table: &DealTable) -> Result<Self, DataError> {
        let mut csv = csv::WriterBuilder::new().flexible(false).from_writer(out);
        let names = table.columns.iter().map(|column| column.rules.as_str());
        csv.write_record(DEAL_COLUMNS.iter().map(|(name, _)| *name).chain(names))?;
        Ok(Self(csv))
    }

    /// Writes one row of a table of deals as CSV. The table must have the columns of the header line.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the output fails.
    ///
    /// # Panics
    ///
    /// Panics if the table has no such row.
    pub fn row(&mut self, table: &DealTable, row: usize) -> Result<(), DataError> {
        let (deal, same_as) = (table.deals[row].to_string(), table.same_as[row].to_string());
        let head = [deal, same_as, table.first[row].clone(), table.second[row].clone()];
        let values = table.columns.iter().map(|column| column.values[row].to_string());
        Ok(self.0.write_record(head.into_iter().chain(values))?)
    }

    /// Flushes the buffered CSV lines to the output.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to the output fails.
    pub fn finish(mut self) -> Result<(), DataError> {
        Ok(self.0.flush()?)
    }
}
