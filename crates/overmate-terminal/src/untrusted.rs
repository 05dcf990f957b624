//! Reading text that somebody else wrote: files and lines, of any size and with any bytes in them.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// The most bytes that a file may have: far more than any record of a match has.
const MAX_FILE: u64 = 16 << 20;

/// The most bytes that a line may have: far more than two hands of the largest deck have.
const MAX_LINE: u64 = 4096;

/// Reads a text file, or the standard input for `-`.
pub fn read_text(path: &Path) -> Result<String> {
    let name = display_name(path);
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MAX_FILE + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > MAX_FILE {
        bail!("{name} has more than {} MiB, which is more than is read", MAX_FILE >> 20);
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = valid.split(|&byte| byte == b'\n').count();
        anyhow::anyhow!("{name} is not a text in UTF-8: line {line} holds other bytes")
    })
}

/// What a file is called in a message.
pub fn display_name(path: &Path) -> String {
    if path == Path::new("-") {
        "the standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Why a line is not a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadLine {
    /// The line holds bytes that are not UTF-8.
    NotUtf8,
    /// The line is longer than the limit.
    TooLong,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => f.write_str("the line is not a text in UTF-8"),
            Self::TooLong => write!(f, "the line is longer than {MAX_LINE} bytes"),
        }
    }
}

impl Error for BadLine {}

/// Reads a line without its end; `None` at the end of the input. A line that is too long is skipped as
/// a whole, without ever being held.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, BadLine>>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(BadLine::TooLong)));
    }
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
    Ok(Some(String::from_utf8(line).map_err(|_| BadLine::NotUtf8)))
}

/// A text of unknown origin, safe to print: control characters could steer the terminal.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// The same on one line.
pub fn printable_line(text: &str) -> String {
    printable(text).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_one_by_one_whatever_they_hold() {
        let long = [b'x'; 5000];
        let mut input: Vec<u8> = b"one\r\n\n\xff\n".to_vec();
        input.extend(long);
        input.extend(b"\nlast");
        let mut input = input.as_slice();

        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next(), Some(Ok("one".to_owned())));
        assert_eq!(next(), Some(Ok(String::new())));
        assert_eq!(next(), Some(Err(BadLine::NotUtf8)));
        assert_eq!(next(), Some(Err(BadLine::TooLong)));
        assert_eq!(next(), Some(Ok("last".to_owned())));
        assert_eq!(next(), None);
    }

    #[test]
    fn nothing_printed_can_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[2J\nb"), "a\u{fffd}[2J\nb");
        assert_eq!(printable_line("a\nb\r"), "a b\u{fffd}");
    }
}
