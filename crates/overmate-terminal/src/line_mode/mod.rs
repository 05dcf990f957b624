//! Plays a match line by line, for pipes, for screen readers, and for players who prefer plain text.

mod gate;
mod input;
#[cfg(all(test, unix))]
mod tests;

use std::io::{self, Write};
use std::thread;

use anyhow::Result;
use overmate_rules::Action;

use self::input::{Input, LineCommand, SavedTerminal, TerminalRestored, Typed};
use crate::errors;
use crate::errors::{Interrupted, write_error};
use crate::limits::{StopFlag, is_large};
use crate::play::adviser::Adviser;
use crate::play::controller::{MatchController, NOT_SAVED, SaveNotice};
use crate::play::messages;
use crate::play::opponent::ComputerOpponent;
use crate::play::reviewed;
use crate::play::session::{Session, ShownAction};
use crate::text::notation::Notation;
use crate::text::score_sheet;
use crate::untrusted::printable_line;

/// Plays a match in line mode: reads one line of input at a time until the match is over or the player leaves.
pub(crate) fn play(controller: MatchController, out: &mut dyn Write) -> Result<()> {
    let terminal = SavedTerminal::now();
    let at_signal = terminal.clone();
    controller.autosave().print_place_at_exit(move || at_signal.restore_for_good())?;
    let opponent = controller.new_opponent();
    let input = Input::new(&terminal)?;
    let mut table = LineTable {
        controller,
        opponent,
        adviser: Adviser::new(),
        input,
        out,
        stop: StopFlag::default(),
    };
    table.play().map_err(|error| {
        if error.is::<Interrupted>() {
            return error;
        }
        let kept = table.controller.autosave().leaving_message();
        error.context(format!("the match has stopped\n{kept}"))
    })
}

/// Reason for the end of line mode: the match is over, or the player has left.
enum End {
    Over,
    Left,
}

/// Decision of the player after a command: to continue the match or to leave.
enum Stays {
    Yes,
    No,
}

/// Match in progress in line mode, with its opponent, input and output.
struct LineTable<'a> {
    controller: MatchController,
    opponent: ComputerOpponent,
    adviser: Adviser,
    input: Input,
    /// Stop flag of all searches in a match that is played line by line. The flag is never set, because no command is read during a search.
    stop: StopFlag,
    out: &'a mut dyn Write,
}

