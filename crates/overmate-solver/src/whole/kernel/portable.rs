//! The portable kernel, lane by lane: what the others are measured by.

use core::ops::Range;

use crate::whole::geometry::{Splits, lanes};
use crate::whole::job::{ABSENT, Job, Lead};

/// Works out a row.
pub(super) fn row(job: &Job<'_>, splits: &Splits, out: &mut [i8]) {
    let mut classes: [Vec<i8>; 3] = core::array::from_fn(|_| vec![ABSENT; out.len()]);
    out.fill(-ABSENT);
    for (lead, [b0, b1, a0, a1, f0, f1]) in job.runs() {
        for (class, (kept, turned)) in classes.iter_mut().zip([(b0, b1), (a0, a1), (f0, f1)]) {
            class.fill(ABSENT);
            least(job, splits, lead, kept, false, class);
            least(job, splits, lead, turned, true, class);
        }
        let [before, after, free] = &classes;
        for lane in lanes(splits.holding(lead.card).iter().copied()) {
            let value = match (before[lane], after[lane]) {
                (ABSENT, ABSENT) => lead.mate,
                (ABSENT, after) => after,
                (before, _) => before.min(free[lane]),
            };
            out[lane] = out[lane].max(value);
        }
    }
}

/// Takes the least of the rows of a run and what is there, in the lanes that each is for.
fn least(
    job: &Job<'_>,
    splits: &Splits,
    lead: &Lead,
    run: Range<usize>,
    turned: bool,
    class: &mut [i8],
) {
    for source in &job.sources[run] {
        let row = &source.layer[source.start..source.start + splits.after_move()];
        let words = splits.holding(lead.card).iter().zip(splits.holding(source.answer));
        let lanes = lanes(words.map(|(held, by_leader)| held & !by_leader));
        if turned {
            for (lane, value) in lanes.zip(row.iter().rev()) {
                class[lane] = class[lane].min(-value);
            }
        } else {
            for (lane, value) in lanes.zip(row) {
                class[lane] = class[lane].min(*value);
            }
        }
    }
}
