//! Computes the places to which values of solved positions are copied, in order to solve the positions one action earlier. The places are
//! computed for each card and each word of 64 positions.

use crate::deal::subsets::binomial;
use crate::whole::job::{Job, SolvedLayers};
use crate::whole::splits::Splits;

/// Mappings (spreads) from values of solved positions to the positions one action earlier, for each card that this action can play. For
/// each card, there is one mapping for each word of 64 positions. A mapping says which places of the word the values are copied to, and at
/// which offset of their row the values begin. Each kernel has its own type `S` of a mapping.
pub(super) struct Spreads<S> {
    words: usize,
    of_cards: Vec<S>,
}

impl<S> Spreads<S> {
    /// Returns the number of words (groups of 64 positions) in a row of positions.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Returns the mappings for one played card and `N` adjacent groups of 64 positions. The first of these groups has the index `first`.
    #[inline]
    pub(super) fn of<const N: usize>(&self, card: u8, first: usize) -> &[S; N] {
        let at = usize::from(card) * self.words + first;
        self.of_cards[at..].first_chunk().expect("the caller asks for existing words only")
    }
}

/// All mappings from the values of positions after a lead or an answer to the positions before this action. Before the lead, the hands have
/// given sizes.
///
/// After a lead, the positions are numbered by the cards that the leader still holds. The solved values after a losing answer have the same
/// order, because the same player leads again. The solved values after a winning answer have the opposite order, because the other player
/// leads.
pub(super) struct LayerSpreads<S> {
    live: usize,
    lanes: usize,
    after_move: usize,
    /// Mappings that copy the value of each position after a lead to the position before the lead. In that position, the leader holds the
    /// led card.
    pub(super) led: Spreads<S>,
    /// Mappings that copy the value of each position after a losing answer to the position before the answer. In that position, the
    /// follower holds the answering card.
    pub(super) losing: Spreads<S>,
    /// Mappings that copy the value of each position after a winning answer to the position before the answer. In that position, the
    /// follower holds the answering card. The positions of each word are in reverse order.
    pub(super) winning: Spreads<S>,
}

impl<S> LayerSpreads<S> {
    /// Computes the mappings from the values of positions after a lead or an answer to the positions before this action. Before the lead,
    /// both hands together have `live` cards, of which the leader holds `held`. The function `spread` computes a mapping from a bit mask of
    /// positions and the offset of the first solved value.
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

    /// Checks that all offsets, card indices and lengths in `job`, `solved` and `out` are in range, so that no read goes outside the given
    /// memory.
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
        // The flag `fine` collects the results of the checks of all answers, which costs less than a branch for each answer.
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
