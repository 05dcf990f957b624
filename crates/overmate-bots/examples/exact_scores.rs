//! Prints the exact probabilities of the scores in games between the bot of level 3 and the perfect player on one deal.

use overmate_bots::{BuiltIn, ExactGames, ExactPlayer};
use overmate_rules::{BySeat, Deal, RuleSet};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("bga")?.shared();
    let dealt = Deal::numbered(&rules, 20_010)?;
    let player = |name: &str| name.parse::<BuiltIn>().map(ExactPlayer::BuiltIn);
    let seats = BySeat { first: player("level:3")?, second: player("perfect")? };
    for (points, probability) in ExactGames::new(&dealt)?.scores_for_first(seats) {
        println!("{points:>5} {:6.2} %", 100.0 * probability);
    }
    Ok(())
}
