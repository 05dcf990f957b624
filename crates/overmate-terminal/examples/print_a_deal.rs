//! Prints the hands of a deal, and the value of every first action as a table.

use std::io;

use overmate_rules::{Deal, Game, RuleSet, Seat};
use overmate_solver::{Budget, Solver};
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::{hands, words};

fn main() -> anyhow::Result<()> {
    let rules = RuleSet::named("sackson")?.shared();
    let game = Game::new(Deal::numbered(&rules, 20_010)?);
    let mut out = io::stdout().lock();
    hands::of_seats(&rules, game.dealt().hands()).write(&mut out)?;

    let analysis = Solver::new().analyse(&game, &Budget::unlimited());
    let mut table = TextTable::new([("action", Align::Left), ("for first", Align::Right)]);
    for found in &analysis.actions {
        let action = rules.action_text(found.action).to_string();
        table.row([action, words::signed(&found.value, Seat::First)]);
    }
    table.write(&mut out)?;
    Ok(())
}
