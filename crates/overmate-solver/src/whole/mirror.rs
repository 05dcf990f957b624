//! Mirror halves of a row of positions: exchanging the cards of both players maps one half to the other.
//!
//! Where the leader holds one card and the follower another, the opposite split has both cards exchanged. The opposite
//! split stands as far from the end of the row as the split from the start. Lanes are numbered so that the word
//! opposite to a word is a whole word too: with equal hands from both ends of the row inwards; with unequal hands from
//! the start of one row and from the end of the row with the other leader.

use super::splits::Splits;

/// Index of the near side of a mirror: the first half of the splits of equal hands, or the splits in which the leader
/// holds fewer cards.
pub(crate) const NEAR: usize = 0;
/// Index of the far side of a mirror: the second half of the splits of equal hands, or the splits in which the leader
/// holds more cards.
pub(crate) const FAR: usize = 1;

/// Arrangement of all splits of the held cards in words of 64, paired so that exchanging the players maps each word
/// to its partner.
pub(crate) struct Mirror {
    live: usize,
    after_move: usize,
    /// Number of bytes of the near and of the far side of the result.
    lens: [usize; 2],
    /// Number of the first used entry of the near and of the far side.
    firsts: [usize; 2],
    words: usize,
    pairs: usize,
    has_middle: bool,
    /// Bit masks of the entries in which the leader holds a card, by side, card and pair of words.
    held: [Vec<u64>; 2],
}

impl Mirror {
    /// Creates the mirror of equal hands, whose sides are the two halves of a row.
    pub(crate) fn of_halves(splits: &Splits) -> Self {
        let (lanes, words) = (splits.lanes(), splits.words());
        // The number of lanes is even, as each lane has an opposite lane.
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

    /// Creates the mirror of unequal hands, whose sides are the row whose leader holds fewer cards and the row whose
    /// leader holds more.
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

    /// Returns the number of cards that are still held.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// Returns the number of splits of the remaining cards after a move.
    pub(crate) fn after_move(&self) -> usize {
        self.after_move
    }

    /// Returns the number of bytes of the near and of the far side of the result.
    pub(crate) fn lens(&self) -> [usize; 2] {
        self.lens
    }

    /// Returns the number of pairs of words (64 splits each) that mirror each other.
    pub(crate) fn pairs(&self) -> usize {
        self.pairs
    }

    /// Returns whether there is a middle word (64 splits) that mirrors itself.
    pub(crate) fn has_middle(&self) -> bool {
        self.has_middle
    }

    /// Returns the number of words (64 splits each) of a side: one word for each pair, and the middle word if there
    /// is one.
    pub(crate) fn side_words(&self) -> usize {
        self.pairs + usize::from(self.has_middle)
    }

    /// Returns the bit masks of the entries of a side in which the leader holds the card at a place, by pair of
    /// words.
    pub(crate) fn held(&self, side: usize, place: usize) -> &[u64] {
        let words = self.side_words();
        &self.held[side][place * words..(place + 1) * words]
    }

    /// Returns the index of the first of the 64 splits of a word in the result of its side. The index may be before
    /// the start.
    pub(crate) fn lane(&self, side: usize, pair: usize) -> isize {
        let word = if side == NEAR { pair } else { self.words - 1 - pair };
        (word * 64).cast_signed() - self.firsts[side].cast_signed()
    }
}

/// Input for computing the words of one side of a mirror.
struct Side<'a> {
    splits: &'a Splits,
    /// Number of unused entries before the first entry of the side.
    skipped: usize,
    /// Number of the word in the first pair; the following pairs go up from the first word, or down from the last
    /// word.
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

/// Returns the 64 bits of a bit mask from the bit `from` on, which may be before the first bit.
fn shifted(lanes: &[u64], from: isize) -> u64 {
    let word = |at: isize| usize::try_from(at).ok().and_then(|at| lanes.get(at)).copied();
    let (at, bit) = (from.div_euclid(64), from.rem_euclid(64));
    let low = word(at).unwrap_or_default() >> bit;
    let high = word(at + 1).unwrap_or_default();
    if bit == 0 { low } else { low | high << (64 - bit) }
}
