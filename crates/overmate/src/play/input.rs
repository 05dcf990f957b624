//! What is typed at the prompt.

use std::io::{self, BufReader, IsTerminal as _, Stdin};

use anyhow::{Context as _, Result};
use overmate_rules::{Action, RuleSet};

use crate::files::{BadLine, printable_line, read_line};

/// The lines that are typed.
pub(super) struct Input(BufReader<Stdin>);

impl Input {
    pub(super) fn new() -> Self {
        Self(BufReader::new(io::stdin()))
    }

    /// Whether nobody sees what is typed.
    pub(super) fn is_silent(&self) -> bool {
        !self.0.get_ref().is_terminal()
    }

    /// The next line; `None` at the end of the input.
    pub(super) fn line(&mut self) -> Result<Option<Result<String, BadLine>>> {
        read_line(&mut self.0).context("cannot read the standard input")
    }
}

/// What a line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Act(Action),
    Undo,
    Hint,
    Score,
    Record,
    Show,
    Resign,
    Quit,
    Help,
    /// Nothing known, and why not.
    Unreadable(String),
}

/// Reads a line; whether an action is legal is not asked.
pub(super) fn read(line: &str, rules: &RuleSet) -> Command {
    let word = line.trim();
    match word.to_ascii_lowercase().as_str() {
        "?" | "h" | "help" => Command::Help,
        "undo" => Command::Undo,
        "hint" => Command::Hint,
        "score" => Command::Score,
        "record" => Command::Record,
        "" | "show" => Command::Show,
        "resign" => Command::Resign,
        "quit" | "exit" => Command::Quit,
        _ => match rules.read_action(word) {
            Ok(action) => Command::Act(action),
            Err(error) => Command::Unreadable(printable_line(&format!(
                "Not understood: expected {}, found {}",
                error.expected, error.found
            ))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_actions_are_told_apart() {
        let rules = RuleSet::named("sackson").unwrap();

        assert_eq!(read(" UNDO ", &rules), Command::Undo);
        assert_eq!(read("?", &rules), Command::Help);
        assert_eq!(read("-", &rules), Command::Act(Action::Decline));
        assert!(matches!(read("10c", &rules), Command::Act(Action::Play(_))));
        for text in ["undo it", "Zz", "(Tc", "\u{1b}[A", "Tc Kc"] {
            let read = read(text, &rules);
            assert!(matches!(&read, Command::Unreadable(why) if !why.contains('\u{1b}')), "{text}");
        }
    }
}