impl LineTable<'_> {
    fn play(&mut self) -> Result<()> {
        self.say(&messages::welcome(&self.controller))?;
        self.show(messages::begin_game)?;
        let end = self.until_the_end()?;
        let farewell = match end {
            End::Over => {
                self.opponent.finish(&self.controller.finished_games());
                self.show(messages::end_of_match)?;
                // The review of a game with a large deck is computed only on request, because the computation takes long.
                if !is_large(self.controller.rules()) {
                    self.review()?;
                }
                self.controller.autosave().finished_message()
            }
            End::Left => self.controller.autosave().leaving_message(),
        };
        self.say(&format!("\n{farewell}"))
    }

    fn until_the_end(&mut self) -> Result<End> {
        while self.controller.to_act().is_some() {
            if self.controller.is_humans_turn() {
                if matches!(self.human_turn()?, Stays::No) {
                    return Ok(End::Left);
                }
            } else {
                let answered = self.opponent.act(&self.controller.opponent_turn(), &self.stop)?;
                if answered.in_doubt {
                    self.say(messages::IN_DOUBT)?;
                }
                let (told, kept) = self.controller.play_opponent_action(answered)?;
                self.after_action(&told)?;
                self.report_save(kept)?;
            }
        }
        Ok(End::Over)
    }

    /// Reads and carries out the human's commands until the human has played an action or leaves.
    fn human_turn(&mut self) -> Result<Stays> {
        self.show(messages::turn)?;
        loop {
            let Some(line) = self.ask("> ")? else {
                return Ok(Stays::No);
            };
            let command = match line {
                Ok(line) => input::read(&line, self.controller.rules()),
                Err(bad) => LineCommand::Unreadable(bad.to_string()),
            };
            match command {
                LineCommand::Act(action) => {
                    if self.act(action)? {
                        return Ok(Stays::Yes);
                    }
                }
                LineCommand::Undo => {
                    if self.undo()? {
                        return Ok(Stays::Yes);
                    }
                }
                LineCommand::Resign => match self.resign()? {
                    Some(true) => return Ok(Stays::Yes),
                    Some(false) => {}
                    None => return Ok(Stays::No),
                },
                LineCommand::Quit => return Ok(Stays::No),
                LineCommand::Help => self.say(&messages::help(self.controller.rules()))?,
                LineCommand::Hint => self.hint()?,
                LineCommand::Why => self.why()?,
                LineCommand::Review => self.review()?,
                LineCommand::Score => self.show(|session, out| {
                    score_sheet::write(session.played_match(), &session.names(), out)
                })?,
                LineCommand::Record => self.say(&self.controller.session().record_for_human())?,
                LineCommand::Show => self.show(messages::turn)?,
                LineCommand::Unreadable(why) => {
                    self.say(&format!("{why}.\nType ? for help."))?;
                }
            }
        }
    }

    /// Plays an action of the human, and returns whether the action was legal.
    fn act(&mut self, action: Action) -> Result<bool> {
        match self.controller.act(action)? {
            Err(illegal) => {
                self.say(&messages::not_legal(
                    self.controller.rules(),
                    &illegal,
                    Notation::Letters,
                ))?;
                self.name_free_move(action)?;
                Ok(false)
            }
            Ok((told, kept)) => {
                self.report_save(kept)?;
                self.after_action(&told)?;
                Ok(true)
            }
        }
    }

    /// Suggests the free move after an illegal action, if the free move with the same card is legal.
    fn name_free_move(&mut self, illegal: Action) -> Result<()> {
        let Some(free) = illegal.card().map(Action::Free) else { return Ok(()) };
        if self.controller.session().check(free).is_err() {
            return Ok(());
        }
        let text = self.controller.rules().action_text(free).to_string();
        self.say(&format!("The free move with this card is legal: type {text}"))
    }

    /// Prints a played action. If the action ended a game, also prints the game's result and, unless the match is over,
    /// the score sheet and the heading of the next game.
    fn after_action(&mut self, told: &ShownAction) -> Result<()> {
        self.say(&messages::action(self.controller.session(), told, Notation::Letters))?;
        if !told.ended_game {
            return Ok(());
        }
        self.say(&messages::end_of_game(self.controller.session(), told.game, Notation::Letters))?;
        if self.controller.played_match().result().is_none() {
            self.show(|session, out| {
                writeln!(out)?;
                score_sheet::write(session.played_match(), &session.names(), out)
            })?;
            self.show(messages::begin_game)?;
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<bool> {
        let before = self.controller.played_match().current_index();
        let Some(kept) = self.controller.undo()? else {
            self.say(messages::NOTHING_TO_UNDO)?;
            return Ok(false);
        };
        self.report_save(kept)?;
        self.say(&messages::undone(self.controller.session(), before))?;
        Ok(true)
    }

    /// Resigns the match if the human confirms the resignation. Returns whether the match was resigned, or `None` at the end of the input.
    fn resign(&mut self) -> Result<Option<bool>> {
        let Some(line) = self.ask("To give up the whole match, type yes: ")? else {
            return Ok(None);
        };
        if !line.is_ok_and(|line| line.trim().eq_ignore_ascii_case("yes")) {
            self.say("The match goes on.")?;
            return Ok(Some(false));
        }
        let game = self.controller.played_match().current_index();
        let kept = self.controller.resign()?;
        self.report_save(kept)?;
        self.say(&messages::end_of_game(self.controller.session(), game, Notation::Letters))?;
        Ok(Some(true))
    }

    fn hint(&mut self) -> Result<()> {
        let Some(hint) = self.adviser.hint(&self.controller.session().view(), &self.stop) else {
            return self.say("There is nothing to decide now, so there is no hint.");
        };
        let kept = self.controller.take_hint()?;
        self.report_save(kept)?;
        self.show(|session, out| messages::hint(session, &hint, out))
    }

    fn why(&mut self) -> Result<()> {
        let (text, kept) = self
            .controller
            .explain(self.controller.session().current_moment(), Notation::Letters)?;
        self.report_save(kept)?;
        self.say(&text)
    }

    /// Prints the outcome of saving the match: a message or an error.
    fn report_save(&mut self, kept: SaveNotice) -> Result<()> {
        match kept {
            SaveNotice::None => Ok(()),
            SaveNotice::Message(text) => self.say(&text),
            SaveNotice::Failed(error) => {
                // The output is flushed first, so that the error message on the standard error appears after the output.
                self.flush()?;
                errors::print_error(&error);
                self.say(NOT_SAVED)
            }
        }
    }

    /// Prints the review of the most recently finished game: points lost, and the reasons in words.
    fn review(&mut self) -> Result<()> {
        let games = self.controller.played_match().games();
        let Some(game) = games.iter().rposition(|game| game.outcome().is_some()) else {
            return self.say(messages::NOTHING_TO_REVIEW);
        };
        let kept = self.controller.mark_review(game)?;
        self.report_save(kept)?;
        let session = self.controller.session();
        let review = self.adviser.review(session.game(game), &self.stop);
        let heading = format!("\nReview of game {}", game + 1);
        let sum = reviewed::sum(session, game, &review);
        let mut lines = vec![heading, sum];
        lines.extend(reviewed::sentences(session, game, &review, Notation::Letters));
        lines.extend(reviewed::notes(session, game).into_iter().map(str::to_owned));
        self.say(&lines.join("\n"))
    }

    fn show(
        &mut self,
        write: impl FnOnce(&Session, &mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        write(self.controller.session(), self.out).map_err(write_error)
    }

    fn say(&mut self, text: &str) -> Result<()> {
        writeln!(self.out, "{}", text.trim_end()).map_err(write_error)
    }

    /// Prints a prompt and returns the typed line, or `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> Result<Option<Typed>> {
        if self.input.shows_prompt() {
            self.flush()?;
        } else {
            write!(self.out, "{prompt}").map_err(write_error)?;
            self.flush()?;
        }
        let line = match self.input.line(prompt) {
            Err(error) if error.is::<Interrupted>() => {
                errors::print_aside(&self.controller.autosave().leaving_message());
                return Err(error);
            }
            // The signal handler prints the path of the match's save file and ends the program, so that this thread only waits.
            Err(error) if error.is::<TerminalRestored>() => loop {
                thread::park();
            },
            line => line?,
        };
        // If the standard input is not a terminal, each input line is printed, so that the output contains the input as well. A terminal
        // has already echoed the line.
        match &line {
            Some(Ok(line)) if self.input.is_silent() => self.say(&printable_line(line))?,
            Some(Err(_)) if self.input.is_silent() => self.say("")?,
            Some(_) => {}
            None => self.say("")?,
        }
        Ok(line)
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush().map_err(write_error)
    }
}
