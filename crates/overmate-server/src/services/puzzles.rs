//! Chooses puzzles for the requesting browser, and scores the puzzle attempts of a browser identity.

use std::sync::{Arc, OnceLock};

use overmate_puzzles::{DULL_DISTANCE, Decision, Puzzle, PuzzleEntry, PuzzleSet, Theme};
use tokio::sync::{RwLock, RwLockReadGuard};

use super::analysis::AnalysisService;
use super::parse::rule_set;
use super::puzzle_sets::{NumberedSet, PuzzleSets};
use super::tried_puzzles::{Tried, TriedByBrowser};
use crate::clock::{now, rfc3339};
use crate::error::ApiError;
use crate::puzzle_run::PuzzleRun;
use crate::random::random_seed;
use crate::rating::glicko2::Rating;
use crate::rating::puzzle_rating;
use crate::show;
use crate::store::{Appended, Attempt, CountedAttempt, Holder, PuzzleCounts, Store};
use crate::wire;

/// Maximum number of rating points by which a randomly chosen puzzle may be farther from the target rating than the closest puzzle.
const SPREAD: f64 = 25.0;

/// Maximum number of times that one request checks in the database whether the browser identity has tried the chosen puzzle. If the
/// identity has tried the puzzle, the server chooses again. More than two checks are needed only if the identity tries puzzles during
/// the request.
const CHOICES: usize = 3;

/// Cache lifetime, in seconds, of the puzzle ratings, which other servers also change.
const RATINGS_TIME: i64 = 60;

/// Maximum number of recent puzzle attempts that the overview of puzzles lists for a browser identity.
const LATEST: u32 = 100;

/// Service that chooses embedded puzzles, and scores the first attempt of each browser identity at each puzzle.
pub(crate) struct PuzzleService {
    store: Arc<dyn Store>,
    analysis: Arc<AnalysisService>,
    /// Embedded sets of puzzles. The first request decompresses them.
    sets: OnceLock<PuzzleSets>,
    ratings: RwLock<Ratings>,
    tried: TriedByBrowser,
}

/// Current ratings of all embedded puzzles, with the time of the last read from the store.
#[derive(Default)]
struct Ratings {
    /// Current puzzle ratings, indexed by the numbers of the puzzles. The list is empty before the first read.
    by_number: Vec<f64>,
    /// Unix time, in seconds, of the last read of the ratings from the store. The value is 0 before the first read.
    read_at: i64,
}

impl Ratings {
    fn is_fresh(&self, now: i64) -> bool {
        (self.read_at..self.read_at + RATINGS_TIME).contains(&now)
    }
}

/// Conditions for the choice of the next puzzle from a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WantedPuzzle {
    /// Theme of the wanted puzzle; `None` for any theme.
    pub(crate) theme: Option<wire::PuzzleTheme>,
    /// Target rating of the puzzle, or `None` for the puzzle rating of the requesting browser identity.
    pub(crate) rating: Option<f64>,
    /// Rating that the chosen puzzle must exceed; `None` for no lower bound.
    pub(crate) above: Option<f64>,
}

impl PuzzleService {
    pub(crate) fn new(store: Arc<dyn Store>, analysis: Arc<AnalysisService>) -> Self {
        let tried = TriedByBrowser::new(Arc::clone(&store));
        Self { store, analysis, sets: OnceLock::new(), ratings: RwLock::default(), tried }
    }

    fn sets(&self) -> &PuzzleSets {
        self.sets.get_or_init(PuzzleSets::embedded)
    }

