//! Prints the points that each action of a game lost against best play.
//!
//! Each player takes the first legal action.

use std::error::Error;

use overmate_rules::{Deal, Game, RuleSet};
use overmate_solver::{Budget, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = RuleSet::named("pagat")?.shared();
    let mut game = Game::new(Deal::numbered(&rules, 20_010)?);
    while let Some(action) = game.legal_actions().next() {
        game = game.play(action)?;
    }

    let review = Solver::new().review(&game, &Budget::unlimited());
    for reviewed in &review.actions {
        let text = |action| rules.action_text(action).to_string();
        let best: Vec<String> = reviewed.best.iter().map(|action| text(*action)).collect();
        let (action, lost) = (text(reviewed.action), reviewed.lost.unwrap_or_default());
        let best = best.join(", ");
        println!("{:?} played {action}, which lost {lost} points; best: {best}", reviewed.seat);
    }
    println!("{game}");
    Ok(())
}
