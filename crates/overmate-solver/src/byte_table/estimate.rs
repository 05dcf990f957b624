//! Holds the estimated points of the positions at which backward induction begins.

use overmate_rules::{BySeat, Seat};

use super::rows::RowSets;
use crate::deal::cards::DealCards;
use crate::deal::score_codes::ScoreCodes;
use crate::deal::subsets::sets_of;

/// Number of different values of a 16-bit integer.
const NUMBERS: usize = 1 << 16;

/// Table of the estimated points of all positions in which seat *first* holds a given number of cards.
pub(super) struct Estimate {
    /// Number of cards that seat *first* holds in the estimated positions, at least 1.
    pub(super) fewest: usize,
    /// Possible hands of seat *first* as bit masks, in ascending order.
    hands: Vec<usize>,
    /// Estimated points for seat *first*, as a list of rows: one row for each hand of *first* and each leader. A row has one entry for each
    /// set of cards of seat *second*.
    points: Vec<i16>,
    /// Number of entries in a row of estimated points: the number of sets of cards that seat *second* can hold.
    lanes: usize,
}

impl Estimate {
    /// Estimates the points of all positions in which seat *first* holds exactly `fewest` cards. `fewest` must be at least 1.
    ///
    /// The function `evaluate` gets the cards of *first*, the leader, and the row of points to fill.
    pub(super) fn new(
        cards: &DealCards,
        fewest: usize,
        mut evaluate: impl FnMut(u64, Seat, &mut [i16]),
    ) -> Self {
        let sizes = BySeat::new_with(|seat| cards.cards[seat].len());
        let hands: Vec<usize> = sets_of(sizes.first, fewest).collect();
        let lanes = 1 << sizes.second;
        let mut points = vec![0; hands.len() * 2 * lanes];
        let rows = hands.iter().flat_map(|held| Seat::BOTH.map(|leader| (*held, leader)));
        for ((first_holds, leader), row) in rows.zip(points.chunks_exact_mut(lanes)) {
            evaluate(first_holds as u64, leader, row);
        }
        Self { fewest, hands, points, lanes }
    }

    /// Iterates over the hands of seat *first*, each with two rows of points: one row for each leader.
    fn rows(&self) -> impl Iterator<Item = (usize, BySeat<&[i16]>)> {
        let both = self.points.chunks_exact(2 * self.lanes);
        self.hands.iter().zip(both).map(|(first_holds, both)| {
            let (first, second) = both.split_at(self.lanes);
            (*first_holds, BySeat { first, second })
        })
    }

    /// Returns the absolute values of the estimated points of all positions in which seat *second* holds `second_size` cards. Equal
    /// estimates have one entry in the list.
    pub(super) fn scores(&self, second_size: usize) -> Vec<i32> {
        let held = self.sets_of_second(second_size);
        let mut occurs = vec![false; NUMBERS];
        for row in self.points.chunks_exact(self.lanes) {
            for &second in &held {
                occurs[number_of(row[second])] = true;
            }
        }
        let mut scores = Vec::new();
        let blocks = (i32::from(i16::MIN)..).step_by(256).zip(occurs.as_chunks::<256>().0);
        // The loop skips each block of 256 adjacent 16-bit numbers that contains no estimated number of points. Most blocks contain none.
        for (from, block) in blocks.filter(|(_, block)| block.contains(&true)) {
            let numbers = (from..).zip(block).filter(|(_, occurs)| **occurs);
            scores.extend(numbers.map(|(points, _)| points.abs()));
        }
        scores
    }

    /// Encodes the estimated points as bytes, and writes the bytes to the rows of position values in `sets`.
    pub(super) fn write(&self, sets: &mut RowSets, codes: &ScoreCodes, free: bool) {
        let held = self.sets_of_second(sets.balance.second_size(self.fewest));
        let mut code_of = vec![0; NUMBERS];
        for score in codes.scores().iter().flat_map(|score| [*score, -score]) {
            if let Ok(points) = i16::try_from(score) {
                code_of[number_of(points)] = codes.code(score);
            }
        }
        for (first, points) in self.rows() {
            for leader in Seat::BOTH {
                for &second in &held {
                    let code = code_of[number_of(points[leader][second])];
                    sets.set(free, BySeat { first, second }, leader, code);
                }
            }
        }
    }

    /// Returns the possible hands of seat *second* with `size` cards as bit masks, in ascending order.
    fn sets_of_second(&self, size: usize) -> Vec<usize> {
        sets_of(self.lanes.trailing_zeros() as usize, size).collect()
    }
}

/// Converts a number of points (a 16-bit integer) to an array index from 0 to 65,535, which increases with the points.
fn number_of(points: i16) -> usize {
    (points.cast_unsigned() ^ 1 << 15).into()
}
