//! Chooses puzzles for a browser, and counts its attempts.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use overmate_puzzles::{Decision, Puzzle, PuzzleEntry, PuzzleSet, Theme};
use overmate_rules::RuleSet;

use super::parse::rule_set;
use crate::clock::{now, rfc3339};
use crate::error::ApiError;
use crate::puzzle_rating::PuzzleRating;
use crate::random::random_seed;
use crate::show;
use crate::store::{Appended, Attempt, CountedAttempt, Holder, Store};
use crate::wire;

/// Number of puzzles with ratings closest to the wanted rating, from which the next puzzle is drawn at random.
const CLOSEST: usize = 20;

/// Number of attempts in the overview.
const LATEST: usize = 100;

/// Serves the embedded puzzles, and counts the first attempt of each browser at each puzzle.
pub(crate) struct PuzzleService {
    store: Arc<dyn Store>,
    /// Embedded sets, which the first request decompresses.
    sets: OnceLock<Vec<PuzzleSet>>,
}

impl PuzzleService {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, sets: OnceLock::new() }
    }

    fn sets(&self) -> &[PuzzleSet] {
        self.sets.get_or_init(|| {
            let names = PuzzleSet::names().filter_map(|(name, _)| RuleSet::named(name).ok());
            names.filter_map(|rules| PuzzleSet::embedded(&rules.shared())).collect()
        })
    }

    /// Returns the sets of puzzles, and the rating and latest attempts of a browser.
    pub(crate) async fn overview(
        &self,
        holder: Option<Holder>,
    ) -> Result<wire::PuzzleOverview, ApiError> {
        let sets = self.sets().iter().map(|set| {
            let has = |theme: &Theme| set.entries().iter().any(|e| e.themes.contains(*theme));
            wire::PuzzleSetSummary {
                rules: set.rules().name().to_owned(),
                puzzles: set.entries().len(),
                themes: Theme::ALL.into_iter().filter(has).map(wire::PuzzleTheme).collect(),
            }
        });
        let attempts = self.attempts(holder).await?;
        let rating = self.player(holder).await?;
        let latest = attempts.iter().take(LATEST).rev().map(exported);
        Ok(wire::PuzzleOverview {
            sets: sets.collect(),
            rating: rating.rating,
            deviation: rating.deviation,
            attempts: attempts.len(),
            solved: attempts.iter().filter(|attempt| attempt.solved).count(),
            latest: latest.collect(),
        })
    }

    /// Returns the present and the longest series of puzzles that a browser solved at the first attempt.
    pub(crate) async fn streak(&self, holder: Option<Holder>) -> Result<wire::Streak, ApiError> {
        let attempts = self.attempts(holder).await?;
        let solved = attempts.split(|attempt| !attempt.solved).map(<[_]>::len);
        let length = |length: Option<usize>| u32::try_from(length.unwrap_or_default());
        Ok(wire::Streak {
            // The attempts begin with the newest, so that the present series stands first.
            current: length(solved.clone().next()).unwrap_or(u32::MAX),
            longest: length(solved.max()).unwrap_or(u32::MAX),
        })
    }

    /// Returns a puzzle of a rule set that the browser has not tried, with a rating near the wanted rating, which is the browser's rating by default.
    ///
    /// If the browser has tried all puzzles with the theme, the puzzles start again.
    pub(crate) async fn next(
        &self,
        rules: &str,
        theme: Option<wire::PuzzleTheme>,
        rating: Option<f64>,
        holder: Option<Holder>,
    ) -> Result<wire::PuzzleWire, ApiError> {
        let rules = rule_set(rules)?;
        let set = self.sets().iter().find(|set| set.rules().name() == rules.name());
        let set = set.ok_or(ApiError::NotFound("set of puzzles"))?;
        let attempts = self.attempts(holder).await?;
        let tried: HashSet<&str> = attempts.iter().map(|attempt| &*attempt.puzzle).collect();
        let wanted = match rating {
            Some(rating) => rating,
            None => self.player(holder).await?.rating,
        };
        let fits = |entry: &&PuzzleEntry| {
            theme.is_none_or(|wire::PuzzleTheme(theme)| entry.themes.contains(theme))
        };
        let mut fresh: Vec<&PuzzleEntry> =
            set.entries().iter().filter(fits).filter(|entry| !tried.contains(&*entry.id)).collect();
        if fresh.is_empty() {
            fresh = set.entries().iter().filter(fits).collect();
        }
        let distance = |entry: &PuzzleEntry| (f64::from(entry.rating) - wanted).abs();
        if fresh.len() > CLOSEST {
            fresh.select_nth_unstable_by(CLOSEST, |a, b| distance(a).total_cmp(&distance(b)));
            fresh.truncate(CLOSEST);
        }
        let count = u64::try_from(fresh.len()).unwrap_or_default();
        let index = random_seed()?.checked_rem(count).ok_or(ApiError::NotFound("puzzle"))?;
        let entry = fresh[usize::try_from(index).unwrap_or_default()];
        self.show(set, entry, tried.contains(&*entry.id)).await
    }

    /// Returns an error unless a puzzle has the id.
    pub(crate) fn knows(&self, id: &str) -> Result<(), ApiError> {
        self.find(id).map(|_| ())
    }

    /// Returns the puzzle with an id.
    pub(crate) async fn read(
        &self,
        id: &str,
        holder: Option<Holder>,
    ) -> Result<wire::PuzzleWire, ApiError> {
        let (set, entry) = self.find(id)?;
        let tried = self.attempts(holder).await?.iter().any(|attempt| attempt.puzzle == id);
        self.show(set, entry, tried).await
    }

    /// Checks an attempt at a puzzle, and counts the attempt if it is the first of the browser.
    pub(crate) async fn attempt(
        &self,
        id: &str,
        actions: &[String],
        holder: Holder,
    ) -> Result<wire::AttemptResult, ApiError> {
        let (set, entry) = self.find(id)?;
        let puzzle = set.read(entry).map_err(ApiError::internal)?;
        let solved = solves(&puzzle, actions)?;
        let before = self.player(Some(holder)).await?;
        let attempt = Attempt {
            holder,
            puzzle: id.to_owned(),
            rules: set.rules().name().to_owned(),
            new_puzzle: PuzzleRating::of_new_puzzle(entry.rating),
            solved,
            at: now(),
        };
        let counted = self.store.attempt(attempt).await? == Appended::Stored;
        Ok(wire::AttemptResult {
            solved,
            counted,
            before: before.rating,
            rating: self.player(Some(holder)).await?.rating,
            puzzle: self.rating_of(entry).await?,
        })
    }

    async fn show(
        &self,
        set: &PuzzleSet,
        entry: &PuzzleEntry,
        tried: bool,
    ) -> Result<wire::PuzzleWire, ApiError> {
        let puzzle = set.read(entry).map_err(ApiError::internal)?;
        let rating = self.rating_of(entry).await?;
        Ok(show::puzzles::puzzle(&puzzle, rating, tried))
    }

    fn find(&self, id: &str) -> Result<(&PuzzleSet, &PuzzleEntry), ApiError> {
        let found = self.sets().iter().find_map(|set| Some((set, set.find(id)?)));
        found.ok_or(ApiError::NotFound("puzzle"))
    }

    async fn rating_of(&self, entry: &PuzzleEntry) -> Result<f64, ApiError> {
        let played = self.store.puzzle_rating(&entry.id).await?;
        Ok(played.unwrap_or_else(|| PuzzleRating::of_new_puzzle(entry.rating)).rating)
    }

    async fn player(&self, holder: Option<Holder>) -> Result<PuzzleRating, ApiError> {
        let known = match holder {
            Some(holder) => self.store.puzzle_player(holder).await?,
            None => None,
        };
        Ok(known.unwrap_or_else(PuzzleRating::of_new_player))
    }

    async fn attempts(&self, holder: Option<Holder>) -> Result<Vec<CountedAttempt>, ApiError> {
        match holder {
            Some(holder) => Ok(self.store.puzzle_attempts(holder).await?),
            None => Ok(Vec::new()),
        }
    }
}

/// Converts a counted attempt to its JSON type.
pub(super) fn exported(attempt: &CountedAttempt) -> wire::CountedAttempt {
    wire::CountedAttempt {
        puzzle: attempt.puzzle.clone(),
        rules: attempt.rules.clone(),
        solved: attempt.solved,
        rating: attempt.rating,
        at: rfc3339(attempt.at),
    }
}

/// Returns whether the chosen actions are right at every decision up to the end of the puzzle.
fn solves(puzzle: &Puzzle, actions: &[String]) -> Result<bool, ApiError> {
    let mut decision: Option<&Decision> = Some(&puzzle.solution);
    let rules = puzzle.position().rules();
    for text in actions {
        let action = rules.read_action(text).map_err(ApiError::bad_request)?;
        let Some(now) = decision else {
            return Err(ApiError::bad_request("the puzzle has fewer decisions than actions"));
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
