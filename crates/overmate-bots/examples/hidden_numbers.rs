//! Prints two reports on games with a face-down card: the exploitability of bots, and the percentage of solvable
//! positions for each hand size.

use overmate_bots::hidden::{exploitability_report, small_denexa, solvable_sizes_report};
use overmate_rules::RuleSet;

fn main() {
    let deals = 24;
    for (suits, ranks) in [(4, 3), (3, 4)] {
        if let Some(rules) = small_denexa(suits, ranks) {
            println!("{}, {deals} deals:\n", rules.name());
            println!("{}", exploitability_report(&rules, deals, 1));
        }
    }
    if let Ok(rules) = RuleSet::named("denexa") {
        println!("{}", solvable_sizes_report(&rules.shared(), 20, 1));
    }
}
