//! Rates the positions of a game as puzzles: proves each solution, and computes each puzzle's themes and rating.

use overmate_bots::LevelPolicies;
use overmate_puzzles::{Decision, Theme, rating, success_of_levels, themes_of};
use overmate_rules::{Deal, Game, RuleSet};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("bga")?.shared();
    let dealt = Deal::numbered(&rules, 20_010)?;
    let policies = LevelPolicies::new(&dealt)?;
    let mut game = Game::new(dealt);
    while let Some(action) = game.legal_actions().next() {
        let position = game.position().clone();
        match Decision::of_puzzle(&position, &policies) {
            Ok(solution) => {
                let ending = solution.ending(&policies);
                let themes: Vec<&str> =
                    themes_of(&solution, &ending).iter().map(Theme::name).collect();
                let rating = rating(&success_of_levels(&solution, &policies));
                println!("{position}\n  rating {rating}, themes: {}", themes.join(", "));
            }
            Err(reason) => println!("{position}\n  no puzzle: {reason:?}"),
        }
        game = game.play(action)?;
    }
    Ok(())
}
