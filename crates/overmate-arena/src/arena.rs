//! Schedules the matches of all pairings on worker threads and collects the results.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use overmate_rules::{ByPlayer, DealSource as _, Dealt, Match, Player, RuleSet, SeededDeals};
use overmate_solver::Budget;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};

use crate::contender::{Contender, Seating};
use crate::playing::{PlayedMatch, play_match};
use crate::sprt::Sprt;
use crate::tally::{MatchScore, PairingResult, Tally};

/// Players, and how they meet.
pub struct Arena {
    rules: Arc<RuleSet>,
    players: Vec<Arc<dyn Contender>>,
    options: ArenaOptions,
}

/// How players meet.
#[derive(Clone, Debug)]
pub struct ArenaOptions {
    /// How many pairs of matches every two players play.
    pub pairs: u64,
    /// Where the deals and the bots' chance come from.
    pub seed: u64,
    /// What a bot may spend on an action.
    pub budget: Budget,
    /// How many matches are played at the same time.
    pub threads: usize,
    /// When two players may stop before all pairs are played.
    pub sprt: Option<Sprt>,
}

impl Default for ArenaOptions {
    /// One pair of matches from seed 0, without limits, on all processors.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self { pairs: 1, seed: 0, budget: Budget::unlimited(), threads, sprt: None }
    }
}

/// Why players make no arena.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoArena {
    /// There are not two players.
    #[error("an arena has at least two players")]
    TooFew,
    /// Two players have the same name.
    #[error("`{0}` is there twice: each player needs a name of its own")]
    SameName(String),
}

/// Which match of an arena it is. Its number and its players' names tell it from all others, whoever else plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchId {
    /// The pair of matches that it belongs to, from 0; all pairs of this number have the same deals.
    pub pair: u64,
    /// The players, by their places in the list.
    pub players: ByPlayer<usize>,
}

/// Who wants to know how an arena goes on.
#[derive(Clone, Copy, Default)]
pub struct Watch<'a> {
    /// Is told every match that has been played, one at a time, in the order in which they end; stops the arena with
    /// a break.
    pub played: Option<TellPlayed<'a>>,
    /// Is told how many matches are there, and how many there will be as far as is known.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// Stops the arena when it is set. The same flag in the budget stops bots in their thoughts.
    pub stop: Option<&'a AtomicBool>,
}

/// Is told a match, and says whether the arena goes on.
pub type TellPlayed<'a> = &'a (dyn Fn(MatchId, &PlayedMatch) -> ControlFlow<()> + Sync);

/// An arena was stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the arena was stopped after {played} of {matches} matches")]
pub struct Stopped {
    /// How many matches are there.
    pub played: u64,
    /// How many there would have been.
    pub matches: u64,
}

impl Arena {
    /// An arena.
    ///
    /// # Errors
    ///
    /// If there are not two players, or two have the same name.
    pub fn new(
        rules: Arc<RuleSet>,
        players: Vec<Arc<dyn Contender>>,
        options: ArenaOptions,
    ) -> Result<Self, NoArena> {
        if players.len() < 2 {
            return Err(NoArena::TooFew);
        }
        let mut names = BTreeSet::new();
        for player in &players {
            let name = player.name();
            if !names.insert(name.clone()) {
                return Err(NoArena::SameName(name));
            }
        }
        Ok(Self { rules, players, options })
    }

    /// The players, in order.
    #[must_use]
    pub fn players(&self) -> &[Arc<dyn Contender>] {
        &self.players
    }

    /// Plays all matches but the known ones, and returns what they all came to: a result for every two players, in the
    /// order of the list. The known ones must be of this arena, with the same seed and budget.
    ///
    /// # Errors
    ///
    /// If it was stopped.
    pub fn run(
        &self,
        known: impl IntoIterator<Item = (MatchId, MatchScore)>,
        watch: &Watch<'_>,
    ) -> Result<Vec<PairingResult>, Stopped> {
        let mut course = Course::new(self);
        for (id, score) in known {
            course.add(id, score);
        }
        course.tell(watch);
        let course = Mutex::new(course);
        let stop = AtomicBool::new(false);
        let is_stopped = || {
            let asked = watch.stop.is_some_and(|flag| flag.load(Ordering::Relaxed));
            asked || stop.load(Ordering::Relaxed)
        };
        let work = || {
            while !is_stopped() {
                let Some((id, deals)) = lock(&course).next(self) else { return };
                let played = self.play(id, deals, watch.stop.unwrap_or(&stop));
                let Some(played) = played.filter(|_| !is_stopped()) else { return };
                let mut course = lock(&course);
                course.add(id, MatchScore::from(&played));
                if watch.played.is_some_and(|tell| tell(id, &played).is_break()) {
                    stop.store(true, Ordering::Relaxed);
                }
                course.tell(watch);
            }
        };
        let threads = self.options.threads.max(1);
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let course = course.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (played, matches) = course.progress();
        if course.tallies.iter().all(Tally::is_done) {
            Ok(course.tallies.into_iter().map(Tally::into_result).collect())
        } else {
            Err(Stopped { played, matches })
        }
    }

