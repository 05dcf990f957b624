//! Caches the puzzles that browser identities have tried, so that a request reads only the new attempts of a browser identity.

use std::sync::Arc;

use moka::sync::Cache;

use super::puzzle_sets::PuzzleSets;
use crate::error::ApiError;
use crate::store::{Holder, Store, TriedPuzzles};

/// Maximum number of browser identities whose tried puzzles stay in memory. The puzzles of a browser take about one kilobyte.
const MAX_BROWSERS: u64 = 10_000;

/// Cache of the puzzles that browser identities have tried, for the identities with recent requests.
///
/// The store alone decides which attempts count. The first request of a browser reads all its
/// attempts, and later requests only the attempts since the last known one.
pub(super) struct TriedByBrowser {
    store: Arc<dyn Store>,
    known: Cache<Holder, Arc<Tried>>,
}

/// Puzzles that a browser identity has tried.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tried {
    /// Bit set of the tried puzzles, indexed by puzzle number. Bit `n % 64` of word `n / 64` stands for the puzzle with number `n`.
    /// Missing words are 0.
    words: Vec<u64>,
    /// Latest puzzle attempt that was read from the store: its sequence number and the id of the puzzle. The value is `None` without
    /// attempts.
    last: Option<(i64, String)>,
}

impl Tried {
    /// Returns whether the browser identity has tried the puzzle with the given number.
    pub(super) fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds newly read puzzle attempts to the set of tried puzzles. The attempts come in the order in which the server counted them. An
    /// attempt at a puzzle that no embedded set contains is not added, but may be noted as the latest read attempt.
    fn add(&mut self, found: TriedPuzzles, sets: &PuzzleSets) {
        for number in found.puzzles.iter().filter_map(|id| sets.number(id)) {
            let word = number / 64;
            if self.words.len() <= word {
                self.words.resize(word + 1, 0);
            }
            self.words[word] |= 1 << (number % 64);
        }
        if let (Some((_, last)), Some(puzzle)) = (found.numbers, found.puzzles.into_iter().last()) {
            self.last = Some((last, puzzle));
        }
    }
}

