//! What a row is worked out from: the leads of a set of live cards, and the rows that their answers lead to.

/// What stands where there is no value: more than any.
pub(crate) const ABSENT: i8 = i8::MAX;

/// A row to be read: that after a lead and an answer.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The layer that holds the row, with its pads.
    pub(crate) layer: &'a [i8],
    /// Where the row begins.
    pub(crate) start: usize,
    /// The place of the answer among the live cards.
    pub(crate) answer: usize,
}

/// One way to lead a card, and where its sources end in the job: six runs, each beginning where the last one ends.
///
/// The runs are the answers that come first, those that come after, and the free moves; of each those
/// that the lead wins over, whose rows are read as they are, and then those that win, whose rows are *turned*: read
/// backwards and negated, since the other leads next.
#[derive(Clone, Copy)]
pub(crate) struct Lead {
    /// The place of the card among the live ones.
    pub(crate) card: usize,
    /// The byte of a mate.
    pub(crate) mate: i8,
    /// The ends of the runs.
    pub(crate) ends: [usize; 6],
}

/// A row to be worked out.
#[derive(Default)]
pub(crate) struct Job<'a> {
    pub(crate) leads: Vec<Lead>,
    pub(crate) sources: Vec<Source<'a>>,
}

impl Job<'_> {
    /// Empties it, to be filled again.
    pub(crate) fn clear(&mut self) {
        self.leads.clear();
        self.sources.clear();
    }

    /// Each lead with the ranges of its six runs.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&Lead, [core::ops::Range<usize>; 6])> {
        let mut from = 0;
        self.leads.iter().map(move |lead| {
            let runs = lead.ends.map(|to| core::mem::replace(&mut from, to)..to);
            (lead, runs)
        })
    }
}
