//! Schedules the matches between all pairs of entrants on worker threads, and collects the results.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use overmate_bots::SharedTables;
use overmate_rules::{ByPlayer, DealSource as _, Dealt, Match, Player, RuleSet, SeededDeals};
use overmate_solver::Budget;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};

use crate::entrant::{Entrant, Seating};
use crate::match_play::{PlayedMatch, play_match};
use crate::pairing::{MatchScore, PairingCounter, PairingResult};
use crate::sprt::Sprt;

/// Tournament between bots in which every two entrants play match pairs: two matches on the same deals with exchanged seats.
/// [`Pairings`] can select some of the pairings.
pub struct Arena {
    rules: Arc<RuleSet>,
    players: Vec<Arc<dyn Entrant>>,
    options: ArenaOptions,
}

/// Options of an arena: number of matches, seed, budgets and threads.
///
/// ```
/// use overmate_arena::ArenaOptions;
/// let options = ArenaOptions::default().with_pairs(100).with_seed(7);
/// assert_eq!((options.pairs, options.seed), (100, 7));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ArenaOptions {
    /// Number of match pairs (two matches on the same deals) that every two entrants play.
    pub pairs: u64,
    /// Random seed from which the arena derives the deals of all matches and the seed of each bot.
    pub seed: u64,
    /// Search budget of a bot for each action, such as a node limit and a time limit.
    pub budget: Budget,
    /// Maximum number of concurrent matches.
    pub threads: usize,
    /// Sequential probability ratio test that may end the matches between two entrants early, or `None` to play all match pairs.
    pub sprt: Option<Sprt>,
    /// Pairings that are played.
    pub pairings: Pairings,
    /// Deals of the matches, in the order of the match pairs: one deal for each round of each match pair. `None` draws
    /// the deals from the seed.
    pub deals: Option<Arc<[Dealt]>>,
}

impl Default for ArenaOptions {
    /// Returns the default options of an arena: one match pair for every two entrants, seed 0, an unlimited budget and one thread for each
    /// processor.
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            pairs: 1,
            seed: 0,
            budget: Budget::unlimited(),
            threads,
            sprt: None,
            pairings: Pairings::All,
            deals: None,
        }
    }
}

impl ArenaOptions {
    /// Maximum number of match pairs that every two entrants play. The number of all matches of an arena then does not overflow.
    pub const MAX_PAIRS: u64 = 50_000_000;

    /// Sets the number of match pairs that every two entrants play, at most [`MAX_PAIRS`](Self::MAX_PAIRS).
    #[must_use]
    pub fn with_pairs(self, pairs: u64) -> Self {
        Self { pairs, ..self }
    }

    /// Sets the random seed of the deals and of the bots.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the search budget of a bot for each action, such as a node limit and a time limit.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Sets the maximum number of concurrent matches.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the sequential probability ratio test that may end the matches between two entrants early. `None` plays all match pairs.
    #[must_use]
    pub fn with_sprt(self, sprt: Option<Sprt>) -> Self {
        Self { sprt, ..self }
    }

    /// Sets the pairings that are played.
    #[must_use]
    pub fn with_pairings(self, pairings: Pairings) -> Self {
        Self { pairings, ..self }
    }

    /// Sets the deals of the matches, one for each round of each match pair. `None` draws the deals from the seed.
    #[must_use]
    pub fn with_deals(self, deals: Option<Arc<[Dealt]>>) -> Self {
        Self { deals, ..self }
    }
}

/// Selection of the pairings (all matches between two entrants) of an arena.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pairings {
    /// Every two entrants play against each other.
    All,
    /// Gauntlet: the first entrant plays against every other entrant.
    OfFirst,
    /// Only the listed pairings are played. Each entry has the indices of two entrants in the arena's list of entrants, the lower index
    /// first. The order of the list does not matter.
    Listed(BTreeSet<[usize; 2]>),
}

impl Pairings {
    fn contains(&self, pairing: [usize; 2]) -> bool {
        match self {
            Self::All => true,
            Self::OfFirst => pairing[0] == 0,
            Self::Listed(listed) => listed.contains(&pairing),
        }
    }
}

