//! Implements the solver's inner loops for any processor, as the reference for the vector implementations.

use crate::deal::subsets::bits;
use crate::whole::job::{ABSENT, ALWAYS, Job, MAX_LEADS, NEVER, OF_GROUPS};
use crate::whole::mirror::{FAR, Mirror, NEAR};

use super::words::holding;

/// Buffers of the portable inner loops, for one pair of words (64 positions and the 64 positions
/// with exchanged hands).
pub(super) struct Scratch {
    kept: [[i8; 64]; 2],
    swapped: [[[i8; 64]; 2]; MAX_LEADS + 1],
}

impl Default for Scratch {
    fn default() -> Self {
        Self { kept: [[ABSENT; 64]; 2], swapped: [[[ABSENT; 64]; 2]; MAX_LEADS + 1] }
    }
}

/// Computes the values of all positions whose hands together hold a given set of cards, on any processor. Each step computes 64 positions
/// and the 64 positions with exchanged hands.
pub(super) fn sides(
    scratch: &mut Scratch,
    job: &mut Job<'_>,
    mirror: &Mirror,
    out: &mut [&mut [i8]; 2],
) {
    for pair in 0..mirror.side_words() {
        let middle = pair == mirror.pairs();
        let mut best = [[-ABSENT; 64]; 2];
        let sides = if middle { NEAR..FAR } else { NEAR..FAR + 1 };
        let masks: [Vec<u64>; 2] = [NEAR, FAR].map(|side| masks(job, mirror, side, pair));
        let mut from = 0;
        for lead in &job.leads {
            let Scratch { kept, swapped } = scratch;
            *kept = [[ABSENT; 64]; 2];
            for (run, to) in lead.ends.into_iter().enumerate() {
                let layers = job.layers[usize::from(run == 2)];
                for source in &mut job.sources[from..to] {
                    for side in sides.clone() {
                        let word = |place: u8| mirror.held(side, place.into())[pair];
                        let lanes = word(lead.card) & !word(source.pairing.loser);
                        let [keep, turn] =
                            source.pairing.masks.map(|mask| masks[side][usize::from(mask)]);
                        let start = if side == NEAR {
                            let start = source.up;
                            source.up += lanes.count_ones();
                            start
                        } else {
                            source.down -= lanes.count_ones();
                            source.down
                        };
                        let other = if middle { side } else { 1 - side };
                        let least = &mut swapped[usize::from(source.pairing.swapped)][other];
                        for (at, lane) in (start as usize..).zip(bits(lanes)) {
                            let value = layers[side][at];
                            if keep >> lane & 1 == 1 {
                                kept[side][lane] = kept[side][lane].min(value);
                            }
                            if turn >> lane & 1 == 1 {
                                least[63 - lane] = least[63 - lane].min(-value);
                            }
                        }
                    }
                }
                from = to;
            }
            let swapped = &mut swapped[usize::from(lead.number)];
            for side in sides.clone() {
                for lane in bits(mirror.held(side, lead.card.into())[pair]) {
                    let value = match kept[side][lane].min(swapped[side][lane]) {
                        ABSENT => lead.mates[side],
                        value => value,
                    };
                    best[side][lane] = best[side][lane].max(value);
                }
                swapped[side] = [ABSENT; 64];
            }
        }
        for side in sides {
            let first = mirror.lane(side, pair);
            for (lane, best) in (first..).zip(best[side]) {
                if let Some(out) = usize::try_from(lane).ok().and_then(|at| out[side].get_mut(at)) {
                    *out = best;
                }
            }
        }
    }
}

/// Returns, for one word of 64 positions, all bit masks that select positions by their hands, in the order of the mask numbers.
fn masks(job: &Job<'_>, mirror: &Mirror, side: usize, pair: usize) -> Vec<u64> {
    let mut masks = vec![0; OF_GROUPS.into()];
    masks[usize::from(ALWAYS)] = !0;
    masks[usize::from(NEVER)] = 0;
    for &group in &job.groups {
        let [[all], [some]] = holding(mirror, side, pair, group);
        masks.extend([all, !all, !some, some]);
    }
    masks
}
