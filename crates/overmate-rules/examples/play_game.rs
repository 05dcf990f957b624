//! Plays one game in which both players choose at random, and prints the moves and the outcome.

use std::error::Error;

use overmate_rules::{Deal, Game, Outcome, RuleSet};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = RuleSet::named("sackson")?.shared();
    let mut game = Game::new(Deal::numbered(&rules, 20_010)?);
    println!("{}", game.dealt());

    // A linear congruential generator is random enough for an example.
    let mut state = 1_usize;
    while game.to_act().is_some() {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) & 0x7fff_ffff;
        let legal = game.legal_actions();
        let index = (state >> 8) % legal.len();
        let action = legal.clone().nth(index).ok_or("a game that goes on has a legal action")?;
        game = game.play(action)?;
    }
    println!("{game}");
    match game.outcome() {
        Some(Outcome::Mate(mate)) => println!("Mate by {}: {} points", mate.by, mate.points()),
        Some(Outcome::Draw | Outcome::Resigned { .. }) | None => println!("Nobody scores"),
    }
    Ok(())
}
