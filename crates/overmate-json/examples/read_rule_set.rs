//! Reads a custom rule set from JSON, and prints the error for an invalid rule set.

use overmate_json::RuleFacts;
use overmate_rules::{RuleSet, error_with_causes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let published = serde_json::to_value(RuleFacts::new(&RuleSet::named("bga")?))?;
    let mut custom = published.clone();
    custom["id"] = "long-bga".into();
    custom["games"] = 8.into();
    let rules = serde_json::from_value::<RuleFacts>(custom)?.rule_set()?;
    println!("{}: {} rounds, {} cards", rules.name(), rules.rounds(), rules.deck().cards().len());

    let mut odd = published;
    odd["games"] = 3.into();
    if let Err(error) = serde_json::from_value::<RuleFacts>(odd)?.rule_set() {
        println!("Error: {}", error_with_causes(&error));
    }
    Ok(())
}
