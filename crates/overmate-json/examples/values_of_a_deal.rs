//! Prints, as JSON, the value of each possible first action of a deal.

use std::collections::BTreeMap;

use overmate_json::{Hands, ProvedValue, action, deal_number};
use overmate_rules::{Deal, Game, RuleSet};
use overmate_solver::{Budget, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("sackson")?.shared();
    let dealt = Deal::numbered(&rules, 20_010)?;
    let hands = Hands::dealt(&rules, &dealt);
    println!("deal {}: {}", deal_number(&dealt), serde_json::to_string(&hands)?);

    let analysis = Solver::new().analyse(&Game::new(dealt), &Budget::unlimited());
    let values: BTreeMap<String, ProvedValue> = analysis
        .actions
        .iter()
        .map(|found| (action(&rules, found.action), found.value.into()))
        .collect();
    println!("{}", serde_json::to_string_pretty(&values)?);
    Ok(())
}
