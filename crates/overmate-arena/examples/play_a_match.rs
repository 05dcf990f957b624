//! Plays one match between two bots and prints its record.

use std::sync::atomic::AtomicBool;

use overmate_arena::play_match;
use overmate_bots::BuiltIn;
use overmate_rules::{ByPlayer, Match, Record, RuleSet, SeededDeals};
use overmate_solver::Budget;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("bga")?.shared();
    let start = Match::new(&rules, &mut SeededDeals::new(7));
    let mut bots = ByPlayer {
        a: "level:5".parse::<BuiltIn>()?.seeded(1),
        b: "level:2".parse::<BuiltIn>()?.seeded(2),
    };
    let never = AtomicBool::new(false);
    if let Some(played) = play_match(start, &mut bots, &Budget::unlimited(), &never) {
        let mut record = Record::new(played.state);
        record.set_header("A", &bots.a.name())?;
        record.set_header("B", &bots.b.name())?;
        println!("{record}");
    }
    Ok(())
}