/// Validation error for an arena's list of entrants, list of pairings, number of match pairs or list of deals.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// The arena's list of entrants has fewer than two entrants.
    #[error("an arena needs at least two players: add another player")]
    TooFew,
    /// Two entrants of the arena have the same name.
    #[error("two players have the name `{0}`: give each player a name of its own")]
    SameName(String),
    /// A listed pairing does not name two entrants of the arena.
    #[error(
        "the pairing of players {} and {} is impossible: list two different numbers below {players}, the lower one first",
        pairing[0],
        pairing[1]
    )]
    NoSuchPairing {
        /// Rejected entry of the list of pairings.
        pairing: [usize; 2],
        /// Number of entrants of the arena.
        players: usize,
    },
    /// Every two entrants of the arena would play too many match pairs.
    #[error(
        "{pairs} match pairs of two players are too many: play at most {}",
        ArenaOptions::MAX_PAIRS
    )]
    TooManyPairs {
        /// Rejected number of match pairs (two matches on the same deals) that every two entrants would play.
        pairs: u64,
    },
    /// The arena's list of deals is too short for the match pairs.
    #[error(
        "the list has {deals} deals, but the {pairs} match pairs of two players need {} in total ({rounds} for each pair): add deals, or play fewer matches",
        pairs.saturating_mul((*rounds).into())
    )]
    TooFewDeals {
        /// Number of deals in the arena's list of deals.
        deals: usize,
        /// Number of match pairs (two matches on the same deals) that every two entrants play.
        pairs: u64,
        /// Number of deals that a match pair needs, one for each round.
        rounds: u8,
    },
    /// The arena's list of deals contains a deal of a rule set that the arena does not use.
    #[error(
        "entry {number} of the list is a deal of the rule set {rules}: list only deals of the arena's rule set"
    )]
    OtherRules {
        /// Position, from 1, of the rejected deal in the arena's list of deals.
        number: usize,
        /// Name of the rule set to which the rejected deal belongs.
        rules: String,
    },
}

/// Identifier of a match in an arena: the number of its match pair, and the entrants that play as A and as B. When other
/// entrants join the arena, the indices of the entrants may change, but the number of the match pair stays.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MatchId {
    /// Number of the match pair, from 0, among all match pairs of the same two entrants. Pairs with the same number
    /// have the same deals in all pairings.
    pub pair: u64,
    /// Indices, in the arena's list of entrants, of the two entrants that play as player A and as player B.
    pub players: ByPlayer<usize>,
}

/// Observer of a running arena: callbacks for matches and progress, and a stop flag.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Observer<'a> {
    /// Callback for each finished match, in the order in which matches end. The return value
    /// `Break` stops the arena.
    pub played: Option<OnPlayed<'a>>,
    /// Callback that receives the number of finished matches of the arena and an upper bound of the total number of matches.
    pub progress: Option<&'a (dyn Fn(u64, u64) + Sync)>,
    /// Stop flag, which another thread sets to `true` to stop the arena. If the search budget holds the same flag, the
    /// flag also stops the bots' searches.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Observer<'a> {
    /// Sets the callback for each finished match.
    #[must_use]
    pub fn on_played(self, played: OnPlayed<'a>) -> Self {
        Self { played: Some(played), ..self }
    }

    /// Sets the callback that receives the number of finished matches of the arena and an upper bound of the total number of matches.
    #[must_use]
    pub fn on_progress(self, progress: &'a (dyn Fn(u64, u64) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Stores a reference to the stop flag, which another thread sets to `true` to stop the arena.
    #[must_use]
    pub fn stopped_by(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }
}

/// Callback that receives each finished match of an arena and may stop the arena. The return value `Continue` goes on
/// with the arena, and `Break` stops the arena.
pub type OnPlayed<'a> = &'a (dyn Fn(MatchId, &PlayedMatch) -> ControlFlow<()> + Sync);

/// Error: the arena was stopped before all its matches were played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the arena was stopped after {played} of {matches} matches")]
pub struct ArenaStopped {
    /// Number of matches that finished before the arena was stopped.
    pub played: u64,
    /// Upper bound of the total number of matches in the stopped arena. The unplayed matches count too.
    pub matches: u64,
}

impl Arena {
    /// Creates an arena from a rule set, entrants and options.
    ///
    /// # Errors
    ///
    /// Returns an error for fewer than two entrants, for two entrants with the same name, for a listed pairing without two entrants, for
    /// too many match pairs, or for a list of deals that is too short or of another rule set.
    pub fn new(
        rules: Arc<RuleSet>,
        players: Vec<Arc<dyn Entrant>>,
        options: ArenaOptions,
    ) -> Result<Self, ArenaError> {
        if players.len() < 2 {
            return Err(ArenaError::TooFew);
        }
        let mut names = BTreeSet::new();
        for player in &players {
            let name = player.name();
            if !names.insert(name.clone()) {
                return Err(ArenaError::SameName(name));
            }
        }
        if let Pairings::Listed(listed) = &options.pairings {
            let is_wrong = |[one, other]: &[usize; 2]| one >= other || *other >= players.len();
            if let Some(&pairing) = listed.iter().find(|pairing| is_wrong(pairing)) {
                return Err(ArenaError::NoSuchPairing { pairing, players: players.len() });
            }
        }
        if options.pairs > ArenaOptions::MAX_PAIRS {
            return Err(ArenaError::TooManyPairs { pairs: options.pairs });
        }
        if let Some(deals) = &options.deals {
            check_deals(deals, &rules, options.pairs)?;
        }
        Ok(Self { rules, players, options })
    }

