//! Defines a custom rule set in TOML, deals cards by this rule set, and prints the faults of an
//! invalid rule set.

use std::error::Error;

use overmate_rules::{Deal, Dealt, Game, RuleSet};

const SMALL: &str = r#"
name = "small"
rounds = 1

[deck]
suits = [{ letter = "c", name = "clubs" }, { letter = "d", name = "diamonds" }]
ranks = [
  { letter = "A", name = "ace", value = 11 },
  { letter = "K", name = "king", value = 4 },
  { letter = "7", name = "seven", value = 7 },
]
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = RuleSet::from_toml(SMALL)?.shared();
    println!("{} cards a hand, {} deals", rules.hand_size(), Dealt::count(&rules));
    let game = Game::new(Deal::numbered(&rules, 3)?);
    println!("{}", game.dealt());

    let wrong = SMALL.replace("value = 4", "value = 0").replace("rounds", "round");
    if let Err(faults) = RuleSet::from_toml(&wrong) {
        println!("{faults}");
    }
    Ok(())
}
