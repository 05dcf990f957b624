//! Implements the command `overmate bot`: a built-in computer player speaks the bot protocol on its standard input and output.

use std::io::{self, IsTerminal as _, Write};

use anyhow::{Context as _, Result};
use overmate_arena::protocol::{ServeError, serve};

use crate::cli::BotArgs;
use overmate_terminal::errors::{print_aside, write_error};

pub(crate) fn run(args: &BotArgs, out: &mut dyn Write) -> Result<()> {
    let opponent = args.opponent();
    let stdin = io::stdin();
    if stdin.is_terminal() {
        print_aside("Waiting for an arena to send `hello` as a JSON line; Ctrl-C ends the bot.");
    }
    let enter = |seed| opponent.seeded(args.seed.unwrap_or(seed));
    serve(&opponent.to_string(), enter, stdin.lock(), out)
        .map_err(|error| match error {
            ServeError::Write(error) => write_error(error),
            ServeError::Read(error) => {
                anyhow::Error::new(error).context("cannot read the standard input")
            }
            error => anyhow::Error::new(error),
        })
        .context("the conversation of the bot with the arena failed")
}
