//! Prints errors with their causes, and defines the error of a command that the user interrupted.

use std::error::Error;
use std::fmt;
use std::io::{self, Write as _};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use overmate_rules::distinct_causes;

use crate::text::style;
use crate::untrusted::printable;

/// Error of a command that Ctrl-C or a termination signal has stopped cleanly.
///
/// The program prints nothing for this error, because the user stopped the command.
#[derive(Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the command was stopped by Ctrl-C or a termination signal")
    }
}

impl Error for Interrupted {}

/// Prints an error with its whole chain of causes to the standard error.
pub fn print_error(error: &anyhow::Error) {
    // A failed write to the standard error is ignored, because the failure cannot be reported anywhere else.
    let _ = anstream::stderr().write_all(text(error).as_bytes());
}

/// Formats an error and its whole chain of causes as text, with one line for each cause.
#[must_use]
pub fn text(error: &anyhow::Error) -> String {
    let red = style::ERROR;
    let mut text = format!("{red}error:{red:#} {}\n", indented(&error.to_string(), "  "));
    for cause in distinct_causes(error.as_ref()).into_iter().skip(1) {
        let because = format!("  because: {}\n", indented(&cause_text(cause), "    "));
        text.push_str(&because);
    }
    text
}

/// Returns the text of one cause of an error. For an invalid number or date, the text states the expected input, because the parsers of
/// numbers and dates state only that a string is invalid. For the most frequent errors of the operating system, the text ends with advice.
#[must_use]
pub fn cause_text(cause: &(dyn Error + 'static)) -> String {
    if let Some(fault) = cause.downcast_ref::<ParseIntError>() {
        return match fault.kind() {
            IntErrorKind::PosOverflow => "the number is too large: choose a smaller whole number",
            IntErrorKind::Zero => "a whole number from 1 is needed",
            _ => "a whole number such as 7 is needed",
        }
        .to_owned();
    }
    if cause.is::<ParseFloatError>() {
        return "a number such as 10 or 0.5 is needed".to_owned();
    }
    if cause.is::<jiff::Error>() {
        return "a day such as 2026-11-21 is needed".to_owned();
    }
    match cause.downcast_ref() {
        Some(fault) => io_fault_text(fault),
        None => cause.to_string(),
    }
}

/// Returns the text of an I/O error, with advice for the most frequent errors of the operating system.
fn io_fault_text(fault: &io::Error) -> String {
    // The text of an error about a temporary file ends with the path of this file. The path is cut off, because the user does not know this
    // file.
    let text = fault.to_string();
    let (text, is_of_file) = match text.split_once(" at path \"") {
        Some((before, _)) => (before, true),
        None => (&*text, false),
    };
    let advice = match fault.kind() {
        _ if fault.raw_os_error().is_none() && !is_of_file => "",
        io::ErrorKind::NotFound => ": check the path",
        io::ErrorKind::PermissionDenied => {
            ": give this user the permission, or choose another place"
        }
        io::ErrorKind::IsADirectory => ": give the path of a file, not of a folder",
        io::ErrorKind::NotADirectory => ": a file stands in place of a folder; check the path",
        io::ErrorKind::ConnectionRefused => ": check the address, and that its server runs",
        io::ErrorKind::AlreadyExists => ": choose a name that no file has",
        _ => "",
    };
    format!("{text}{advice}")
}

/// Prints a message to the standard error, because the standard output is only for the results of commands.
pub fn print_aside(text: &str) {
    // A failed write to the standard error is ignored, because the failure cannot be reported anywhere else.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Indents all lines of a text except the first, and replaces control characters to prevent injected terminal escape sequences.
fn indented(text: &str, by: &str) -> String {
    printable(text.trim_end()).replace('\n', &format!("\n{by}"))
}

/// Error of a command whose results cannot be written to the standard output.
#[derive(Debug)]
pub struct WriteError(io::Error);

impl WriteError {
    /// Returns whether the reader of the standard output has closed its pipe.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot write the results")
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// Converts an I/O error of the standard output to the error of a command, a [`WriteError`].
#[must_use]
pub fn write_error(error: io::Error) -> anyhow::Error {
    WriteError(error).into()
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn a_cause_that_the_line_before_contains_is_printed_once() {
        let error = anyhow!("refused").context("the driver says: refused").context("cannot open");
        let told = anstream::adapter::strip_str(&text(&error)).to_string();
        assert_eq!(told, "error: cannot open\n  because: the driver says: refused\n");
        let error = anyhow!("the disk is full").context("cannot write");
        let told = anstream::adapter::strip_str(&text(&error)).to_string();
        assert_eq!(told, "error: cannot write\n  because: the disk is full\n");
    }

    #[test]
    fn an_error_of_the_file_system_has_advice_and_names_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let of_file = std::fs::File::open(&missing).unwrap_err();
        let of_temporary_file = tempfile::NamedTempFile::new_in(&missing).unwrap_err();
        for fault in [of_file, of_temporary_file] {
            let told = text(&anyhow::Error::new(fault).context("cannot write"));
            let told = anstream::adapter::strip_str(&told).to_string();
            assert!(told.ends_with("(os error 2): check the path\n"), "{told}");
            assert_eq!(told.lines().count(), 2, "{told}");
        }
    }
}