    /// Returns all entrants of the arena. The position in this slice is the index of an entrant.
    #[must_use]
    pub fn players(&self) -> &[Arc<dyn Entrant>] {
        &self.players
    }

    /// Plays the matches of the arena, except the matches in `known`, and returns the results of each pairing (all
    /// matches between two entrants). `known` holds the scores of the matches that were played earlier. The results
    /// include these matches. A decision of the sequential probability ratio test ends its pairing early.
    ///
    /// The pairings are ordered by the indices of their entrants. Known matches must come from an
    /// arena with the same seed and budget.
    ///
    /// # Errors
    ///
    /// Returns an error if the observer has stopped the arena.
    pub fn run(
        &self,
        known: impl IntoIterator<Item = (MatchId, MatchScore)>,
        observer: &Observer<'_>,
    ) -> Result<Vec<PairingResult>, ArenaStopped> {
        let mut schedule = Schedule::new(self);
        for (id, score) in known {
            schedule.add(id, score);
        }
        schedule.tell(observer);
        let schedule = Mutex::new(schedule);
        let stop = AtomicBool::new(false);
        let is_stopped = || {
            let asked = observer.stop.is_some_and(|flag| flag.load(Ordering::Relaxed));
            asked || stop.load(Ordering::Relaxed)
        };
        let work = || {
            while !is_stopped() {
                let Some((id, deals)) = lock(&schedule).next(self) else { return };
                let played = self.play(id, &deals, observer.stop.unwrap_or(&stop));
                let Some(played) = played.filter(|_| !is_stopped()) else { return };
                let mut schedule = lock(&schedule);
                schedule.add(id, MatchScore::from(&played));
                if observer.played.is_some_and(|tell| tell(id, &played).is_break()) {
                    stop.store(true, Ordering::Relaxed);
                }
                schedule.tell(observer);
            }
        };
        let threads = self.options.threads.max(1);
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let schedule = schedule.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (played, matches) = schedule.progress();
        if schedule.pairings.iter().all(PairingCounter::is_done) {
            Ok(schedule.pairings.into_iter().map(PairingCounter::into_result).collect())
        } else {
            Err(ArenaStopped { played, matches })
        }
    }

    /// Plays one match of the arena between two of its entrants. Returns `None` if the match was
    /// stopped.
    fn play(&self, id: MatchId, deals: &PairDeals, stop: &AtomicBool) -> Option<PlayedMatch> {
        let rules = &self.rules;
        let games = rules.rounds().saturating_mul(2);
        let state = Match::with_deals(games, deals.deals.clone())
            .expect("the match has one deal of the arena's rule set for each round");
        let enter = |player: Player| {
            let seed = bot_seed(self.options.seed, id.pair, player);
            let tables = &deals.tables;
            self.players[id.players[player]].enter(&Seating { rules, player, games, seed, tables })
        };
        match (enter(Player::A), enter(Player::B)) {
            (Ok(a), Ok(b)) => {
                let mut bots = ByPlayer { a, b };
                play_match(state, &mut bots, &self.options.budget, stop)
            }
            (Err(forfeit), _) => Some(PlayedMatch::forfeited(state, Player::A, forfeit)),
            (_, Err(forfeit)) => Some(PlayedMatch::forfeited(state, Player::B, forfeit)),
        }
    }
}

/// Returns an error if the arena's list of deals is too short for the match pairs, or contains a deal of a rule set other than `rules`.
fn check_deals(deals: &[Dealt], rules: &RuleSet, pairs: u64) -> Result<(), ArenaError> {
    let rounds = rules.rounds();
    if (deals.len() as u64) < pairs.saturating_mul(rounds.into()) {
        return Err(ArenaError::TooFewDeals { deals: deals.len(), pairs, rounds });
    }
    let other = deals.iter().zip(1..).find(|(dealt, _)| **dealt.rules() != *rules);
    other.map_or(Ok(()), |(dealt, number)| {
        Err(ArenaError::OtherRules { number, rules: dealt.rules().name().to_owned() })
    })
}

/// Locks the schedule of the arena, even if another thread has panicked while holding the lock.
fn lock(schedule: &Mutex<Schedule>) -> MutexGuard<'_, Schedule> {
    // The thread scope propagates a panic of another thread, so a poisoned lock may be ignored.
    schedule.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the random seed of the bot that plays as `player` (A or B) in the match pair with the number `pair`. The
