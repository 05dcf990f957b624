//! Whom one plays against, and the adviser who knows every value.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use overmate_bots::{Bot, BuiltIn, Standing, Turn};
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
}

/// What it does.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) action: Action,
    /// Whether somebody who should be perfect could not prove that nothing is better.
    pub(crate) in_doubt: bool,
}

/// Knows nothing of a game but the views that it is shown.
pub(crate) struct Opponent {
    kind: BuiltIn,
    bot: Box<dyn Bot>,
}

impl Opponent {
    /// The opponent for a match. What it does follows from the deals and from what is played.
    pub(crate) fn new(kind: BuiltIn, contest: &Match) -> Self {
        let deals = contest.deals().iter().map(overmate_rules::Dealt::number);
        let seed = deals.fold(0, |seed: u64, number| seed.rotate_left(7) ^ number);
        Self { kind, bot: kind.seeded(seed) }
    }

    /// What it does in its own place.
    pub(crate) fn act(&mut self, asked: &Asked, stop: &Stop) -> Result<Answered> {
        let rules = asked.view.rules();
        let time = hides_best_play(rules).then_some(THINKING);
        let budget = budget(rules, time, THINKING, None).with_stop(Arc::clone(stop));
        let turn = Turn { view: &asked.view, standing: asked.standing, budget: &budget };
        let choice = self.bot.choose(&turn)?;
        let may_doubt = self.kind == BuiltIn::Perfect && hides_best_play(rules);
        Ok(Answered { action: choice.action, in_doubt: may_doubt && !choice.thought.is_proved })
    }

    /// Lets it learn from a game that is over.
    pub(crate) fn game_over(&mut self, view: &View) {
        self.bot.game_over(view);
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