    /// Returns the sets of puzzles, with the puzzle rating and latest attempts of a browser identity.
    pub(crate) async fn overview(
        &self,
        holder: Option<Holder>,
    ) -> Result<wire::PuzzleOverview, ApiError> {
        let sets = self.sets().all().map(|set| {
            let has = |theme: &Theme| set.entries().iter().any(|e| e.themes.contains(*theme));
            wire::PuzzleSetSummary {
                rules: set.rules().name().to_owned(),
                puzzles: set.entries().len(),
                themes: Theme::ALL.into_iter().filter(has).map(wire::PuzzleTheme).collect(),
            }
        });
        let counts = match holder {
            Some(holder) => self.store.puzzle_counts(holder).await?,
            None => PuzzleCounts::default(),
        };
        let rating = self.player(holder).await?;
        let latest = match holder {
            Some(holder) => self.store.puzzle_attempts(holder, LATEST).await?,
            None => Vec::new(),
        };
        Ok(wire::PuzzleOverview {
            sets: sets.collect(),
            rating: rating.rating,
            deviation: rating.deviation,
            attempts: counts.attempts,
            solved: counts.solved,
            best_streak: counts.best_streak,
            best_storm: counts.best_storm,
            latest: latest.iter().rev().map(exported).collect(),
        })
    }

    /// Returns the lengths of the current and the longest series of consecutive puzzles that a browser identity solved at the first
    /// attempt.
    pub(crate) async fn streak(&self, holder: Option<Holder>) -> Result<wire::Streak, ApiError> {
        let results = match holder {
            Some(holder) => self.store.puzzle_results(holder).await?,
            None => Vec::new(),
        };
        let solved = results.split(|solved| !solved).map(<[_]>::len);
        let length = |length: Option<usize>| u32::try_from(length.unwrap_or_default());
        Ok(wire::Streak {
            // The puzzle results are ordered from new to old, so that the length of the current series of solved puzzles comes first.
            current: length(solved.clone().next()).unwrap_or(u32::MAX),
            longest: length(solved.max()).unwrap_or(u32::MAX),
        })
    }

    /// Returns a puzzle that the browser identity has not tried. The puzzle's current rating is near the target rating.
    ///
    /// If the browser has tried all matching puzzles, the server draws from the tried puzzles again. The server leaves out the
    /// puzzles whose cards may come from the deal of a running match in which the browser may get no help.
    pub(crate) async fn next(
        &self,
        rules: &str,
        wanted: WantedPuzzle,
        holder: Option<Holder>,
    ) -> Result<wire::PuzzleWire, ApiError> {
        let rules = rule_set(rules)?;
        let set = self.sets().of_rules(&rules).ok_or(ApiError::NotFound("set of puzzles"))?;
        let rating = match wanted.rating {
            Some(rating) => rating,
            None => self.player(holder).await?.rating,
        };
        let running = self.analysis.running_deals(holder).await?;
        let mut left_out = Vec::new();
        loop {
            let (Chosen { number, entry, rating }, tried) =
                self.choose_untried(set, &left_out, wanted, rating, holder).await?;
            let puzzle = set.set.read(entry).map_err(ApiError::internal)?;
            if !running.contain(&rules, puzzle.position().hands()) {
                return Ok(show::puzzles::puzzle(&puzzle, rating, tried));
            }
            left_out.push(number);
        }
    }

