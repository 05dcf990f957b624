//! Reads typed lines in line mode (the display without full screen), and parses the commands in them.

use std::io::{self, BufReader, IsTerminal as _, Stdin};

use anyhow::{Context as _, Result};
use overmate_rules::{Action, RuleSet};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use crate::errors::Interrupted;
use crate::untrusted::{BadLine, printable_line, read_line};

/// Line that the user typed, or the reason why the typed bytes are no readable text.
pub(super) type Typed = Result<String, BadLine>;

/// Source of typed lines.
pub(super) enum Input {
    /// Lines without editing, used if the standard input or the standard output is not a terminal.
    Plain(BufReader<Stdin>),
    /// Lines typed at a terminal, which can be edited; the arrow keys bring back earlier lines.
    Edited(Box<Editor<(), MemHistory>>),
}

impl Input {
    pub(super) fn new() -> Result<Self> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            let config = Config::builder().auto_add_history(true).build();
            let history = MemHistory::with_config(&config);
            let editor = Editor::with_history(config, history)
                .context("cannot prepare the terminal for typed commands")?;
            return Ok(Self::Edited(Box::new(editor)));
        }
        Ok(Self::Plain(BufReader::new(io::stdin())))
    }

    /// Returns whether the user does not see the input, because the input is no terminal.
    pub(super) fn is_silent(&self) -> bool {
        matches!(self, Self::Plain(input) if !input.get_ref().is_terminal())
    }

    /// Returns whether the line editor of the input prints the prompt, so that the match must not print a prompt too.
    pub(super) fn shows_prompt(&self) -> bool {
        matches!(self, Self::Edited(_))
    }

    /// Reads the next typed line, or returns `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] if Ctrl-C was pressed while a line was edited.
    pub(super) fn line(&mut self, prompt: &str) -> Result<Option<Typed>> {
        const CANNOT: &str = "cannot read the standard input";
        match self {
            Self::Plain(input) => read_line(input).context(CANNOT),
            Self::Edited(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Some(Ok(line))),
                Err(ReadlineError::Eof) => Ok(None),
                Err(ReadlineError::Interrupted) => Err(Interrupted.into()),
                Err(error) => Err(error).context(CANNOT),
            },
        }
    }
}

/// Saved terminal modes from before line editing, which are restored if the program ends while the user edits a line.
#[cfg(unix)]
pub(super) struct AsItWas(Option<rustix::termios::Termios>);

#[cfg(unix)]
impl AsItWas {
    pub(super) fn now() -> Self {
        let is_there = io::stdin().is_terminal() && io::stdout().is_terminal();
        Self(is_there.then(|| rustix::termios::tcgetattr(io::stdin()).ok()).flatten())
    }

    /// Restores the terminal modes from before line editing. Errors are ignored, because the terminal may be gone.
    pub(super) fn give_back(&self) {
        let Some(modes) = &self.0 else { return };
        let now = rustix::termios::OptionalActions::Now;
        let _ = rustix::termios::tcsetattr(io::stdin(), now, modes);
        // The write bypasses the lock of the standard output, whose owner may be waiting for a key. The sequence
        // turns off bracketed paste.
        let _ = rustix::io::write(io::stdout(), b"\x1b[?2004l");
    }
}

/// Empty substitute for the saved terminal modes on systems where only Ctrl-C ends the program.
#[cfg(not(unix))]
pub(super) struct AsItWas;

#[cfg(not(unix))]
impl AsItWas {
    pub(super) fn now() -> Self {
        Self
    }

    pub(super) fn give_back(&self) {}
}

/// Command that the player typed in line mode: an action, a request for help or for a display, or leaving.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Act(Action),
    Undo,
    Hint,
    Why,
    Score,
    Record,
    Show,
    Resign,
    Quit,
    Help,
    /// Line that is not a command; the field holds the reason.
    Unreadable(String),
}

/// Parses a typed line as a command, without checking whether an action in the command is legal.
pub(super) fn read(line: &str, rules: &RuleSet) -> Command {
    let word = line.trim();
    match word.to_ascii_lowercase().as_str() {
        "?" | "h" | "help" => Command::Help,
        "undo" => Command::Undo,
        "hint" => Command::Hint,
        "why" => Command::Why,
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
    fn commands_and_actions_are_distinguished() {
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
