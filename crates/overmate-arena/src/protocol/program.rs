//! A player that is a program of its own, and its bot in a match.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use overmate_rules::{Outcome, View, Viewer};

use super::facts::RulesWire;
use super::process::{MAX_LINE, Process, Silence, shortened};
use super::tell::{self, Allowance};
use super::wire::{FromBot, MatchWire, PointsWire, ResultWire, ToBot, VERSION};
use crate::contender::{Contender, Seating};
use overmate_bots::{Bot, Choice, Forfeit, Standing, Turn};

/// What is added to the time that a bot is told, for what the pipes and a busy machine take of it.
const GRACE: Duration = Duration::from_millis(500);

/// A player that is a program and speaks the protocol.
///
/// Its processes serve one match after the other, as many at once as there are matches at once; they end with this.
#[derive(Debug)]
pub struct Program(Arc<Shared>);

/// How to start a program, and what it may spend.
#[derive(Clone, Debug)]
pub struct ProgramOptions {
    /// What the player is called.
    pub name: String,
    /// The program, and what it is given.
    pub command: Vec<String>,
    /// How much time it has to say that it is ready. Interpreters are slow to begin.
    pub greeting: Duration,
    /// How much time it has for an action.
    pub time: Duration,
    /// How many positions it is told to look at, at most.
    pub nodes: Option<u64>,
    /// Ends all waiting when it is set.
    pub stop: Arc<AtomicBool>,
}

#[derive(Debug)]
struct Shared {
    options: ProgramOptions,
    /// Processes between two matches.
    idle: Mutex<Vec<Process>>,
    /// What it calls itself.
    own_name: String,
}

impl Program {
    /// Starts the program, and hears whether it is ready.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or does not speak the protocol.
    pub fn start(options: ProgramOptions) -> Result<Self, Forfeit> {
        let mut shared = Shared { options, idle: Mutex::default(), own_name: String::new() };
        let (process, own_name) = shared.begin()?;
        shared.own_name = own_name;
        shared.idle = Mutex::new(vec![process]);
        Ok(Self(Arc::new(shared)))
    }

    /// What the program calls itself.
    #[must_use]
    pub fn own_name(&self) -> &str {
        &self.0.own_name
    }
}

impl Contender for Program {
    fn name(&self) -> String {
        self.0.options.name.clone()
    }

    fn enter(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, Forfeit> {
        let process = match self.0.free_process() {
            Some(process) => process,
            None => self.0.begin()?.0,
        };
        let bot = ProgramBot {
            shared: Arc::clone(&self.0),
            process: Some(process),
            games: seating.games,
            games_over: 0,
            points: PointsWire { you: 0, other: 0 },
        };
        let begin = MatchWire {
            rules: RulesWire::new(seating.rules),
            games: seating.games,
            player: seating.player.into(),
            seed: seating.seed,
        };
        // Should it not arrive, the silence at the first turn tells.
        bot.send(&ToBot::Match(Box::new(begin)));
        Ok(Box::new(bot))
    }
}

impl Shared {
    fn forfeit(&self, why: impl Into<String>) -> Forfeit {
        Forfeit { who: self.options.name.clone(), why: why.into() }
    }

    /// Starts a process, and hears its name.
    fn begin(&self) -> Result<(Process, String), Forfeit> {
        let Self { options, .. } = self;
        let mut process = Process::start(&options.command).map_err(|error| {
            let program = options.command.first().map_or("", String::as_str);
            self.forfeit(format!("`{}` cannot be started: {error}", shortened(program)))
        })?;
        let arena = format!("overmate {}", env!("CARGO_PKG_VERSION"));
        let heard = process
            .send(line(&ToBot::Hello { protocol: VERSION, arena }))
            .and_then(|()| process.receive(options.greeting, &options.stop));
        let text = heard.map_err(|silence| {
            self.silent(&silence, &mut process, "at the hello", options.greeting)
        })?;
        match serde_json::from_str(&text) {
            Ok(FromBot::Ready { protocol: VERSION, name }) => Ok((process, shortened(&name))),
            Ok(FromBot::Ready { protocol, .. }) => Err(self.forfeit(format!(
                "it speaks version {protocol} of the protocol, and this is version {VERSION}"
            ))),
            Ok(FromBot::Action { .. }) => {
                Err(self.forfeit("it answered the hello with an action, and not with `ready`"))
            }
            Err(error) => Err(self.forfeit(format!(
                "it answered the hello with `{}`, which is no `ready`: {error}",
                shortened(text.trim_end())
            ))),
        }
    }

    /// A process that has served another match, and is well.
    fn free_process(&self) -> Option<Process> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(process) = idle.pop() {
            if process.unasked() == Ok(None) {
                return Some(process);
            }
        }
        None
    }

