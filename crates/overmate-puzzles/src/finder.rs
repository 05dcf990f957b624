//! Searches for puzzles in games between bots of the strength levels 1 to 9.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use overmate_bots::{Level, LevelPolicies, TooManyPositions};
use overmate_rules::{BySeat, DealSource as _, Dealt, Face, Position, RuleSet};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};

use crate::difficulty::{rating, success_of_levels};
use crate::dull::{Counted, is_arithmetic};
use crate::pattern::Pattern;
use crate::predicates::themes_of;
use crate::puzzle::Puzzle;
use crate::solution::{Decision, NoPuzzle};
use crate::survey::Survey;
use crate::theme::Theme;

/// Number of games that the search plays on each deal, between bots of random strength levels.
const GAMES: usize = 4;

/// Number of deals that the search examines in parallel.
const DEALS_AT_ONCE: u64 = 32;

/// Threshold (0 to 1) for the probability that the bot of strength level 1 solves a puzzle; from this value on, the puzzle is too easy.
/// Mates in one are exempt.
const TOO_EASY: f64 = 0.9;

/// Range from which the search for puzzles draws a random target rating for each deal. The lower limit is included, and the upper limit is
/// excluded. The search prefers puzzles near the target rating, so that the ratings spread.
const TARGETS: (u16, u16) = (400, 2400);

/// Number of consecutive deals without a new puzzle after which the search ends.
const MAX_FRUITLESS_DEALS: u64 = 2_000;

/// Options of a search for puzzles: rule set, number of puzzles, seed, theme and number of threads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Wanted {
    /// Rule set of the puzzles.
    pub rules: Arc<RuleSet>,
    /// Number of puzzles to find.
    pub count: usize,
    /// Random seed of the deals and games in which the search finds puzzles.
    pub seed: u64,
    /// Required theme of every puzzle, or `None` for puzzles of any theme.
    pub theme: Option<Theme>,
    /// Number of threads of the search. The number does not affect the found puzzles.
    pub threads: NonZero<usize>,
}

impl Wanted {
    /// Returns the options of a search for one puzzle of any theme, with seed 0 and one thread for each processor.
    #[must_use]
    pub fn new(rules: Arc<RuleSet>) -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        Self { rules, count: 1, seed: 0, theme: None, threads }
    }

    /// Sets the number of puzzles to find.
    #[must_use]
    pub fn with_count(self, count: usize) -> Self {
        Self { count, ..self }
    }

    /// Sets the random seed of the deals and games in which the search finds puzzles.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the required theme of every puzzle; `None` accepts all themes.
    #[must_use]
    pub fn with_theme(self, theme: Option<Theme>) -> Self {
        Self { theme, ..self }
    }

    /// Sets the number of threads of the search.
    #[must_use]
    pub fn with_threads(self, threads: NonZero<usize>) -> Self {
        Self { threads, ..self }
    }
}

/// Result of a search for puzzles: the found puzzles, with statistics.
#[derive(Clone, Debug, Default)]
pub struct FoundPuzzles {
    /// Found puzzles in the order of their deals; no two puzzles differ only in the names of suits and seats.
    pub puzzles: Vec<Puzzle>,
    /// Statistics of the search, such as the number of examined positions and the number of puzzles with each theme.
    pub survey: Survey,
}

/// Reason why no puzzles can be found under a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FindError {
    /// The deck of the rule set is too large for a deal table (the values of all positions of a deal).
    #[error(transparent)]
    TooManyCards(#[from] TooManyPositions),
    /// A player cannot know the exact values of their actions, because the rule set has face-down cards.
    #[error(
        "puzzles need open cards, and under `{0}` a foreplaced card lies face down: choose another rule set"
    )]
    FaceDown(String),
    /// No puzzle under the rule set can have the wanted theme.
    #[error(
        "the rule set {rules} has no puzzle with the theme {theme}: choose another theme or rule set"
    )]
    ImpossibleTheme {
        /// Name of the rule set whose puzzles cannot have the wanted theme.
        rules: String,
        /// Wanted theme, which no puzzle of the rule set can have.
        theme: Theme,
    },
}

/// Searches random games for puzzles until the requested number of puzzles is found. Equal options give equal puzzles
/// with any number of threads.
///
/// Each deal gives at most one puzzle. The search takes few puzzles of the kinds in [`RareKind::ALL`](crate::RareKind::ALL). It
/// returns fewer puzzles than requested if 2,000 deals in a row give no new puzzle.
///
/// # Errors
///
/// Returns an error if the rule set has more than 20 cards or face-down cards, or if its rules forbid the actions of the wanted theme.
pub fn find(wanted: &Wanted) -> Result<FoundPuzzles, FindError> {
    find_with_progress(wanted, &|_, _| ())
}

