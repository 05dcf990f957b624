//! Pairs each position with the position in which the hands are exchanged, and arranges both in
//! 64-bit words for vector registers.
//!
//! A row lists all divisions of the same cards between both hands, in the order of the bit masks of the leader's cards. The division with
//! exchanged hands stands as far from the end of the row as the division itself stands from the start.
//!
//! The positions are numbered so that an exchange of the hands turns each word of 64 positions into another whole word, or into the same
//! word. With equal hands, words are taken from both ends of the row inwards. With unequal hands, words are taken from the start of one row
//! and from the end of the row in which the other player leads.

use super::splits::Splits;

/// Index of the first half of the positions, in arrays with one entry for each half. An exchange of the hands turns each position into a
/// position of the other half. The exception is a middle word of 64 positions, which belongs to the first half and contains its own mirror
/// images. In the first half the leader never holds more cards than the follower.
pub(crate) const NEAR: usize = 0;
/// Index of the second half of the positions, in arrays with one entry for each half. In the second half the leader never holds fewer cards
/// than the follower.
pub(crate) const FAR: usize = 1;

/// Arrangement of the positions in words of 64 positions. An exchange of the hands turns each word into another whole word, or into itself.
pub(crate) struct Mirror {
    live: usize,
    after_move: usize,
    /// Number of positions in each half ([`NEAR`] and [`FAR`]) of the positions. A middle word, which contains its own mirror images,
    /// belongs to [`NEAR`].
    lens: [usize; 2],
    /// Bit index, in the 64-bit words of a row, of the first position of each half ([`NEAR`] and [`FAR`]).
    firsts: [usize; 2],
    words: usize,
    pairs: usize,
    has_middle: bool,
    /// Bit masks of the positions in which the leader holds a card, indexed by half of the positions, card and word of 64 positions. The
    /// halves are [`NEAR`] and [`FAR`].
    held: [Vec<u64>; 2],
}

impl Mirror {
    /// Arranges the positions with equal hand sizes, each paired with the position with exchanged hands.
    pub(crate) fn of_halves(splits: &Splits) -> Self {
        let (lanes, words) = (splits.lanes(), splits.words());
        // The number of lanes (divisions of the cards) is even, because each division has a partner with exchanged hands.
        let skipped = (words * 64 - lanes) / 2;
        let half = words.div_ceil(2);
        let near_len = lanes.min(half * 64 - skipped);
        let near = Side { splits, skipped, from: 0 };
        let far = Side { splits, skipped, from: words - 1 };
        Self {
            live: splits.live(),
            after_move: splits.after_move(),
            lens: [near_len, lanes - near_len],
            firsts: [skipped, half * 64],
            words,
            pairs: words / 2,
            has_middle: words % 2 == 1,
            held: [near.held(half), far.held(half)],
        }
    }

    /// Arranges the positions with unequal hand sizes, each paired with the position with exchanged hands. The leader has fewer cards in
    /// one position of a pair, and more cards in the other position.
    pub(crate) fn of_rows(fewer: &Splits, more: &Splits) -> Self {
        assert!(
            fewer.live() == more.live() && fewer.lanes() == more.lanes(),
            "both rows must have the same cards and equally many lanes"
        );
        let (lanes, words) = (fewer.lanes(), fewer.words());
        let skipped = words * 64 - lanes;
        let near = Side { splits: fewer, skipped: 0, from: 0 };
        let far = Side { splits: more, skipped, from: words - 1 };
        Self {
            live: fewer.live(),
            after_move: fewer.after_move(),
            lens: [lanes; 2],
            firsts: [0, skipped],
            words,
            pairs: words,
            has_middle: false,
            held: [near.held(words), far.held(words)],
        }
    }

    /// Returns the number of cards that both hands together hold.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Returns the number of ways in which the cards that remain after one move can be divided between both hands.
    pub(crate) fn after_move(&self) -> usize {
        self.after_move
    }

    /// Returns the number of positions in each half ([`NEAR`] and [`FAR`]) of the positions. A middle word, which contains its own mirror
    /// images, belongs to [`NEAR`].
    pub(crate) fn lens(&self) -> [usize; 2] {
        self.lens
    }

    /// Returns the number of pairs of words: 64 positions, and the 64 positions with exchanged hands.
    pub(crate) fn pairs(&self) -> usize {
        self.pairs
    }

    /// Returns whether a middle word exists, whose 64 positions turn into each other by an exchange of hands. A middle word exists if the
    /// hand sizes are equal and the number of words is odd.
    pub(crate) fn has_middle(&self) -> bool {
        self.has_middle
    }

    /// Returns the number of words (64 positions each) that are stored for each half of the positions. A middle word, which contains its
    /// own mirror images, is stored for both halves.
    pub(crate) fn side_words(&self) -> usize {
        self.pairs + usize::from(self.has_middle)
    }

    /// Returns, for one half of the positions, the bit mask of the positions in which the leader holds a given card.
    pub(crate) fn held(&self, side: usize, place: usize) -> &[u64] {
        let words = self.side_words();
        &self.held[side][place * words..(place + 1) * words]
    }

    /// Returns the index, in one half of the positions ([`NEAR`] or [`FAR`]), of the first position of a word of 64 positions. The index
    /// may be before the start of the half.
    pub(crate) fn lane(&self, side: usize, pair: usize) -> isize {
        let word = if side == NEAR { pair } else { self.words - 1 - pair };
        (word * 64).cast_signed() - self.firsts[side].cast_signed()
    }
}

/// Location of one half of the positions ([`NEAR`] or [`FAR`]) in the bit masks of a row of positions.
struct Side<'a> {
    splits: &'a Splits,
    /// Number of unused bits before the first position of the row, in the row's 64-bit words.
    skipped: usize,
    /// Index, in the row, of the first word (64 positions) of one half of the positions. The words of later pairs follow in ascending or
    /// descending order.
    from: usize,
}

impl Side<'_> {
    fn held(&self, count: usize) -> Vec<u64> {
        let places = 0..self.splits.live();
        let words = places.flat_map(|place| {
            let lanes = self.splits.holding(place);
            (0..count).map(move |pair| {
                let first = self.from.abs_diff(pair) * 64;
                shifted(lanes, first.cast_signed() - self.skipped.cast_signed())
            })
        });
        words.collect()
    }
}

/// Returns the 64 bits of a bit mask that start at the bit index `from`. Bits outside of the mask are 0.
fn shifted(lanes: &[u64], from: isize) -> u64 {
    let word = |at: isize| usize::try_from(at).ok().and_then(|at| lanes.get(at)).copied();
    let (at, bit) = (from.div_euclid(64), from.rem_euclid(64));
    let low = word(at).unwrap_or_default() >> bit;
    let high = word(at + 1).unwrap_or_default();
    if bit == 0 { low } else { low | high << (64 - bit) }
}
