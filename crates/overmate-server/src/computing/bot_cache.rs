//! Caches computer opponents between their actions, to reuse their search results.

use std::net::IpAddr;
use std::time::Duration;

use overmate_bots::{BuiltIn, Choice, Forfeit};
use overmate_rules::{Face, Match, Player, RuleSet};
use overmate_solver::{Budget, MAX_TABLE_HAND, Solver};

use super::fair_cache::FairCache;
use super::match_bot::MatchBot;

/// Memory limit of the cached computer opponents, in bytes.
const BYTES: u64 = 256_000_000;

/// Upper bound, in bytes, of the memory for the game trees that the perfect computer opponent keeps
/// while a card lies face down.
const TREES: u64 = 64_000_000;

/// Idle timeout of the cached computer opponents.
const TIME_TO_IDLE: Duration = Duration::from_mins(5);

/// Cached computer opponents, by match and player.
pub(crate) struct BotCache(FairCache<(Box<str>, Player), CachedBot>);

/// Computer opponent of one match, kept in memory with its search results.
pub(crate) struct CachedBot {
    id: Box<str>,
    player: Player,
    kind: BuiltIn,
    bot: MatchBot,
}

impl Default for BotCache {
    fn default() -> Self {
        Self(FairCache::new(BYTES))
    }
}

impl BotCache {
    /// Takes a player's computer opponent out of the cache, or creates a new computer opponent.
    pub(crate) fn take(&self, id: &str, player: Player, bot: BuiltIn, seed: u64) -> CachedBot {
        self.0.take(&(id.into(), player)).unwrap_or_else(|| CachedBot {
            id: id.into(),
            player,
            kind: bot,
            bot: MatchBot::new(player, bot.seeded(seed)),
        })
    }

    /// Puts a computer opponent back into the cache after its action. The memory of the opponent counts for the client network of
    /// the person who plays the match.
    pub(crate) fn put(&self, bot: CachedBot, rules: &RuleSet, network: IpAddr) {
        let bytes = largest_memory(bot.kind, rules);
        self.0.put((bot.id.clone(), bot.player), bot, network, bytes);
    }

    /// Removes all computer opponents of one match from the cache.
    pub(crate) fn remove(&self, id: &str) {
        self.0.retain(|(of, _)| **of != *id);
    }

    /// Drops the cached computer opponents that have been idle for [`TIME_TO_IDLE`] or longer.
    pub(crate) fn remove_idle(&self) {
        self.0.remove_idle(TIME_TO_IDLE);
    }
}

/// Returns an upper bound, in bytes, on the memory that a computer opponent keeps between its
/// actions.
fn largest_memory(bot: BuiltIn, rules: &RuleSet) -> u64 {
    let hand = rules.hand_size().min(MAX_TABLE_HAND);
    // A position consists of the sets of cards of both hands, the leader, and whether the free move is used.
    let positions = if rules.free_move() { 4 } else { 2 } << (2 * hand);
    // A horizon table holds 16 bits for each position.
    let table = 2 * positions;
    let hides_card = rules.foreplacing().is_some_and(|foreplacing| foreplacing.face == Face::Down);
    let hidden = |bytes: u64| if hides_card { bytes } else { 0 };
    let late = if hand < rules.hand_size() { Solver::LATE_BYTES } else { 0 };
    match bot {
        // A computer opponent of a strength level keeps one horizon table for each hand size at which its searches end. One table is
        // counted for a level that searches at most two moves. If a card may lie face down, the level's belief also needs the values with
        // all cards open.
        BuiltIn::Level(level) if level.horizon() <= 2 => table + hidden(table),
        BuiltIn::Level(_) => 11 * table + hidden(table),
        // The computer opponent `perfect` keeps horizon tables and the expected points of the positions that it has visited. Its number of
        // horizon tables is bounded as for a level that searches more than two moves. While a card lies face down, it also keeps game
        // trees. With a large deck its solver keeps the values of late positions, and so does its second solver for games with a face-down
        // card.
        BuiltIn::Perfect => 11 * table + 8 * positions + hidden(TREES + late) + late,
    }
}

impl CachedBot {
    /// Makes the computer opponent choose an action in the current position of the match, within a
    /// search budget. The choice depends only on the seed and the visible games, so that a new bot
    /// would choose the same action.
    pub(crate) fn choose(&mut self, play: &Match, budget: &Budget) -> Result<Choice, Forfeit> {
        self.bot.choose(play, budget)
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
            // The test plays into the third game of the match, so that the bot also receives finished games.
            while play.current_index() < 2 && play.result().is_none() {
                let action = if play.to_act() == Some(Player::A) {
                    let mut cached = cache.take("match", Player::A, bot(name), 5);
                    let choice = cached.choose(&play, &budget).expect("a choice");
                    cache.put(cached, &rules, [192, 0, 2, 1].into());
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
    fn the_opponents_of_one_network_do_not_displace_those_of_another() {
        let cache = BotCache::default();
        let rules = RuleSet::named("bga").expect("a rule set").shared();
        let network = |number: u8| IpAddr::from([192, 0, 2, number]);
        // Takes a computer opponent out of the cache and puts it back, and returns whether the cache held the opponent.
        let use_it = |id: &str, of: u8| {
            let before = cache.0.len();
            let bot = cache.take(id, Player::A, bot("level:1"), 1);
            let was_cached = cache.0.len() < before;
            cache.put(bot, &rules, network(of));
            was_cached
        };
        assert!(!use_it("honest", 1));
        for number in 0..100 {
            assert!(!use_it(&format!("match {number}"), 2), "{number}");
        }
        assert!(cache.0.len() < 100, "{} opponents", cache.0.len());
        let were_cached = (use_it("honest", 1), use_it("match 99", 2), use_it("match 0", 2));
        assert_eq!(were_cached, (true, true, false));
        cache.remove("honest");
        assert!(!use_it("honest", 1));
    }
}
