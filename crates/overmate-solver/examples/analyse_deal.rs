//! Prints the value of a deal, the value of every first action, and the principal variation.
//!
//! Usage: `cargo run -p overmate-solver --example analyse_deal -- [RULES] [DEAL]`

use std::error::Error;

use overmate_rules::{Deal, Game, RuleSet};
use overmate_solver::{Budget, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "sackson".to_owned());
    let number = arguments.next().map_or(Ok(20_010), |number| number.parse())?;
    let rules = RuleSet::named(&name)?.shared();
    let game = Game::new(Deal::numbered(&rules, number)?);

    let analysis = Solver::new().analyse(&game, &Budget::unlimited().with_nodes(100_000));
    println!("{name}, deal {number}, points for first: {:?}", analysis.value);
    for found in &analysis.actions {
        println!("{:>6}  {:?}", rules.action_text(found.action).to_string(), found.value);
    }
    let line = analysis.principal_variation.iter();
    let line: Vec<String> = line.map(|action| rules.action_text(*action).to_string()).collect();
    println!("principal variation: {}", line.join(" "));
    Ok(())
}
