//! Connects a built-in bot to an arena over the bot protocol, in the place of an external program.

use std::io::{self, BufRead, Read as _, Write};
use std::sync::Arc;
use std::time::Duration;

use overmate_bots::{Bot, Forfeit, Standing, Turn};
use overmate_rules::{RuleSet, View, Viewer};
use overmate_solver::Budget;
use serde::Deserialize as _;
use serde_json::error::Category;

use crate::protocol::message_fault::{MAX_LINE, MessageFault};
use crate::protocol::messages;
use crate::protocol::wire::{
    FromBot, GameOverWire, MatchWire, OutcomeKindWire, ToBot, TurnWire, VERSION, to_line,
};

/// Safety margin that the bot subtracts from its time limit for an action, so that the answer arrives in time. From a
/// time limit below 100 ms, the bot subtracts only half of the limit.
const RESERVE: Duration = Duration::from_millis(50);

/// Error that ends the conversation between a bot and an arena over the bot protocol.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A line from the arena is not a message, or is a message that the bot cannot accept at this point of the conversation.
    #[error("line {line} from the arena violates the bot protocol")]
    Message {
        /// Number of the faulty line in the bot's input, from 1.
        line: u64,
        /// Reason why the bot cannot accept a line of its input: a fault in the line or in the message that the line contains.
        #[source]
        fault: MessageFault,
    },
    /// Reading the arena's next message from standard input failed.
    #[error("cannot read the messages that the arena sends")]
    Read(#[source] io::Error),
    /// Writing an answer to standard output failed.
    #[error("cannot send the reply of the bot to the arena")]
    Write(#[source] io::Error),
    /// The bot failed to choose an action.
    #[error(transparent)]
    Forfeit(#[from] Forfeit),
}

/// Answers the messages of an arena until the message `quit` or the end of the input.
///
/// The callback `enter` returns a new bot for a match with a given seed.
///
/// # Errors
///
/// Returns an error for an invalid message, for an I/O error, or if the bot fails.
///
/// ```
/// use overmate_arena::protocol::serve;
/// use overmate_bots::BuiltIn;
/// let input = "{\"type\":\"hello\",\"protocol\":1,\"arena\":\"example\"}\n{\"type\":\"quit\"}\n";
/// let mut output = Vec::new();
/// serve("perfect", |seed| BuiltIn::Perfect.seeded(seed), input.as_bytes(), &mut output)?;
/// assert_eq!(output, b"{\"type\":\"ready\",\"protocol\":1,\"name\":\"perfect\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serve(
    name: &str,
    mut enter: impl FnMut(u64) -> Box<dyn Bot>,
    mut input: impl BufRead,
    output: &mut dyn Write,
) -> Result<(), ServeError> {
    let mut current: Option<ServedMatch> = None;
    for number in 1.. {
        let mut text = Vec::new();
        let read = input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut text);
        if read.map_err(ServeError::Read)? == 0 {
            return Ok(());
        }
        let fault = |fault: MessageFault| ServeError::Message { line: number, fault };
        if text.strip_suffix(b"\n").unwrap_or(&text).len() as u64 > MAX_LINE {
            return Err(fault(MessageFault::TooLong));
        }
        let text = text.trim_ascii_end();
        if text.is_empty() {
            continue;
        }
        let mut reader = serde_json::Deserializer::from_slice(text);
        let message = ToBot::deserialize(&mut reader).map_err(|error| {
            fault(match error.classify() {
                Category::Data => MessageFault::NotAMessage(error),
                Category::Syntax | Category::Eof | Category::Io => {
                    MessageFault::NotJson { column: error.column(), source: error }
                }
            })
        })?;
        reader
            .end()
            .map_err(|error| fault(MessageFault::FurtherText { column: error.column() }))?;
        let answer = match message {
            ToBot::Hello { protocol: VERSION, .. } => {
                Some(FromBot::Ready { protocol: VERSION, name: name.to_owned() })
            }
            ToBot::Hello { protocol, .. } => {
                return Err(fault(MessageFault::OtherVersion(protocol)));
            }
            ToBot::Match(begin) => {
                current = Some(ServedMatch::new(&begin, enter(begin.seed)).map_err(fault)?);
                None
            }
            ToBot::Turn(turn) => {
                let current = current.as_mut().ok_or_else(|| fault(MessageFault::NoMatch))?;
                Some(current.answer(&turn, fault)?)
            }
            ToBot::GameOver(over) => {
                let current = current.as_mut().ok_or_else(|| fault(MessageFault::NoMatch))?;
                current.game_over(&over).map_err(fault)?;
                None
            }
            ToBot::MatchOver { .. } => {
                current = None;
                None
            }
            ToBot::Quit => return Ok(()),
            ToBot::Unknown => None,
        };
        if let Some(answer) = answer {
            let written = writeln!(output, "{}", to_line(&answer)).and_then(|()| output.flush());
            written.map_err(ServeError::Write)?;
        }
    }
    Ok(())
}

