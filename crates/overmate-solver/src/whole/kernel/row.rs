//! Solves all positions whose hands together hold a given set of cards, by vector operations that each kernel implements.

#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]
#![allow(unsafe_code, reason = "each block states why its reads stay in a layer")]

use super::spreads::LayerSpreads;
use crate::whole::job::{ABSENT, Answer, Job, JobAnswers, SolvedLayers};

/// Vector operations of a kernel on *words*: the values of 64 positions, as signed bytes. A value of an implementing type proves that the
/// processor supports the kernel.
///
/// A word can also collect the lowest or the highest of several values for each position. Each kernel encodes such a word in its own way.
/// [`answered`](Self::answered) and [`highest`](Self::highest) decode the word into values.
pub(super) trait Vectors: Copy {
    /// Values of 64 positions.
    type Word: Copy;
    /// Mapping from consecutive values of solved positions to the places of their copies in a group of 64 bytes. The mapping includes the
    /// offset of the first copied value in its row.
    type Spread;

    /// Returns a vector of 64 values that all equal `value`.
    fn splat(self, value: i8) -> Self::Word;

    /// Returns 64 initial minimums, one for each position, before any value has been collected. The function
    /// [`collect_lowest`](Self::collect_lowest) updates these minimums.
    fn no_lowest(self) -> Self::Word;

    /// Returns 64 initial maximums, one for each position, before any value has been collected. The function
    /// [`collect_highest`](Self::collect_highest) updates these maximums.
    fn no_highest(self) -> Self::Word;

    /// Updates `lowest`, the lowest values so far for 64 positions, with the values that `spread` copies from `row`. Returns the new lowest
    /// values.
    ///
    /// # Safety
    ///
    /// `row` must have 64 readable bytes from the start of the spread on.
    unsafe fn collect_lowest(
        self,
        lowest: Self::Word,
        row: *const i8,
        spread: &Self::Spread,
    ) -> Self::Word;

    /// Updates `highest`, the highest values so far for 64 positions, with the values that `spread` copies from `row`. Returns the new
    /// highest values.
    ///
    /// # Safety
    ///
    /// `row` must have 64 readable bytes from the start of the spread on.
    unsafe fn collect_highest(
        self,
        highest: Self::Word,
        row: *const i8,
        spread: &Self::Spread,
    ) -> Self::Word;

    /// Returns, for each position, the lower of two values: the accumulated minimum in `losing`, and the negated
    /// accumulated maximum in `winning`. The positions of `winning` are in reverse order. A position for which neither
    /// word has collected a value gets [`ABSENT`].
    fn answered(self, losing: Self::Word, winning: Self::Word) -> Self::Word;

    /// Decodes the highest values of 64 positions, as collected in `highest`, into score codes.
    fn highest(self, highest: Self::Word) -> Self::Word;

    /// Returns the lower of the values of `a` and `b` for each position.
    fn min(self, a: Self::Word, b: Self::Word) -> Self::Word;

    /// Returns, for each of 64 game positions, the value in `others` if the value in `test` is [`ABSENT`], and otherwise the value in
    /// `values`.
    fn if_absent(self, test: Self::Word, others: Self::Word, values: Self::Word) -> Self::Word;

    /// Writes the values of 64 positions from `word` to `out`.
    fn store(self, word: Self::Word, out: &mut [i8; 64]);
}

/// Computes the values of all positions whose hands together hold the cards of `job`. The leader's hand has the size for which `spreads`
/// were made, and `side` is the index of this size.
///
/// The buffer `after_leads` is reused between calls. `WORDS` is the maximum number of words that are computed at once.
#[inline(always)]
pub(super) fn solve_row<V: Vectors, const WORDS: usize>(
    vectors: V,
    spreads: &LayerSpreads<V::Spread>,
    job: &Job,
    (side, solved): (usize, SolvedLayers<'_>),
    after_leads: &mut Vec<i8>,
    out: &mut [i8],
) {
    spreads.check(job, solved, out);
    let words = spreads.losing.words();
    // The buffer `after_leads` has a whole number of groups of 64 bytes for each lead. One more group follows, so that 64 bytes can be read
    // from the place of each value.
    after_leads.resize((job.leads.len() * words + 1) * 64, 0);
    let answers = job.used_answers();
    let (mut from, mut first_group) = (0, 0);
    for (lead, values) in job.leads.iter().zip(after_leads.chunks_exact_mut(words * 64)) {
        let groups = &job.groups[first_group..lead.groups_end];
        let lead = AnsweredLead { answers, spreads, solved, groups, from, mate: lead.mates[side] };
        store_words::<V, _, WORDS>(vectors, &lead, words, values);
        from = groups.last().map_or(from, |group| group.end);
        first_group += groups.len();
    }
    let row = BestLeads { job, spreads, values: after_leads, lead_len: words * 64 };
    store_words::<V, _, WORDS>(vectors, &row, spreads.led.words(), out);
}

/// Row of values that is computed in words (groups of 64 positions).
trait Words<V: Vectors> {
    /// Computes `N` words (groups of 64 positions) from the word `first` on, writes the words to the row `out`, and
    /// returns `N`.
    fn store<const N: usize>(&self, vectors: V, first: usize, out: &mut [i8]) -> usize;
}

/// Computes all `words` words (groups of 64 positions) of a row, at most `WORDS` words at once, and writes the words to
/// `out`.
#[inline(always)]
fn store_words<V: Vectors, R: Words<V>, const WORDS: usize>(
    vectors: V,
    row: &R,
    words: usize,
    out: &mut [i8],
) {
    let mut first = 0;
    while first < words {
        first += match words - first {
            left if left >= WORDS => row.store::<WORDS>(vectors, first, out),
            4.. => row.store::<4>(vectors, first, out),
            2.. => row.store::<2>(vectors, first, out),
            _ => row.store::<1>(vectors, first, out),
        };
    }
}

/// Input for computing the values of all positions in which the follower must answer a given lead. The values form a row, with one value
/// for each hand that the leader can hold after the lead.
struct AnsweredLead<'a, S> {
    /// List of the possible answers to every lead, for one set of cards in both hands together. The answers to each lead are adjacent, in
    /// the order of the leads.
    answers: &'a [Answer],
    spreads: &'a LayerSpreads<S>,
    solved: SolvedLayers<'a>,
    groups: &'a [JobAnswers],
    /// Index of the lead's first answer in `answers`.
    from: usize,
    /// Score code of a mate by the lead.
    mate: i8,
}

