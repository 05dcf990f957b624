//! Computes the points of a mate from the seats' hand sizes.

use overmate_rules::{BySeat, RuleSet, Seat};

/// Returns the points that a mate by `leader` gives to seat *first* at given hand sizes, or `None` if the hand sizes are impossible.
///
/// The parameter `counts` holds the hand sizes before the lead, in any move without a repeated card. The sizes determine the number of the
/// move and whether only one seat foreplaced. If both seats foreplaced, one move fewer was played, and a mate counts one move more. The
/// points are then the same as if no seat had foreplaced.
pub(crate) fn mate_points_for_first(
    rules: &RuleSet,
    value: u16,
    counts: BySeat<usize>,
    leader: Seat,
) -> Option<i32> {
    let size = usize::from(rules.hand_size());
    let (first, second) = (counts.first, counts.second);
    if first == 0 || second == 0 || first.abs_diff(second) > 1 {
        return None;
    }
    let foreplaced = BySeat { first: first < second, second: second < first };
    let number = u8::try_from((size + 1).checked_sub(first.max(second))?).ok()?;
    let any_card = rules.deck().card_at(0);
    let factor = i32::from(rules.mate(leader, any_card, number, foreplaced).factor());
    Some(i32::from(value) * factor * leader.sign_for_first())
}

/// Table of the factors by which the value of a mating card is multiplied, for all pairs of hand sizes.
#[derive(Clone, Debug)]
pub(crate) struct MateFactors {
    /// Factors by which the value of a mating card is multiplied, for each pair of hand sizes and
    /// each mating seat. The indices are the hand size of *first*, then the hand size of *second*
    /// minus that of *first* plus 1, then the mating seat.
    factors: Vec<[BySeat<i32>; 3]>,
}

impl MateFactors {
    pub(crate) fn new(rules: &RuleSet) -> Self {
        let factor = |first: usize, more: usize, seat: Seat| {
            let second = (first + more).checked_sub(1)?;
            mate_points_for_first(rules, 1, BySeat { first, second }, seat).map(i32::abs)
        };
        let factors = (0..=usize::from(rules.hand_size()) + 1)
            .map(|first| {
                [0, 1, 2].map(|more| {
                    BySeat::new_with(|seat| factor(first, more, seat).unwrap_or_default())
                })
            })
            .collect();
        Self { factors }
    }

    /// Returns the factor by which the value of a mating card of `seat` is multiplied, or 0 if the
    /// hand sizes are impossible.
    #[inline]
    pub(crate) fn get(&self, counts: BySeat<u32>, seat: Seat) -> i32 {
        let more = (counts.second + 1).wrapping_sub(counts.first) as usize;
        let factors = self.factors.get(counts.first as usize);
        factors.and_then(|factors| factors.get(more)).map_or(0, |factors| factors[seat])
    }
}
