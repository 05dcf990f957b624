//! Defines a text cursor that reports the line and column of errors, and helpers for error texts.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// Line and column of a character in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TextPlace {
    /// Number of the line, from 1.
    pub line: usize,
    /// Number of the character in its line, from 1.
    pub column: usize,
}

impl TextPlace {
    /// Returns the line and column of the character at a byte index of a text.
    pub(crate) fn of_byte(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Syntax error in the text of a card, action, deal or position, with the expected text, the found text and the place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: expected {expected}, found {found}")]
pub struct ReadError {
    /// Place of the unexpected text in the parsed text.
    pub place: TextPlace,
    /// Description of the expected text.
    pub expected: String,
    /// Unexpected text, truncated if long.
    pub found: String,
}

/// Parsing cursor that holds the byte offset of the next unread character in a text.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    byte: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, byte: 0 }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.byte..]
    }

    pub(crate) fn place(&self) -> TextPlace {
        TextPlace::of_byte(self.text, self.byte)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.byte += next.len_utf8();
        Some(next)
    }

    /// Moves the cursor past `text` if the unread input begins with `text`, and returns whether the cursor moved.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.byte += text.len();
        }
        found
    }

    pub(crate) fn eat_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.byte += len;
        &rest[..len]
    }

    pub(crate) fn skip_blanks(&mut self) {
        self.eat_while(char::is_whitespace);
    }

    /// Returns a syntax error for the text at the cursor, with a description of the expected text.
    pub(crate) fn expected(&self, expected: impl Into<String>) -> ReadError {
        let word = self.rest().split(char::is_whitespace).next().unwrap_or_default();
        let found = match self.peek() {
            None => "the end of the text".to_string(),
            Some('\n' | '\r') => "the end of the line".to_string(),
            Some(c) if c.is_whitespace() => "a blank".to_string(),
            // Twenty characters of a long word are enough to find the word in the text.
            Some(_) => alloc::format!("`{}`", word.chars().take(20).collect::<String>()),
        };
        ReadError { place: self.place(), expected: expected.into(), found }
    }

    pub(crate) fn expect_end(&self, of: &str) -> Result<(), ReadError> {
        if self.at_end() { Ok(()) } else { Err(self.expected(alloc::format!("the end of {of}"))) }
    }

    /// Parses a whole number without a sign. If there is no such number, the error says that the parser expected
    /// `expected`.
    pub(crate) fn number(&mut self, expected: &str) -> Result<u64, ReadError> {
        let start = self.clone();
        let digits = self.eat_while(|c| c.is_ascii_digit());
        digits.parse().map_err(|_| start.expected(expected))
    }
}

/// Returns a number with the singular or plural of a noun, such as `1 card` or `2 cards`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    alloc::format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the messages of an error and its causes in one line, separated by colons.
///
/// ```
/// use overmate_rules::{Record, error_with_causes};
/// let error = Record::read("[Rules \"chess\"]").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 9 of the record is not valid");
/// assert!(error_with_causes(&error).contains("is not valid: there is no rule set `chess`"));
/// ```
#[must_use]
pub fn error_with_causes(error: &(dyn Error + 'static)) -> String {
    distinct_causes(error).iter().map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Returns an error and its causes, from the error to the root cause, without causes whose text the preceding error
/// already contains. Of consecutive errors with equal texts, the innermost is returned, because it has the most
/// specific type. Libraries such as database drivers repeat the text of a cause in the error that wraps it.
///
/// ```
/// use overmate_rules::{Record, distinct_causes};
/// let error = Record::read("[Rules \"chess\"]").unwrap_err();
/// assert_eq!(distinct_causes(&error).len(), 2);
/// ```
#[must_use]
pub fn distinct_causes<'a>(error: &'a (dyn Error + 'static)) -> Vec<&'a (dyn Error + 'static)> {
    let mut causes: Vec<&'a (dyn Error + 'static)> = Vec::new();
    let mut before = String::new();
    for cause in core::iter::successors(Some(error), |&error| error.source()) {
        let text = cause.to_string();
        match causes.last_mut() {
            // If an error and its cause have equal texts, the cause replaces the error, because the cause has the more specific type.
            Some(last) if text == before => *last = cause,
            Some(_) if before.contains(&text) => {}
            _ => {
                causes.push(cause);
                before = text;
            }
        }
    }
    causes
}

/// Joins names into a list such as `a`, `a or b` or `a, b or c`.
///
/// ```
/// use overmate_rules::format_names;
/// assert_eq!(format_names(&["clubs", "spades", "hearts"]), "clubs, spades or hearts");
/// ```
#[must_use]
pub fn format_names<T: AsRef<str>>(names: &[T]) -> String {
    let mut text = String::new();
    for (i, name) in names.iter().enumerate() {
        if i > 0 {
            text.push_str(if i + 1 == names.len() { " or " } else { ", " });
        }
        text.push_str(name.as_ref());
    }
    text
}
