//! Prints a table of deals as CSV, with the value 0 for each deal.
//!
//! Usage: `cargo run -p overmate-data --example print_a_table -- [RULES]`

use std::error::Error;

use overmate_data::{CsvWriter, DealColumn, DealTable};
use overmate_rules::RuleSet;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "sackson".to_owned());
    let rules = RuleSet::named(&name)?.shared();
    let column = DealColumn { rules: rules.name().to_owned(), values: vec![0; 5] };
    let table = DealTable::new(&rules, 0..5, vec![column])?;
    let mut csv = CsvWriter::new(std::io::stdout().lock(), &table)?;
    for row in 0..table.rows() {
        csv.row(&table, row)?;
    }
    csv.finish()?;
    Ok(())
}
