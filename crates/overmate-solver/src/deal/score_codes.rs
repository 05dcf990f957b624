//! Defines score codes: signed bytes that encode the scores of a rule set.

use overmate_rules::{BySeat, RuleSet, Seat};

/// Maximum number of positive scores that a signed byte can encode together with 0 and the negated
/// scores. In the solvers, the code ±127 means "no value".
pub(crate) const MAX_SCORES: usize = 126;

/// Assignment of score codes (signed bytes) to the possible scores of a mate.
///
/// A draw has the code 0, the *k*-th lowest score has the code *k*, and the negated score has the code −*k*. Codes have the order of the
/// points, and change sign with the points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScoreCodes {
    scores: Vec<i32>,
}

impl ScoreCodes {
    /// Assigns score codes to positive scores in ascending order, or returns `None` for more than [`MAX_SCORES`] different scores.
    pub(crate) fn of_scores(mut scores: Vec<i32>) -> Option<Self> {
        scores.sort_unstable();
        scores.dedup();
        (scores.len() <= MAX_SCORES).then_some(Self { scores })
    }

    /// Assigns score codes to all scores of a rule set in ascending order, or returns `None` for more than [`MAX_SCORES`] different scores.
    pub(crate) fn of_rules(rules: &RuleSet) -> Option<Self> {
        let any_card = rules.deck().card_at(0);
        let mut scores = Vec::new();
        for (first, second) in [(false, false), (true, false), (false, true), (true, true)] {
            let last = rules.hand_size() - u8::from(first && second);
            for number in 1..=last {
                let mate = rules.mate(Seat::First, any_card, number, BySeat { first, second });
                let factor = i32::from(mate.factor());
                scores.extend(rules.deck().ranks().iter().map(|r| i32::from(r.value) * factor));
            }
        }
        Self::of_scores(scores)
    }

    /// Returns all positive scores that have a score code, in ascending order. The score with the index *k* has the code *k* + 1.
    pub(crate) fn scores(&self) -> &[i32] {
        &self.scores
    }

    /// Converts points to their score code (a signed byte that encodes the points and keeps their sign). Points that are not a score of the
    /// rule set have the code 0.
    pub(crate) fn code(&self, points: i32) -> i8 {
        let place = self.scores.binary_search(&points.abs()).map_or(0, |place| place + 1);
        let code = i8::try_from(place).unwrap_or_default();
        if points < 0 { -code } else { code }
    }

    /// Converts a score code (a signed byte that encodes points) back to the points, which have the same sign.
    pub(crate) fn points(&self, code: i8) -> i32 {
        let place = usize::from(code.unsigned_abs());
        let score = place.checked_sub(1).and_then(|place| self.scores.get(place));
        score.copied().unwrap_or_default() * i32::from(code.signum())
    }
}
