//! Prints an embedded puzzle, and the value of every action at the first decision of its solution.

use overmate_puzzles::{PuzzleSet, Theme};
use overmate_rules::RuleSet;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = RuleSet::named("sackson")?.shared();
    let set = PuzzleSet::embedded(&rules).ok_or("the rule set has no embedded puzzles")?;
    let entry = set.entries().iter().find(|entry| entry.themes.contains(Theme::MateInTwo));
    let puzzle = set.read(entry.ok_or("the set has no mate in two")?)?;
    println!("{} (rating {})", puzzle.position(), puzzle.rating);

    let solution = &puzzle.solution;
    for &(action, value) in &solution.values {
        let mark = if solution.is_right(action) { "right" } else { "" };
        println!("{:>6} {value:>5} {mark}", rules.action_text(action).to_string());
    }
    Ok(())
}