/// Returns the time that the bot may use for an action, computed from the announced time limit and clock.
pub(super) fn time_for(turn: &TurnWire, standing: Standing) -> Duration {
    let limit = Duration::from_millis(turn.time_ms);
    let Some(clock) = turn.clock else { return limit };
    // In each game, the bot takes at most one action for each card of its hand, plus one for foreplacing. The remaining time is
    // divided by the sum of these numbers over the rest of the match.
    let later_games = standing.games.saturating_sub(standing.game + 1);
    let actions = later_games * (turn.game.dealt.you.len() + 1) + turn.hands.you.len() + 1;
    let share = clock.left_ms / u64::try_from(actions).unwrap_or(u64::MAX);
    limit.min(Duration::from_millis(share.saturating_add(clock.increment_ms)))
}

/// Match that a bot plays over the bot protocol, with the rule set of the match.
struct ServedMatch {
    rules: Arc<RuleSet>,
    bot: Box<dyn Bot>,
}

impl ServedMatch {
    /// Starts a match for `bot` under the rule set in the message `begin`. Returns the fault of an invalid message.
    fn new(begin: &MatchWire, bot: Box<dyn Bot>) -> Result<Self, MessageFault> {
        let rules = begin.rules.rule_set()?.shared();
        let games = begin.games.into();
        if !(1..=Standing::MAX_GAMES).contains(&games) {
            return Err(MessageFault::GameCount { games });
        }
        Ok(Self { rules, bot })
    }

    /// Returns the bot's action in reply to a request of the arena.
    fn answer(
        &mut self,
        turn: &TurnWire,
        fault: impl Fn(MessageFault) -> ServeError,
    ) -> Result<FromBot, ServeError> {
        let view = messages::view(&self.rules, &turn.game, None).map_err(&fault)?;
        if view.to_act().map(Viewer::Seat) != Some(view.viewer()) {
            return Err(fault(MessageFault::NotTheTurn));
        }
        let standing = messages::standing(&turn.game).map_err(&fault)?;
        let time = time_for(turn, standing);
        let budget = Budget::unlimited().with_time(time.saturating_sub(RESERVE).max(time / 2));
        let budget = match turn.nodes {
            Some(nodes) => budget.with_nodes(nodes),
            None => budget,
        };
        let choice = self.bot.choose(&Turn::new(&view, standing, &budget))?;
        let action = overmate_json::action(&self.rules, choice.action);
        Ok(FromBot::Action { action, thought: Some((&choice.thought).into()) })
    }

    /// Shows the bot the final view of an ended game.
    fn game_over(&mut self, over: &GameOverWire) -> Result<(), MessageFault> {
        let forfeited_by =
            over.outcome.by.filter(|_| over.outcome.kind == OutcomeKindWire::Forfeit);
        let view: View = messages::view(&self.rules, &over.game, forfeited_by)?;
        if view.outcome().is_none() {
            return Err(MessageFault::NotOver);
        }
        messages::standing(&over.game)?;
        self.bot.game_over(&view);
        Ok(())
    }
}
