//! Whom one plays against, and the adviser who knows every value.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use overmate_bots::{Bot, BuiltIn, Standing, Thought, Turn};
use overmate_rules::{Action, Game, Match, View};
use overmate_solver::{Counsel, Review, Solver};

use crate::solve::{budget, hides_best_play};

/// How long anybody thinks where best play is not known at once.
const THINKING: Duration = Duration::from_secs(1);
/// How long a game of such a deck is reviewed.
const REVIEWING: Duration = Duration::from_secs(20);

/// A flag that ends what somebody thinks about.
pub(crate) type Stop = Arc<AtomicBool>;

/// All that the opponent is told when it is its turn.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) view: View,
    pub(crate) standing: Standing,
    /// The games of the match that are over, in order, as it may know them.
    pub(crate) past: Vec<View>,
}

/// What it does.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) action: Action,
    /// What it saw before.
    pub(crate) thought: Thought,
    /// Whether somebody who should be perfect could not prove that nothing is better.
    pub(crate) in_doubt: bool,
}

/// Knows nothing of a game but the views that it is shown.
pub(crate) struct Opponent {
    kind: BuiltIn,
    seed: u64,
    bot: Box<dyn Bot>,
    /// The games that the bot has learnt from.
    known: Vec<View>,
}

impl Opponent {
    /// The opponent for a match. What it does follows from the deals and from what is played.
    pub(crate) fn new(kind: BuiltIn, contest: &Match) -> Self {
        let deals = contest.deals().iter().map(overmate_rules::Dealt::number);
        let seed = deals.fold(0, |seed: u64, number| seed.rotate_left(7) ^ number);
        Self { kind, seed, bot: kind.seeded(seed), known: Vec::new() }
    }

    /// What it does in its own place.
    pub(crate) fn act(&mut self, asked: &Asked, stop: &Stop) -> Result<Answered> {
        self.learn(&asked.past);
        let rules = asked.view.rules();
        let time = hides_best_play(rules).then_some(THINKING);
        let budget = budget(rules, time, THINKING, None).with_stop(Arc::clone(stop));
        let turn = Turn { view: &asked.view, standing: asked.standing, budget: &budget };
        let choice = self.bot.choose(&turn)?;
        let may_doubt = self.kind == BuiltIn::Perfect && hides_best_play(rules);
        let in_doubt = may_doubt && !choice.thought.is_proved;
        Ok(Answered { action: choice.action, thought: choice.thought, in_doubt })
    }

    /// Lets it learn from exactly these games: what it knows follows from the record alone, also when the match was begun
    /// another day, or when a game that was over has been taken back.
    fn learn(&mut self, past: &[View]) {
        if !past.starts_with(&self.known) {
            self.bot = self.kind.seeded(self.seed);
            self.known.clear();
        }
        for view in past.iter().skip(self.known.len()) {
            self.bot.game_over(view);
        }
        self.known = past.to_vec();
    }
}

/// What the opponent is called next to its name: `level 3 of 9`, `perfect`.
pub(crate) fn strength(kind: BuiltIn) -> String {
    match kind {
        BuiltIn::Level(level) => {
            format!("level {} of {}", level.get(), overmate_bots::Level::HIGHEST.get())
        }
        BuiltIn::Perfect => "perfect".to_owned(),
    }
}

/// Gives hints and reviews games, by exact values as far as they can be had.
pub(crate) struct Adviser(Solver);

impl Adviser {
    pub(crate) fn new() -> Self {
        Self(Solver::new())
    }

    /// What each action of the viewer is worth, if it is his turn.
    pub(crate) fn counsel(&mut self, view: &View, stop: &Stop) -> Option<Counsel> {
        let budget = budget(view.rules(), None, THINKING, None);
        self.0.counsel(view, &budget.with_stop(Arc::clone(stop)))
    }

    /// What each action of a game was worth.
    pub(crate) fn review(&mut self, game: &Game, stop: &Stop) -> Review {
        let budget = budget(game.rules(), None, REVIEWING, None);
        self.0.review(game, &budget.with_stop(Arc::clone(stop)))
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Deal, Player, Record, RuleSet};

    use super::*;
    use crate::play::session::Session;

    /// What the opponent does and thinks is the same whether it has sat there all the time or comes to the record as it
    /// stands; also when a game that was over is taken back.
    #[test]
    fn what_the_opponent_knows_follows_from_the_record() {
        let rules = RuleSet::named("sackson").unwrap().shared();
        let deals = [7, 20_010].map(|number| Deal::numbered(&rules, number).unwrap());
        let contest = Match::with_deals(&rules, 4, deals.to_vec());
        let mut session = Session::new(Record::new(contest), Player::A);
        let stop = Stop::default();
        let newcomer = |session: &Session| Opponent::new(BuiltIn::Perfect, session.contest());
        let (mut sitting, mut ignorant) = (newcomer(&session), newcomer(&session));
        let (mut compared, mut informed, mut taken_back) = (0, 0, 0);
        while let Some(player) = session.contest().to_act() {
            if player == session.human() {
                // Not very good, and not the same after what was taken back.
                let legal = session.view().legal_actions();
                session.play_as_human(legal[(legal.len() - 1) * (1 - taken_back % 2)]).unwrap();
                continue;
            }
            let asked = session.asked();
            let answered = sitting.act(&asked, &stop).unwrap();
            let is_first = session.contest().current().actions().is_empty();
            if is_first || session.contest().current().position().moves() % 4 == 1 {
                let again = newcomer(&session).act(&asked, &stop).unwrap();
                assert_eq!((again.action, &again.thought), (answered.action, &answered.thought));
                compared += 1;
                let forgetful = Asked { past: Vec::new(), ..asked };
                let forgetful = ignorant.act(&forgetful, &stop).unwrap();
                informed += usize::from(forgetful.thought != answered.thought);
            }
            let told = session.play(answered.action).unwrap();
            // It begins a game, and has learnt from the one before.
            if is_first && told.game > taken_back {
                assert!(session.undo().unwrap());
                assert_eq!(session.contest().current_index(), told.game - 1);
                taken_back += 1;
            }
        }
        assert!(
            compared > 8 && informed > 0 && taken_back > 1,
            "{compared} {informed} {taken_back}"
        );
    }
}
