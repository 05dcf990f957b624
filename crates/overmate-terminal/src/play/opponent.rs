//! Implements the computer opponent of the human in a match.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use overmate_arena::{Entrant, Seating};
use overmate_bots::{Bot, BotSpec, BuiltIn, Forfeit, Level, Thought, Turn};
use overmate_rules::{Action, Match, Player, RuleSet, View};

use super::session::OpponentTurn;
use crate::limits::{StopFlag, budget, is_best_play_slow};
use crate::text::{columns, words};

/// Time limit for the opponent to choose one action under rules for which best play takes long to compute.
const THINKING_TIME: Duration = Duration::from_secs(1);

/// Maximum display width of an opponent program's name, in terminal columns. The limit ensures that the screen has room for the name.
const WIDEST_NAME: usize = 20;

/// Displayed name of an opponent program that has reported no usable name.
const UNNAMED: &str = "Bot";

/// Exclusive upper limit of the random seeds that opponent programs receive. Every JSON parser reads smaller whole
/// numbers without rounding.
const SEEDS: u64 = 1 << 53;

/// Opponent of the human in a match.
#[derive(Clone)]
pub enum Opponent {
    /// Built-in computer player: a level, perfect play, or perfect play that assumes an opponent of a given level.
    BuiltIn(BotSpec),
    /// External program that speaks the bot protocol. The person at the terminal has named the command of the program.
    Program(ProgramOpponent),
}

/// Running external program that plays as the opponent, with the program's displayed name and its command.
#[derive(Clone)]
pub struct ProgramOpponent {
    program: Arc<dyn Entrant>,
    name: String,
    command: String,
}

impl ProgramOpponent {
    /// Creates an opponent from a running program. The parameter `name` is the name that the program reported, without invisible
    /// characters, or `None` for a program without a visible name. The name is cut to 20 columns. A program that calls itself "you"
    /// becomes "Bot", because in the texts "you" is the person. The parameter `command` is the command of the program, as typed by
    /// the person. The advice for resuming the match shows this command.
    #[must_use]
    pub fn new(program: Arc<dyn Entrant>, name: Option<&str>, command: &str) -> Self {
        let mut cut = String::new();
        for letter in name.unwrap_or_default().chars() {
            cut.push(letter);
            if columns::width_of(&cut) > WIDEST_NAME {
                cut.pop();
                break;
            }
        }
        let name = match cut.trim() {
            "" => UNNAMED,
            name if name.eq_ignore_ascii_case(words::YOU) => UNNAMED,
            name => name,
        };
        Self { program, name: name.to_owned(), command: command.to_owned() }
    }

    /// Returns the command of the opponent program, exactly as the user typed the command.
    pub(crate) fn command(&self) -> &str {
        &self.command
    }
}

impl Opponent {
    /// Returns the name of the opponent in the texts and the record of the match.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::BuiltIn(_) => words::OPPONENT,
            Self::Program(opponent) => &opponent.name,
        }
    }

    /// Describes the strength of the opponent, such as `level 3 of 9`, `perfect` or `played by the program bot.py`.
    pub(crate) fn strength(&self) -> String {
        match self {
            Self::BuiltIn(BotSpec::BuiltIn(BuiltIn::Level(level))) => {
                format!("level {} of {}", level.get(), Level::HIGHEST.get())
            }
            Self::BuiltIn(BotSpec::BuiltIn(BuiltIn::Perfect)) => "perfect".to_owned(),
            Self::BuiltIn(BotSpec::PerfectAgainst(level)) => {
                format!("perfect against level {}", level.get())
            }
            Self::Program(opponent) => {
                format!("played by the program {}", opponent.program.name())
            }
        }
    }

    /// Returns a new bot that plays a match as the opponent.
    fn seeded(&self, seat: &BotSeat) -> Result<Box<dyn Bot>, Forfeit> {
        match self {
            Self::BuiltIn(kind) => Ok(kind.seeded(seat.seed)),
            Self::Program(opponent) => opponent.program.enter(&Seating {
                rules: &seat.rules,
                player: seat.player,
                games: seat.games,
                seed: seat.seed % SEEDS,
                // An external program gets an empty set of value tables, because only built-in bots use these tables.
                tables: &Arc::default(),
            }),
        }
    }

    /// Returns whether the opponent is the built-in perfect player. This player may assume that the human plays at a given level.
    fn is_perfect(&self) -> bool {
        matches!(self, Self::BuiltIn(kind) if kind.is_perfect())
    }
}

/// Parameters for creating the opponent's bot: the rule set, the player (A or B), the number of games in the match, and the random seed.
struct BotSeat {
    rules: Arc<RuleSet>,
    player: Player,
    games: u8,
    /// Seed of the bot's random choices: a hash of the deal numbers of the match. Therefore the record alone determines the opponent's
    /// play.
    seed: u64,
}

/// Action of the opponent, with the opponent's reasoning.
#[derive(Debug)]
pub(crate) struct OpponentAction {
    /// Action that the opponent chose.
    pub(crate) action: Action,
    /// The opponent's reasoning for the action.
    pub(crate) thought: Thought,
    /// Whether a perfect opponent chose the action without a proof that the action is best.
    pub(crate) in_doubt: bool,
}

/// Computer opponent in a match, which receives only the view of its own seat in each game.
pub(crate) struct ComputerOpponent {
    kind: Opponent,
    seat: BotSeat,
    /// Bot of the match, or `None` before the bot's first action and after an undo into an earlier game.
    bot: Option<Box<dyn Bot>>,
    /// Finished games that the opponent has seen and may learn from, each in the opponent's view.
    learnt_games: Vec<View>,
}

