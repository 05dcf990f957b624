//! Plays a game between two built-in bots and prints each action with its reason.

use overmate_bots::{BuiltIn, Standing, Turn};
use overmate_rules::{BySeat, Deal, Game, RuleSet, Seat, Viewer};
use overmate_solver::Budget;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("sackson")?.shared();
    let mut game = Game::new(Deal::numbered(&rules, 20_010)?);
    let weak = "level:2".parse::<BuiltIn>()?.seeded(1);
    let strong = "perfect".parse::<BuiltIn>()?.seeded(1);
    let mut bots = BySeat { first: weak, second: strong };
    let budget = Budget::unlimited();
    while let Some(seat) = game.to_act() {
        let view = game.view(Viewer::Seat(seat));
        let turn = Turn::new(&view, Standing::of_one_game(), &budget);
        let choice = bots[seat].choose(&turn)?;
        let who = if seat == Seat::First { "first" } else { "second" };
        println!("{who} {}: {}", rules.action_text(choice.action), choice.thought.reason);
        game = game.play(choice.action)?;
    }
    Ok(())
}
