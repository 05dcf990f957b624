//! The match line by line: for pipes, for screen readers, and for who likes it so.

mod input;

use std::io::{self, Write};

use anyhow::Result;
use overmate_rules::Action;

use self::input::{AsItWas, Command, Input, Typed};
use crate::errors;
use crate::errors::{Interrupted, write_error};
use crate::play::controller::{Kept, MatchController, NOT_SAVED};
use crate::play::messages;
use crate::play::opponent::{Adviser, Opponent, Stop};
use crate::play::session::{Session, Told};
use crate::text::score_sheet;
use crate::untrusted::printable_line;

/// Plays until the match is over or the player leaves.
pub(crate) fn play(course: MatchController, out: &mut dyn Write) -> Result<()> {
    let terminal = AsItWas::now();
    course.keeper().tell_at_ctrl_c(move || terminal.give_back())?;
    let opponent = Opponent::new(course.opponent(), course.contest());
    let input = Input::new()?;
    let mut table =
        Table { course, opponent, adviser: Adviser::new(), input, out, stop: Stop::default() };
    table.play().map_err(|error| {
        if error.is::<Interrupted>() {
            return error;
        }
        let kept = table.course.keeper().tell_left();
        error.context(format!("the match has stopped\n{kept}"))
    })
}

/// Why playing stopped.
enum End {
    Over,
    Left,
}

/// Whether the player stays after a command.
enum Stays {
    Yes,
    No,
}

/// A match in progress, with all that it needs.
struct Table<'a> {
    course: MatchController,
    opponent: Opponent,
    adviser: Adviser,
    input: Input,
    /// Never set: nobody can ask for anything else while the opponent thinks.
    stop: Stop,
    out: &'a mut dyn Write,
}

