//! How the program ends: exit codes, errors with their causes, and broken pipes without a word.

use std::error::Error;
use std::fmt;
use std::io;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;

use overmate_terminal::errors::{Interrupted, print_aside, print_error, write_error};
use overmate_terminal::signals;

/// The answer is no, or something failed.
const NEGATIVE: u8 = 1;
/// The command line makes no sense.
const USAGE: u8 = 2;

/// A command line that clap lets pass and that makes no sense all the same.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Usage {}

/// Tells how a command went, and turns it into an exit code.
pub(crate) fn finish(result: Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    if is_broken_pipe(&error) {
        // Whoever read the output has seen enough.
        return ExitCode::SUCCESS;
    }
    if error.is::<Interrupted>() {
        return ExitCode::from(signals::exit_code());
    }
    print_error(&error);
    if !error.is::<Usage>() {
        return ExitCode::from(NEGATIVE);
    }
    print_aside("\nFor more information, try '--help'.");
    ExitCode::from(USAGE)
}

/// Prints what clap has to say: help on the standard output, errors on the standard error.
pub(crate) fn finish_parsing(error: &clap::Error) -> ExitCode {
    match (error.print(), error.kind()) {
        (Err(failure), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            finish(Err(write_error(failure)))
        }
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(USAGE)),
    }
}

/// The standard output is told from other files by the context that [`write_error`] gives, or by the
/// absence of any: other files are always named.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    })
}