impl TriedByBrowser {
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        Self { store, known: Cache::new(MAX_BROWSERS) }
    }

    /// Returns the puzzles that a browser identity has tried, from the cache, or from the store at the first request. Later attempts may be
    /// missing until [`check`](Self::check) reads them.
    pub(super) async fn known(
        &self,
        holder: Holder,
        sets: &PuzzleSets,
    ) -> Result<Arc<Tried>, ApiError> {
        match self.known.get(&holder) {
            Some(known) => Ok(known),
            None => self.read(holder, sets).await,
        }
    }

    /// Reads the puzzle attempts that a browser identity made after the last attempt in the cache. Returns the tried puzzles, which are
    /// complete for the puzzle `chosen`: they contain this puzzle if and only if the browser has tried it.
    pub(super) async fn check(
        &self,
        holder: Holder,
        known: &Arc<Tried>,
        chosen: &str,
        sets: &PuzzleSets,
    ) -> Result<Arc<Tried>, ApiError> {
        let from = known.last.as_ref().map_or(0, |(number, _)| *number);
        let found = self.store.tried_puzzles(holder, from, chosen).await?;
        let has_chosen = found.has_asked;
        let is_known = known.last.is_some();
        // If the latest cached puzzle attempt of a person is missing in the store, all attempts of the person are read again. This is the
        // case after an erasure of the person's data.
        let follows = known.last.as_ref().is_none_or(|(number, puzzle)| {
            found.numbers.is_some_and(|(first, _)| first == *number)
                && found.puzzles.first() == Some(puzzle)
        });
        let tried = if !follows {
            self.read(holder, sets).await?
        } else if found.puzzles.len() > usize::from(is_known) {
            let mut tried = Tried::clone(known);
            tried.add(found, sets);
            self.keep(holder, tried)
        } else {
            Arc::clone(known)
        };
        // The cache may lack an attempt whose number in the store is below the number of the last cached attempt. Two servers may have
        // counted the two attempts at the same time, or the attempt belongs to another browser that has joined the person.
        if has_chosen && !sets.number(chosen).is_some_and(|number| tried.contains(number)) {
            return self.read(holder, sets).await;
        }
        Ok(tried)
    }

    /// Reads all puzzle attempts of a browser identity from the store.
    async fn read(&self, holder: Holder, sets: &PuzzleSets) -> Result<Arc<Tried>, ApiError> {
        let mut tried = Tried::default();
        tried.add(self.store.tried_puzzles(holder, 0, "").await?, sets);
        Ok(self.keep(holder, tried))
    }

    fn keep(&self, holder: Holder, tried: Tried) -> Arc<Tried> {
        let tried = Arc::new(tried);
        self.known.insert(holder, Arc::clone(&tried));
        tried
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::puzzle_rating;
    use crate::settings::Settings;
    use crate::store::{Appended, Attempt, PersonChange, SqlStore};

    const BROWSER: Holder = Holder([1; 32]);

    async fn attempt(store: &Arc<dyn Store>, holder: Holder, puzzle: &str) {
        let attempt = Attempt {
            holder,
            puzzle: puzzle.to_owned(),
            rules: "bga".to_owned(),
            new_puzzle: puzzle_rating::of_new_puzzle(1_500),
            solved: true,
            at: 9,
            run: None,
        };
        assert_eq!(store.attempt(attempt).await.expect("a write"), Appended::Stored);
    }

    #[tokio::test]
    async fn the_known_attempts_follow_the_store_through_attempts_and_an_erasure() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqlStore::open(&Settings::new(folder.path().to_owned())).await;
        let store: Arc<dyn Store> = Arc::new(store.expect("a store"));
        let sets = PuzzleSets::embedded();
        let ids: Vec<String> =
            sets.all().flat_map(|set| set.entries()[..40].iter().map(|e| e.id.clone())).collect();
        assert_eq!(ids.len(), 400);
        let expected = |tried: &[&String]| -> Vec<usize> {
            let mut numbers: Vec<usize> =
                tried.iter().map(|id| sets.number(id).expect("a puzzle")).collect();
            numbers.sort_unstable();
            numbers
        };
        let numbers = |tried: &Tried| -> Vec<usize> {
            (0..sets.ratings().len()).filter(|number| tried.contains(*number)).collect()
        };
        let tried = TriedByBrowser::new(Arc::clone(&store));
        let of = async |known: Option<Arc<Tried>>, chosen: &str| {
            let known = match known {
                Some(known) => known,
                None => tried.known(BROWSER, &sets).await.expect("a read"),
            };
            tried.check(BROWSER, &known, chosen, &sets).await.expect("a read")
        };
        assert_eq!(numbers(&*of(None, &ids[0]).await), [0; 0]);
        let mut all = Vec::new();
        for (index, id) in ids.iter().step_by(9).enumerate() {
            attempt(&store, BROWSER, id).await;
            // Browser 2 tries the same puzzle, and browser 1 tries a puzzle that no current puzzle set contains. Neither attempt changes
            // the set of puzzles that browser 1 has tried.
            attempt(&store, Holder([2; 32]), id).await;
            attempt(&store, BROWSER, &format!("former{index}")).await;
            all.push(id);
            // The test reads the tried puzzles only in every third pass of the loop, so that several attempts come between two reads.
            if index % 3 == 0 {
                let known = of(None, &ids[index]).await;
                assert_eq!(numbers(&known), expected(&all), "{index}");
                let again = of(None, &ids[index]).await;
                assert!(Arc::ptr_eq(&known, &again), "nothing new, nothing copied");
            }
        }
        assert!(all.len() > 40);
        let known = of(None, &ids[0]).await;
        assert_eq!(*known, *tried.read(BROWSER, &sets).await.expect("a read"));

        // The cached set of a browser's tried puzzles may lack a puzzle that the browser has tried. All attempts are read again when the
        // choice of a puzzle reveals the gap.
        let mut lacking = Tried::clone(&known);
        let number = sets.number(all[3]).expect("a puzzle");
        lacking.words[number / 64] &= !(1 << (number % 64));
        assert!(!lacking.contains(number));
        let lacking = Arc::new(lacking);
        assert!(!of(Some(Arc::clone(&lacking)), all[4]).await.contains(number));
        assert_eq!(*of(Some(lacking), all[3]).await, *known);

        // After a browser's data has been erased, only the puzzles that the browser tries later count as tried.
        let erased = PersonChange::Forget { person: BROWSER, at: 10 };
        assert_eq!(store.change_person(erased).await.expect("a write"), Appended::Stored);
        assert_eq!(numbers(&*of(None, all[0]).await), [0; 0]);
        attempt(&store, BROWSER, &ids[1]).await;
        assert_eq!(numbers(&*of(None, all[0]).await), expected(&[&ids[1]]));
    }
}
