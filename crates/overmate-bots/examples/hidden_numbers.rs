//! Prints how far players of a hidden card can be exploited, and how many cards are solved: the tables of `docs/levels.md`.

use overmate_bots::hidden::{exploitability_report, small_denexa, solvable_sizes_report};
use overmate_rules::RuleSet;

fn main() {
    for (suits, ranks) in [(4, 3), (3, 4)] {
        if let Some(rules) = small_denexa(suits, ranks) {
            println!("{}, {} deals:\n", rules.name(), 20);
            println!("{}", exploitability_report(&rules, 20, 1));
        }
    }
    if let Ok(rules) = RuleSet::named("denexa") {
        println!("{}", solvable_sizes_report(&rules.shared(), 20, 1));
    }
}
