//! Implements an entrant of an arena whose bot is an external program.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use overmate_bots::{Bot, Choice, Forfeit, Standing, Turn};
use overmate_json::RuleFacts;
use overmate_rules::{Outcome, View, Viewer};

use crate::entrant::{Entrant, Seating};
use crate::protocol::clock::{Clock, TimeControl, TimeLimit};
use crate::protocol::logs::{LogFolder, ProgramLogs};
use crate::protocol::messages::{self, Allowance};
use crate::protocol::process::{MAX_LINE, NoLine, Process, shortened};
use crate::protocol::wire::{
    ClockWire, DOCUMENT, FromBot, MatchWire, PointsWire, ResultWire, ToBot, VERSION, to_line,
};

/// Entrant whose bot is an external program that speaks the bot protocol.
///
/// Each concurrent match has its own process. A process plays one match after the other. Dropping
/// the program ends all processes.
#[derive(Debug)]
pub struct Program(Arc<SharedProgram>);

/// Settings of an external program: name, command and limits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ProgramOptions {
    /// Name of the entrant in the arena.
    pub name: String,
    /// Command that starts the external program: its path, followed by its arguments.
    pub command: Vec<String>,
    /// Time limit for the external program to start and to answer the first message.
    pub greeting: Duration,
    /// Time limit for the external program to choose an action.
    pub time: Duration,
    /// Clock of the external program for all its actions in a match, or `None` for no clock.
    pub clock: Option<TimeControl>,
    /// Node limit announced to the external program for each action, or `None` for no limit.
    pub nodes: Option<u64>,
    /// Stop flag, set by another thread, that ends every wait for an answer of the external program.
    pub stop: Arc<AtomicBool>,
    /// Folders for the external program's log files.
    pub logs: ProgramLogs,
    /// Names of environment variables that are removed from the external program's environment. The program gets all other variables.
    pub secret_variables: Vec<OsString>,
}

impl ProgramOptions {
    /// Default time limit for an external program's first answer, and for each of its actions.
    pub const TIME: Duration = Duration::from_secs(10);

    /// Returns the default options of an external program: no node limit, and the time limit [`TIME`](Self::TIME) for the first answer
    /// and for each action.
    #[must_use]
    pub fn new(name: impl Into<String>, command: Vec<String>) -> Self {
        Self {
            name: name.into(),
            command,
            greeting: Self::TIME,
            time: Self::TIME,
            clock: None,
            nodes: None,
            stop: Arc::default(),
            logs: ProgramLogs::default(),
            secret_variables: Vec::new(),
        }
    }

    /// Sets the time limit for the external program's answer to the first message.
    #[must_use]
    pub fn with_greeting(self, greeting: Duration) -> Self {
        Self { greeting, ..self }
    }

    /// Sets the time limit for the external program to choose an action.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// Sets the clock of the external program for each match. `None` sets no clock.
    #[must_use]
    pub fn with_clock(self, clock: Option<TimeControl>) -> Self {
        Self { clock, ..self }
    }

    /// Sets the node limit that is announced to the external program for each action. `None` announces no limit.
    #[must_use]
    pub fn with_nodes(self, nodes: Option<u64>) -> Self {
        Self { nodes, ..self }
    }

    /// Sets the stop flag that ends every wait for an answer of the external program.
    #[must_use]
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..self }
    }

    /// Sets the names of environment variables to remove from the external program's environment, such as variables with passwords.
    #[must_use]
    pub fn with_secret_variables(self, secret_variables: Vec<OsString>) -> Self {
        Self { secret_variables, ..self }
    }

    /// Sets the folders for the external program's log files.
    #[must_use]
    pub fn with_logs(self, logs: ProgramLogs) -> Self {
        Self { logs, ..self }
    }
}

/// Settings, idle processes and log files of an external program, shared by the program's bots in all matches.
#[derive(Debug)]
struct SharedProgram {
    options: ProgramOptions,
    /// Idle processes of the external program, ready for the next match.
    idle: Mutex<Vec<Process>>,
    logs: LogFolder,
    /// Name that the external program reported in its first message.
    own_name: String,
}

impl Program {
    /// Starts a process of the external program, and waits for its first answer.
    ///
    /// # Errors
    ///
    /// Returns a forfeit if the program cannot be started, or does not speak the protocol.
    pub fn start(options: ProgramOptions) -> Result<Self, Forfeit> {
        let mut shared = SharedProgram {
            options,
            idle: Mutex::default(),
            logs: LogFolder::default(),
            own_name: String::new(),
        };
        let (process, own_name) = shared.begin()?;
        shared.own_name = own_name;
        shared.idle = Mutex::new(vec![process]);
        Ok(Self(Arc::new(shared)))
    }

    /// Returns the name that the external program reported in its first message.
    #[must_use]
    pub fn own_name(&self) -> &str {
        &self.0.own_name
    }

    /// Ends all idle processes of the external program by the message `quit`. A later match starts a new process.
    pub fn quit_idle(&self) {
        self.0.quit_idle();
    }

