//! Writes a table with the value of one deal to a Parquet file, and reads the file again.
//!
//! Usage: `cargo run -p overmate-data --example write_a_table`

use std::error::Error;

use overmate_data::{DealColumn, DealFile, DealTable};
use overmate_rules::RuleSet;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = RuleSet::named("bga")?.shared();
    // The first player wins 16 points in this deal, with best play by both.
    let column = DealColumn { rules: "bga".to_owned(), values: vec![16] };
    let table = DealTable::new(&rules, 20_010..20_011, vec![column])?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("deal.parquet");
    table.write_parquet(&path)?;

    let read = DealFile::open(&path)?.read(&["bga"])?;
    let row = read.row_of(20_010)?;
    println!("deal {}, value {}", read.deals()[row], read.columns()[0].values[row]);
    println!("  first   {}\n  second  {}", read.first()[row], read.second()[row]);
    Ok(())
}
