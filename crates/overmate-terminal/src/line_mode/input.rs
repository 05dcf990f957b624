//! Reads typed lines in line mode (the display without full screen), and parses the commands in the lines.

use std::error::Error;
use std::fmt;
use std::io::{self, BufReader, IsTerminal as _, Stdin};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use overmate_rules::{Action, RuleSet};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor, Prompt};

use super::gate::Gate;
use crate::errors::Interrupted;
use crate::untrusted::{BadLine, printable_line, read_line};

/// Line that the user typed, or the reason why the line cannot be read.
pub(super) type Typed = Result<String, BadLine>;

/// Source of the lines that the user types, with or without line editing.
pub(super) enum Input {
    /// Standard input, read line by line without line editing, because it or the standard output is not a terminal.
    Plain(BufReader<Stdin>),
    /// Source of lines that the user types and edits at a terminal. The arrow keys bring back earlier lines.
    Edited(Box<Editor<(), MemHistory>>, Arc<Gate>),
}

/// Prompt of the line editor, with the lock on the terminal modes. When the editor asks for the text of the prompt, the prompt also
/// releases the lock.
///
/// The editor asks for the text after it has changed the terminal modes, and before it waits for a key.
struct GatedPrompt<'a> {
    text: &'a str,
    gate: &'a Gate,
}

impl Prompt for GatedPrompt<'_> {
    fn raw(&self) -> &str {
        self.gate.leave();
        self.text
    }
}

impl Input {
    /// Prepares to read lines from the standard input. The line editor changes the terminal modes only while the editor holds the lock
    /// (gate) of `terminal`.
    pub(super) fn new(terminal: &SavedTerminal) -> Result<Self> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            let config = Config::builder().auto_add_history(true).build();
            let history = MemHistory::with_config(&config);
            let editor = Editor::with_history(config, history)
                .context("cannot prepare the terminal for typed commands")?;
            return Ok(Self::Edited(Box::new(editor), Arc::clone(&terminal.gate)));
        }
        Ok(Self::Plain(BufReader::new(io::stdin())))
    }

    /// Returns whether the standard input is not a terminal, so that input lines are not echoed on the screen.
    pub(super) fn is_silent(&self) -> bool {
        matches!(self, Self::Plain(input) if !input.get_ref().is_terminal())
    }

    /// Returns whether the line editor prints the prompt itself.
    pub(super) fn shows_prompt(&self) -> bool {
        matches!(self, Self::Edited(..))
    }

    /// Reads the next typed line, or returns `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Returns [`Interrupted`] if Ctrl-C was pressed while a line was edited; [`TerminalRestored`] after
    /// [`SavedTerminal::restore_for_good`].
    pub(super) fn line(&mut self, prompt: &str) -> Result<Option<Typed>> {
        const CANNOT: &str = "cannot read the standard input";
        match self {
            Self::Plain(input) => read_line(input).context(CANNOT),
            Self::Edited(editor, gate) => {
                if !gate.enter() {
                    return Err(TerminalRestored.into());
                }
                let line = editor.readline(&GatedPrompt { text: prompt, gate });
                // This call releases the lock on the terminal modes if the line editor failed before it fetched the text of its prompt. In
                // all other cases, the prompt has already released the lock.
                gate.leave();
                match line {
                    Ok(line) => Ok(Some(Ok(line))),
                    Err(ReadlineError::Eof) => Ok(None),
                    Err(ReadlineError::Interrupted) => Err(Interrupted.into()),
                    Err(error) => Err(error).context(CANNOT),
                }
            }
        }
    }
}

/// Error for a line that cannot be edited, because the handler of a termination signal has restored the terminal modes.
#[derive(Debug)]
pub(super) struct TerminalRestored;

impl fmt::Display for TerminalRestored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no line can be edited, because a signal is ending the program")
    }
}

impl Error for TerminalRestored {}

/// Terminal modes saved before line editing, with the lock that each later change of the terminal modes needs.
#[derive(Clone)]
pub(super) struct SavedTerminal {
    gate: Arc<Gate>,
    #[cfg(unix)]
    modes: Option<rustix::termios::Termios>,
}

impl SavedTerminal {
    /// Saves the current terminal modes if both the standard input and the standard output are a terminal.
    pub(super) fn now() -> Self {
        #[cfg(unix)]
        let is_there = io::stdin().is_terminal() && io::stdout().is_terminal();
        Self {
            gate: Arc::default(),
            #[cfg(unix)]
            modes: is_there.then(|| rustix::termios::tcgetattr(io::stdin()).ok()).flatten(),
        }
    }

    /// Restores the saved terminal modes permanently: the line editor cannot change the modes afterwards.
    ///
    /// Errors are ignored, because the terminal may be gone.
    pub(super) fn restore_for_good(&self) {
        self.gate.close();
        #[cfg(unix)]
        if let Some(modes) = &self.modes {
            let now = rustix::termios::OptionalActions::Now;
            let _ = rustix::termios::tcsetattr(io::stdin(), now, modes);
            // The escape sequence that turns off bracketed paste is written without the lock of the standard output.
            // The thread that holds this lock may be waiting for a key.
            let _ = rustix::io::write(io::stdout(), b"\x1b[?2004l");
        }
    }
}

/// Command that the player typed in line mode, such as an action, `help`, `undo` or `quit`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum LineCommand {
    Act(Action),
    Undo,
    Hint,
    Why,
    Review,
    Score,
    Record,
    Show,
    Resign,
    Quit,
    Help,
    /// Line that cannot be parsed as a command, with the reason.
    Unreadable(String),
}

/// Parses a typed line as a command, without checking whether an action in the command is legal.
pub(super) fn read(line: &str, rules: &RuleSet) -> LineCommand {
    let word = line.trim();
    match word.to_ascii_lowercase().as_str() {
        "?" | "h" | "help" => LineCommand::Help,
        "undo" => LineCommand::Undo,
        "hint" => LineCommand::Hint,
        "why" => LineCommand::Why,
        "review" => LineCommand::Review,
        "score" => LineCommand::Score,
        "record" => LineCommand::Record,
        "" | "show" => LineCommand::Show,
        "resign" => LineCommand::Resign,
        "q" | "quit" | "exit" => LineCommand::Quit,
        _ => match rules.read_action(word) {
            Ok(action) => LineCommand::Act(action),
            Err(error) => LineCommand::Unreadable(printable_line(&format!(
                "Not understood: expected {}, found {}",
                rules.in_own_words(&error.expected),
                error.found
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

        assert_eq!(read(" UNDO ", &rules), LineCommand::Undo);
        assert_eq!(read("?", &rules), LineCommand::Help);
        assert_eq!(read("-", &rules), LineCommand::Act(Action::Decline));
        assert!(matches!(read("10c", &rules), LineCommand::Act(Action::Play(_))));
        for text in ["undo it", "Zz", "(Tc", "\u{1b}[A", "Tc Kc"] {
            let read = read(text, &rules);
            assert!(
                matches!(&read, LineCommand::Unreadable(why) if !why.contains('\u{1b}')),
                "{text}"
            );
        }
    }
}