impl ComputerOpponent {
    /// Creates the computer opponent of the given kind for a match. The opponent plays as the given player (A or B).
    pub(crate) fn new(kind: Opponent, contest: &Match, player: Player) -> Self {
        let deals = contest.deals().iter().map(overmate_rules::Dealt::number);
        let seed = deals.fold(0, |seed: u64, number| seed.rotate_left(7) ^ number);
        let rules = Arc::clone(contest.rules());
        let seat = BotSeat { rules, player, games: contest.length(), seed };
        Self { kind, seat, bot: None, learnt_games: Vec::new() }
    }

    /// Returns the action that the opponent chooses, and ends the search early if `stop` is set.
    pub(crate) fn act(
        &mut self,
        turn_seen: &OpponentTurn,
        stop: &StopFlag,
    ) -> Result<OpponentAction> {
        if !turn_seen.past.starts_with(&self.learnt_games) {
            self.bot = None;
            self.learnt_games.clear();
        }
        let bot = match &mut self.bot {
            Some(bot) => bot,
            none => none.insert(self.kind.seeded(&self.seat).map_err(failure)?),
        };
        // The bot learns from each finished game of the match that the bot has not seen yet. The bot's knowledge therefore follows from
        // the match record, even in a resumed match or after an undo.
        for view in turn_seen.past.iter().skip(self.learnt_games.len()) {
            bot.game_over(view);
        }
        self.learnt_games.clone_from(&turn_seen.past);
        let rules = turn_seen.view.rules();
        let time = is_best_play_slow(rules).then_some(THINKING_TIME);
        let budget = budget(rules, time, THINKING_TIME, None).with_stop(Arc::clone(stop));
        let turn = Turn::new(&turn_seen.view, turn_seen.standing, &budget);
        let choice = bot.choose(&turn).map_err(failure)?;
        let may_doubt = self.kind.is_perfect() && is_best_play_slow(rules);
        let in_doubt = may_doubt && !choice.thought.is_proved;
        Ok(OpponentAction { action: choice.action, thought: choice.thought, in_doubt })
    }

    /// Discards the opponent's bot after the match. An external program is first shown the finished games that it has not
    /// seen, so that the program learns the result of the match.
    pub(crate) fn finish(&mut self, finished: &[View]) {
        if let Some(mut bot) = self.bot.take()
            && matches!(self.kind, Opponent::Program(_))
            && finished.starts_with(&self.learnt_games)
        {
            for view in &finished[self.learnt_games.len()..] {
                bot.game_over(view);
            }
        }
        self.learnt_games.clear();
    }
}

/// Returns the error about an opponent that chose no action. The text of the error does not say that the opponent forfeits, because the
/// person may go on with the match later.
fn failure(forfeit: Forfeit) -> anyhow::Error {
    anyhow::Error::msg(forfeit.why).context("the opponent failed to choose an action")
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Deal, Player, Record, RuleSet};

    use super::*;
    use crate::play::session::Session;

    #[test]
    fn a_resumed_opponent_plays_and_thinks_as_one_that_played_from_the_start() {
        let rules = RuleSet::named("sackson").unwrap().shared();
        let deals = [7, 20_010].map(|number| Deal::numbered(&rules, number).unwrap());
        let contest = Match::with_deals(4, deals.to_vec()).unwrap();
        let mut session = Session::new(Record::new(contest), Player::A, words::OPPONENT);
        let stop = StopFlag::default();
        let newcomer = |session: &Session| {
            let perfect = Opponent::BuiltIn("perfect".parse().unwrap());
            ComputerOpponent::new(perfect, session.played_match(), !session.human())
        };
        let (mut sitting, mut ignorant) = (newcomer(&session), newcomer(&session));
        let (mut compared, mut informed, mut taken_back) = (0, 0, 0);
        while let Some(player) = session.played_match().to_act() {
            if player == session.human() {
                // The simulated human plays the last legal action or, after an odd number of undos, the first legal action.
                let legal: Vec<_> = session.view().legal_actions().collect();
                session.play_as_human(legal[(legal.len() - 1) * (1 - taken_back % 2)]).unwrap();
                continue;
            }
            let turn = session.opponent_turn();
            let answered = sitting.act(&turn, &stop).unwrap();
            let is_first = session.played_match().current().actions().is_empty();
            if is_first || session.played_match().current().position().moves() % 4 == 1 {
                let again = newcomer(&session).act(&turn, &stop).unwrap();
                assert_eq!((again.action, &again.thought), (answered.action, &answered.thought));
                compared += 1;
                let forgetful = OpponentTurn { past: Vec::new(), ..turn };
                let forgetful = ignorant.act(&forgetful, &stop).unwrap();
                informed += usize::from(forgetful.thought != answered.thought);
            }
            let told = session.play(answered.action).unwrap();
            // After the opponent's first action of a new game, the test takes back the human's last action in the previous game. The
            // opponent has by then learnt from the previous game.
            if is_first && told.game > taken_back {
                assert!(session.undo().unwrap());
                assert_eq!(session.played_match().current_index(), told.game - 1);
                taken_back += 1;
            }
        }
        assert!(
            compared > 8 && informed > 0 && taken_back > 1,
            "{compared} {informed} {taken_back}"
        );
    }
}
