//! Checks the project rules about the lines of source files.

use super::fault::RuleBreach;

/// Maximum number of lines of a source file.
const LONGEST_SOURCE: usize = 600;

/// Checks that the module documentation of a file begins with a sentence.
pub(super) fn opens_with_a_sentence(text: &str) -> Vec<RuleBreach> {
    let paragraph: Vec<&str> = text
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    match paragraph.last() {
        None => {
            vec![RuleBreach::new(1, "the file lacks a `//!` sentence on its purpose at its start")]
        }
        Some(last) if !last.ends_with('.') => {
            let what = "the first paragraph of the module documentation lacks a full stop";
            vec![RuleBreach::new(paragraph.len(), what)]
        }
        Some(_) => Vec::new(),
    }
}

/// Checks that a file has at most `LONGEST_SOURCE` lines.
pub(super) fn is_read_in_one_sitting(text: &str) -> Vec<RuleBreach> {
    let lines = text.lines().count();
    if lines <= LONGEST_SOURCE {
        return Vec::new();
    }
    let what = format!("the file has {lines} lines, more than {LONGEST_SOURCE}: split the file");
    vec![RuleBreach::new(LONGEST_SOURCE + 1, what)]
}

/// Checks that no line of a text ends in spaces.
pub(super) fn has_no_trailing_whitespace(text: &str) -> Vec<RuleBreach> {
    let at_fault = |line: &str| line.trim_end() != line;
    lines_where(text, at_fault, "the line ends with spaces: remove the spaces")
}

/// Checks that Rust code contains no tab characters, because its indentation consists of spaces.
pub(super) fn has_no_tabs(text: &str) -> Vec<RuleBreach> {
    lines_where(
        text,
        |line| line.contains('\t'),
        "the line has a tab: write spaces, or `\\t` in a string",
    )
}

fn lines_where(text: &str, at_fault: impl Fn(&str) -> bool, what: &str) -> Vec<RuleBreach> {
    // The text is split at each newline, because `str::lines` would drop carriage returns, which are faults.
    let lines = text.split('\n').enumerate();
    lines
        .filter(|(_, line)| at_fault(line))
        .map(|(index, _)| RuleBreach::new(index + 1, what))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(faults: Vec<RuleBreach>) -> Vec<usize> {
        faults.into_iter().map(|fault| fault.line).collect()
    }

    #[test]
    fn a_file_must_open_with_a_sentence() {
        assert_eq!(opens_with_a_sentence("//! Cards.\n\nfn a() {}\n"), []);
        assert_eq!(opens_with_a_sentence("//! Cards and\n//! decks.\n//!\n//! - a list\n"), []);

        assert_eq!(lines(opens_with_a_sentence("")), [1]);
        assert_eq!(lines(opens_with_a_sentence("// Cards.\n")), [1]);
        assert_eq!(lines(opens_with_a_sentence("\n//! Cards.\n")), [1]);
        assert_eq!(lines(opens_with_a_sentence("//!\n//! Cards.\n")), [1]);
        assert_eq!(lines(opens_with_a_sentence("//! # Cards\n")), [1]);
        assert_eq!(lines(opens_with_a_sentence("//! Cards and\n//! decks\n//!\n//! More.\n")), [2]);
    }

    #[test]
    fn a_long_file_is_refused() {
        assert_eq!(is_read_in_one_sitting(&"a\n".repeat(LONGEST_SOURCE)), []);
        let long = "a\n".repeat(LONGEST_SOURCE + 1);
        assert_eq!(lines(is_read_in_one_sitting(&long)), [LONGEST_SOURCE + 1]);
    }

    #[test]
    fn spaces_tabs_and_carriage_returns_are_found() {
        assert_eq!(has_no_trailing_whitespace("a\n\n  b\n"), []);
        assert_eq!(lines(has_no_trailing_whitespace("a \nb\r\nc\n\t")), [1, 2, 4]);
        assert_eq!(has_no_tabs("a \n"), []);
        assert_eq!(lines(has_no_tabs("a\n\tb\n")), [2]);
    }
}
