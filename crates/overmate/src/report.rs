//! How the program ends: exit codes, errors with their causes, and broken pipes without a word.

use std::error::Error;
use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;

use crate::files::printable;
use crate::{signals, style};

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

/// Stopped with Ctrl-C or by the system, and everything was left in order. The user knows, so nothing is said.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped with Ctrl-C")
    }
}

impl Error for Interrupted {}

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
    tell(&error);
    ExitCode::from(if error.is::<Usage>() { USAGE } else { NEGATIVE })
}

/// Prints an error with its whole chain of causes.
pub(crate) fn tell(error: &anyhow::Error) {
    let red = style::ERROR;
    let mut text = format!("{red}error:{red:#} {}\n", indented(&error.to_string(), "  "));
    for cause in error.chain().skip(1) {
        let because = format!("  because: {}\n", indented(&cause.to_string(), "    "));
        text.push_str(&because);
    }
    if error.is::<Usage>() {
        text.push_str("\nFor more information, try '--help'.\n");
    }
    // Without a standard error there is nobody left to tell.
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Says something beside the results, where errors are said.
pub(crate) fn say_aside(text: &str) {
    // Without a standard error there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{text}");
}

/// A text whose later lines stand in as far as asked, and which cannot steer the terminal.
fn indented(text: &str, by: &str) -> String {
    printable(text.trim_end()).replace('\n', &format!("\n{by}"))
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

/// The error of a result that could not be printed.
pub(crate) fn write_error(error: io::Error) -> anyhow::Error {
    anyhow::Error::new(error).context("cannot write the results")
}

/// The standard output is told from other files by the context that [`write_error`] gives, or by the
/// absence of any: other files are always named.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    })
}
