//! Stores puzzle attempts and puzzle ratings in memory.

use std::collections::{BTreeMap, BTreeSet};

use crate::glicko2::Rating;
use crate::puzzle_rating;
use crate::store::{Appended, Attempt, CountedAttempt, Holder};

/// In-memory table of puzzle attempts and puzzle ratings.
#[derive(Default)]
pub(super) struct Puzzles {
    /// Puzzle attempts in the order of counting.
    attempts: Vec<(Holder, CountedAttempt)>,
    pub(super) players: BTreeMap<[u8; 32], Rating>,
    pub(super) ratings: BTreeMap<String, Rating>,
}

impl Puzzles {
    /// Returns the puzzle attempts of a browser, from new to old.
    pub(super) fn of(&self, holder: Holder) -> impl Iterator<Item = &CountedAttempt> {
        let own = self.attempts.iter().rev().filter(move |(by, _)| *by == holder);
        own.map(|(_, counted)| counted)
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
        self.attempts.push((holder, CountedAttempt { puzzle, rules, solved, rating, at }));
        Appended::Stored
    }

    /// Transfers the puzzle attempts and the rating of a person to another person. Attempts and
    /// rating of the other person stay.
    pub(super) fn join(&mut self, former: Holder, person: Holder) {
        let kept: BTreeSet<_> = self.of(person).map(|attempt| attempt.puzzle.clone()).collect();
        self.attempts.retain(|(by, attempt)| *by != former || !kept.contains(&attempt.puzzle));
        for (by, _) in self.attempts.iter_mut().filter(|(by, _)| *by == former) {
            *by = person;
        }
        if let Some(rating) = self.players.remove(&former.0) {
            self.players.entry(person.0).or_insert(rating);
        }
    }

    pub(super) fn forget(&mut self, holder: Holder) {
        self.attempts.retain(|(by, _)| *by != holder);
        self.players.remove(&holder.0);
    }
}
