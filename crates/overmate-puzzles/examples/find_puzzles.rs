//! Finds five puzzles and prints each with its rating and solution.

use overmate_puzzles::{Wanted, find};
use overmate_rules::RuleSet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("sackson")?.shared();
    let wanted = Wanted::new(rules).with_count(5).with_seed(1);
    for puzzle in find(&wanted)?.puzzles {
        println!("{puzzle}");
    }
    Ok(())
}
