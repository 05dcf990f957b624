//! Computes, for each word of 64 positions in a row, the positions that solved values are copied to.

use crate::deal::subsets::binomial;
use crate::whole::job::{Job, SolvedLayers};
use crate::whole::splits::Splits;

/// Spreads (mappings of consecutive solved values to positions) for each card and each word of 64 positions. A spread
/// says which positions of the word consecutive solved values are copied to, and at which offset of their row these
/// values begin. Each kernel has its own type `S` of a spread.
pub(super) struct Spreads<S> {
    words: usize,
    of_cards: Vec<S>,
}

impl<S> Spreads<S> {
    /// Returns the number of words (groups of 64 positions) in a row of positions.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Returns the spreads (mappings of solved values to positions) of a card for `N` words, from the word `first` on.
    #[inline]
    pub(super) fn of<const N: usize>(&self, card: u8, first: usize) -> &[S; N] {
        let at = usize::from(card) * self.words + first;
        self.of_cards[at..].first_chunk().expect("the caller asks for existing words only")
    }
}

/// Spreads (mappings of solved values to positions) for a layer: all positions with given hand sizes.
///
/// After a lead, the positions are numbered by the cards that the leader still holds. The solved values after a losing answer have the same
/// order, because the same player leads again. The solved values after a winning answer have the opposite order, because the other player
/// leads.
pub(super) struct LayerSpreads<S> {
    live: usize,
    lanes: usize,
    after_move: usize,
    /// Mappings (spreads) of each solved value after a lead to the position before the lead. The leader holds the led card there.
    pub(super) led: Spreads<S>,
    /// Spreads: mappings from each solved value after a losing answer to the position before this answer. In this position, the follower
    /// holds the answering card.
    pub(super) losing: Spreads<S>,
    /// Spreads: mappings from each solved value after a winning answer to the position before this answer. In this position, the follower
    /// holds the answering card. The positions of each word are in reverse order.
    pub(super) winning: Spreads<S>,
}

impl<S> LayerSpreads<S> {
    /// Computes the spreads for positions with `live` cards in both hands together, of which the leader holds `held`. The function
    /// `spread` computes a spread from a bit mask of positions and the offset of the first solved value.
    pub(super) fn new((live, held): (usize, usize), spread: impl Fn(u64, u32) -> S) -> Self {
        let before = Splits::new(live, held);
        let after = Splits::new(live - 1, held - 1);
        let in_row = |word: usize| match after.lanes() - word * 64 {
            lanes @ 0..64 => (1 << lanes) - 1,
            _ => u64::MAX,
        };
        let after_move = binomial(live - 2, held - 1);
        let mut made = Self {
            live,
            lanes: before.lanes(),
            after_move,
            led: Spreads { words: before.words(), of_cards: Vec::new() },
            losing: Spreads { words: after.words(), of_cards: Vec::new() },
            winning: Spreads { words: after.words(), of_cards: Vec::new() },
        };
        for card in 0..live {
            let mut start = 0;
            for &lanes in before.holding(card) {
                made.led.of_cards.push(spread(lanes, start));
                start += lanes.count_ones();
            }
        }
        for card in 0..live - 1 {
            let (mut start, mut end) = (0, u32::try_from(after_move).expect("a row is short"));
            for (word, held) in after.holding(card).iter().enumerate() {
                let lanes = !held & in_row(word);
                made.losing.of_cards.push(spread(lanes, start));
                start += lanes.count_ones();
                end -= lanes.count_ones();
                made.winning.of_cards.push(spread(lanes.reverse_bits(), end));
            }
        }
        made
    }

    /// Checks that all offsets, card numbers and lengths of a job are in range, as the vector code requires.
    ///
    /// Every row lies in its layer with 64 more bytes after the row, so reading 64 bytes from any offset of a row stays in the layer.
    ///
    /// # Panics
    ///
    /// Panics if an offset, the index of a card or a length is out of range.
    pub(super) fn check(&self, job: &Job, solved: SolvedLayers<'_>, out: &[i8]) {
        assert_eq!(out.len(), self.lanes, "the result has a byte for each position");
        let held = job.leads.iter().all(|lead| usize::from(lead.card) < self.live);
        assert!(held, "the index of every led card is below the number of held cards");
        let (mut last, mut fine) = (0, true);
        // One flag collects all checks, which costs less than a branch for each answer.
        for answer in job.used_answers() {
            last = last.max(answer.row);
            fine &= usize::from(answer.card) < self.live - 1;
        }
        assert!(
            fine,
            "the index of every answering card is below the number of the other held cards"
        );
        let layers = solved.same_leader.iter().chain(&solved.other_leader);
        let len = layers.map(|layer| layer.len()).min().unwrap_or_default();
        let end = (last as usize).saturating_add(self.after_move + 64);
        assert!(
            job.used_answers().is_empty() || end <= len,
            "every row and the padding lie in the layer"
        );
    }
}
