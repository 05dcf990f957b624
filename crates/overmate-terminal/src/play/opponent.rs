//! Implements the computer opponent of the human in a match.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use overmate_bots::{Bot, BotSpec, BuiltIn, Level, Thought, Turn};
use overmate_rules::{Action, Match, View};

use super::session::OpponentTurn;
use crate::limits::{StopFlag, budget, hides_best_play};

/// Time limit for the opponent to choose one action, if best play takes long to compute.
const THINKING_TIME: Duration = Duration::from_secs(1);

/// Action of the opponent, with the opponent's reasoning.
#[derive(Debug)]
pub(crate) struct OpponentAction {
    /// Action that the opponent chose.
    pub(crate) action: Action,
    /// The opponent's reasoning for the action.
    pub(crate) thought: Thought,
    /// Whether a perfect opponent chose the action without a proof that no other action is better.
    pub(crate) in_doubt: bool,
}

/// Computer opponent in a match, which receives only the view of its own seat in each game.
pub(crate) struct ComputerOpponent {
    kind: BotSpec,
    seed: u64,
    bot: Box<dyn Bot>,
    /// Finished games that the opponent has seen and may learn from, each in the opponent's view.
    learnt_games: Vec<View>,
}

impl ComputerOpponent {
    /// Creates the computer opponent of the given kind for a match. The seed is a hash of the deals, so that the play
    /// of the opponent follows from the record alone.
    pub(crate) fn new(kind: BotSpec, contest: &Match) -> Self {
        let deals = contest.deals().iter().map(overmate_rules::Dealt::number);
        let seed = deals.fold(0, |seed: u64, number| seed.rotate_left(7) ^ number);
        Self { kind, seed, bot: kind.seeded(seed), learnt_games: Vec::new() }
    }

    /// Returns the action that the opponent chooses, and ends the search early if `stop` is set.
    pub(crate) fn act(
        &mut self,
        turn_seen: &OpponentTurn,
        stop: &StopFlag,
    ) -> Result<OpponentAction> {
        self.learn(&turn_seen.past);
        let rules = turn_seen.view.rules();
        let time = hides_best_play(rules).then_some(THINKING_TIME);
        let budget = budget(rules, time, THINKING_TIME, None).with_stop(Arc::clone(stop));
        let turn = Turn::new(&turn_seen.view, turn_seen.standing, &budget);
        let choice = self.bot.choose(&turn)?;
        let may_doubt = self.kind.is_perfect() && hides_best_play(rules);
        let in_doubt = may_doubt && !choice.thought.is_proved;
        Ok(OpponentAction { action: choice.action, thought: choice.thought, in_doubt })
    }

    /// Makes the opponent learn from exactly the given finished games.
    ///
    /// The bot's knowledge depends only on the record, even after a resumed match or an undo.
    fn learn(&mut self, past: &[View]) {
        if !past.starts_with(&self.learnt_games) {
            self.bot = self.kind.seeded(self.seed);
            self.learnt_games.clear();
        }
        for view in past.iter().skip(self.learnt_games.len()) {
            self.bot.game_over(view);
        }
        self.learnt_games = past.to_vec();
    }
}

/// Describes the strength of a computer opponent, such as `level 3 of 9` or `perfect`.
pub(crate) fn strength(kind: BotSpec) -> String {
    match kind {
        BotSpec::BuiltIn(BuiltIn::Level(level)) => {
            format!("level {} of {}", level.get(), Level::HIGHEST.get())
        }
        BotSpec::BuiltIn(BuiltIn::Perfect) => "perfect".to_owned(),
        BotSpec::PerfectAgainst(level) => format!("perfect against level {}", level.get()),
    }
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
        let mut session = Session::new(Record::new(contest), Player::A);
        let stop = StopFlag::default();
        let newcomer = |session: &Session| {
            ComputerOpponent::new("perfect".parse().unwrap(), session.played_match())
        };
        let (mut sitting, mut ignorant) = (newcomer(&session), newcomer(&session));
        let (mut compared, mut informed, mut taken_back) = (0, 0, 0);
        while let Some(player) = session.played_match().to_act() {
            if player == session.human() {
                // The simulated human plays weakly, and chooses different actions after a game was taken back.
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
            // The first action of a new game is checked, because the opponent has then learnt from the previous game.
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
