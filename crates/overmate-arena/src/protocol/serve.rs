//! The other end: a built-in opponent that speaks the protocol.

use std::io::{self, BufRead, Read as _, Write};
use std::sync::Arc;
use std::time::Duration;

use overmate_rules::{RuleSet, View, Viewer};
use overmate_solver::Budget;

use super::program::line;
use super::tell;
use super::wire::{FromBot, GameOverWire, MatchWire, OutcomeKindWire, ToBot, TurnWire, VERSION};
use overmate_bots::{Bot, Forfeit, Turn};

/// The most bytes of a line from an arena: a deck of 60 cards with long names needs less than a hundredth.
const MAX_LINE: u64 = 4 << 20;

/// What is kept of the time that the arena gives, so that the answer is there in time.
const RESERVE: Duration = Duration::from_millis(50);

/// Why a bot cannot go on talking.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// A line is no message, or one that makes no sense where it stands.
    #[error("line {line}: {what}")]
    Message {
        /// Which line, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A line cannot be read.
    #[error("cannot read what the arena says")]
    Read(#[source] io::Error),
    /// An answer cannot be written.
    #[error("cannot answer the arena")]
    Write(#[source] io::Error),
    /// The bot does not know what to do.
    #[error(transparent)]
    Forfeit(#[from] Forfeit),
}

/// Speaks the protocol until the arena says `quit` or its output ends.
///
/// `enter` makes the bot for a match of that seed.
///
/// # Errors
///
/// What the arena said that cannot be understood, or a pipe that broke.
pub fn serve(
    name: &str,
    mut enter: impl FnMut(u64) -> Box<dyn Bot>,
    mut input: impl BufRead,
    output: &mut dyn Write,
) -> Result<(), ServeError> {
    let mut contest: Option<Contest> = None;
    for number in 1.. {
        let mut text = Vec::new();
        let read = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut text);
        if read.map_err(ServeError::Read)? == 0 {
            return Ok(());
        }
        let fault = |what: String| ServeError::Message { line: number, what };
        if text.len() as u64 == MAX_LINE {
            return Err(fault(format!("it has more than {MAX_LINE} bytes")));
        }
        if text.trim_ascii().is_empty() {
            continue;
        }
        let message = serde_json::from_slice(&text)
            .map_err(|error| fault(format!("it is no message of the protocol: {error}")))?;
        let answer = match message {
            ToBot::Hello { protocol: VERSION, .. } => {
                Some(FromBot::Ready { protocol: VERSION, name: name.to_owned() })
            }
            ToBot::Hello { protocol, .. } => {
                let what = format!(
                    "the arena speaks version {protocol} of the protocol, and this is version {VERSION}"
                );
                return Err(fault(what));
            }
            ToBot::Match(begin) => {
                contest = Some(Contest::new(&begin, enter(begin.seed)).map_err(fault)?);
                None
            }
            ToBot::Turn(turn) => {
                let contest = contest.as_mut().ok_or_else(|| fault(NO_MATCH.to_owned()))?;
                Some(contest.answer(&turn, fault)?)
            }
            ToBot::GameOver(over) => {
                let contest = contest.as_mut().ok_or_else(|| fault(NO_MATCH.to_owned()))?;
                contest.game_over(&over).map_err(fault)?;
                None
            }
            ToBot::MatchOver { .. } => {
                contest = None;
                None
            }
            ToBot::Quit => return Ok(()),
            ToBot::Unknown => None,
        };
        if let Some(answer) = answer {
            let written = writeln!(output, "{}", line(&answer)).and_then(|()| output.flush());
            written.map_err(ServeError::Write)?;
        }
    }
    Ok(())
}

const NO_MATCH: &str = "no match has begun: `match` comes first";

/// A match, as the bot knows it.
struct Contest {
    rules: Arc<RuleSet>,
    bot: Box<dyn Bot>,
}

impl Contest {
    fn new(begin: &MatchWire, bot: Box<dyn Bot>) -> Result<Self, String> {
        let rules = begin.rules.rule_set();
        let rules = rules.map_err(|why| format!("the rules cannot be played: {why}"))?.shared();
        Ok(Self { rules, bot })
    }

    fn answer(
        &mut self,
        turn: &TurnWire,
        fault: impl Fn(String) -> ServeError,
    ) -> Result<FromBot, ServeError> {
        let view = tell::view(&self.rules, &turn.game, None).map_err(&fault)?;
        if view.to_act().map(Viewer::Seat) != Some(view.viewer()) {
            return Err(fault("it is not the bot's turn".to_owned()));
        }
        let time = Duration::from_millis(turn.time_ms);
        let budget = Budget::unlimited().with_time(time.saturating_sub(RESERVE).max(time / 2));
        let budget = match turn.nodes {
            Some(nodes) => budget.with_nodes(nodes),
            None => budget,
        };
        let standing = tell::standing(&turn.game).map_err(&fault)?;
        let choice = self.bot.choose(&Turn { view: &view, standing, budget: &budget })?;
        let action = self.rules.action_text(choice.action).to_string();
        Ok(FromBot::Action { action, thought: Some((&choice.thought).into()) })
    }

    fn game_over(&mut self, over: &GameOverWire) -> Result<(), String> {
        let gave_up = over.outcome.by.filter(|_| over.outcome.kind == OutcomeKindWire::Forfeit);
        let view: View = tell::view(&self.rules, &over.game, gave_up)?;
        if view.outcome().is_none() {
            return Err("the game is not over".to_owned());
        }
        self.bot.game_over(&view);
        Ok(())
    }
}
