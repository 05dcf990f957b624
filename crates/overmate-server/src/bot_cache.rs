//! Keeps computer opponents in memory between their actions, so that the search of a deal is reused for later actions.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use overmate_bots::{Bot, BuiltIn, Choice, Forfeit, Standing, Turn};
use overmate_rules::{Match, Player, View, Viewer};
use overmate_solver::Budget;

/// Largest number of computer opponents in the cache. A perfect opponent takes up to 60 MB.
const CAPACITY: usize = 4;

/// Time without an action after which a computer opponent is dropped from the cache.
const TIME_TO_IDLE: Duration = Duration::from_mins(5);

/// Cached computer opponents, ordered by last use, with the most recently used at the end.
#[derive(Default)]
pub(crate) struct BotCache(Mutex<VecDeque<CachedBot>>);

/// Computer opponent of one match, kept in memory with its search results.
pub(crate) struct CachedBot {
    id: Box<str>,
    player: Player,
    bot: Box<dyn Bot>,
    /// Count of the finished games of the match that were passed to the computer opponent.
    shown: usize,
    used: Instant,
}

impl BotCache {
    /// Takes the computer opponent of a match out of the cache, or creates a new opponent if none is cached.
    pub(crate) fn take(&self, id: &str, player: Player, bot: BuiltIn, seed: u64) -> CachedBot {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = cached.iter().position(|other| *other.id == *id && other.player == player);
        at.and_then(|at| cached.remove(at)).unwrap_or_else(|| CachedBot {
            id: id.into(),
            player,
            bot: bot.seeded(seed),
            shown: 0,
            used: Instant::now(),
        })
    }

    /// Puts a computer opponent into the cache after its action. If the cache is full, the least recently used opponent is dropped.
    pub(crate) fn put(&self, bot: CachedBot) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.push_back(CachedBot { used: Instant::now(), ..bot });
        if cached.len() > CAPACITY {
            cached.pop_front();
        }
    }

    /// Removes all computer opponents of one match from the cache.
    pub(crate) fn remove(&self, id: &str) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.retain(|bot| *bot.id != *id);
    }

    /// Drops the computer opponents that have been idle for [`TIME_TO_IDLE`] from the cache.
    pub(crate) fn remove_idle(&self) {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cached.retain(|bot| bot.used.elapsed() < TIME_TO_IDLE);
    }
}

impl CachedBot {
    /// Lets the computer opponent choose an action in the current position of the match within a search budget. The choice depends on the seed and
    /// the visible games only, so a new bot would choose the same action.
    pub(crate) fn choose(&mut self, play: &Match, budget: &Budget) -> Result<Choice, Forfeit> {
        let current = play.current_index();
        for index in self.shown..current {
            self.bot.game_over(&self.view(play, index));
        }
        self.shown = self.shown.max(current);
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
    fn a_cached_opponent_chooses_the_same_action_as_a_new_one() {
        let budget = Budget::unlimited().with_nodes(20_000);
        let mut choices = 0;
        for (rules, name) in [("bga", "perfect"), ("denexa", "level:4"), ("rael", "level:9")] {
            let rules = RuleSet::named(rules).expect("a rule set").shared();
            let mut play = Match::new(&rules, &mut SeededDeals::new(7));
            let cache = BotCache::default();
            // Two games, so that the bot is shown one finished game.
            while play.current_index() < 2 && play.result().is_none() {
                let action = if play.to_act() == Some(Player::A) {
                    let mut cached = cache.take("match", Player::A, bot(name), 5);
                    let choice = cached.choose(&play, &budget).expect("a choice");
                    cache.put(cached);
                    let mut new = BotCache::default().take("match", Player::A, bot(name), 5);
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
    fn the_cache_keeps_the_most_recently_used_opponents_of_each_match() {
        let cache = BotCache::default();
        let count = || cache.0.lock().expect("no panic").len();
        let use_it = |id: &str| {
            let mut bot = cache.take(id, Player::B, bot("level:1"), 1);
            bot.shown += 1;
            let shown = bot.shown;
            cache.put(bot);
            shown
        };
        for number in 0..3 * CAPACITY {
            assert_eq!(use_it(&format!("match {number}")), 1);
            // Match 0 is used in every round, so its opponent stays in the cache.
            assert_eq!(use_it("match 0"), number + 2);
            assert!(count() <= CAPACITY);
        }
        assert_eq!(use_it("match 1"), 1);
        cache.remove("match 0");
        assert_eq!((count(), use_it("match 0")), (CAPACITY - 1, 1));
        cache.remove_idle();
        assert_eq!(count(), CAPACITY);
    }
}
