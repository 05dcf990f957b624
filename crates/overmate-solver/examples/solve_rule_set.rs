//! Solves every deal of a small rule set, writes the values to a tablebase, and reads values from the tablebase.

use std::error::Error;

use overmate_rules::{Deal, Game, RuleSet};
use overmate_solver::Progress;
use overmate_solver::tablebase::{NewTablebase, Tablebase};
use overmate_solver::whole::{WholeGame, WholeOptions};

fn main() -> Result<(), Box<dyn Error>> {
    // A rule set with the first twelve cards of the deck of `bga`.
    let mut draft = RuleSet::named("bga")?.draft();
    "twelve".clone_into(&mut draft.name);
    draft.cards.truncate(12);
    let rules = RuleSet::new(draft)?.shared();

    let game = WholeGame::solve(&rules, WholeOptions::default(), &Progress::default())?;
    let facts = game.deal_facts();
    let won = facts.iter().filter(|fact| fact.value_for_first.points() > 0).count();
    println!("first wins {won} of {} deals", facts.len());

    let path = std::env::temp_dir().join(format!("overmate-{}.matebase", std::process::id()));
    let bytes = NewTablebase::create(&path, true)?.write(&game, &Progress::default())?;
    println!("{} positions in {bytes} bytes", game.positions());

    let table = Tablebase::open_for(&path, &rules)?;
    let deal = Game::new(Deal::numbered(&rules, 77)?);
    let value = table.reader().value_for_first(deal.position())?;
    println!("deal 77: {value:?}");
    drop(table);
    std::fs::remove_file(path)?;
    Ok(())
}
