//! Defines the two kinds of puzzle runs, streaks and storms, and decides when a run is over.

/// Duration of a storm (a timed run of puzzles), in seconds.
const STORM_TIME: i64 = 180;

/// Minimum number of characters in the id of a puzzle run.
const SHORTEST_ID: usize = 8;

/// Maximum number of characters in the id of a puzzle run.
const LONGEST_ID: usize = 64;

/// Mode of a puzzle run: streak or storm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Series of ever harder puzzles, which ends with the first mistake.
    Streak,
    /// Timed series of puzzles, which lasts [`STORM_TIME`].
    Storm,
}

/// Puzzle run, given as `streak:ID` or `storm:ID` with an id that the web client chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PuzzleRun {
    mode: Mode,
    text: String,
}

impl PuzzleRun {
    /// Parses the text form of a puzzle run. Returns `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (mode, id) = text.split_once(':')?;
        let mode = match mode {
            "streak" => Mode::Streak,
            "storm" => Mode::Storm,
            _ => return None,
        };
        let fits = (SHORTEST_ID..=LONGEST_ID).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        fits.then(|| Self { mode, text: text.to_owned() })
    }

    /// Returns the text form of the puzzle run (a series of puzzles): `streak:ID` or `storm:ID`.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether an attempt at Unix time `at`, in seconds, belongs to the puzzle run. `first_at` is the time of the run's
    /// first counted attempt, or `None` before this attempt. `has_failed` is true if a counted attempt of the run failed.
    pub(crate) fn is_open(&self, first_at: Option<i64>, has_failed: bool, at: i64) -> bool {
        match self.mode {
            Mode::Streak => !has_failed,
            // A storm (a timed run of puzzles) begins before its first counted attempt. An interval of [`STORM_TIME`] from this attempt
            // therefore includes every attempt within the duration of the storm.
            Mode::Storm => first_at.is_none_or(|first| at <= first.saturating_add(STORM_TIME)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_mode_with_a_short_id_names_a_run() {
        for text in ["streak:01234567", "storm:0b1c-_Zz9", &format!("storm:{}", "a".repeat(64))] {
            assert_eq!(PuzzleRun::parse(text).expect(text).as_str(), text);
        }
        for text in [
            "",
            "streak",
            "streak:",
            "streak:0123456",
            "train:01234567",
            "Storm:01234567",
            "storm:0123456%",
            "storm:01234567 ",
            "storm:0123456é",
            &format!("storm:{}", "a".repeat(65)),
        ] {
            assert_eq!(PuzzleRun::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_streak_ends_with_a_mistake_and_a_storm_after_three_minutes() {
        let streak = PuzzleRun::parse("streak:01234567").expect("a run");
        let storm = PuzzleRun::parse("storm:01234567").expect("a run");
        for (first_at, has_failed, at, in_streak, in_storm) in [
            (None, false, 7, true, true),
            (Some(7), false, 7, true, true),
            (Some(7), true, 187, false, true),
            (Some(7), false, 188, true, false),
            (Some(7), true, 188, false, false),
        ] {
            assert_eq!(streak.is_open(first_at, has_failed, at), in_streak, "{first_at:?} {at}");
            assert_eq!(storm.is_open(first_at, has_failed, at), in_storm, "{first_at:?} {at}");
        }
    }
}