    /// Plays one match; `None` if it was stopped.
    fn play(&self, id: MatchId, deals: Vec<Dealt>, stop: &AtomicBool) -> Option<PlayedMatch> {
        let rules = &self.rules;
        let games = rules.rounds().saturating_mul(2);
        let contest = Match::with_deals(games, deals)
            .expect("one deal of the arena's rule set for each round");
        let enter = |player: Player| {
            let seed = bot_seed(self.options.seed, id.pair, player);
            self.players[id.players[player]].enter(&Seating { rules, player, games, seed })
        };
        match (enter(Player::A), enter(Player::B)) {
            (Ok(a), Ok(b)) => {
                let mut bots = ByPlayer { a, b };
                play_match(contest, &mut bots, &self.options.budget, stop)
            }
            (Err(forfeit), _) => Some(PlayedMatch::forfeited(contest, Player::A, forfeit)),
            (_, Err(forfeit)) => Some(PlayedMatch::forfeited(contest, Player::B, forfeit)),
        }
    }
}

fn lock(course: &Mutex<Course>) -> MutexGuard<'_, Course> {
    // Should a thread panic, the scope passes it on.
    course.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The seed of a player's bot in a match: the same whoever else plays, and another one for each match and player.
fn bot_seed(seed: u64, pair: u64, player: Player) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&pair.to_le_bytes());
    // Not zero, so that no key is that of the deals.
    key[16] = match player {
        Player::A => 1,
        Player::B => 2,
    };
    ChaCha20Rng::from_seed(key).next_u64() >> 11
}

/// How far an arena has come.
struct Course {
    tallies: Vec<Tally>,
    pairs: u64,
    source: SeededDeals,
    /// The deals of the present pair.
    deals: Vec<Dealt>,
    /// The present pair; deals are drawn when it is begun.
    pair: u64,
    /// The next match of the present pair: twice the pairing's place, plus one for the second match.
    step: usize,
}

impl Course {
    fn new(arena: &Arena) -> Self {
        let ArenaOptions { pairs, seed, sprt, .. } = arena.options;
        let places = 0..arena.players.len();
        let pairings = places.clone().flat_map(|one| places.clone().map(move |other| [one, other]));
        let tallies = pairings.filter(|[one, other]| one < other);
        Self {
            tallies: tallies.map(|players| Tally::new(players, pairs, sprt)).collect(),
            pairs,
            source: SeededDeals::new(seed),
            deals: Vec::new(),
            pair: 0,
            step: 0,
        }
    }

    /// The next match that has to be played, and its deals.
    fn next(&mut self, arena: &Arena) -> Option<(MatchId, Vec<Dealt>)> {
        while self.pair < self.pairs && !self.tallies.iter().all(Tally::is_done) {
            if self.step == 0 {
                let rounds = 0..arena.rules.rounds();
                self.deals = rounds.map(|_| self.source.next_deal(&arena.rules)).collect();
            }
            let (pair, step) = (self.pair, self.step);
            let tally = &self.tallies[step / 2];
            self.step += 1;
            if self.step == 2 * self.tallies.len() {
                self.step = 0;
                self.pair += 1;
            }
            if tally.wants(2 * pair + (step % 2) as u64) {
                let [one, other] = tally.players();
                let players = match step % 2 {
                    0 => ByPlayer { a: one, b: other },
                    _ => ByPlayer { a: other, b: one },
                };
                return Some((MatchId { pair, players }, self.deals.clone()));
            }
        }
        None
    }

    fn add(&mut self, id: MatchId, score: MatchScore) {
        let ByPlayer { a, b } = id.players;
        let players = [a.min(b), a.max(b)];
        if let Some(tally) = self.tallies.iter_mut().find(|tally| tally.players() == players) {
            tally.add(2 * id.pair + u64::from(a > b), score);
        }
    }

    fn progress(&self) -> (u64, u64) {
        let all = self.tallies.iter().map(Tally::progress);
        all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    fn tell(&self, watch: &Watch<'_>) {
        if let Some(tell) = watch.progress {
            let (done, total) = self.progress();
            tell(done, total);
        }
    }
}
