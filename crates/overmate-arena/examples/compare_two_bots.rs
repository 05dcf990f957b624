//! Plays matches between the bots of two strength levels, and prints the estimated Elo difference.

use std::sync::Arc;

use overmate_arena::{Arena, ArenaOptions, Entrant, Observer, Sprt};
use overmate_bots::BotSpec;
use overmate_rules::RuleSet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("bga")?.shared();
    let players: Vec<Arc<dyn Entrant>> =
        vec![Arc::new("level:4".parse::<BotSpec>()?), Arc::new("level:3".parse::<BotSpec>()?)];
    let sprt = Some(Sprt::new(0.0, 50.0)?);
    let options = ArenaOptions::default().with_pairs(20).with_seed(1).with_sprt(sprt);
    for result in Arena::new(rules, players, options)?.run([], &Observer::default())? {
        let elo = result.counts.elo();
        println!(
            "{} matches, Elo {:.0} ({:.0} to {:.0})",
            result.matches(),
            elo.value,
            elo.low,
            elo.high
        );
    }
    Ok(())
}
