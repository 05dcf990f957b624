//! Solves all positions whose hands together hold a given set of cards, by vector operations that each kernel implements.

#![allow(
    clippy::inline_always,
    reason = "inlined functions are compiled for the caller's instructions"
)]
#![allow(unsafe_code, reason = "each block states why its reads stay in a layer")]

use super::spreads::LayerSpreads;
use crate::whole::job::{ABSENT, Job, JobAnswers, SolvedLayers};

/// Vector operations of a kernel on *words*: the values of 64 positions, as signed bytes. A value of an implementing type proves that the
/// processor supports the kernel.
///
/// A word collects the lowest or the highest of several values for each position. Such a word has a form of its own in each kernel, until
/// [`answered`](Self::answered) or [`highest`](Self::highest) turns it into values.
pub(super) trait Vectors: Copy {
    /// Values of 64 positions.
    type Word: Copy;
    /// Choice of positions in a word, with the location of the solved values for these positions.
    type Spread;

    /// Returns a word in which every value is `value`.
    fn splat(self, value: i8) -> Self::Word;

    /// Returns a word that has not collected any lowest value.
    fn no_lowest(self) -> Self::Word;

    /// Returns a word that has not collected any highest value.
    fn no_highest(self) -> Self::Word;

    /// Collects the lowest values from a row of solved values.
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

    /// Collects the highest values from a row of solved values.
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

    /// Returns the lower of two values for each position: the lowest collected value of `losing`, and the negated highest collected value
    /// of `winning`, whose positions are in reverse order. A position without both has the value [`ABSENT`].
    fn answered(self, losing: Self::Word, winning: Self::Word) -> Self::Word;

    /// Returns the highest collected values.
    fn highest(self, highest: Self::Word) -> Self::Word;

    /// Returns the lower value for each position.
    fn min(self, a: Self::Word, b: Self::Word) -> Self::Word;

    /// Returns `values`, with the values of `others` in the positions in which `test` is [`ABSENT`].
    fn if_absent(self, test: Self::Word, others: Self::Word, values: Self::Word) -> Self::Word;

    /// Writes a word.
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
    // Each lead has whole words. One more word follows, so that 64 bytes can be read from the position of each value.
    after_leads.resize((job.leads.len() * words + 1) * 64, 0);
    let (mut from, mut first_group) = (0, 0);
    for (lead, values) in job.leads.iter().zip(after_leads.chunks_exact_mut(words * 64)) {
        let groups = &job.groups[first_group..lead.groups_end];
        let values = values.as_chunks_mut::<64>().0;
        let lead = AnsweredLead { job, spreads, solved, groups, from, mate: lead.mates[side] };
        let mut first = 0;
        while first < words {
            first += match words - first {
                left if left >= WORDS => lead.store::<V, WORDS>(vectors, first, values),
                4.. => lead.store::<V, 4>(vectors, first, values),
                2.. => lead.store::<V, 2>(vectors, first, values),
                _ => lead.store::<V, 1>(vectors, first, values),
            };
        }
        from = groups.last().map_or(from, |group| group.end);
        first_group += groups.len();
    }
    let row = BestLeads { job, spreads, values: after_leads, lead_len: words * 64 };
    let words = spreads.led.words();
    let mut first = 0;
    while first < words {
        first += match words - first {
            left if left >= WORDS => row.store::<V, WORDS>(vectors, first, out),
            4.. => row.store::<V, 4>(vectors, first, out),
            2.. => row.store::<V, 2>(vectors, first, out),
            _ => row.store::<V, 1>(vectors, first, out),
        };
    }
}

/// Kind of lead with its answers, for all hands that the leader can hold after the lead.
struct AnsweredLead<'a, S> {
    job: &'a Job,
    spreads: &'a LayerSpreads<S>,
    solved: SolvedLayers<'a>,
    groups: &'a [JobAnswers],
    /// Index of the lead's first answer in the list of all answers.
    from: usize,
    /// Score code of a mate by the lead.
    mate: i8,
}

impl<S> AnsweredLead<'_, S> {
    /// Computes `N` words of the values after the lead from the word `first` on, and writes them to `out`. Returns `N`.
    #[inline(always)]
    fn store<V: Vectors<Spread = S>, const N: usize>(
        &self,
        vectors: V,
        first: usize,
        out: &mut [[i8; 64]],
    ) -> usize {
        let mut values = [vectors.splat(ABSENT); N];
        let mut from = self.from;
        for group in self.groups {
            let layer = usize::from(group.by_free_move);
            let mut losing = [vectors.no_lowest(); N];
            let rows = self.solved.same_leader[layer].as_ptr();
            for answer in &self.job.answers[from..group.losing_end] {
                let row = rows.wrapping_add(answer.row as usize);
                let spreads = self.spreads.losing.of::<N>(answer.card, first);
                for (losing, spread) in losing.iter_mut().zip(spreads) {
                    // SAFETY: `check` has compared the end of the row and 64 more bytes with the length of the layer.
                    *losing = unsafe { vectors.collect_lowest(*losing, row, spread) };
                }
            }
            let mut winning = [vectors.no_highest(); N];
            let rows = self.solved.other_leader[layer].as_ptr();
            for answer in &self.job.answers[group.losing_end..group.end] {
                let row = rows.wrapping_add(answer.row as usize);
                let spreads = self.spreads.winning.of::<N>(answer.card, first);
                for (winning, spread) in winning.iter_mut().zip(spreads) {
                    // SAFETY: `check` has compared the end of the row and 64 more bytes with the length of the layer.
                    *winning = unsafe { vectors.collect_highest(*winning, row, spread) };
                }
            }
            for ((value, losing), winning) in values.iter_mut().zip(losing).zip(winning) {
                let answered = vectors.answered(losing, winning);
                // A position has a value here if the follower holds a card of an earlier tier.
                *value = if group.by_free_move {
                    vectors.if_absent(*value, *value, vectors.min(*value, answered))
                } else {
                    vectors.if_absent(*value, answered, *value)
                };
            }
            from = group.end;
        }
        let mate = vectors.splat(self.mate);
        for (out, value) in out[first..first + N].iter_mut().zip(values) {
            vectors.store(vectors.if_absent(value, mate, value), out);
        }
        N
    }
}

/// Values after each lead, from which the values before the lead are computed.
struct BestLeads<'a, S> {
    job: &'a Job,
    spreads: &'a LayerSpreads<S>,
    /// Values after each lead, in the order of the leads, followed by 64 bytes.
    values: &'a [i8],
    /// Number of bytes for each lead.
    lead_len: usize,
}

impl<S> BestLeads<'_, S> {
    /// Computes `N` words of the values of the best leads from the word `first` on, and writes them to the row `out`. Returns `N`.
    #[inline(always)]
    fn store<V: Vectors<Spread = S>, const N: usize>(
        &self,
        vectors: V,
        first: usize,
        out: &mut [i8],
    ) -> usize {
        let mut best = [vectors.no_highest(); N];
        for (lead, values) in self.job.leads.iter().zip(self.values.chunks_exact(self.lead_len)) {
            let spreads = self.spreads.led.of::<N>(lead.card, first);
            for (best, spread) in best.iter_mut().zip(spreads) {
                // SAFETY: the values of each lead have 64 more bytes after them, and a spread starts at most at their end.
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