/// Searches random games for puzzles as [`find`] does, and reports the progress of the search. After each searched deal, calls `report`
/// with the number of found puzzles and the number of requested puzzles.
///
/// # Errors
///
/// Returns the errors of [`find`].
pub fn find_with_progress(
    wanted: &Wanted,
    report: &dyn Fn(u64, u64),
) -> Result<FoundPuzzles, FindError> {
    let rules = &wanted.rules;
    if rules.foreplacing().is_some_and(|foreplacing| foreplacing.face == Face::Down) {
        return Err(FindError::FaceDown(rules.name().to_owned()));
    }
    if let Some(theme) = wanted.theme.filter(|theme| !theme.is_possible(rules)) {
        return Err(FindError::ImpossibleTheme { rules: rules.name().to_owned(), theme });
    }
    let mut found = FoundPuzzles::default();
    let mut patterns = BTreeSet::new();
    let mut counted = Counted::default();
    let mut fruitless = 0;
    let mut start = 0;
    while found.puzzles.len() < wanted.count && fruitless < MAX_FRUITLESS_DEALS {
        for (survey, puzzles) in look_at(wanted, start)? {
            report(found.puzzles.len() as u64, wanted.count as u64);
            if found.puzzles.len() == wanted.count {
                break;
            }
            found.survey += survey;
            fruitless += 1;
            let held = found.survey.kept.by_kind;
            let mut suitable = puzzles.into_iter().filter(|(puzzle, _)| {
                counted.allow(puzzle, &held) && patterns.insert(Pattern::of(puzzle.position()))
            });
            let Some((puzzle, success)) = suitable.next() else { continue };
            fruitless = 0;
            counted.count(&puzzle);
            found.survey.keep(&puzzle, &success);
            found.puzzles.push(puzzle);
        }
        start += DEALS_AT_ONCE;
    }
    Ok(found)
}

/// Puzzle, with the probabilities that the bots of the strength levels 1 to 9 solve the puzzle.
type Rated = (Puzzle, [f64; Level::COUNT]);

/// Result of the search for puzzles on one deal: the statistics and the found puzzles. The puzzles are sorted by the distance of their
/// ratings from the target rating.
type OfDeal = (Survey, Vec<Rated>);

/// Searches for puzzles on several consecutive deals in parallel. Returns the results in the order of the deals.
fn look_at(wanted: &Wanted, start: u64) -> Result<Vec<OfDeal>, TooManyPositions> {
    let threads = wanted.threads.get();
    let indices: Vec<u64> = (start..start + DEALS_AT_ONCE).collect();
    let share = indices.len().div_ceil(threads);
    thread::scope(|scope| {
        let workers: Vec<_> = indices
            .chunks(share)
            .map(|indices| {
                let work = || indices.iter().map(|index| look_at_deal(wanted, *index)).collect();
                scope.spawn(work)
            })
            .collect();
        let mut all = Vec::new();
        for worker in workers {
            let part: Result<Vec<OfDeal>, _> =
                worker.join().expect("looking at a deal does not panic");
            all.extend(part?);
        }
        Ok(all)
    })
}

/// Plays games on a deal, and returns the puzzles that start at positions of the games, with statistics.
///
/// The puzzles are sorted by their distance from a random target rating, so that the ratings of all
/// found puzzles spread.
fn look_at_deal(wanted: &Wanted, index: u64) -> Result<OfDeal, TooManyPositions> {
    let mut random = ChaCha20Rng::seed_from_u64(wanted.seed);
    random.set_stream(index);
    let dealt = random.next_deal(&wanted.rules);
    let policies = LevelPolicies::new(&dealt)?;
    let target = TARGETS.0
        + u16::try_from(below(&mut random, (TARGETS.1 - TARGETS.0).into())).unwrap_or_default();
    let mut survey = Survey::default();
    let mut puzzles: Vec<Rated> = Vec::new();
    let mut seen = BTreeSet::new();
    for _ in 0..GAMES {
        for position in play(&dealt, &policies, &mut random) {
            if !seen.insert(Pattern::of(&position)) {
                continue;
            }
            let (puzzle, success) = match puzzle_at(&position, &policies) {
                Ok(found) => found,
                Err(reason) => {
                    survey.refuse(reason);
                    continue;
                }
            };
            survey.count(&puzzle);
            if wanted.theme.is_none_or(|theme| puzzle.themes.contains(theme)) {
                puzzles.push((puzzle, success));
            }
        }
    }
    puzzles.sort_by_key(|(puzzle, _)| puzzle.rating.abs_diff(target));
    Ok((survey, puzzles))
}

/// Returns the puzzle that starts at a position, with the probability that the bot of each strength level solves the puzzle.
///
/// # Errors
///
/// Returns the reason why the position is not a puzzle.
pub(crate) fn puzzle_at(position: &Position, policies: &LevelPolicies) -> Result<Rated, NoPuzzle> {
    let solution = Decision::of_puzzle(position, policies)?;
    let ending = solution.ending(policies);
    let themes = themes_of(&solution, &ending);
    let success = success_of_levels(&solution, policies);
    if success[0] >= TOO_EASY && !themes.contains(Theme::MateInOne) {
        return Err(NoPuzzle::TooEasy);
    }
    let puzzle = Puzzle { solution, ending, themes, rating: rating(&success) };
    if is_arithmetic(&puzzle) {
        return Err(NoPuzzle::Arithmetic);
    }
    Ok((puzzle, success))
}

/// Plays a game between bots of two random strength levels, and returns all positions in which a seat had to act.
fn play(dealt: &Dealt, policies: &LevelPolicies, random: &mut ChaCha20Rng) -> Vec<Position> {
    let levels: Vec<Level> = Level::all().collect();
    let players = BySeat::new_with(|_| levels[below(random, levels.len())]);
    let mut position = Position::start(dealt);
    let mut positions = Vec::new();
    while let Some(seat) = position.to_act() {
        let likely = policies.probabilities(players[seat], &position);
        let chosen = likely.and_then(|likely| likely.draw(random));
        positions.push(position.clone());
        let Some(Ok(next)) = chosen.map(|action| position.play(action)) else { break };
        position = next;
    }
    positions
}

/// Returns a random number below the positive number `count`.
fn below(random: &mut ChaCha20Rng, count: usize) -> usize {
    let scaled = (u128::from(random.next_u64()) * count as u128) >> 64;
    usize::try_from(scaled).unwrap_or_default()
}
