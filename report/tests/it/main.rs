//! Compares the numbers in the documents "Mate, solved", "How strong the levels are" and "A guide to Mate" with recomputed numbers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

mod figures;
mod guide;
mod levels;

/// Row of a stored table of statistics, as a map from column names to cells.
type TableRow = BTreeMap<String, String>;

fn docs(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(file)
}

/// Reads a tab-separated table in the document folder.
fn table(file: &str) -> Vec<TableRow> {
    let tsv = csv::ReaderBuilder::new().delimiter(b'\t').from_path(docs(file));
    let mut tsv = tsv.expect("the table is committed");
    tsv.deserialize().collect::<Result<_, _>>().expect("the table is valid")
}
