//! Plays a match line by line against the built-in opponent of level 3, and saves the record in a temporary folder.

use std::io;

use overmate_rules::{Match, RuleSet, Seat, SeededDeals};
use overmate_terminal::{Charset, MatchSetup, Opponent, new_match, play};

fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let rules = RuleSet::named("bga")?.shared();
    let controller = new_match(MatchSetup {
        start: Match::new(&rules, &mut SeededDeals::new(7)),
        begins_here: false,
        seat: Seat::First,
        opponent: Opponent::BuiltIn("level:3".parse()?),
        record: Some(folder.path().join("match.mate")),
    })?;
    let lines = true;
    play(controller, lines, Some(Charset::Ascii), &mut io::stdout())
}
