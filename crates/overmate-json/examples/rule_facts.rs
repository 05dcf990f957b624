//! Prints a rule set as JSON, for example with `cargo run --example rule_facts -- sackson+double`.

use overmate_json::RuleFacts;
use overmate_rules::RuleSet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "sackson".to_owned());
    let facts = RuleFacts::new(&RuleSet::named(&name)?);
    println!("{}", serde_json::to_string_pretty(&facts)?);
    Ok(())
}
