//! Plays matches of Mate in a terminal, and provides texts and search limits for other commands of the program `overmate`.

mod begin;
mod charset;
pub mod errors;
pub mod limits;
mod line_mode;
mod play;
pub mod private;
mod screen;
pub mod signals;
pub mod text;
pub mod untrusted;

pub use self::charset::Charset;
pub use self::play::autosave::quoted as quoted_path;
pub use self::play::controller::MatchController;
pub use self::play::opponent::{Opponent, ProgramOpponent};
pub use self::play::session::is_help_mark;
pub use self::play::setup::{MatchSetup, new_match, resume};

use std::env;
use std::io::{self, IsTerminal as _, Write};

use anyhow::Result;

use self::charset::AsciiWriter;

/// Plays a match, on the full screen or line by line, until the match is over or the player leaves. The match is played
/// line by line if `lines` is set or the terminal cannot show the full screen. Without a `charset`, the locale decides on the
/// characters.
///
/// # Errors
///
/// Returns [`errors::Interrupted`] after Ctrl-C; otherwise an error of the terminal, with the path of the saved match in its text.
pub fn play(
    controller: MatchController,
    lines: bool,
    charset: Option<Charset>,
    out: &mut dyn Write,
) -> Result<()> {
    let charset = charset.unwrap_or_else(Charset::of_terminal);
    let mut ascii;
    let out = match charset {
        Charset::Utf8 => out,
        Charset::Ascii => {
            ascii = AsciiWriter(out);
            &mut ascii
        }
    };
    if lines || !has_full_screen() {
        line_mode::play(controller, out)
    } else {
        screen::play(controller, charset, out)
    }
}

/// Returns whether standard input and output are a terminal on which the full-screen display can be drawn.
fn has_full_screen() -> bool {
    let can_draw = match env::var("TERM") {
        Ok(term) => !term.is_empty() && term != "dumb",
        // Windows has no variable TERM, and its terminal can draw the full-screen display.
        Err(_) => cfg!(windows),
    };
    can_draw && io::stdin().is_terminal() && io::stdout().is_terminal()
}