    /// What a program did that gave no line.
    fn silent(
        &self,
        silence: &Silence,
        process: &mut Process,
        when: &str,
        time: Duration,
    ) -> Forfeit {
        let what = match silence {
            Silence::Late => format!("it said nothing within {} s {when}", time.as_secs_f64()),
            Silence::Stopped => format!("it was stopped {when}"),
            Silence::TooLong => format!("it sent a line of more than {MAX_LINE} bytes {when}"),
            Silence::NotUtf8 => format!("it sent a line that is not UTF-8 {when}"),
            Silence::Deaf => format!("it left what it was sent unread {when}"),
            Silence::Ended => match process.end() {
                Some(status) => format!("it ended ({status}) {when}"),
                None => format!("it closed its standard output {when}"),
            },
        };
        let is_stopped = *silence == Silence::Stopped;
        match process.last_error().filter(|_| !is_stopped) {
            Some(error) => self.forfeit(format!("{what}; the end of its standard error: {error}")),
            None => self.forfeit(what),
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let idle = std::mem::take(&mut self.idle);
        for process in idle.into_inner().unwrap_or_else(PoisonError::into_inner) {
            process.quit(line(&ToBot::Quit));
        }
    }
}

/// A program in a match.
struct ProgramBot {
    shared: Arc<Shared>,
    /// Gone once it has forfeited.
    process: Option<Process>,
    games: u8,
    /// How many of them are over; all, when the match is.
    games_over: u8,
    /// Of the games that are over.
    points: PointsWire,
}

impl ProgramBot {
    fn send(&self, message: &ToBot) {
        if let Some(process) = &self.process {
            // Whoever leaves things unread will not answer either.
            let _ = process.send(line(message));
        }
    }

    /// What the program answers, as it said it.
    fn ask(&mut self, turn: &Turn<'_>, when: &str) -> Result<String, Forfeit> {
        let shared = Arc::clone(&self.shared);
        let ProgramOptions { time, nodes, ref stop, .. } = shared.options;
        let time_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let message = tell::turn(turn.view, turn.standing, Allowance { time_ms, nodes })
            .ok_or_else(|| shared.forfeit("it is not its turn"))?;
        let process =
            self.process.as_mut().ok_or_else(|| shared.forfeit("its process has ended"))?;
        match process.unasked() {
            Ok(None) | Err(Silence::Ended) => {}
            Ok(Some(text)) => {
                let said = shortened(text.trim_end());
                return Err(shared.forfeit(format!("it sent `{said}` {when} without being asked")));
            }
            Err(silence) => return Err(shared.silent(&silence, process, when, time)),
        }
        process
            .send(line(&ToBot::Turn(Box::new(message))))
            .and_then(|()| process.receive(time.saturating_add(GRACE), stop))
            .map_err(|silence| shared.silent(&silence, process, when, time))
    }

    /// The action that the program answers with.
    fn answer(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let when = tell::place(turn.view, turn.standing);
        let text = self.ask(turn, &when)?;
        let shared = &self.shared;
        let (action, thought) = match serde_json::from_str(&text) {
            Ok(FromBot::Action { action, thought }) => (action, thought.unwrap_or_default()),
            Ok(FromBot::Ready { .. }) => {
                let why = format!("it answered with `ready` {when}, and not with an action");
                return Err(shared.forfeit(why));
            }
            Err(error) => {
                let said = shortened(text.trim_end());
                let why = format!("it answered with `{said}` {when}, which is no action: {error}");
                return Err(shared.forfeit(why));
            }
        };
        let said = shortened(&action);
        let action = turn.view.rules().read_action(&action).map_err(|error| {
            shared.forfeit(format!("its action `{said}` {when} cannot be read: {error}"))
        })?;
        if !turn.view.legal_actions().contains(&action) {
            let because = tell::why_illegal(turn.view, action)
                .map_or_else(String::new, |why| format!(": {why}"));
            return Err(shared.forfeit(format!("its action `{said}` {when} is not legal{because}")));
        }
        Ok(Choice { action, thought: thought.into() })
    }
}

impl Bot for ProgramBot {
    fn name(&self) -> String {
        self.shared.options.name.clone()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let answer = self.answer(turn);
        if answer.is_err() {
            // Whoever has forfeited is not listened to any more.
            self.process = None;
        }
        answer
    }

    fn game_over(&mut self, view: &View) {
        let Viewer::Seat(own) = view.viewer() else { return };
        let before = self.points.clone();
        let standing = Standing {
            game: self.games_over.into(),
            games: self.games.into(),
            own: before.you,
            other: before.other,
        };
        let (you, other) = tell::points(view, own);
        self.points = PointsWire { you: before.you + you, other: before.other + other };
        self.games_over += 1;
        if let Some(over) = tell::game_over(view, standing) {
            self.send(&ToBot::GameOver(Box::new(over)));
        }
        let result = match view.outcome() {
            Some(Outcome::Resigned { by }) if by == own => ResultWire::Loss,
            Some(Outcome::Resigned { .. }) => ResultWire::Win,
            _ if self.games_over < self.games => return,
            _ => match self.points.you.cmp(&self.points.other) {
                std::cmp::Ordering::Greater => ResultWire::Win,
                std::cmp::Ordering::Equal => ResultWire::Draw,
                std::cmp::Ordering::Less => ResultWire::Loss,
            },
        };
        self.games_over = self.games;
        self.send(&ToBot::MatchOver { result, points: self.points.clone() });
    }
}

impl Drop for ProgramBot {
    fn drop(&mut self) {
        // In the middle of a match it would not know what is going on.
        if self.games_over == self.games
            && let Some(process) = self.process.take()
        {
            self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
        }
    }
}

/// A message as a line, without its end.
pub(super) fn line(message: &impl serde::Serialize) -> String {
    serde_json::to_string(message).expect("messages are made of texts, numbers and lists")
}
