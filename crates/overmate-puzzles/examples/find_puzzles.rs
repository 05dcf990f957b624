//! Finds five puzzles and prints each with its rating and solution.

use std::num::NonZero;

use overmate_puzzles::{Wanted, find};
use overmate_rules::RuleSet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("sackson")?.shared();
    let wanted = Wanted { rules, count: 5, seed: 1, theme: None, threads: NonZero::<usize>::MIN };
    for puzzle in find(&wanted)?.puzzles {
        println!("{puzzle}");
    }
    Ok(())
}
