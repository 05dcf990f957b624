//! Stores puzzle attempts and puzzle ratings in memory.

use std::collections::{BTreeMap, BTreeSet};

use crate::glicko2::Rating;
use crate::puzzle_rating;
use crate::store::{Appended, Attempt, CountedAttempt, Holder, TriedPuzzles};

/// In-memory table of puzzle attempts and puzzle ratings.
#[derive(Default)]
pub(super) struct Puzzles {
    /// Puzzle attempts in the order of counting.
    attempts: Vec<NumberedAttempt>,
    /// Number of the last counted attempt.
    last: i64,
    pub(super) players: BTreeMap<[u8; 32], Rating>,
    pub(super) ratings: BTreeMap<String, Rating>,
}

/// Counted puzzle attempt, with its browser and number.
struct NumberedAttempt {
    number: i64,
    by: Holder,
    counted: CountedAttempt,
}

impl Puzzles {
    /// Returns the puzzle attempts of a browser, from new to old.
    pub(super) fn of(&self, holder: Holder) -> impl Iterator<Item = &CountedAttempt> {
        let own = self.attempts.iter().rev().filter(move |attempt| attempt.by == holder);
        own.map(|attempt| &attempt.counted)
    }

    /// Returns the puzzles that a browser has tried, from the attempt with a number on, and whether
    /// it has tried the puzzle `asked`.
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

    pub(super) fn count(&mut self, attempt: Attempt) -> Appended {
        let Attempt { holder, puzzle, rules, new_puzzle, solved, at } = attempt;
        if self.of(holder).any(|known| known.puzzle == puzzle) {
            return Appended::Conflict;
        }
        let player = self.players.entry(holder.0).or_insert_with(puzzle_rating::of_new_player);
        let rating = self.ratings.entry(puzzle.clone()).or_insert(new_puzzle);
        (*player, *rating) = puzzle_rating::after_attempt(*player, *rating, solved);
        let rating = player.rating;
        self.last += 1;
        let counted = CountedAttempt { puzzle, rules, solved, rating, at };
        self.attempts.push(NumberedAttempt { number: self.last, by: holder, counted });
        Appended::Stored
    }

    /// Transfers the puzzle attempts of a person to another person. If both have an attempt at one puzzle, the earlier one
    /// stays. If both have a rating, that of the other person stays, and the transferred attempts show this rating unchanged.
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
