//! Breaks texts into lines that fit a terminal.

use super::columns::width_of;

/// Maximum width of a line, in columns. A terminal has at least 80 columns as a rule.
const WIDTH: usize = 78;

/// Breaks a text between words into lines of at most 78 columns, each with a line end. Line ends in the text stay.
#[must_use]
pub fn filled(text: &str) -> String {
    text.split('\n').map(|line| wrapped(line.split(' '), "")).collect()
}

/// Returns a title and a list of words as lines of at most 78 columns, each with a line end. Lines after the first are
/// indented by two spaces.
#[must_use]
pub fn wrapped_list(title: &str, words: &[String]) -> String {
    wrapped([title].into_iter().chain(words.iter().map(String::as_str)), "  ")
}

/// Joins words by spaces into lines of at most 78 columns, each with a line end. `indent` begins each line after the
/// first.
fn wrapped<'a>(words: impl Iterator<Item = &'a str>, indent: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for (index, word) in words.enumerate() {
        let length = width_of(word);
        if index > 0 && column + 1 + length <= WIDTH {
            text.push(' ');
            column += 1;
        } else if index > 0 {
            text.push('\n');
            text.push_str(indent);
            column = indent.len();
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_the_words_stay() {
        let sentence = "A lead that cannot be answered is mate. ".repeat(8);
        for text in ["", "word", sentence.trim(), &"x".repeat(100), "one line\nanother line"] {
            let filled = filled(text);
            assert!(filled.ends_with('\n'));
            let longest = filled.lines().map(str::len).max().unwrap_or_default();
            assert!(longest <= WIDTH || !text.contains(' '), "{filled}");
            assert_eq!(
                filled.split_whitespace().collect::<Vec<_>>(),
                text.split_whitespace().collect::<Vec<_>>()
            );
        }
        let text = filled(sentence.trim());
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let next = pair[1].split(' ').next().unwrap_or_default();
            assert!(pair[0].len() + 1 + next.len() > WIDTH, "the line could hold {next}: {text}");
        }
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn lists_continue_with_an_indent() {
        let cards = vec!["10c".to_owned(); 20];
        let list = wrapped_list("Legal:", &cards);
        let lines: Vec<&str> = list.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("Legal: 10c 10c") && lines[1].starts_with("  10c"), "{list}");
        assert_eq!(list.matches("10c").count(), 20);
    }
}
