//! Reads files and lines from untrusted sources with size limits, and replaces control characters in untrusted texts before printing.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use anyhow::{Context as _, Result, bail};

/// Maximum size of an input file, in bytes. The limit is far above the size of any match record.
const MAX_FILE: u64 = 16 << 20;

/// Maximum length of an input line without its line end, in bytes. The limit is far above the length of a line with two hands.
const MAX_LINE: u64 = 4096;

/// Reads a text file, or the standard input if the path is `-`.
///
/// # Errors
///
/// Returns an error if the file cannot be read, is too large, or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let name = display_name(path);
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MAX_FILE + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(MAX_FILE + 1).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("cannot read the text in {name}"))?;
    if bytes.len() as u64 > MAX_FILE {
        bail!(
            "{name} is larger than {} MiB, the limit for a file: give a smaller file",
            MAX_FILE >> 20
        );
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let line = valid.split(|&byte| byte == b'\n').count();
        anyhow::anyhow!("{name} is not a text in UTF-8: line {line} holds bytes that are not valid UTF-8; convert the text to UTF-8")
    })
}

/// Returns the displayed name of an input file: its path, or `the standard input` for the path `-`.
pub fn display_name(path: &Path) -> String {
    if path == Path::new("-") {
        "the standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// Reason why an input line cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadLine {
    /// The line contains bytes that are not valid UTF-8.
    NotUtf8,
    /// The line is longer than the maximum length.
    TooLong,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => {
                f.write_str("the line is not a text in UTF-8: convert the text to UTF-8")
            }
            Self::TooLong => write!(
                f,
                "the line is longer than {MAX_LINE} bytes, the limit: give a shorter line"
            ),
        }
    }
}

impl Error for BadLine {}

/// Reads a line of bounded length and removes its line end. Returns `None` at the end of the input.
///
/// A line above the limit is skipped without being held in memory.
///
/// # Errors
///
/// Returns an error if reading from `input` fails.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, BadLine>>> {
    let mut line = Vec::new();
    // A line end has up to two bytes.
    if input.by_ref().take(MAX_LINE + 2).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == MAX_LINE + 2 && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(BadLine::TooLong)));
    }
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
    if line.len() as u64 > MAX_LINE {
        return Ok(Some(Err(BadLine::TooLong)));
    }
    Ok(Some(String::from_utf8(line).map_err(|_| BadLine::NotUtf8)))
}

/// Replaces all control characters of a text except line ends, to prevent injected terminal escape sequences.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// Replaces the control characters of a text, and replaces line ends by blanks.
pub fn printable_line(text: &str) -> String {
    printable(text).replace('\n', " ")
}

/// Replaces the control characters and line ends of a text, and adds Unicode isolates around text that may run from
/// right to left. The words around the isolated text keep their order.
pub fn isolated_line(text: &str) -> String {
    /// First code point of the right-to-left scripts in Unicode.
    const FIRST: char = '\u{590}';
    let line = printable_line(text);
    if line.chars().any(|c| c >= FIRST) { format!("\u{2068}{line}\u{2069}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_letters_from_right_to_left_is_isolated() {
        assert_eq!(isolated_line("Ann\u{e4}\n"), "Ann\u{e4} ");
        assert_eq!(isolated_line("\u{5d0}\u{5d1} 1"), "\u{2068}\u{5d0}\u{5d1} 1\u{2069}");
    }

    #[test]
    fn reading_lines_continues_after_bad_lines() {
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
    fn the_limit_of_a_line_does_not_count_the_line_end() {
        let limit = usize::try_from(MAX_LINE).unwrap();
        for end in ["\n", "\r\n", ""] {
            for (length, is_good) in [(limit, true), (limit + 1, false), (limit + 2, false)] {
                let text = "x".repeat(length);
                let next = if end.is_empty() { "" } else { "next" };
                let input = format!("{text}{end}{next}");
                let mut input = input.as_bytes();
                let expected = if is_good { Ok(text) } else { Err(BadLine::TooLong) };
                assert_eq!(read_line(&mut input).unwrap(), Some(expected), "{length} {end:?}");
                let expected = (!end.is_empty()).then(|| Ok(next.to_owned()));
                assert_eq!(read_line(&mut input).unwrap(), expected, "{length} {end:?}");
            }
        }
    }

    #[test]
    fn printable_texts_have_no_control_characters() {
        assert_eq!(printable("a\u{1b}[2J\nb"), "a\u{fffd}[2J\nb");
        assert_eq!(printable_line("a\nb\r"), "a b\u{fffd}");
    }
}
