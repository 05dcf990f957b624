//! Implements the command `overmate puzzles`, which finds puzzles and prints them with their solutions.

use std::io::{self, Write};

use anyhow::{Result, bail};
use overmate_puzzles::{Puzzle, Theme, Wanted, find_with_progress};

use crate::cli::PuzzlesArgs;
use crate::commands::puzzle::write_solution;
use crate::json::{self, PuzzleWire};
use crate::whole_game::{self, StageBar};
use overmate_terminal::errors::write_error;
use overmate_terminal::text::{hands, style, words};

pub(crate) fn run(args: &PuzzlesArgs, out: &mut dyn Write) -> Result<()> {
    let wanted = Wanted::new(args.rules.rules.load()?)
        .with_count(args.count.get())
        .with_seed(args.seed)
        .with_theme(args.theme)
        .with_threads(args.threads());
    whole_game::end_at_ctrl_c()?;
    let progress = StageBar::new("Finding");
    let found = find_with_progress(&wanted, &|found, all| progress.tell(found, all))?;
    drop(progress);
    for (index, puzzle) in found.puzzles.iter().enumerate() {
        if args.json {
            json::print(out, &PuzzleWire::new(puzzle))?;
        } else {
            write(puzzle, index, out).map_err(write_error)?;
        }
    }
    let (searched, kept) = (found.survey.positions, found.puzzles.len());
    let searched = words::grouped(searched);
    if kept == 0 {
        bail!("the search found no puzzle in {searched} positions: choose another theme or seed");
    }
    if kept < args.count.get() {
        bail!(
            "the search found only {} in {searched} positions: ask for fewer puzzles, or for another theme",
            words::counted(kept as u64, "puzzle")
        );
    }
    Ok(())
}

fn write(puzzle: &Puzzle, index: usize, out: &mut dyn Write) -> io::Result<()> {
    if index > 0 {
        writeln!(out)?;
    }
    let bold = style::HEADING;
    let position = puzzle.position();
    let rules = position.rules();
    let to_do = words::capital(&words::to_do(position));
    writeln!(out, "{bold}Puzzle {}, {}{bold:#}", puzzle.id(), rules.name())?;
    hands::of_seats(rules, position.hands()).write(out)?;
    writeln!(out, "\n{to_do}\n  {position}")?;
    write_solution(puzzle, out)?;
    let themes: Vec<&str> = puzzle.themes.iter().map(Theme::name).collect();
    let separator = if themes.is_empty() { "" } else { ", " };
    let (rating, margin) = (puzzle.rating, puzzle.solution.margin());
    writeln!(out, "Rating {rating}, margin {margin}{separator}{}", themes.join(", "))
}
