//! Computer opponents between their actions: what one has worked out for a deal serves it again.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use overmate_bots::{Bot, BuiltIn, Choice, Forfeit, Standing, Turn};
use overmate_rules::{Match, Player, View, Viewer};
use overmate_solver::Budget;

/// How many are kept at most: one that plays perfectly takes up to 60 MB.
const KEPT: usize = 4;

/// After how long without an action one is let go.
const IDLE: Duration = Duration::from_mins(5);

/// The opponents that are kept, the one that acted last at the end.
#[derive(Default)]
pub(crate) struct Kept(Mutex<VecDeque<Opponent>>);

/// An opponent in a match.
pub(crate) struct Opponent {
    id: Box<str>,
    player: Player,
    bot: Box<dyn Bot>,
    /// How many finished games of the match it has been told of.
    told: usize,
    used: Instant,
}

impl Kept {
    /// The opponent of a match, as it was left or made anew.
    pub(crate) fn take(&self, id: &str, player: Player, bot: BuiltIn, seed: u64) -> Opponent {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|other| *other.id == *id && other.player == player);
        at.and_then(|at| kept.remove(at)).unwrap_or_else(|| Opponent {
            id: id.into(),
            player,
            bot: bot.seeded(seed),
            told: 0,
            used: Instant::now(),
        })
    }

    /// Keeps an opponent for its next action. The one that has waited longest gives way.
    pub(crate) fn put(&self, opponent: Opponent) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(Opponent { used: Instant::now(), ..opponent });
        if kept.len() > KEPT {
            kept.pop_front();
        }
    }

    /// Lets the opponents of a match go.
    pub(crate) fn forget(&self, id: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|opponent| *opponent.id != *id);
    }

    /// Lets those go that nobody has played against for a while.
    pub(crate) fn forget_the_idle(&self) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|opponent| opponent.used.elapsed() < IDLE);
    }
}

impl Opponent {
    /// What it does now. That follows from its seed and from what it is shown alone: kept or made anew, it does the same.
    pub(crate) fn choose(&mut self, play: &Match, budget: &Budget) -> Result<Choice, Forfeit> {
        let current = play.current_index();
        for index in self.told..current {
            self.bot.game_over(&self.view(play, index));
        }
        self.told = self.told.max(current);
        let view = self.view(play, current);
        let standing = Standing::of(play, self.player);
        self.bot.choose(&Turn { view: &view, standing, budget })
    }

    fn view(&self, play: &Match, index: usize) -> View {
        play.games()[index].view(Viewer::Seat(Match::seat(index, self.player)))
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{RuleSet, SeededDeals};

    use super::*;

    fn bot(name: &str) -> BuiltIn {
        name.parse().expect("an opponent")
    }

    #[test]
    fn kept_or_made_anew_an_opponent_does_the_same() {
        let budget = Budget::unlimited().with_nodes(100_000);
        let mut choices = 0;
        for (rules, name) in [("bga", "perfect"), ("denexa", "level:4"), ("rael", "level:9")] {
            let rules = RuleSet::named(rules).expect("a rule set").shared();
            let mut play = Match::new(&rules, &mut SeededDeals::new(7));
            let kept = Kept::default();
            // Two games, so that it is told of one.
            while play.current_index() < 2 && play.result().is_none() {
                let action = if play.to_act() == Some(Player::A) {
                    let mut opponent = kept.take("match", Player::A, bot(name), 5);
                    let choice = opponent.choose(&play, &budget).expect("a choice");
                    kept.put(opponent);
                    let mut new = Kept::default().take("match", Player::A, bot(name), 5);
                    assert_eq!(new.choose(&play, &budget).expect("a choice").action, choice.action);
                    choices += 1;
                    choice.action
                } else {
                    let legal: Vec<_> = play.current().legal_actions().collect();
                    legal[legal.len() / 2]
                };
                play = play.play(action).expect("a legal action");
            }
        }
        assert!(choices > 20, "{choices}");
    }

    #[test]
    fn no_more_than_a_handful_is_kept_and_each_for_its_match() {
        let kept = Kept::default();
        let count = || kept.0.lock().expect("no panic").len();
        let use_it = |id: &str| {
            let mut opponent = kept.take(id, Player::B, bot("level:1"), 1);
            opponent.told += 1;
            let told = opponent.told;
            kept.put(opponent);
            told
        };
        for number in 0..3 * KEPT {
            assert_eq!(use_it(&format!("match {number}")), 1);
            // The first is in use again and again, and stays.
            assert_eq!(use_it("match 0"), number + 2);
            assert!(count() <= KEPT);
        }
        assert_eq!(use_it("match 1"), 1);
        kept.forget("match 0");
        assert_eq!((count(), use_it("match 0")), (KEPT - 1, 1));
        kept.forget_the_idle();
        assert_eq!(count(), KEPT);
    }
}