impl Table<'_> {
    fn play(&mut self) -> Result<()> {
        self.say(&messages::welcome(&self.course))?;
        self.show(messages::begin_game)?;
        let end = self.until_the_end()?;
        let farewell = match end {
            End::Over => {
                self.show(messages::end_of_match)?;
                self.course.keeper().tell_over()
            }
            End::Left => self.course.keeper().tell_left(),
        };
        self.say(&format!("\n{farewell}"))
    }

    fn until_the_end(&mut self) -> Result<End> {
        while self.course.to_act().is_some() {
            if self.course.is_humans_turn() {
                if matches!(self.human_turn()?, Stays::No) {
                    return Ok(End::Left);
                }
            } else {
                let answered = self.opponent.act(&self.course.asked(), &self.stop)?;
                if answered.in_doubt {
                    self.say(messages::IN_DOUBT)?;
                }
                let (told, kept) = self.course.opponent_acts(answered)?;
                self.after_action(&told)?;
                self.tell_kept(kept)?;
            }
        }
        Ok(End::Over)
    }

    /// Asks until there is an action, or the player goes.
    fn human_turn(&mut self) -> Result<Stays> {
        self.show(messages::turn)?;
        loop {
            let Some(line) = self.ask("> ")? else {
                return Ok(Stays::No);
            };
            let command = match line {
                Ok(line) => input::read(&line, self.course.rules()),
                Err(bad) => Command::Unreadable(bad.to_string()),
            };
            match command {
                Command::Act(action) => {
                    if self.act(action)? {
                        return Ok(Stays::Yes);
                    }
                }
                Command::Undo => {
                    if self.undo()? {
                        return Ok(Stays::Yes);
                    }
                }
                Command::Resign => match self.resign()? {
                    Some(true) => return Ok(Stays::Yes),
                    Some(false) => {}
                    None => return Ok(Stays::No),
                },
                Command::Quit => return Ok(Stays::No),
                Command::Help => self.say(&messages::help(self.course.rules()))?,
                Command::Hint => self.hint()?,
                Command::Why => self.why()?,
                Command::Score => self.show(|session, out| {
                    score_sheet::write(session.contest(), &session.names(), out)
                })?,
                Command::Record => self.say(&self.course.session().record_for_human())?,
                Command::Show => self.show(messages::turn)?,
                Command::Unreadable(why) => {
                    self.say(&format!("{why}.\nType ? for help."))?;
                }
            }
        }
    }

    /// Carries out an action of the human, unless it is not legal.
    fn act(&mut self, action: Action) -> Result<bool> {
        match self.course.act(action)? {
            Err(illegal) => {
                self.say(&format!("Not legal: {illegal}."))?;
                Ok(false)
            }
            Ok((told, kept)) => {
                self.tell_kept(kept)?;
                self.after_action(&told)?;
                Ok(true)
            }
        }
    }

    /// Tells what an action did, and what comes next if it ended a game.
    fn after_action(&mut self, told: &Told) -> Result<()> {
        self.say(&messages::action(self.course.session(), told))?;
        if !told.ended_game {
            return Ok(());
        }
        self.say(&messages::end_of_game(self.course.session(), told.game))?;
        if self.course.contest().result().is_none() {
            self.show(|session, out| {
                writeln!(out)?;
                score_sheet::write(session.contest(), &session.names(), out)
            })?;
            self.show(messages::begin_game)?;
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<bool> {
        let before = self.course.contest().current_index();
        let Some(kept) = self.course.undo()? else {
            self.say(messages::NOTHING_TO_UNDO)?;
            return Ok(false);
        };
        self.tell_kept(kept)?;
        self.say(&messages::undone(self.course.session(), before))?;
        Ok(true)
    }

    /// Asks whether the match is to be given up: yes, no, or the input has ended.
    fn resign(&mut self) -> Result<Option<bool>> {
        let Some(line) = self.ask("To give up the whole match, type yes: ")? else {
            return Ok(None);
        };
        if !line.is_ok_and(|line| line.trim().eq_ignore_ascii_case("yes")) {
            self.say("The match goes on.")?;
            return Ok(Some(false));
        }
        let game = self.course.contest().current_index();
        let kept = self.course.resign()?;
        self.tell_kept(kept)?;
        self.say(&messages::end_of_game(self.course.session(), game))?;
        Ok(Some(true))
    }

    fn hint(&mut self) -> Result<()> {
        let Some(hint) = self.adviser.hint(&self.course.session().view(), &self.stop) else {
            return self.say("There is nothing to advise on here.");
        };
        let kept = self.course.take_hint()?;
        self.tell_kept(kept)?;
        self.show(|session, out| messages::hint(session, &hint, out))
    }

    fn why(&mut self) -> Result<()> {
        let (text, kept) = self.course.tell_why(self.course.session().here())?;
        self.tell_kept(kept)?;
        self.say(&text)
    }

    /// Says how saving went, if there is anything to say.
    fn tell_kept(&mut self, kept: Kept) -> Result<()> {
        match kept {
            Kept::Silently => Ok(()),
            Kept::Told(text) => self.say(&text),
            Kept::Failed(error) => {
                // The messages of this command stand in order; the error goes where errors go.
                self.flush()?;
                errors::print_error(&error);
                self.say(NOT_SAVED)
            }
        }
    }

    fn show(
        &mut self,
        write: impl FnOnce(&Session, &mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        write(self.course.session(), self.out).map_err(write_error)
    }

    fn say(&mut self, text: &str) -> Result<()> {
        writeln!(self.out, "{}", text.trim_end()).map_err(write_error)
    }

    /// Asks for a line; `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> Result<Option<Typed>> {
        if self.input.shows_prompt() {
            self.flush()?;
        } else {
            write!(self.out, "{prompt}").map_err(write_error)?;
            self.flush()?;
        }
        let line = match self.input.line(prompt) {
            Err(error) if error.is::<Interrupted>() => {
                errors::print_aside(&self.course.keeper().tell_left());
                return Err(error);
            }
            line => line?,
        };
        // A terminal has shown what was typed; without one it would be missing from what is printed.
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
