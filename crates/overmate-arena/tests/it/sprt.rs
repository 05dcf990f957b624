//! Tests the sequential probability ratio test against published numbers, an exact formula and simulated error rates.

use overmate_arena::{Hypothesis, PairCounts, Sprt, SprtError, score_of_elo};

use crate::statistics::simulated;

/// Tests that log-likelihood ratios equal the ratios published for the chess tournament program fastchess.
#[test]
fn ratios_equal_those_of_fastchess() {
    let published = [
        (0.5, 2.5, [223, 9863, 21279, 10037, 246], -3.07),
        (0.0, 2.0, [871, 26175, 55983, 26678, 821], -4.98),
    ];
    for (elo0, elo1, counts, expected) in published {
        let ratio = Sprt::new(elo0, elo1).unwrap().log_likelihood_ratio(&PairCounts(counts));
        assert!((ratio - expected).abs() < 0.006, "{ratio} {expected}");
    }
}

/// Tests that the log-likelihood ratio equals its closed form if every match pair consists of two wins or two losses.
#[test]
fn ratio_of_pairs_of_two_kinds_equals_its_closed_form() {
    for (lost, won) in [(10, 12), (300, 200), (5, 80)] {
        for (elo0, elo1) in [(0.0, 10.0), (-50.0, 0.0), (100.0, 300.0)] {
            let sprt = Sprt::new(elo0, elo1).unwrap();
            let ratio = sprt.log_likelihood_ratio(&PairCounts([lost, 0, 0, 0, won]));
            let (s0, s1) = (score_of_elo(elo0), score_of_elo(elo1));
            let count = |n: u64| f64::from(u32::try_from(n).unwrap());
            let expected =
                count(won) * (s1 / s0).ln() + count(lost) * ((1.0 - s1) / (1.0 - s0)).ln();
            assert!((ratio - expected).abs() < 0.01, "{ratio} {expected}");
        }
    }
}

#[test]
fn a_test_needs_two_elo_differences_in_order() {
    let bad = [(5.0, 5.0), (5.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-2001.0, 0.0)];
    for (elo0, elo1) in bad {
        assert_eq!(Sprt::new(elo0, elo1), Err(SprtError));
    }
    for (elo0, elo1) in [(0.0, 1e-300), (0.0, 0.09), (2000.0 - 0.01, 2000.0)] {
        assert_eq!(Sprt::new(elo0, elo1), Err(SprtError));
    }
    assert!(SprtError.to_string().ends_with("at least 0.1 apart"));
    for (elo0, elo1) in [(0.2, 0.3), (-0.3, -0.2), (1999.9, 2000.0)] {
        assert!(Sprt::new(elo0, elo1).is_ok(), "{elo0} {elo1}");
    }
    let sprt = Sprt::new(0.0, 10.0).unwrap();
    assert!(
        (sprt.upper_bound() - 2.944).abs() < 0.001 && (sprt.lower_bound() + 2.944).abs() < 0.001
    );
    assert_eq!(sprt.decide(&PairCounts::default()), None);
    assert_eq!(sprt.decide(&PairCounts([0, 0, 0, 0, 1000])), Some(Hypothesis::Elo1));
    assert_eq!(sprt.decide(&PairCounts([1000, 0, 0, 0, 0])), Some(Hypothesis::Elo0));
}

/// Returns the probabilities of the scores 0, ½, 1, 1½ and 2 in two matches on the same deals, for a given mean score of a match.
fn chances(score: f64) -> [f64; 5] {
    let lean = score - 0.5;
    [0.25 - lean, 0.15, 0.2, 0.15, 0.25 + lean]
}

#[test]
fn both_kinds_of_error_are_as_rare_as_promised() {
    let sprt = Sprt::new(0.0, 60.0).unwrap();
    let arenas = 300;
    for (elo, right) in [(0.0, Hypothesis::Elo0), (60.0, Hypothesis::Elo1)] {
        let (mut wrong, mut decided) = (0, 0);
        for seed in 0..arenas {
            // The loop simulates one long contest of two bots, and asks the SPRT for a decision after every match pair.
            let mut counts = PairCounts::default();
            let mut all = 0;
            let decision = loop {
                let pair = simulated(&chances(score_of_elo(elo)), 1, seed * 10_000 + all);
                counts = PairCounts(std::array::from_fn(|i| counts.0[i] + pair.0[i]));
                all += 1;
                if let Some(decision) = sprt.decide(&counts) {
                    break Some(decision);
                }
                if all == 5000 {
                    break None;
                }
            };
            decided += u32::from(decision.is_some());
            wrong += u32::from(decision.is_some_and(|decision| decision != right));
        }
        assert_eq!(u64::from(decided), arenas);
        // Of 300 decisions of the sequential probability ratio test, 15 (5 %) are expected to be wrong. The limit of 26 lies three standard
        // deviations above this number; a standard deviation is 3.8 decisions.
        assert!(wrong <= 26, "{elo}: {wrong}");
    }
}