    /// Returns the first error from a write to a log file of the external program, or `None` if no write has failed.
    /// The log file is then incomplete.
    #[must_use]
    pub fn log_fault(&self) -> Option<&std::io::Error> {
        self.0.logs.fault()
    }

    /// Returns the path of the first standard-error log truncated at the size limit, or `None` if no log was truncated.
    #[must_use]
    pub fn cut_log(&self) -> Option<&std::path::Path> {
        self.0.logs.cut()
    }
}

impl Entrant for Program {
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
            clock: self.0.options.clock.map(Clock::new),
            games: seating.games,
            games_over: 0,
            points: PointsWire { you: 0, other: 0 },
        };
        let begin = MatchWire {
            rules: RuleFacts::new(seating.rules),
            games: seating.games,
            player: seating.player.into(),
            seed: seating.seed,
        };
        // If the message that begins the match cannot be delivered, the arena detects this when it waits for the
        // program's first action.
        bot.send(&ToBot::Match(Box::new(begin)));
        Ok(Box::new(bot))
    }
}

impl SharedProgram {
    /// Returns a forfeit by the external program, with the given reason.
    fn forfeit(&self, why: impl Into<String>) -> Forfeit {
        Forfeit { who: self.options.name.clone(), why: why.into() }
    }

    /// Starts a process of the external program, and returns the process with the name that the program reported.
    fn begin(&self) -> Result<(Process, String), Forfeit> {
        let Self { options, .. } = self;
        let logs = self.logs.next(&options.name, &options.logs);
        let mut process = Process::start(&options.command, &options.secret_variables, logs)
            .map_err(|error| {
                let program = options.command.first().map_or("", String::as_str);
                self.forfeit(format!(
                    "the program `{}` cannot be started: {error}",
                    shortened(program)
                ))
            })?;
        let arena = format!("overmate {}", env!("CARGO_PKG_VERSION"));
        let answer = process
            .send(to_line(&ToBot::Hello { protocol: VERSION, arena }))
            .and_then(|()| process.receive(options.greeting, &options.stop));
        let text = answer.map_err(|missing| {
            let limit = TimeLimit::Action(options.greeting);
            self.forfeit_for(&missing, &mut process, "after `hello`", &limit)
        })?;
        match serde_json::from_str(&text) {
            Ok(FromBot::Ready { protocol: VERSION, name }) => Ok((process, shortened(&name))),
            Ok(FromBot::Ready { protocol, .. }) => Err(self.forfeit(format!(
                "the program speaks version {protocol} of the bot protocol, but the arena speaks version {VERSION}: update the older program"
            ))),
            Ok(FromBot::Action { .. }) => {
                Err(self.forfeit("the program answered `hello` with an action instead of `ready`"))
            }
            Err(error) => Err(self.forfeit(format!(
                "the program answered `hello` with `{}` instead of `ready` (see {DOCUMENT}): {error}",
                shortened(text.trim_end())
            ))),
        }
    }

    /// Returns an idle process that has sent no line since its last match, or `None` if there is no such process.
    fn free_process(&self) -> Option<Process> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(process) = idle.pop() {
            if process.unrequested() == Ok(None) {
                return Some(process);
            }
        }
        None
    }

    /// Ends all idle processes by the message `quit`.
    fn quit_idle(&self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for process in idle {
            process.quit(to_line(&ToBot::Quit));
        }
    }

    /// Returns the forfeit of an external program that sent no valid line, with the reason in words.
    fn forfeit_for(
        &self,
        missing: &NoLine,
        process: &mut Process,
        when: &str,
        limit: &TimeLimit,
    ) -> Forfeit {
        let what = match missing {
            NoLine::Timeout => limit.exceeded(when),
            NoLine::Stopped => format!("the arena stopped the program {when}"),
            NoLine::TooLong => {
                format!("the program sent a line of more than {MAX_LINE} bytes {when}")
            }
            NoLine::NotUtf8 => format!("the program sent a line that is not UTF-8 {when}"),
            NoLine::InputFull => format!("the program did not read its standard input {when}"),
            NoLine::Ended => match process.wait_for_exit() {
                Some(status) => format!("the program exited ({status}) {when}"),
                None => format!("the program closed its standard output {when}"),
            },
        };
        let is_stopped = *missing == NoLine::Stopped;
        match process.last_error().filter(|_| !is_stopped) {
            Some(error) => self.forfeit(format!(
                "{what}; the last line of the program's standard error is: {error}"
            )),
            None => self.forfeit(what),
        }
    }
}

impl Drop for SharedProgram {
    fn drop(&mut self) {
        self.quit_idle();
    }
}

/// Bot that delegates the decisions of one match to a process of an external program.
struct ProgramBot {
    shared: Arc<SharedProgram>,
    /// Process that plays the match, or `None` after a forfeit.
    process: Option<Process>,
    /// Clock of the external program in the match, or `None` without a clock.
    clock: Option<Clock>,
    /// Number of games in the match.
    games: u8,
    /// Number of finished games in the match, equal to `games` after the end of the match.
    games_over: u8,
    /// Points of the bot and of its opponent in the finished games of the match.
    points: PointsWire,
}

