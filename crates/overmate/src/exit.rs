//! Converts the result of a command to the exit code of the program. An error is printed with its causes,
//! except an error that a closed output pipe caused.

use std::error::Error;
use std::fmt;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;

use overmate_terminal::errors::{
    Interrupted, WriteError, cause_text, print_aside, print_error, write_error,
};
use overmate_terminal::signals;

/// Exit code of a command that failed or whose result is negative, such as a failed check.
const NEGATIVE: u8 = 1;
/// Exit code of the program for an invalid command line.
const USAGE: u8 = 2;

/// Error in the command line that the argument parser does not detect, such as contradictory options.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Usage {}

/// Prints the error of a failed command, and returns the exit code of the program.
pub(crate) fn finish(result: Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    if is_closed_pipe(&error) {
        // A closed pipe is not a failure: its reader needs no more output.
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

/// Prints the help to the standard output, or a usage error to the standard error. Returns the exit code of
/// the program.
pub(crate) fn finish_parsing(error: &clap::Error) -> ExitCode {
    let printed = match error.source() {
        None => error.print(),
        // Clap's message about an invalid value contains the text of the error that the value's parser returned. The result of `cause_text`
        // replaces this text.
        Some(cause) => {
            let text = error.render().ansi().to_string();
            let text = text.replace(&cause.to_string(), &cause_text(cause));
            anstream::stderr().write_all(text.as_bytes())
        }
    };
    match (printed, error.kind()) {
        (Err(failure), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            finish(Err(write_error(failure)))
        }
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(USAGE)),
    }
}

/// Returns whether a command failed because another process closed the pipe of the standard output.
///
/// A closed pipe or connection of any other kind, such as that of a database, is a failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref()).any(WriteError::is_closed_pipe)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn only_a_closed_pipe_of_the_standard_output_ends_a_command_silently() {
        let error = |kind: io::ErrorKind| io::Error::from(kind);
        let closed = write_error(error(io::ErrorKind::BrokenPipe));
        assert!(is_closed_pipe(&closed));
        assert!(is_closed_pipe(&closed.context("cannot print the deal")));
        assert!(!is_closed_pipe(&write_error(error(io::ErrorKind::StorageFull))));
        let of_database = anyhow::Error::new(error(io::ErrorKind::BrokenPipe));
        assert!(!is_closed_pipe(&of_database.context("cannot read the database")));
    }
}