    /// Chooses a random puzzle, if possible a puzzle that the browser identity has not tried. Returns the puzzle, and whether the browser
    /// identity has tried it. The store is read after the draw, so that attempts at other servers count, too.
    async fn choose_untried<'a>(
        &self,
        set: &'a NumberedSet,
        left_out: &[usize],
        wanted: WantedPuzzle,
        rating: f64,
        holder: Option<Holder>,
    ) -> Result<(Chosen<'a>, bool), ApiError> {
        let seed = random_seed()?;
        let mut tried = match holder {
            Some(holder) => self.tried.known(holder, self.sets()).await?,
            None => Arc::default(),
        };
        let mut chosen = self.choose(set, (&tried, left_out), wanted, rating, seed).await?;
        if let Some(holder) = holder {
            for _ in 0..CHOICES {
                let known = self.tried.check(holder, &tried, &chosen.entry.id, self.sets()).await?;
                let is_right = known.contains(chosen.number) == tried.contains(chosen.number);
                tried = known;
                if is_right {
                    break;
                }
                chosen = self.choose(set, (&tried, left_out), wanted, rating, seed).await?;
            }
        }
        Ok((chosen, tried.contains(chosen.number)))
    }

    /// Chooses a random puzzle that satisfies the conditions `wanted`, with a rating near the target rating. Puzzles
    /// that the browser identity has not tried have precedence.
    async fn choose<'a>(
        &self,
        set: &'a NumberedSet,
        (tried, left_out): (&Tried, &[usize]),
        wanted: WantedPuzzle,
        wanted_rating: f64,
        seed: u64,
    ) -> Result<Chosen<'a>, ApiError> {
        let ratings = self.ratings().await?;
        let mut near = Near::default();
        let mut fresh = Near::default();
        for (number, entry) in set.puzzles() {
            let fits = |wire::PuzzleTheme(theme): wire::PuzzleTheme| entry.themes.contains(theme);
            let Some(rating) = ratings.by_number.get(number).copied() else { continue };
            let is_too_easy = wanted.above.is_some_and(|above| rating <= above);
            if !wanted.theme.is_none_or(fits) || is_too_easy || left_out.contains(&number) {
                continue;
            }
            let dull = if set.set.is_dull(entry) { DULL_DISTANCE.into() } else { 0.0 };
            let distance = (rating - wanted_rating).abs() + dull;
            let chosen = Chosen { number, entry, rating };
            near.0.push((distance, chosen));
            if !tried.contains(number) {
                fresh.0.push((distance, chosen));
            }
        }
        fresh.draw(seed).or_else(|| near.draw(seed)).ok_or(ApiError::NotFound("puzzle"))
    }

    /// Returns the name of the rule set of a puzzle, or an error if no puzzle has the given id.
    pub(crate) fn rules_of(&self, id: &str) -> Result<&str, ApiError> {
        self.find(id).map(|(set, _)| set.rules().name())
    }

    /// Returns the puzzle with the given id. Refuses a puzzle whose cards may come from the deal of a running match in which the
    /// browser may get no help.
    pub(crate) async fn read(
        &self,
        id: &str,
        holder: Option<Holder>,
    ) -> Result<wire::PuzzleWire, ApiError> {
        let (set, entry) = self.find(id)?;
        let puzzle = set.read(entry).map_err(ApiError::internal)?;
        let hands = puzzle.position().hands();
        self.analysis.refuse_running_deal(set.rules(), hands, holder).await?;
        let tried = match holder {
            Some(holder) => self.store.tried_puzzles(holder, i64::MAX, id).await?.has_asked,
            None => false,
        };
        let rating = self.rating_of(entry).await?;
        Ok(show::puzzles::puzzle(&puzzle, rating, tried))
    }

    /// Checks a browser identity's attempt at a puzzle, and records the first attempt of this identity at this puzzle. Only this attempt
    /// counts for ratings. Like [`Self::read`], the check is refused while the browser's player plays a match without help on a deal of
    /// the puzzle.
    pub(crate) async fn attempt(
        &self,
        id: &str,
        wire::PuzzleAttempt { actions, run }: &wire::PuzzleAttempt,
        holder: Holder,
    ) -> Result<wire::AttemptResult, ApiError> {
        let (set, entry) = self.find(id)?;
        let puzzle = set.read(entry).map_err(ApiError::internal)?;
        let hands = puzzle.position().hands();
        self.analysis.refuse_running_deal(set.rules(), hands, Some(holder)).await?;
        let solved = solves(&puzzle, actions)?;
        let before = self.player(Some(holder)).await?;
        let attempt = Attempt {
            holder,
            puzzle: id.to_owned(),
            rules: set.rules().name().to_owned(),
            new_puzzle: puzzle_rating::of_new_puzzle(entry.rating),
            solved,
            at: now(),
            run: run.as_deref().and_then(PuzzleRun::parse),
        };
        let counted = self.store.attempt(attempt).await? == Appended::Stored;
        let puzzle = self.rating_of(entry).await?;
        // Without this update of the cached ratings, the next choice of a puzzle would use the rating before the attempt.
        if let Some(number) = self.sets().number(id)
            && let Some(known) = self.ratings.write().await.by_number.get_mut(number)
        {
            *known = puzzle;
        }
        let rating = self.player(Some(holder)).await?.rating;
        Ok(wire::AttemptResult { solved, counted, before: before.rating, rating, puzzle })
    }

    fn find(&self, id: &str) -> Result<(&PuzzleSet, &PuzzleEntry), ApiError> {
        self.sets().find(id).ok_or(ApiError::NotFound("puzzle"))
    }

    async fn rating_of(&self, entry: &PuzzleEntry) -> Result<f64, ApiError> {
        let played = self.store.puzzle_rating(&entry.id).await?;
        Ok(played.unwrap_or_else(|| puzzle_rating::of_new_puzzle(entry.rating)).rating)
    }

    async fn player(&self, holder: Option<Holder>) -> Result<Rating, ApiError> {
        let known = match holder {
            Some(holder) => self.store.puzzle_player(holder).await?,
            None => None,
        };
        Ok(known.unwrap_or_else(puzzle_rating::of_new_player))
    }

    /// Returns the puzzle ratings, which are reread from the store if the cached ratings are too old. Their maximum age is
    /// [`RATINGS_TIME`].
    async fn ratings(&self) -> Result<RwLockReadGuard<'_, Ratings>, ApiError> {
        let known = self.ratings.read().await;
        if known.is_fresh(now()) {
            return Ok(known);
        }
        drop(known);
        let mut ratings = self.ratings.write().await;
        // While this request waited for the lock, another request may have read the puzzle ratings.
        if !ratings.is_fresh(now()) {
            let mut by_number = self.sets().ratings();
            for (id, rating) in self.store.puzzle_ratings().await? {
                if let Some(number) = self.sets().number(&id) {
                    by_number[number] = rating;
                }
            }
            *ratings = Ratings { by_number, read_at: now() };
        }
        Ok(ratings.downgrade())
    }
}

