//! Prints the rule sets and the metadata of a file of deal values, or the reason why the file cannot be read.
//!
//! Usage: `cargo run -p overmate-data --example describe_a_file -- [FILE]`

use std::path::Path;

use overmate_data::DealFile;

fn main() {
    let path = std::env::args().nth(1).unwrap_or_else(|| "single.parquet".to_owned());
    match DealFile::open(Path::new(&path)) {
        Ok(file) => {
            println!("{path}: {} deals, {}", file.rows(), file.names().join(", "));
            for (key, value) in file.metadata() {
                println!("  {key}: {value}");
            }
        }
        Err(error) => println!("{path} cannot be read: {error}"),
    }
}
