//! `overmate play`: a match in the terminal, line by line, against the perfect opponent.

mod begin;
mod input;
mod keep;
mod opponent;
mod screen;
mod session;

use std::io::{self, Write};

use anyhow::Result;
use overmate_rules::Action;

use self::input::{Command, Input};
use self::keep::{Keeper, Saved};
use self::opponent::Opponent;
use self::session::{Mark, Session};
use crate::cli::PlayArgs;
use crate::files::{BadLine, printable_line};
use crate::report::write_error;
use crate::{report, score};

pub(crate) fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<()> {
    let (session, keeper) = match &args.resume {
        Some(path) => begin::resume(path)?,
        None => begin::new_match(args)?,
    };
    keeper.tell_at_ctrl_c()?;
    let mut table = Table { session, keeper, opponent: Opponent::new(), input: Input::new(), out };
    table.play().map_err(|error| {
        let kept = table.keeper.tell_left();
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
    session: Session,
    keeper: Keeper,
    opponent: Opponent,
    input: Input,
    out: &'a mut dyn Write,
}

impl Table<'_> {
    fn play(&mut self) -> Result<()> {
        self.say(&screen::welcome(&self.session, &self.keeper.place(), self.keeper.has_begun()))?;
        self.show(screen::begin_game)?;
        let end = self.until_the_end()?;
        let farewell = match end {
            End::Over => {
                self.show(|session, out| {
                    writeln!(out)?;
                    score::write(session.contest(), &session.names(), out)
                })?;
                let result = score::result(self.session.contest(), &self.session.names());
                self.say(&format!("\n{result}."))?;
                self.keeper.tell_over()
            }
            End::Left => self.keeper.tell_left(),
        };
        self.say(&format!("\n{farewell}"))
    }

    fn until_the_end(&mut self) -> Result<End> {
        while let Some(player) = self.session.contest().to_act() {
            if player == self.session.human() {
                if matches!(self.human_turn()?, Stays::No) {
                    return Ok(End::Left);
                }
            } else {
                let (action, proved) = self.opponent.act(&self.session.opponent_view());
                if !proved {
                    self.say("Overmate plays this without proof that it is best.")?;
                }
                let told = self.session.play(action)?;
                self.after_action(&told)?;
                // What the opponent does before the first action of the human leaves nothing behind.
                self.save_if_begun()?;
            }
        }
        Ok(End::Over)
    }

    /// Asks until there is an action, or the player goes.
    fn human_turn(&mut self) -> Result<Stays> {
        self.show(screen::turn)?;
        loop {
            let Some(line) = self.ask("> ")? else {
                return Ok(Stays::No);
            };
            let command = match line {
                Ok(line) => input::read(&line, self.session.contest().rules()),
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
                Command::Help => self.say(&screen::help(self.session.contest().rules()))?,
                Command::Hint => self.hint()?,
                Command::Score => self
                    .show(|session, out| score::write(session.contest(), &session.names(), out))?,
                Command::Record => self.say(&self.session.record_for_human())?,
                Command::Show => self.show(screen::turn)?,
                Command::Unreadable(why) => {
                    self.say(&format!("{why}.\nType ? for help."))?;
                }
            }
        }
    }

    /// Carries out an action of the human, unless it is not legal.
    fn act(&mut self, action: Action) -> Result<bool> {
        if let Err(illegal) = self.session.check(action) {
            self.say(&format!("Not legal: {illegal}."))?;
            return Ok(false);
        }
        let told = self.session.play_as_human(action)?;
        self.save()?;
        self.after_action(&told)?;
        Ok(true)
    }

    /// Tells what an action did, and what comes next if it ended a game.
    fn after_action(&mut self, told: &session::Told) -> Result<()> {
        self.say(&screen::action(&self.session, told))?;
        if !told.ended_game {
            return Ok(());
        }
        self.say(&screen::end_of_game(&self.session, told.game))?;
        if self.session.contest().result().is_none() {
            self.show(|session, out| {
                writeln!(out)?;
                score::write(session.contest(), &session.names(), out)
            })?;
            self.show(screen::begin_game)?;
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<bool> {
        let before = self.session.contest().current_index();
        if !self.session.undo()? {
            self.say("There is no action of yours to take back.")?;
            return Ok(false);
        }
        self.save_if_begun()?;
        self.say("Your last action is taken back, and what followed it.")?;
        let game = self.session.contest().current_index();
        if game != before {
            self.say(&format!("This is game {} again.", game + 1))?;
        }
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
        let game = self.session.contest().current_index();
        self.session.resign()?;
        self.save()?;
        self.say(&screen::end_of_game(&self.session, game))?;
        Ok(Some(true))
    }

    fn hint(&mut self) -> Result<()> {
        let counsel = self.opponent.counsel(&self.session.view());
        match counsel {
            None => self.say("There is nothing to advise on here."),
            Some(counsel) => {
                self.session.mark(Mark::Hint)?;
                self.save_if_begun()?;
                self.show(|session, out| screen::hint(session, &counsel, out))
            }
        }
    }

    fn save_if_begun(&mut self) -> Result<()> {
        if self.keeper.has_begun() { self.save() } else { Ok(()) }
    }

    /// Saves the match; if that fails, it goes on all the same.
    fn save(&mut self) -> Result<()> {
        match self.keeper.save(self.session.record()) {
            Ok(Saved::Still) => Ok(()),
            Ok(Saved::Again) => self.say("The match is saved again."),
            Ok(Saved::Elsewhere) => {
                let place = self.keeper.place();
                self.say(&format!("The name was taken meanwhile: the match is kept in {place}."))
            }
            Err(error) => {
                // The messages of this command stand in order; the error goes where errors go.
                self.flush()?;
                report::tell(&error);
                self.say("The match goes on, but it is not saved as it stands now.")
            }
        }
    }

    fn show(
        &mut self,
        write: impl FnOnce(&Session, &mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        write(&self.session, self.out).map_err(write_error)
    }

    fn say(&mut self, text: &str) -> Result<()> {
        writeln!(self.out, "{}", text.trim_end()).map_err(write_error)
    }

    /// Asks for a line; `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> Result<Option<Result<String, BadLine>>> {
        write!(self.out, "{prompt}").map_err(write_error)?;
        self.flush()?;
        let line = self.input.line()?;
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
