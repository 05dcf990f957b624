//! Assigns consecutive numbers to the puzzles that are embedded in the server program. The numbers are indices into arrays of puzzle
//! ratings and of tried puzzles.

use std::collections::HashMap;
use std::ops::Range;

use overmate_puzzles::{PuzzleEntry, PuzzleSet};
use overmate_rules::RuleSet;

/// Sets of puzzles that are embedded in the server program. The puzzles of all sets have consecutive numbers from 0 on.
pub(super) struct PuzzleSets {
    sets: Vec<NumberedSet>,
    /// Index of each puzzle in the list of puzzles that is embedded in the server program, by puzzle id.
    numbers: HashMap<String, usize>,
}

/// Set of puzzles with consecutive numbers.
pub(super) struct NumberedSet {
    pub(super) set: PuzzleSet,
    /// Number of the first puzzle of the set.
    first: usize,
}

impl NumberedSet {
    /// Returns the puzzles of the set with their numbers.
    pub(super) fn puzzles(&self) -> impl Iterator<Item = (usize, &PuzzleEntry)> {
        (self.first..).zip(self.set.entries())
    }

    fn numbers(&self) -> Range<usize> {
        self.first..self.first + self.set.entries().len()
    }
}

impl PuzzleSets {
    /// Decompresses the sets of puzzles that are embedded in the server program.
    pub(super) fn embedded() -> Self {
        let names = PuzzleSet::names().filter_map(|(name, _)| RuleSet::named(name).ok());
        let mut sets: Vec<NumberedSet> = Vec::new();
        let mut numbers = HashMap::new();
        for set in names.filter_map(|rules| PuzzleSet::embedded(&rules.shared())) {
            let set = NumberedSet { set, first: numbers.len() };
            numbers.extend(set.puzzles().map(|(number, entry)| (entry.id.clone(), number)));
            sets.push(set);
        }
        Self { sets, numbers }
    }

    /// Returns all embedded sets of puzzles.
    pub(super) fn all(&self) -> impl Iterator<Item = &PuzzleSet> {
        self.sets.iter().map(|set| &set.set)
    }

    /// Returns the embedded puzzles of a rule set, or `None` if the rule set has no embedded puzzles.
    pub(super) fn of_rules(&self, rules: &RuleSet) -> Option<&NumberedSet> {
        self.sets.iter().find(|set| set.set.rules().name() == rules.name())
    }

    /// Returns the number of the puzzle with the given id, or `None` without such a puzzle.
    pub(super) fn number(&self, id: &str) -> Option<usize> {
        self.numbers.get(id).copied()
    }

    /// Returns the puzzle with the given id, and the set that contains the puzzle; `None` if no puzzle has the id.
    pub(super) fn find(&self, id: &str) -> Option<(&PuzzleSet, &PuzzleEntry)> {
        let number = self.number(id)?;
        let set = self.sets.iter().find(|set| set.numbers().contains(&number))?;
        Some((&set.set, set.set.entries().get(number - set.first)?))
    }

    /// Returns the initial ratings of all puzzles, indexed by the numbers of the puzzles.
    pub(super) fn ratings(&self) -> Vec<f64> {
        let entries = self.all().flat_map(PuzzleSet::entries);
        entries.map(|entry| entry.rating.into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_is_found_by_its_id_and_has_its_own_number() {
        let sets = PuzzleSets::embedded();
        let ratings = sets.ratings();
        let mut expected = 0;
        for set in sets.all() {
            let numbered = sets.of_rules(set.rules()).expect("a set");
            assert_eq!(numbered.puzzles().count(), set.entries().len());
            for ((number, puzzle), entry) in numbered.puzzles().zip(set.entries()) {
                assert_eq!((number, &puzzle.id), (expected, &entry.id));
                assert_eq!(sets.number(&entry.id), Some(number));
                let (found, puzzle) = sets.find(&entry.id).expect("a puzzle");
                assert_eq!((found.rules().name(), &puzzle.id), (set.rules().name(), &entry.id));
                assert_eq!(ratings[number].to_bits(), f64::from(entry.rating).to_bits());
                expected += 1;
            }
        }
        assert!(expected >= 8_400 && ratings.len() == expected, "{expected}");
        assert!(sets.find("0123").is_none() && sets.number("0123").is_none());
    }
}
