//! Reads and writes the stored tables with the measured strength of the computer opponents, and replaces single lines of a table.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::RULES;
use super::hidden::Exploited;
use super::pairing::{MeasuredPair, name, players_by_strength};

/// Data type that holds one line of a result table, and that names the table's file. Each type of line has a separate
/// file.
pub(super) trait ResultsTable: Serialize + DeserializeOwned {
    /// File name of a result table.
    const FILE: &'static str;

    /// Returns the names of the rule set and of the two opponents, the stronger first, on this line of a result table. Returns `None` for a
    /// line of a table that lists no pairs of opponents.
    fn about(&self) -> Option<(&str, &str, &str)>;
}

impl ResultsTable for MeasuredPair {
    const FILE: &'static str = "levels.tsv";

    fn about(&self) -> Option<(&str, &str, &str)> {
        Some((&self.rules, &self.strong, &self.weak))
    }
}

impl ResultsTable for Exploited {
    const FILE: &'static str = "hidden.tsv";

    fn about(&self) -> Option<(&str, &str, &str)> {
        None
    }
}

/// Exact result of a round between two computer opponents, stored for a test that recomputes the result.
#[derive(Serialize, Deserialize)]
pub(super) struct SampleRound {
    pub(super) rules: String,
    pub(super) deal: u64,
    pub(super) strong: String,
    pub(super) weak: String,
    pub(super) points_of_the_round: f64,
}

impl ResultsTable for SampleRound {
    const FILE: &'static str = "sample.tsv";

    fn about(&self) -> Option<(&str, &str, &str)> {
        Some((&self.rules, &self.strong, &self.weak))
    }
}

/// Results of a match pair (two matches on the same deals with exchanged seats), stored for a test that replays the matches.
#[derive(Serialize, Deserialize)]
pub(super) struct SampleMatches {
    pub(super) rules: String,
    pub(super) strong: String,
    pub(super) weak: String,
    /// Index of the match pair among all match pairs of the two opponents, from 0.
    pub(super) pair: u64,
    /// Margin of the stronger opponent, in points, in the match in which this opponent is player A. The next field is the margin in the
    /// match in which this opponent is player B.
    pub(super) points_as_a: i32,
    pub(super) points_as_b: i32,
}

impl ResultsTable for SampleMatches {
    const FILE: &'static str = "matches.tsv";

    fn about(&self) -> Option<(&str, &str, &str)> {
        Some((&self.rules, &self.strong, &self.weak))
    }
}

fn file<T: ResultsTable>(docs: &Path) -> PathBuf {
    docs.join("levels").join(T::FILE)
}

/// Reads the table with lines of type `T` from the document folder.
pub(super) fn read<T: ResultsTable>(docs: &Path) -> Result<Vec<T>> {
    read_table(&file::<T>(docs))
}

/// Reads all lines of a table from a tab-separated file.
pub(crate) fn read_table<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>> {
    let tsv = csv::ReaderBuilder::new().delimiter(b'\t').from_path(file);
    let mut tsv = tsv.with_context(|| format!("cannot read the table {}", file.display()))?;
    let lines: Result<Vec<T>, _> = tsv.deserialize().collect();
    lines.with_context(|| {
        format!(
            "the table {} has a line without the expected columns: restore the table from git",
            file.display()
        )
    })
}

/// Writes all lines of a result table to its file in the document folder.
pub(super) fn write<T: ResultsTable>(docs: &Path, lines: &[T]) -> Result<()> {
    let file = file::<T>(docs);
    let folder = docs.join("levels");
    fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create the folder {} for the table", folder.display()))?;
    let tsv = csv::WriterBuilder::new().delimiter(b'\t').from_path(&file);
    let mut tsv = tsv.with_context(|| format!("cannot write the table to {}", file.display()))?;
    for line in lines {
        tsv.serialize(line)?;
    }
    tsv.flush()?;
    Ok(())
}

/// Adds or replaces lines in a stored table of results. A new line replaces the line with the same rule set and opponents. The lines keep
/// the order of the document.
pub(super) fn replace<T: ResultsTable>(docs: &Path, new: Vec<T>) -> Result<()> {
    let known = if file::<T>(docs).exists() { read::<T>(docs)? } else { Vec::new() };
    write(docs, &replaced(known, new))
}

fn replaced<T: ResultsTable>(known: Vec<T>, new: Vec<T>) -> Vec<T> {
    let names: Vec<String> = players_by_strength().into_iter().map(name).collect();
    let is_new = |line: &T| new.iter().any(|other| other.about() == line.about());
    let mut lines: Vec<T> = known.into_iter().filter(|line| !is_new(line)).collect();
    lines.extend(new);
    let place = |line: &T| {
        let (rules, strong, weak) = line.about()?;
        let player = |name: &str| names.iter().position(|other| other == name);
        let rules = RULES.iter().position(|(name, _)| *name == rules)?;
        Some((rules, player(strong)?, player(weak)?))
    };
    // A line of the result table is removed if its rule set or one of its two opponents no longer appears in the document `levels.md`.
    lines.retain(|line| place(line).is_some());
    lines.sort_by_key(place);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rules: &str, strong: &str, weak: &str, points_as_a: i32) -> SampleMatches {
        let [rules, strong, weak] = [rules, strong, weak].map(str::to_owned);
        SampleMatches { rules, strong, weak, pair: 0, points_as_a, points_as_b: 0 }
    }

    #[test]
    fn replaced_lines_keep_their_order_in_the_table() {
        let known = vec![
            line("sackson", "1", "random", 1),
            line("forgotten", "1", "random", 2),
            line("denexa", "2", "1", 3),
            line("denexa", "perfect", "9", 4),
        ];
        let new = vec![line("denexa", "2", "1", 5), line("bga", "9", "8", 6)];

        let lines = replaced(known, new);

        let points: Vec<i32> = lines.iter().map(|line| line.points_as_a).collect();
        assert_eq!(points, [1, 6, 5, 4]);
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let docs = tempfile::tempdir().expect("a folder");
        write(docs.path(), &[line("denexa", "2", "1", 3)]).expect("a file");
        replace(docs.path(), vec![line("denexa", "2", "1", 4)]).expect("a file");

        let lines: Vec<SampleMatches> = read(docs.path()).expect("a table");

        assert!(matches!(&lines[..], [line] if line.points_as_a == 4 && line.weak == "1"));
    }
}
