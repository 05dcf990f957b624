//! Solves a lead position with equal hand sizes.

use overmate_rules::{BySeat, RuleSet, Seat};

use super::avx512;
use super::rows::{CodedLead, LANES, RowSets};
use crate::deal::cards::DealCards;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::scores::mate_points_for_first;
use crate::table::build::MAX_TABLE_HAND;

/// Solver of lead positions with a fixed, equal hand size. The solver reuses its memory for all
/// deals.
pub(crate) struct EqualHands(RowSets);

impl EqualHands {
    /// Creates a solver for `hand_size` cards in each hand, at most [`MAX_TABLE_HAND`].
    pub(crate) fn new(hand_size: usize) -> Self {
        Self(RowSets::new(hand_size))
    }

    /// Returns whether this processor has the AVX-512 instructions that the solver needs.
    pub(crate) fn supported() -> bool {
        avx512::supported()
    }

    /// Returns the points for seat *first* under best play, if each seat holds all its cards and
    /// `leader` is to lead.
    ///
    /// Returns `None` if the possible scores are too many for a byte.
    pub(crate) fn points_for_first(
        &mut self,
        rules: &RuleSet,
        cards: &DealCards,
        free: bool,
        leader: Seat,
    ) -> Option<i32> {
        let Self(sets) = self;
        let sizes = 1..=sets.hand_size;
        let mate = |value: u16, size: usize, seat: Seat| {
            let counts = BySeat { first: size, second: size };
            mate_points_for_first(rules, value, counts, seat).unwrap_or_default()
        };
        let leads = Seat::BOTH.into_iter().flat_map(|seat| cards.leads[seat].iter());
        let scores = leads
            .flat_map(|lead| sizes.clone().map(move |size| (lead.value, size)))
            .map(|(value, size)| mate(value, size, Seat::First))
            .collect();
        let codes = ScoreCodes::of_scores(scores)?;
        let coded = BySeat::new_with(|seat| {
            let leads = cards.leads[seat].iter().map(|&kind| {
                let mut mates = [0; MAX_TABLE_HAND as usize + 1];
                for size in sizes.clone() {
                    mates[size] = codes.code(mate(kind.value, size, seat));
                }
                CodedLead { kind, mates }
            });
            leads.collect::<Vec<_>>()
        });
        let halves = if free { 2 } else { 1 };
        // Rows without cards are draws. Each other row is written before it is read.
        sets.rows.resize(halves << (sets.hand_size + 1), [0; LANES]);
        for free in [false, true].into_iter().take(halves) {
            for leader in Seat::BOTH {
                let row = sets.index(free, 0, leader);
                sets.rows[row] = [0; LANES];
            }
            for first_holds in 1..1usize << sets.hand_size {
                avx512::rows(sets, &coded, free, first_holds);
            }
        }
        let all = (1 << sets.hand_size) - 1;
        Some(codes.points(sets.rows[sets.index(free, all, leader)][0]))
    }
}
