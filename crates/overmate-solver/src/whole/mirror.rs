//! The two halves of a row, each the mirror image of the other.
//!
//! Where the leader holds a card and the other a second one, the opposite split has it the other way round, and
//! stands as far from the end of a row as this one from its start. So lanes are numbered such that the word
//! opposite to a word is whole as well: from both ends of the row inwards; and with unequal hands, from the start of the row with the
//! one leading and from the end of the row with the other leading.

use super::splits::Splits;

/// Which half of a row, or which of two rows with unequal hands.
pub(crate) const NEAR: usize = 0;
/// The mirror image of [`NEAR`].
pub(crate) const FAR: usize = 1;

/// The lanes of a row or of two opposite ones, in words of 64 and in pairs of opposite words.
pub(crate) struct Mirror {
    live: usize,
    after_move: usize,
    /// How many bytes each side of the result has.
    lens: [usize; 2],
    /// The number of the first lane of each side.
    firsts: [usize; 2],
    words: usize,
    pairs: usize,
    has_middle: bool,
    /// By side, place of a live card and pair: the lanes in which the leader holds it.
    held: [Vec<u64>; 2],
}

impl Mirror {
    /// With equal hands: the two halves of a row.
    pub(crate) fn of_halves(splits: &Splits) -> Self {
        let (lanes, words) = (splits.lanes(), splits.words());
        // The number of lanes is even, as each has an opposite one.
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

    /// With unequal hands: the row in which the leader holds fewer cards, and that in which he holds more.
    pub(crate) fn of_rows(fewer: &Splits, more: &Splits) -> Self {
        assert!(fewer.live() == more.live() && fewer.lanes() == more.lanes(), "they are opposite");
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

    /// How many cards are live.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// How many lanes a row has after a move.
    pub(crate) fn after_move(&self) -> usize {
        self.after_move
    }

    /// How many bytes each side of the result has.
    pub(crate) fn lens(&self) -> [usize; 2] {
        self.lens
    }

    /// How many pairs of opposite words there are.
    pub(crate) fn pairs(&self) -> usize {
        self.pairs
    }

    /// Whether there is one more word, opposite to itself.
    pub(crate) fn has_middle(&self) -> bool {
        self.has_middle
    }

    /// How many words each side has for a card: one for each pair, and the middle one.
    pub(crate) fn side_words(&self) -> usize {
        self.pairs + usize::from(self.has_middle)
    }

    /// The lanes of a side in which the leader holds the card of a place, by pair.
    pub(crate) fn held(&self, side: usize, place: usize) -> &[u64] {
        let words = self.side_words();
        &self.held[side][place * words..(place + 1) * words]
    }

    /// Where the lanes of a word stand in the result of its side: the first one, which may be before the start.
    pub(crate) fn lane(&self, side: usize, pair: usize) -> isize {
        let word = if side == NEAR { pair } else { self.words - 1 - pair };
        (word * 64).cast_signed() - self.firsts[side].cast_signed()
    }
}

/// The words of a side, being made.
struct Side<'a> {
    splits: &'a Splits,
    /// How many numbers come before the first lane.
    skipped: usize,
    /// The word of the first pair: from the first one up, or from the last one down.
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

/// The 64 lanes from one on, which may be before the first one.
fn shifted(lanes: &[u64], from: isize) -> u64 {
    let word = |at: isize| usize::try_from(at).ok().and_then(|at| lanes.get(at)).copied();
    let (at, bit) = (from.div_euclid(64), from.rem_euclid(64));
    let low = word(at).unwrap_or_default() >> bit;
    let high = word(at + 1).unwrap_or_default();
    if bit == 0 { low } else { low | high << (64 - bit) }
}
