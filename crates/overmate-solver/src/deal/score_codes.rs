//! Scores as bytes: few scores are possible, so a byte holds the place of one among them, with its sign.

use overmate_rules::{BySeat, RuleSet, Seat};

/// The scores that a rule set can give, in order. Codes keep the order of the points and change sign with them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Codes {
    scores: Vec<i32>,
}

impl Codes {
    /// `None` if more than 126 different scores are possible.
    pub(crate) fn new(rules: &RuleSet) -> Option<Self> {
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
        scores.sort_unstable();
        scores.dedup();
        (scores.len() <= 126).then_some(Self { scores })
    }

    /// The scores, low to high: the first has the code 1.
    pub(crate) fn scores(&self) -> &[i32] {
        &self.scores
    }

    pub(crate) fn code(&self, points: i32) -> i8 {
        let place = self.scores.binary_search(&points.abs()).map_or(0, |place| place + 1);
        let code = i8::try_from(place).unwrap_or_default();
        if points < 0 { -code } else { code }
    }

    pub(crate) fn points(&self, code: i8) -> i32 {
        let place = usize::from(code.unsigned_abs());
        let score = place.checked_sub(1).and_then(|place| self.scores.get(place));
        score.copied().unwrap_or_default() * i32::from(code.signum())
    }
}