impl ProgramBot {
    /// Sends the external program a message that needs no answer.
    fn send(&self, message: &ToBot) {
        if let Some(process) = &self.process {
            // A failure to send a message is ignored here, because a program that does not read its input also fails to
            // answer the next request for an action.
            let _ = process.send(to_line(message));
        }
    }

    /// Asks the external program for its action, and returns the program's answer as a line of text.
    fn ask(&mut self, turn: &Turn<'_>, when: &str) -> Result<String, Forfeit> {
        let shared = Arc::clone(&self.shared);
        let ProgramOptions { time, nodes, ref stop, .. } = shared.options;
        let limit = TimeLimit::of(time, self.clock.as_ref());
        let clock = self.clock.as_ref().map(|clock| ClockWire {
            left_ms: milliseconds(clock.left()),
            increment_ms: milliseconds(clock.control().increment),
        });
        let allowance = Allowance { time_ms: milliseconds(limit.announced()), clock, nodes };
        let message = messages::turn(turn.view, turn.standing, allowance).ok_or_else(|| {
            shared.forfeit("the program was asked for an action outside of its turn")
        })?;
        let process = self
            .process
            .as_mut()
            .ok_or_else(|| shared.forfeit("the process of the program has exited"))?;
        match process.unrequested() {
            Ok(None) | Err(NoLine::Ended) => {}
            Ok(Some(text)) => {
                let sent = shortened(text.trim_end());
                return Err(
                    shared.forfeit(format!("the program sent `{sent}` {when} without a request"))
                );
            }
            Err(missing) => return Err(shared.forfeit_for(&missing, process, when, &limit)),
        }
        let start = Instant::now();
        let answer = process
            .send(to_line(&ToBot::Turn(Box::new(message))))
            .and_then(|()| process.receive(limit.with_grace(), stop))
            .map_err(|missing| shared.forfeit_for(&missing, process, when, &limit))?;
        if let Some(clock) = &mut self.clock {
            clock.act(start.elapsed());
        }
        Ok(answer)
    }

    /// Asks the external program for its action and checks the answer.
    fn answer(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let when = messages::stage(turn.view, turn.standing);
        let text = self.ask(turn, &when)?;
        let shared = &self.shared;
        let (action, thought) = match serde_json::from_str(&text) {
            Ok(FromBot::Action { action, thought }) => (action, thought.unwrap_or_default()),
            Ok(FromBot::Ready { .. }) => {
                let why = format!("the program answered with `ready` {when} instead of an action");
                return Err(shared.forfeit(why));
            }
            Err(error) => {
                let sent = shortened(text.trim_end());
                let why = format!(
                    "the program answered with `{sent}` {when}, which is not an action message (see {DOCUMENT}): {error}"
                );
                return Err(shared.forfeit(why));
            }
        };
        let sent = shortened(&action);
        let action = turn.view.rules().read_action(&action).map_err(|error| {
            shared.forfeit(format!("the program's action `{sent}` {when} cannot be read: {error}"))
        })?;
        if turn.view.legal_actions().all(|legal| legal != action) {
            let because = messages::why_illegal(turn.view, action)
                .map_or_else(String::new, |why| format!(": {why}"));
            return Err(shared
                .forfeit(format!("the program's action `{sent}` {when} is not legal{because}")));
        }
        Ok(Choice { action, thought: thought.into() })
    }
}

/// Returns a time in whole milliseconds, rounded down.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Bot for ProgramBot {
    fn name(&self) -> String {
        self.shared.options.name.clone()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Choice, Forfeit> {
        let answer = self.answer(turn);
        if answer.is_err() {
            // Dropping the handle of the program's process kills the process. A program that has forfeited gets no more messages.
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
        let (you, other) = messages::points(view, own);
        self.points = PointsWire { you: before.you + you, other: before.other + other };
        self.games_over += 1;
        if let Some(over) = messages::game_over(view, standing) {
            self.send(&ToBot::GameOver(Box::new(over)));
        }
        let result = match view.outcome() {
            Some(Outcome::Resigned { by }) if by == own => ResultWire::Loss,
            Some(Outcome::Resigned { .. }) => ResultWire::Win,
            Some(Outcome::Mate(_) | Outcome::Draw) | None if self.games_over < self.games => return,
            Some(Outcome::Mate(_) | Outcome::Draw) | None => {
                match self.points.you.cmp(&self.points.other) {
                    std::cmp::Ordering::Greater => ResultWire::Win,
                    std::cmp::Ordering::Equal => ResultWire::Draw,
                    std::cmp::Ordering::Less => ResultWire::Loss,
                }
            }
        };
        self.games_over = self.games;
        self.send(&ToBot::MatchOver { result, points: self.points.clone() });
    }
}

impl Drop for ProgramBot {
    fn drop(&mut self) {
        // The process is reused only after the end of its match, because a process in the middle of a match cannot start another match.
        if self.games_over == self.games
            && let Some(process) = self.process.take()
        {
            self.shared.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
        }
    }
}