/// Candidate in the choice of a puzzle, with the puzzle's number and current rating.
#[derive(Clone, Copy)]
struct Chosen<'a> {
    number: usize,
    entry: &'a PuzzleEntry,
    rating: f64,
}

/// Puzzles that satisfy the requested conditions, each with its distance from the target rating, in rating points.
#[derive(Default)]
struct Near<'a>(Vec<(f64, Chosen<'a>)>);

impl<'a> Near<'a> {
    /// Chooses a random puzzle that is at most [`SPREAD`] rating points farther from the target rating than the closest puzzle. Returns
    /// `None` if there is no puzzle.
    fn draw(&self, seed: u64) -> Option<Chosen<'a>> {
        let closest = self.0.iter().map(|(distance, _)| *distance).min_by(f64::total_cmp)?;
        let near = self.0.iter().filter(|(distance, _)| *distance <= closest + SPREAD);
        let near: Vec<&Chosen<'a>> = near.map(|(_, chosen)| chosen).collect();
        let index = seed.checked_rem(u64::try_from(near.len()).ok()?)?;
        near.get(usize::try_from(index).ok()?).copied().copied()
    }
}

/// Converts a puzzle attempt that counted for ratings to its JSON type.
pub(super) fn exported(attempt: &CountedAttempt) -> wire::CountedAttempt {
    wire::CountedAttempt {
        puzzle: attempt.puzzle.clone(),
        rules: attempt.rules.clone(),
        solved: attempt.solved,
        rating: attempt.rating,
        at: rfc3339(attempt.at),
        run: attempt.run.clone(),
    }
}

/// Returns whether the chosen actions are correct at every decision of the puzzle.
fn solves(puzzle: &Puzzle, actions: &[String]) -> Result<bool, ApiError> {
    let mut decision: Option<&Decision> = Some(&puzzle.solution);
    let rules = puzzle.position().rules();
    for text in actions {
        let action = rules.read_action(text).map_err(ApiError::bad_request)?;
        let Some(now) = decision else {
            return Err(ApiError::bad_request(
                "the attempt has more actions than the puzzle has decisions: send one action for each decision",
            ));
        };
        if let Err(illegal) = now.position.check(action) {
            return Err(ApiError::IllegalAction(format!("{text}: {illegal}")));
        }
        match now.branches.iter().find(|branch| branch.action == action) {
            Some(branch) => decision = branch.next.as_ref(),
            None => return Ok(false),
        }
    }
    Ok(decision.is_none() && !actions.is_empty())
}
