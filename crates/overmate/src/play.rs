//! `overmate play`: a match in the terminal, on a full screen or line by line.

mod begin;
pub(crate) mod course;
pub(crate) mod hint;
mod input;
pub(crate) mod keep;
mod lines;
pub(crate) mod opponent;
pub(crate) mod session;
pub(crate) mod speech;
pub(crate) mod why;

use std::env;
use std::io::{self, IsTerminal as _, Write};

use anyhow::Result;

use crate::cli::PlayArgs;
use crate::tui;

pub(crate) fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<()> {
    let course = match &args.resume {
        Some(path) => begin::resume(path)?,
        None => begin::new_match(args)?,
    };
    if args.lines || !has_full_screen() {
        let terminal = input::AsItWas::now();
        course.keeper().tell_at_ctrl_c(move || terminal.give_back())?;
        lines::play(course, out)
    } else {
        tui::play(course, out)
    }
}

/// Whether there is a terminal that can be drawn on.
fn has_full_screen() -> bool {
    let can_draw = match env::var("TERM") {
        Ok(term) => !term.is_empty() && term != "dumb",
        // Only Unix has terminals of many kinds, and a variable to tell them apart.
        Err(_) => cfg!(windows),
    };
    can_draw && io::stdin().is_terminal() && io::stdout().is_terminal()
}