impl<V: Vectors> Words<V> for AnsweredLead<'_, V::Spread> {
    #[inline(always)]
    fn store<const N: usize>(&self, vectors: V, first: usize, out: &mut [i8]) -> usize {
        let mut values = [vectors.splat(ABSENT); N];
        let mut from = self.from;
        for group in self.groups {
            let layer = usize::from(group.by_free_move);
            let mut losing = [vectors.no_lowest(); N];
            let rows = self.solved.same_leader[layer].as_ptr();
            for answer in &self.answers[from..group.losing_end] {
                let row = rows.wrapping_add(answer.row as usize);
                let spreads = self.spreads.losing.of::<N>(answer.card, first);
                for (losing, spread) in losing.iter_mut().zip(spreads) {
                    // SAFETY: the first byte to read lies inside the row `row` or directly after its end. `LayerSpreads::check` has ensured
                    // that the layer has 64 bytes after the end of each row.
                    *losing = unsafe { vectors.collect_lowest(*losing, row, spread) };
                }
            }
            let mut winning = [vectors.no_highest(); N];
            let rows = self.solved.other_leader[layer].as_ptr();
            for answer in &self.answers[group.losing_end..group.end] {
                let row = rows.wrapping_add(answer.row as usize);
                let spreads = self.spreads.winning.of::<N>(answer.card, first);
                for (winning, spread) in winning.iter_mut().zip(spreads) {
                    // SAFETY: the first byte to read lies inside the row `row` or directly after its end. `LayerSpreads::check` has ensured
                    // that the layer has 64 bytes after the end of each row.
                    *winning = unsafe { vectors.collect_highest(*winning, row, spread) };
                }
            }
            for ((value, losing), winning) in values.iter_mut().zip(losing).zip(winning) {
                let answered = vectors.answered(losing, winning);
                // A position has a value so far exactly if the follower holds a card of an earlier tier than the answers in `group`. The
                // free move is legal only in such a position.
                *value = if group.by_free_move {
                    vectors.if_absent(*value, *value, vectors.min(*value, answered))
                } else {
                    vectors.if_absent(*value, answered, *value)
                };
            }
            from = group.end;
        }
        let mate = vectors.splat(self.mate);
        let out = out.as_chunks_mut::<64>().0;
        for (out, value) in out[first..first + N].iter_mut().zip(values) {
            vectors.store(vectors.if_absent(value, mate, value), out);
        }
        N
    }
}

/// Input for computing the values of all positions in which a player must lead, for one set of cards in both hands together. The value of a
/// position is the value of its best lead.
struct BestLeads<'a, S> {
    job: &'a Job,
    spreads: &'a LayerSpreads<S>,
    /// Values after each lead, in the order of the leads, followed by 64 padding bytes.
    values: &'a [i8],
    /// Number of bytes that the values after one lead take in `values`.
    lead_len: usize,
}

impl<V: Vectors> Words<V> for BestLeads<'_, V::Spread> {
    #[inline(always)]
    fn store<const N: usize>(&self, vectors: V, first: usize, out: &mut [i8]) -> usize {
        let mut best = [vectors.no_highest(); N];
        // Each item of `after_leads` has the values after one lead, followed by 64 more bytes.
        let after_leads = self.values.windows(self.lead_len + 64).step_by(self.lead_len);
        for (lead, values) in self.job.leads.iter().zip(after_leads) {
            let spreads = self.spreads.led.of::<N>(lead.card, first);
            for (best, spread) in best.iter_mut().zip(spreads) {
                // SAFETY: `values` has 64 bytes after the values of the lead, and a spread starts at most at the end of these values.
                *best = unsafe { vectors.collect_highest(*best, values.as_ptr(), spread) };
            }
        }
        let (words, rest) = out[first * 64..].as_chunks_mut::<64>();
        for (word, best) in best.into_iter().enumerate() {
            let best = vectors.highest(best);
            if let Some(word) = words.get_mut(word) {
                vectors.store(best, word);
            } else {
                let mut bytes = [0; 64];
                vectors.store(best, &mut bytes);
                rest.copy_from_slice(&bytes[..rest.len()]);
            }
        }
        N
    }
}
