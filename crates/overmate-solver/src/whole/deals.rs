//! Computes the value of every deal, with and without the right of each seat to foreplace.

use super::game::WholeGame;
use super::layer::HandBalance;
use super::splits::{Splits, lanes};
use crate::value::ValueForFirst;

/// Values of a deal for four cases: both seats, only *first*, only *second*, or neither seat may foreplace a card (set a card aside).
///
/// ```
/// use overmate_rules::RuleSet;
/// use overmate_solver::whole::{WholeGame, WholeOptions};
/// use overmate_solver::Progress;
/// let mut draft = RuleSet::named("sackson")?.draft();
/// draft.name = "small".to_owned();
/// draft.cards.truncate(10);
/// let rules = RuleSet::new(draft)?.shared();
/// let whole = WholeGame::solve(&rules, WholeOptions::default(), &Progress::default())?;
/// for facts in whole.deal_facts() {
///     assert!(facts.if_first_may_not <= facts.value_for_first);
///     assert!(facts.if_second_may_not >= facts.value_for_first);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DealFacts {
    /// Final points for seat *first* under best play if both seats may foreplace (set aside) a card.
    pub value_for_first: ValueForFirst,
    /// Final points for seat *first* under best play if neither seat may foreplace (set aside) a card.
    pub if_nobody_may: ValueForFirst,
    /// Final points for seat *first* under best play if only *second* may foreplace (set aside) a card.
    pub if_first_may_not: ValueForFirst,
    /// Final points for seat *first* under best play if only *first* may foreplace (set aside) a card.
    pub if_second_may_not: ValueForFirst,
}

impl DealFacts {
    /// Returns whether seat *first* scores fewer points if only seat *second* may foreplace than if both seats may.
    #[must_use]
    pub fn first_needs_it(&self) -> bool {
        self.if_first_may_not != self.value_for_first
    }

    /// Returns whether seat *second* scores fewer points if only seat *first* may foreplace than if both seats may.
    #[must_use]
    pub fn second_needs_it(&self) -> bool {
        self.if_second_may_not != self.value_for_first
    }
}

impl WholeGame {
    /// Returns the values of every deal, in the order of deal numbers. A deal has a value for each of four cases: both
    /// seats, only *first*, only *second*, or neither seat may foreplace. In double decks several numbers name one
    /// deal.
    #[must_use]
    pub fn deal_facts(&self) -> Vec<DealFacts> {
        let deck = self.rules.deck();
        let count = deck.cards().len();
        let all = (1u32 << count) - 1;
        let free = self.rules.free_move();
        let row = |hands: HandBalance, without: u32| {
            let live = all & !without;
            self.layers
                .get(free, hands, live.count_ones() as usize)
                .map_or(&[][..], |layer| layer.row(live))
        };
        // The list `nobody` has the values of all deals without foreplacing, in the order of the deal numbers. The number of a deal is the
        // colexicographic rank of the hand of *first*.
        let nobody = row(HandBalance::Equal, 0).to_vec();
        let mut first_may_not = nobody.clone();
        let mut second_may_not = nobody.clone();
        let mut value = nobody.clone();
        if let Some(foreplacing) = self.rules.foreplacing() {
            let splits = Splits::new(count, count / 2);
            let held = |slot: usize| splits.holding(slot).iter().copied();
            for slot in 0..count {
                let lanes = lanes(held(slot).map(|word| !word));
                for (lane, &points) in lanes.zip(row(HandBalance::LeaderMore, 1 << slot)) {
                    first_may_not[lane] = first_may_not[lane].min(points);
                }
            }
            value.copy_from_slice(&first_may_not);
            let mut after = nobody.clone();
            for slot in 0..count {
                let card = deck.card_at(u8::try_from(slot).unwrap_or_default());
                for (lane, &points) in
                    lanes(held(slot)).zip(row(HandBalance::LeaderFewer, 1 << slot))
                {
                    second_may_not[lane] = second_may_not[lane].max(points);
                    after[lane] = points;
                }
                for other in (0..count).filter(|&other| other != slot) {
                    let taken = deck.card_at(u8::try_from(other).unwrap_or_default());
                    let barred = taken.suit == card.suit || taken.rank == card.rank;
                    if foreplacing.second_restricted && barred {
                        continue;
                    }
                    let lanes = lanes(held(slot).zip(held(other)).map(|(own, other)| own & !other));
                    for (lane, &points) in
                        lanes.zip(row(HandBalance::Equal, 1 << slot | 1 << other))
                    {
                        after[lane] = after[lane].min(points);
                    }
                }
                for lane in lanes(held(slot)) {
                    value[lane] = value[lane].max(after[lane]);
                }
            }
        }
        // *First* leads to the first move, so the leader's points are the points for *first*.
        let points = |code: i8| ValueForFirst::new(self.codes.points(code));
        (0..nobody.len())
            .map(|deal| DealFacts {
                value_for_first: points(value[deal]),
                if_nobody_may: points(nobody[deal]),
                if_first_may_not: points(first_may_not[deal]),
                if_second_may_not: points(second_may_not[deal]),
            })
            .collect()
    }
}
