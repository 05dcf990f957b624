//! Writes the value of every deal under every rule set as CSV and as Parquet, with a description of the columns.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use overmate_rules::{Deck, RuleSet};
use overmate_solver::Progress;
use overmate_solver::whole::{WholeGame, WholeOptions};

use crate::catalogue::CatalogueGame;
use crate::columnar;
use crate::deal_table::{Columns, DealValues};

/// Solves every game, and writes one table of deal values for each deck into `folder`, as CSV and as Parquet.
pub(crate) fn write(folder: &Path, games: &[CatalogueGame]) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {} for the data", folder.display()))?;
    let mut decks: BTreeMap<String, (&CatalogueGame, Columns)> = BTreeMap::new();
    for (done, entry) in games.iter().enumerate() {
        eprintln!("{:>3} of {}: {}", done + 1, games.len(), entry.name());
        let whole = WholeGame::solve(&entry.rules, WholeOptions::default(), &Progress::default())
            .with_context(|| format!("cannot solve the rule set {}", entry.name()))?;
        let values: Vec<i32> =
            whole.deal_facts().iter().map(|facts| facts.value_for_first.points()).collect();
        let (_, columns) = decks
            .entry(deck_name(&entry.rules).to_owned())
            .or_insert_with(|| (entry, Columns::new()));
        columns.extend(entry.names().map(|name| (name.to_owned(), values.clone())));
    }
    let readme_text = dictionary(&decks);
    for (name, (entry, columns)) in decks {
        let table = DealValues::of(&entry.rules, columns)?;
        let csv = folder.join(format!("{name}.csv"));
        write_csv(&csv, &table)
            .with_context(|| format!("cannot write the table of deals to {}", csv.display()))?;
        let parquet = csv.with_extension("parquet");
        columnar::write(&parquet, &table)
            .with_context(|| format!("cannot write the table of deals to {}", parquet.display()))?;
    }
    let readme = folder.join("README.md");
    fs::write(&readme, readme_text).with_context(|| {
        format!("cannot write the description of the columns to {}", readme.display())
    })?;
    Ok(())
}

/// Returns the base name of the data file for a rule set's deck.
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

fn write_csv(file: &Path, table: &DealValues) -> Result<()> {
    let mut csv = csv::Writer::from_path(file)?;
    let names = table.values.iter().map(|(name, _)| name.as_str());
    csv.write_record(["deal", "same_as", "first", "second"].into_iter().chain(names))?;
    for row in 0..table.deal.len() {
        let head = [
            table.deal[row].to_string(),
            table.same_as[row].to_string(),
            table.first[row].clone(),
            table.second[row].clone(),
        ];
        let values = table.values.iter().map(|(_, values)| values[row].to_string());
        csv.write_record(head.into_iter().chain(values))?;
    }
    csv.flush()?;
    Ok(())
}

fn dictionary(decks: &BTreeMap<String, (&CatalogueGame, Columns)>) -> String {
    let mut text = String::from(
        "# Mate, solved: the data\n\n\
         The value of every deal of 20 cards in every rule set, with best play by both. Made by\n\
         `cargo xtask solved --data DIR`. Each table is written twice, with the same rows and columns:\n\n\
         - as CSV: UTF-8, commas, a header line, one line for each deal;\n\
         - as Parquet, a tenth of the size: numbers are 32-bit integers, texts are UTF-8 strings, no column is\n  \
           optional, packed by Zstandard.\n\n\
         | column | meaning |\n|---|---|\n\
         | `deal` | the number of the deal: the colexicographic rank of the slots that *first* holds |\n\
         | `same_as` | the smallest number of the same deal; differs from `deal` only in double decks |\n\
         | `first` | the cards of *first*, suit by suit, high to low: `Ac Tc` |\n\
         | `second` | the cards of *second* |\n\
         | any other | the name of a rule set: the final points as *first* sees them, negative if *second* wins, 0 a draw |\n\n\
         In `denexa` and its variations the foreplaced card is face down. The values are those of the game\n\
         with all cards open.\n\n\
         The rules, the deal numbers and the card names: docs/rules.md and docs/notation.md of Overmate.\n\n\
         | files | rule sets |\n|---|---|\n",
    );
    text.extend(decks.iter().map(|(name, (_, columns))| {
        let names: Vec<String> = columns.iter().map(|(name, _)| format!("`{name}`")).collect();
        format!("| `{name}.csv`, `{name}.parquet` | {} |\n", names.join(", "))
    }));
    text
}

#[cfg(test)]
mod tests {
    use overmate_rules::RuleSetDraft;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    /// Returns a catalogue entry for tests: a rule set reduced to twelve cards, with 924 deals.
    fn small(name: &str, twins: &[&str]) -> CatalogueGame {
        let mut draft: RuleSetDraft = RuleSet::named(name).expect("a rule set").draft();
        draft.cards.truncate(12);
        let rules = RuleSet::new(draft).expect("twelve cards are a deck").shared();
        CatalogueGame { rules, twins: twins.iter().map(|&twin| twin.to_owned()).collect() }
    }

    fn texts_of_parquet(file: &Path) -> Vec<Vec<String>> {
        let reader = SerializedFileReader::try_from(file).expect("a Parquet file");
        let names = reader.metadata().file_metadata().schema_descr().columns().to_vec();
        let mut lines: Vec<Vec<String>> =
            vec![names.iter().map(|column| column.name().to_owned()).collect()];
        for row in reader.get_row_iter(None).expect("rows") {
            let row = row.expect("a row");
            let text = |field: &Field| match field {
                Field::Int(number) => number.to_string(),
                Field::Str(text) => text.clone(),
                other => panic!("{other:?} is neither a number nor a text"),
            };
            lines.push(row.get_column_iter().map(|(_, field)| text(field)).collect());
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
        write(folder.path(), &games).expect("both are written");

        let readme = fs::read_to_string(folder.path().join("README.md")).expect("a dictionary");
        for (deck, columns) in [("single", 7), ("double", 5), ("chess", 5)] {
            let csv = texts_of_csv(&folder.path().join(format!("{deck}.csv")));
            let parquet = texts_of_parquet(&folder.path().join(format!("{deck}.parquet")));
            assert_eq!(csv, parquet, "{deck}");
            assert_eq!(csv[0].len(), columns);
            assert!(csv.len() > 900 && csv.iter().all(|line| line.len() == columns));
            assert!(csv[1..].iter().any(|line| line[columns - 1].starts_with('-')));
            assert!(readme.contains(&format!("| `{deck}.csv`, `{deck}.parquet` | `{}", csv[0][4])));
        }
    }
}
