//! Whom one plays against, and the adviser who knows every value.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use overmate_bots::hidden::{Advice, HiddenSolver, Strength};
use overmate_bots::{Bot, BuiltIn, HousePlayer, Level, Standing, Thought, Turn};
use overmate_rules::{Action, Game, Match, View};
use overmate_solver::{Review, Solver};

use super::hint::Hint;
use crate::limits::{budget, hides_best_play, is_large};

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
    kind: HousePlayer,
    seed: u64,
    bot: Box<dyn Bot>,
    /// The games that the bot has learnt from.
    known: Vec<View>,
}

impl Opponent {
    /// The opponent for a match. What it does follows from the deals and from what is played.
    pub(crate) fn new(kind: HousePlayer, contest: &Match) -> Self {
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
        let may_doubt = self.kind.is_perfect() && hides_best_play(rules);
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

/// What the opponent is called next to its name: `level 3 of 9`, `perfect`, `perfect against level 3`.
pub(crate) fn strength(kind: HousePlayer) -> String {
    match kind {
        HousePlayer::BuiltIn(BuiltIn::Level(level)) => {
            format!("level {} of {}", level.get(), Level::HIGHEST.get())
        }
        HousePlayer::BuiltIn(BuiltIn::Perfect) => "perfect".to_owned(),
        HousePlayer::PerfectAgainst(level) => format!("perfect against level {}", level.get()),
    }
}

/// Gives hints and reviews games, by exact values as far as they can be had.
pub(crate) struct Adviser {
    solver: Solver,
    /// Where something is hidden, or may be.
    mind: HiddenSolver,
}

impl Adviser {
    pub(crate) fn new() -> Self {
        // It draws nothing, so its seed is of no consequence.
        Self { solver: Solver::new(), mind: HiddenSolver::new(Strength::FULL, 0) }
    }

    /// What each action of the viewer is worth, if it is his turn.
    pub(crate) fn hint(&mut self, view: &View, stop: &Stop) -> Option<Hint> {
        self.hint_within(THINKING, view, stop)
    }

    fn hint_within(&mut self, limit: Duration, view: &View, stop: &Stop) -> Option<Hint> {
        let budget_of = |time| budget(view.rules(), time, limit, None).with_stop(Arc::clone(stop));
        // The open values say little where a card is hidden: they know what a player does not. A large deck has nothing better.
        let has_better = !is_large(view.rules());
        let advice = has_better.then(|| self.mind.advise(view, &budget_of(Some(limit)))).flatten();
        let says_something = |advice: &Advice| {
            advice.is_proved || advice.actions.iter().any(|action| action.expected.is_some())
        };
        match advice.filter(says_something) {
            Some(advice) => Some(Hint::Hidden(advice)),
            None => self.solver.advise(view, &budget_of(None)).map(Hint::Values),
        }
    }

    /// What each action of a game was worth.
    pub(crate) fn review(&mut self, game: &Game, stop: &Stop) -> Review {
        let budget = budget(game.rules(), None, REVIEWING, None);
        self.solver.review(game, &budget.with_stop(Arc::clone(stop)))
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{Deal, Player, Record, RuleSet, Viewer};
    use overmate_solver::Budget;

    use super::*;
    use crate::play::session::Session;

    /// The values of open cards would name one action for each card that may lie there, as if it were known.
    #[test]
    fn a_hint_reckons_with_what_is_not_known() {
        let rules = RuleSet::named("denexa").unwrap().shared();
        let stop = Stop::default();
        let (mut asked, mut mixed) = (0, 0);
        for number in [7_u64, 99, 20_010] {
            let mut game = Game::new(Deal::numbered(&rules, number).unwrap());
            let mut turn = 0;
            while let Some(seat) = game.to_act() {
                let view = game.view(Viewer::Seat(seat));
                // So few cards are solved in no time.
                if view.hides_card(!seat) && view.hand(seat).len() <= 3 {
                    let advice =
                        HiddenSolver::new(Strength::FULL, 1).advise(&view, &Budget::unlimited());
                    let minute = Duration::from_mins(1);
                    let hint = Adviser::new().hint_within(minute, &view, &stop).unwrap();
                    assert_eq!(Some(&hint), advice.map(Hint::Hidden).as_ref());
                    assert_eq!(hint.rows(seat).len(), view.legal_actions().len());
                    assert!(hint.rests_on().is_some_and(|text| text.starts_with("It rests on ")));
                    mixed += usize::from(hint.rows(seat).iter().any(|row| !row.more.is_empty()));
                    asked += 1;
                }
                let legal = view.legal_actions();
                turn += 5;
                game = game.play(legal[turn % legal.len()]).unwrap();
            }
        }
        assert!(asked > 3 && mixed > 0, "{asked} {mixed}");
    }

    /// What the opponent does and thinks is the same whether it has sat there all the time or comes to the record as it
    /// stands; also when a game that was over is taken back.
    #[test]
    fn what_the_opponent_knows_follows_from_the_record() {
        let rules = RuleSet::named("sackson").unwrap().shared();
        let deals = [7, 20_010].map(|number| Deal::numbered(&rules, number).unwrap());
        let contest = Match::with_deals(4, deals.to_vec()).unwrap();
        let mut session = Session::new(Record::new(contest), Player::A);
        let stop = Stop::default();
        let newcomer =
            |session: &Session| Opponent::new("perfect".parse().unwrap(), session.contest());
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
