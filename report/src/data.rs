//! Writes the value of every deal under every rule set as CSV and as Parquet, with a description of the columns.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use overmate_data::{DealColumn, DealTable};
use overmate_rules::{Dealt, Deck, RuleSet};
use overmate_solver::Progress;
use overmate_solver::whole::{WholeGame, WholeOptions};

use crate::catalogue::CatalogueGame;

/// Text of `docs/data.md`, which describes the tables of deal values. The program also writes this text into the folder of the tables.
const DATA_CARD: &str = include_str!("../../docs/data.md");

/// Solves all given rule sets, and writes the deal values as one CSV file and one Parquet file for each deck.
pub(crate) fn write(folder: &Path, games: &[CatalogueGame]) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {} for the data", folder.display()))?;
    let mut decks: BTreeMap<&str, (&CatalogueGame, Vec<DealColumn>)> = BTreeMap::new();
    for (done, entry) in games.iter().enumerate() {
        eprintln!("{:>3} of {}: {}", done + 1, games.len(), entry.name());
        let whole = WholeGame::solve(&entry.rules, WholeOptions::default(), &Progress::default())
            .with_context(|| format!("cannot solve the rule set {}", entry.name()))?;
        let values: Vec<i32> =
            whole.deal_facts().iter().map(|facts| facts.value_for_first.points()).collect();
        let (_, columns) =
            decks.entry(deck_name(&entry.rules)).or_insert_with(|| (entry, Vec::new()));
        let column = |name: &str| DealColumn { rules: name.to_owned(), values: values.clone() };
        columns.extend(entry.names().map(column));
    }
    for (name, (entry, columns)) in decks {
        let table = DealTable::new(&entry.rules, 0..Dealt::count(&entry.rules), columns)?;
        let csv = folder.join(format!("{name}.csv"));
        table
            .write_csv(&csv)
            .with_context(|| format!("cannot write the table of deals to {}", csv.display()))?;
        let parquet = csv.with_extension("parquet");
        table
            .write_parquet(&parquet)
            .with_context(|| format!("cannot write the table of deals to {}", parquet.display()))?;
    }
    let readme = folder.join("README.md");
    fs::write(&readme, DATA_CARD)
        .with_context(|| format!("cannot write the data card to {}", readme.display()))
}

/// Returns the base name of the data file for all rule sets with the same deck, such as `double`.
fn deck_name(rules: &RuleSet) -> &'static str {
    let deck: &Deck = rules.deck();
    let chess = deck.suits().iter().any(|suit| suit.name == "blue");
    match (chess, deck.all_distinct()) {
        (false, true) => "single",
        (false, false) => "double",
        (true, true) => "chess",
        (true, false) => "chess-double",
    }
}

#[cfg(test)]
mod tests {
    use overmate_data::DealFile;
    use overmate_rules::RuleSetDraft;

    use super::*;

    /// Returns a catalogue entry for tests: a rule set reduced to twelve cards, with 924 deals.
    fn small(name: &str, twins: &[&str]) -> CatalogueGame {
        let mut draft: RuleSetDraft = RuleSet::named(name).expect("a rule set").draft();
        draft.cards.truncate(12);
        let rules = RuleSet::new(draft).expect("the deck is valid").shared();
        CatalogueGame { rules, twins: twins.iter().map(|&twin| twin.to_owned()).collect() }
    }

    /// Returns the header and the rows of a Parquet file as strings.
    fn texts_of_parquet(file: &Path) -> Vec<Vec<String>> {
        let file = DealFile::open(file).expect("a file of deal values");
        let names = file.names();
        let table = file.read(&names).expect("all columns");
        let head = ["deal", "same_as", "first", "second"].into_iter().chain(names);
        let mut lines: Vec<Vec<String>> = vec![head.map(str::to_owned).collect()];
        for row in 0..table.rows() {
            let numbers = [table.deals()[row], table.same_as()[row]].map(|n| n.to_string());
            let hands = [table.first()[row].clone(), table.second()[row].clone()];
            let values = table.columns().iter().map(|column| column.values[row].to_string());
            lines.push(numbers.into_iter().chain(hands).chain(values).collect());
        }
        lines
    }

    fn texts_of_csv(file: &Path) -> Vec<Vec<String>> {
        let reader = csv::ReaderBuilder::new().has_headers(false).from_path(file);
        let lines = reader.expect("a CSV file").into_records();
        lines.map(|line| line.expect("a line").iter().map(str::to_owned).collect()).collect()
    }

    #[test]
    fn parquet_and_csv_have_the_same_rows_and_columns() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = [
            small("bga", &["sackson+no-foreplacing"]),
            small("sackson", &[]),
            small("rael", &[]),
            small("sackson+double", &[]),
        ];
        write(folder.path(), &games).expect("the files are written");

        let readme = fs::read_to_string(folder.path().join("README.md")).expect("a data card");
        for (deck, columns) in [("single", 7), ("double", 5), ("chess", 5)] {
            let csv = texts_of_csv(&folder.path().join(format!("{deck}.csv")));
            let parquet = texts_of_parquet(&folder.path().join(format!("{deck}.parquet")));
            assert_eq!(csv, parquet, "{deck}");
            assert_eq!(csv[0].len(), columns);
            assert!(csv.len() > 900 && csv.iter().all(|line| line.len() == columns));
            assert!(csv[1..].iter().any(|line| line[columns - 1].starts_with('-')));
            assert!(readme.contains(&format!("`{deck}.parquet`")), "{deck}");
        }
    }
}