/// seed does not depend on other entrants.
fn bot_seed(seed: u64, pair: u64, player: Player) -> u64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&pair.to_le_bytes());
    // Byte 16 of the key for a bot's seed is 1 or 2, so that this key differs from the key of the generator of random deals. In the
    // generator's key, byte 16 is 0.
    key[16] = match player {
        Player::A => 1,
        Player::B => 2,
    };
    ChaCha20Rng::from_seed(key).next_u64() >> 11
}

/// Maximum number of deals of a match pair whose tables of position values are kept in memory.
const MAX_SHARED_DEALS: usize = 4;

/// Deals of a match pair, with their value tables (tables of position values). The bots in all matches on these deals
/// share the tables.
///
/// The tables are freed with the last match of the pair.
#[derive(Default)]
struct PairDeals {
    deals: Vec<Dealt>,
    tables: Arc<SharedTables>,
}

impl PairDeals {
    /// Stores the deals of a match pair, with an empty cache for the tables of their position values.
    fn new(deals: Vec<Dealt>) -> Self {
        let tables = Arc::new(SharedTables::of_last_deals(deals.len().min(MAX_SHARED_DEALS)));
        Self { deals, tables }
    }
}

/// Progress of an arena: the results so far for every two entrants, and the next match to play.
struct Schedule {
    pairings: Vec<PairingCounter>,
    pairs: u64,
    /// Generator of random deals. The generator is not used if the arena's options list the deals.
    source: SeededDeals,
    /// Deals of the current match pair.
    deals: Arc<PairDeals>,
    /// Number of the current match pair, from 0. The deals of a pair are drawn when the first match of the pair starts.
    pair: u64,
    /// Number, from 0, of the next match on the deals of the current match pair. Every two entrants that meet in the arena play two matches
    /// on these deals, one after the other.
    step: usize,
}

impl Schedule {
    /// Creates the schedule of an arena before its first match.
    fn new(arena: &Arena) -> Self {
        let ArenaOptions { pairs, seed, sprt, .. } = arena.options;
        let indexes = 0..arena.players.len();
        let pairings =
            indexes.clone().flat_map(|one| indexes.clone().map(move |other| [one, other]));
        let selected = &arena.options.pairings;
        let pairings =
            pairings.filter(|pairing| pairing[0] < pairing[1] && selected.contains(*pairing));
        Self {
            pairings: pairings.map(|players| PairingCounter::new(players, pairs, sprt)).collect(),
            pairs,
            source: SeededDeals::new(seed),
            deals: Arc::default(),
            pair: 0,
            step: 0,
        }
    }

    /// Returns the next match of the arena with its deals, or `None` if no match is left to play.
    fn next(&mut self, arena: &Arena) -> Option<(MatchId, Arc<PairDeals>)> {
        while self.pair < self.pairs && !self.pairings.iter().all(PairingCounter::is_done) {
            if self.step == 0 {
                let deals = self.deals_of_pair(arena);
                self.deals = Arc::new(PairDeals::new(deals));
            }
            let (pair, step) = (self.pair, self.step);
            let counter = &self.pairings[step / 2];
            self.step += 1;
            if self.step == 2 * self.pairings.len() {
                self.step = 0;
                self.pair += 1;
            }
            if counter.wants(2 * pair + (step % 2) as u64) {
                let [one, other] = counter.players();
                let players = match step % 2 {
                    0 => ByPlayer { a: one, b: other },
                    _ => ByPlayer { a: other, b: one },
                };
                return Some((MatchId { pair, players }, Arc::clone(&self.deals)));
            }
        }
        None
    }

    /// Returns the deals of the current match pair, one for each round.
    fn deals_of_pair(&mut self, arena: &Arena) -> Vec<Dealt> {
        let rounds = arena.rules.rounds();
        match &arena.options.deals {
            Some(listed) => {
                let before = self.pair.saturating_mul(rounds.into());
                let before = usize::try_from(before).unwrap_or(usize::MAX);
                listed.iter().skip(before).take(rounds.into()).cloned().collect()
            }
            None => (0..rounds).map(|_| self.source.next_deal(&arena.rules)).collect(),
        }
    }

    /// Adds the score of a finished match to the results of its two entrants.
    fn add(&mut self, id: MatchId, score: MatchScore) {
        let ByPlayer { a, b } = id.players;
        let players = [a.min(b), a.max(b)];
        if let Some(counter) = self.pairings.iter_mut().find(|one| one.players() == players) {
            counter.add(2 * id.pair + u64::from(a > b), score);
        }
    }

    /// Returns the number of finished matches of the arena, and an upper bound of the total number of its matches.
    fn progress(&self) -> (u64, u64) {
        let all = self.pairings.iter().map(PairingCounter::progress);
        all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Reports to the arena's observer the number of finished matches and an upper bound of the total number of matches.
    fn tell(&self, observer: &Observer<'_>) {
        if let Some(tell) = observer.progress {
            let (done, total) = self.progress();
            tell(done, total);
        }
    }
}
