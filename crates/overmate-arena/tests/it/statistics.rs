//! Tests scores, Elo differences and likelihoods against published numbers and simulations.

use overmate_arena::{PairCounts, elo_of_score, score_of_elo};
use test_sample::cases;

use crate::{below, generator};

/// Asserts that the numbers `found` and `expected` differ by at most `by`.
#[track_caller]
fn near(found: f64, expected: f64, by: f64) {
    assert!((found - expected).abs() <= by, "{found} is not {expected} ± {by}");
}

/// Tests that Elo differences and their confidence intervals equal those of the chess tournament program fastchess.
///
/// The confidence intervals of fastchess are computed from the variance alone. With many pairs the
/// difference is small.
#[test]
fn elo_differences_equal_those_of_fastchess() {
    let published = [
        ([34, 54, 63, 64, 75], 55.58, 27.65),
        ([332, 433, 498, 333, 334], -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95),
    ];
    for (counts, difference, error) in published {
        let elo = PairCounts(counts).elo();
        near(elo.value, difference, 0.005);
        near((elo.high - elo.low) / 2.0, error, 0.002 * error);
    }
    let likelihood = PairCounts([332, 433, 498, 333, 334]).likelihood_of_superiority();
    near(likelihood, 0.0505, 0.000_2);
    assert!(PairCounts([34, 54, 63, 64, 75]).likelihood_of_superiority() > 0.999_95);
}

#[test]
fn elo_of_score_inverts_score_of_elo() {
    near(elo_of_score(0.75), 190.848_501_887_865, 1e-9);
    near(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
    assert!(elo_of_score(0.0) == f64::NEG_INFINITY && elo_of_score(1.0) == f64::INFINITY);
    for elo in [-750.0, -3.5, 0.0, 12.0, 400.0] {
        near(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        near(score_of_elo(elo) + score_of_elo(-elo), 1.0, 1e-12);
    }
}

#[test]
fn estimates_are_symmetric_in_the_two_players() {
    let mut generator = generator(1);
    for _ in 0..200 {
        let mut counts = [0; 5].map(|_| below(&mut generator, 40) as u64);
        let one = PairCounts(counts);
        counts.reverse();
        let other = PairCounts(counts);
        near(one.score().low, 1.0 - other.score().high, 1e-12);
        near(one.score().value, 1.0 - other.score().value, 1e-12);
        near(one.likelihood_of_superiority(), 1.0 - other.likelihood_of_superiority(), 1e-9);
    }
}

#[test]
fn equal_pairs_still_give_a_wide_interval() {
    // If a player wins each match pair with probability 1 - q, they win all of twenty match pairs with probability
    // (1 - q)^20.
    let score = PairCounts([0, 0, 0, 0, 20]).score();
    assert!((score.value, score.high) == (1.0, 1.0));
    near(score.low.powi(20), 0.025, 1e-12);
    let drawn = PairCounts([0, 0, 20, 0, 0]);
    near(drawn.score().low + drawn.score().high, 1.0, 1e-12);
    assert!(drawn.elo().low < -10.0 && drawn.elo().high > 10.0);
    near(drawn.likelihood_of_superiority(), 0.5, 0.0);
    near(PairCounts([0, 0, 0, 0, 1]).likelihood_of_superiority(), 0.75, 0.0);
    near(PairCounts([2, 0, 0, 0, 0]).likelihood_of_superiority(), 0.125, 0.0);
    let none = PairCounts::default();
    assert!((none.score().low, none.score().high) == (0.0, 1.0));
    near(none.likelihood_of_superiority(), 0.5, 0.0);
}

/// Probabilities of the scores 0, ½, 1, 1½ and 2 in two matches on the same deals (a match pair), whose results are not independent.
///
/// The first match is won, drawn and lost with probabilities of 40, 25 and 35 %. The second match ends like the first in
/// half of the cases.
const CHANCES: [f64; 5] = [
    0.35 * (0.5 + 0.5 * 0.35),
    0.35 * 0.25,
    0.25 * (0.5 + 0.5 * 0.25) + 0.40 * 0.35,
    0.40 * 0.25,
    0.40 * (0.5 + 0.5 * 0.40),
];

/// Returns the results of simulated match pairs (two matches on the same deals), whose scores have the probabilities `chances`.
pub(crate) fn simulated(chances: &[f64; 5], pairs: usize, seed: u64) -> PairCounts {
    let mut generator = generator(seed);
    let mut counts = [0; 5];
    for _ in 0..pairs {
        let dice = below(&mut generator, 1 << 52);
        #[expect(clippy::cast_precision_loss, reason = "below 2^52")]
        let mut dice = dice as f64 / (1u64 << 52) as f64;
        let place = chances.iter().position(|chance| {
            dice -= chance;
            dice < 0.0
        });
        counts[place.unwrap_or(4)] += 1;
    }
    PairCounts(counts)
}

/// Tests that a confidence interval for the score, computed from 2 to 50 match pairs, contains the true score in at
/// least 88 % of the simulations. Intervals from the sample variance alone would be too narrow for so few match pairs.
#[test]
fn intervals_hold_the_truth_after_few_pairs() {
    let players = [
        CHANCES,
        [0.52, 0.02, 0.41, 0.0, 0.05],
        [0.83, 0.03, 0.12, 0.01, 0.01],
        [0.25, 0.1, 0.3, 0.1, 0.25],
        [0.0, 0.0, 0.1, 0.1, 0.8],
    ];
    for chances in players {
        let truth: f64 = chances.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(p, s)| p * s).sum();
        let seeds = cases(100, 500);
        let count = usize::try_from(seeds).unwrap();
        for pairs in [2, 3, 5, 10, 20, 50] {
            let held = (0..seeds).filter(|seed| {
                let score = simulated(&chances, pairs, *seed).score();
                score.low <= truth && truth <= score.high
            });
            // Intervals from the sample variance alone would contain the true value in only 74 of 100 cases for some distributions.
            let held = held.count();
            assert!(100 * held >= 88 * count, "{chances:?} {pairs}: {held}");
        }
    }
    // More wins never lower the likelihood of superiority.
    let most = |pairs| PairCounts([0, 0, 0, 0, pairs]).likelihood_of_superiority();
    for pairs in 2..30 {
        let less = PairCounts([0, 0, 0, 1, pairs - 1]).likelihood_of_superiority();
        let least = PairCounts([0, 0, pairs - 1, 1, 0]).likelihood_of_superiority();
        assert!(0.5 < least && least <= less && less <= most(pairs), "{pairs}: {least} {less}");
    }
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_arenas() {
    assert!((CHANCES.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let truth: f64 = CHANCES.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(p, s)| p * s).sum();
    near(truth, 0.525, 1e-12);
    let (arenas, pairs) = (2000, 150);
    let (mut held, mut likely) = (0, 0);
    for seed in 0..arenas {
        let counts = simulated(&CHANCES, pairs, seed);
        let elo = counts.elo();
        held += u32::from(elo.low <= elo_of_score(truth) && elo_of_score(truth) <= elo.high);
        // A likelihood of superiority below 5 % is an error, because the simulated entrant is stronger than its
        // opponent.
        likely += u32::from(counts.likelihood_of_superiority() < 0.05);
    }
    // Of the confidence intervals of 2000 simulated arenas, 1900 (95 %) are expected to contain the true Elo difference. Both limits lie
    // 3.5 standard deviations from this number; a standard deviation is 9.7 intervals.
    assert!((1866..=1934).contains(&held), "{held}");
    assert!(likely < 30, "{likely}");
}
