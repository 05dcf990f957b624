//! Defines sets of puzzles, and decompresses the embedded sets.

use std::sync::{Arc, OnceLock};

use overmate_rules::RuleSet;

use crate::dull::DullKind;
use crate::puzzle::{Puzzle, id_of};
use crate::puzzle_error::{FieldFault, NotAPuzzle, read_field};
use crate::theme::Themes;

/// Compressed set of puzzles that is embedded in the program.
struct Packed {
    rules: &'static str,
    wanted: usize,
    bytes: &'static [u8],
}

/// Builds the list of embedded puzzle sets from pairs: the name of a rule set, and the required number of puzzles for this rule set.
macro_rules! packed {
    ($($rules:literal: $wanted:literal,)*) => {
        &[$(Packed {
            rules: $rules,
            wanted: $wanted,
            bytes: include_bytes!(concat!("../data/", $rules, ".zst")),
        },)*]
    };
}

/// Compressed sets of puzzles that are embedded in the program. The rule set `denexa` is left out: a player cannot know
/// the exact values of their actions, because a card lies face down. Rule sets with the deck of 48 cards are left out,
/// because the early positions of their games are not solved.
const PACKED: &[Packed] = packed![
    "bga": 3000,
    "sackson": 3000,
    "pagat": 300,
    "rael": 300,
    "sackson+double": 300,
    "sackson+free-move": 300,
    "sackson+kings-privilege": 300,
    "sackson+figure-privilege": 300,
    "sackson+no-foreplacing": 300,
    "rael+kings-privilege": 300,
];

/// Maximum size, in bytes, of a decompressed set of puzzles.
const MAX_TEXT: usize = 4 << 20;

/// Set of puzzles for one rule set, such as an embedded set. Each puzzle is parsed only when a caller reads it.
#[derive(Clone, Debug)]
pub struct PuzzleSet {
    rules: Arc<RuleSet>,
    entries: Vec<PuzzleEntry>,
}

/// Entry of a puzzle set: a puzzle in text form, with its id, rating and themes.
#[derive(Clone, Debug)]
pub struct PuzzleEntry {
    /// Id of the puzzle, as returned by [`Puzzle::id`].
    pub id: String,
    /// Initial rating of the puzzle, from 300 to 2700.
    pub rating: u16,
    /// Themes of the puzzle.
    pub themes: Themes,
    text: String,
    /// Lazily computed flag: whether the puzzle is dull.
    is_dull: OnceLock<bool>,
}

impl PuzzleSet {
    /// Returns the names of the rule sets with embedded puzzles, each with the required number of puzzles for the rule
    /// set.
    pub fn names() -> impl Iterator<Item = (&'static str, usize)> {
        PACKED.iter().map(|packed| (packed.rules, packed.wanted))
    }

    /// Decompresses the embedded puzzles of a rule set. Returns `None` for a rule set without embedded puzzles.
    #[must_use]
    pub fn embedded(rules: &Arc<RuleSet>) -> Option<Self> {
        let packed = PACKED.iter().find(|packed| packed.rules == rules.name())?;
        // A custom rule set may have the name of a published rule set. `base` is `None` for a custom rule set, which thus gets no
        // embedded puzzles.
        rules.base()?;
        let text = zstd::bulk::decompress(packed.bytes, MAX_TEXT).ok()?;
        Self::of_text(rules, &String::from_utf8(text).ok()?).ok()
    }

    /// Parses a set of puzzles from a string with one puzzle on each line.
    ///
    /// # Errors
    ///
    /// Returns the first field of a puzzle that is missing or not readable. Positions, lines and
    /// values are not checked.
    pub fn of_text(rules: &Arc<RuleSet>, text: &str) -> Result<Self, NotAPuzzle> {
        let entry = |line: &str| {
            let mut fields = line.split('\t');
            let position = read_field("position", fields.next(), Ok::<_, FieldFault>)?;
            let rating = read_field("rating", fields.next(), str::parse)?;
            let themes = read_field("themes", fields.next(), str::parse)?;
            Ok(PuzzleEntry {
                id: id_of(rules.name(), position),
                rating,
                themes,
                text: line.to_owned(),
                is_dull: OnceLock::new(),
            })
        };
        let entries = text.lines().map(entry).collect::<Result<_, _>>()?;
        Ok(Self { rules: Arc::clone(rules), entries })
    }

    /// Compresses puzzles to the format of the embedded sets.
    ///
    /// # Errors
    ///
    /// Returns an error if the compression fails.
    pub fn pack(puzzles: &[Puzzle]) -> std::io::Result<Vec<u8>> {
        let lines: Vec<String> = puzzles.iter().map(Puzzle::to_string).collect();
        let text = lines.join("\n") + "\n";
        zstd::bulk::compress(text.as_bytes(), 19)
    }

    /// Returns the rule set of the puzzles.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Returns all puzzles of the set, in the order in which the set stores them.
    #[must_use]
    pub fn entries(&self) -> &[PuzzleEntry] {
        &self.entries
    }

    /// Parses the text form of a puzzle of the set.
    ///
    /// # Errors
    ///
    /// Returns the faulty field. Embedded puzzles have no faulty field, which a test checks.
    pub fn read(&self, entry: &PuzzleEntry) -> Result<Puzzle, NotAPuzzle> {
        Puzzle::read(&self.rules, &entry.text)
    }

    /// Returns whether a puzzle of the set is dull: whether it belongs to a kind in [`DullKind::ALL`]. The first call
    /// parses the puzzle.
    #[must_use]
    pub fn is_dull(&self, entry: &PuzzleEntry) -> bool {
        let kind_of = |puzzle: &Puzzle| DullKind::ALL.iter().any(|kind| kind.holds(puzzle));
        *entry.is_dull.get_or_init(|| self.read(entry).as_ref().is_ok_and(kind_of))
    }

    /// Returns the daily puzzle of a given day, or `None` if all puzzles of the puzzle set are dull. The day is in
    /// UTC, counted from 1970-01-01.
    ///
    /// Puzzles that are [dull](Self::is_dull) are left out. The other puzzles are ordered by their ids, which are hashes. Each day takes
    /// the next puzzle, and after the last puzzle the first follows. A set of 3,000 puzzles lasts five years and more.
    #[must_use]
    pub fn of_day(&self, day: i64) -> Option<&PuzzleEntry> {
        let mut entries: Vec<&PuzzleEntry> =
            self.entries.iter().filter(|entry| !self.is_dull(entry)).collect();
        entries.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        let index = day.checked_rem_euclid(i64::try_from(entries.len()).ok()?)?;
        entries.get(usize::try_from(index).ok()?).copied()
    }

    /// Returns the puzzle with the given id, or `None` if the set has no such puzzle.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&PuzzleEntry> {
        self.entries.iter().find(|entry| entry.id == id)
    }
}
