//! Implements an in-memory store of puzzle attempts and puzzle ratings.

use std::collections::{BTreeMap, BTreeSet};

use crate::rating::glicko2::Rating;
use crate::rating::puzzle_rating;
use crate::store::{Appended, Attempt, CountedAttempt, Holder, PuzzleCounts, TriedPuzzles};

/// In-memory table of puzzle attempts and puzzle ratings.
#[derive(Default)]
pub(super) struct Puzzles {
    /// Puzzle attempts in the order in which the server counted them.
    attempts: Vec<NumberedAttempt>,
    /// Highest sequence number that a puzzle attempt has got; 0 before the first attempt.
    last: i64,
    pub(super) players: BTreeMap<[u8; 32], Rating>,
    pub(super) ratings: BTreeMap<String, Rating>,
}

/// Counted puzzle attempt, with its sequence number and the browser identity that made the attempt.
struct NumberedAttempt {
    number: i64,
    by: Holder,
    counted: CountedAttempt,
}

impl Puzzles {
    /// Returns the puzzle attempts of a browser identity, newest first.
    pub(super) fn of(&self, holder: Holder) -> impl Iterator<Item = &CountedAttempt> {
        let own = self.attempts.iter().rev().filter(move |attempt| attempt.by == holder);
        own.map(|attempt| &attempt.counted)
    }

    /// Returns the puzzles that a browser identity has tried since attempt number `from`. The result also tells whether the identity has
    /// ever tried the puzzle `asked`.
    pub(super) fn tried(&self, holder: Holder, from: i64, asked: &str) -> TriedPuzzles {
        let has_asked = self.of(holder).any(|counted| counted.puzzle == asked);
        let mut tried = TriedPuzzles { has_asked, ..TriedPuzzles::default() };
        for NumberedAttempt { number, by, counted } in &self.attempts {
            if *by == holder && *number >= from {
                tried.puzzles.push(counted.puzzle.clone());
                let first = tried.numbers.map_or(*number, |(first, _)| first);
                tried.numbers = Some((first, *number));
            }
        }
        tried
    }

    /// Returns the puzzle statistics of a browser identity: attempts, successful attempts, and best results in puzzle
    /// runs (streak and storm).
    pub(super) fn counts(&self, holder: Holder) -> PuzzleCounts {
        let mut scores: BTreeMap<&str, u64> = BTreeMap::new();
        for counted in self.of(holder).filter(|counted| counted.solved) {
            if let Some(run) = &counted.run {
                *scores.entry(run).or_default() += 1;
            }
        }
        let best = |mode| {
            let scores = scores.iter().filter(|(run, _)| run.starts_with(mode));
            scores.map(|(_, score)| *score).max().unwrap_or_default()
        };
        PuzzleCounts {
            attempts: self.of(holder).count() as u64,
            solved: self.of(holder).filter(|counted| counted.solved).count() as u64,
            best_streak: best("streak:"),
            best_storm: best("storm:"),
        }
    }

    pub(super) fn count(&mut self, attempt: Attempt) -> Appended {
        let Attempt { holder, puzzle, rules, new_puzzle, solved, at, run } = attempt;
        if self.of(holder).any(|known| known.puzzle == puzzle) {
            return Appended::Conflict;
        }
        let player = self.players.entry(holder.0).or_insert_with(puzzle_rating::of_new_player);
        let rating = self.ratings.entry(puzzle.clone()).or_insert(new_puzzle);
        (*player, *rating) = puzzle_rating::after_attempt(*player, *rating, new_puzzle, solved);
        let rating = player.rating;
        let run = run.filter(|run| {
            let is_same = |counted: &&CountedAttempt| counted.run.as_deref() == Some(run.as_str());
            let first_at = self.of(holder).filter(is_same).map(|counted| counted.at).min();
            let has_failed = self.of(holder).filter(is_same).any(|counted| !counted.solved);
            run.is_open(first_at, has_failed, at)
        });
        self.last += 1;
        let run = run.map(|run| run.as_str().to_owned());
        let counted = CountedAttempt { puzzle, rules, solved, rating, at, run };
        self.attempts.push(NumberedAttempt { number: self.last, by: holder, counted });
        Appended::Stored
    }

    /// Transfers the puzzle attempts of a person to another person. If both persons have tried a puzzle, only the earlier attempt
    /// stays.
    ///
    /// If both persons have a rating, the rating of the other person stays. In the history, the transferred attempts then leave
    /// this rating unchanged.
    pub(super) fn join(&mut self, former: Holder, person: Holder) {
        let keeps_rating = self.players.contains_key(&person.0);
        let mut rating = puzzle_rating::of_new_player().rating;
        let mut tried = BTreeSet::new();
        self.attempts.retain_mut(|attempt| {
            if attempt.by == person {
                rating = attempt.counted.rating;
            } else if attempt.by == former {
                attempt.by = person;
                if keeps_rating {
                    attempt.counted.rating = rating;
                }
            } else {
                return true;
            }
            tried.insert(attempt.counted.puzzle.clone())
        });
        if let Some(rating) = self.players.remove(&former.0) {
            self.players.entry(person.0).or_insert(rating);
        }
    }

    pub(super) fn forget(&mut self, holder: Holder) {
        self.attempts.retain(|attempt| attempt.by != holder);
        self.players.remove(&holder.0);
    }
}
