//! Computes the results of matches between two computer opponents, from exact score distributions over sample deals or from played
//! matches.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use overmate_bots::{BuiltIn, ExactGames, ExactPlayer, Level};
use overmate_rules::{BySeat, DealSource as _, Dealt, RuleSet, SeededDeals};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Deals, SEED};

/// Probability distribution of the margin between two computer opponents, keyed by the margin in points.
type MarginSpread = BTreeMap<i32, f64>;

/// Returns all computer opponents, from the weakest to the strongest.
pub(crate) fn players_by_strength() -> Vec<ExactPlayer> {
    [ExactPlayer::Random].into_iter().chain(BuiltIn::all().map(ExactPlayer::BuiltIn)).collect()
}

/// Returns the name that a computer opponent has in the result tables.
pub(crate) fn name(player: ExactPlayer) -> String {
    match player {
        ExactPlayer::Random => "random".to_owned(),
        ExactPlayer::BuiltIn(BuiltIn::Level(level)) => level.get().to_string(),
        ExactPlayer::BuiltIn(BuiltIn::Perfect) => "perfect".to_owned(),
    }
}

/// Results of two computer opponents against each other, as a line of `levels.tsv`. The point of view is that of the stronger opponent.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct MeasuredPair {
    pub(crate) rules: String,
    pub(crate) strong: String,
    pub(crate) weak: String,
    /// Number of deals that were evaluated exactly or played for a pair of computer opponents.
    pub(crate) deals: usize,
    /// Number of matches that a pair of computer opponents played; 0 for exact results.
    pub(crate) matches: usize,
    /// Mean margin, in points per match, by which the stronger opponent wins. The next field is the
    /// standard error of the margin.
    pub(crate) points: f64,
    pub(crate) points_error: f64,
    /// Fraction of the matches that the stronger opponent wins. The next fields are the fractions that the stronger opponent draws and
    /// loses.
    pub(crate) wins: f64,
    pub(crate) draws: f64,
    pub(crate) losses: f64,
    /// Fraction of the decided matches (without draws) that the stronger opponent wins. The next field is the standard error of this
    /// fraction.
    pub(crate) decided: f64,
    pub(crate) decided_error: f64,
}

/// Indices of two computer opponents in the order of strength, the stronger opponent first.
pub(crate) type Pair = (usize, usize);

/// Returns the names of two computer opponents, the stronger opponent first.
pub(crate) fn names((strong, weak): Pair) -> [String; 2] {
    let players_by_strength = players_by_strength();
    [strong, weak].map(|place| name(players_by_strength[place]))
}

/// Iterates over all pairs of computer opponents, starting with the weakest pair.
pub(crate) fn pairs() -> impl Iterator<Item = Pair> {
    (0..players_by_strength().len()).flat_map(|strong| (0..strong).map(move |weak| (strong, weak)))
}

/// Probability distributions of the stronger opponent's margin in a round of two games. Each pair of computer opponents has one
/// distribution for each deal.
pub(crate) struct Rounds {
    rules: Arc<RuleSet>,
    pairs: BTreeMap<Pair, Vec<MarginSpread>>,
}

/// Returns whether a computer opponent is strong: it makes so few errors that a measurement needs more deals than for other opponents.
fn is_strong(player: ExactPlayer) -> bool {
    match player {
        ExactPlayer::Random => false,
        ExactPlayer::BuiltIn(BuiltIn::Level(level)) => {
            level >= Level::new(6).unwrap_or(Level::HIGHEST)
        }
        ExactPlayer::BuiltIn(BuiltIn::Perfect) => true,
    }
}

/// Returns the first `count` deals that the fixed random seed of the measurements generates.
pub(crate) fn deals(rules: &Arc<RuleSet>, count: u64) -> Vec<Dealt> {
    let mut source = SeededDeals::new(SEED);
    (0..count).map(|_| source.next_deal(rules)).collect()
}

impl Rounds {
    /// Evaluates pairs of computer opponents exactly on the first deals that the fixed random seed of the measurements generates. Pairs of
    /// strong opponents get more deals.
    pub(crate) fn play(
        rules: &Arc<RuleSet>,
        pairs: &[Pair],
        Deals { all, strong }: Deals,
    ) -> Result<Self> {
        let players_by_strength = players_by_strength();
        let wanted =
            |(_, weak): Pair| if is_strong(players_by_strength[weak]) { strong } else { all };
        let most = pairs.iter().copied().map(wanted).max().unwrap_or_default();
        let deals = deals(rules, most);
        let played: Result<Vec<_>> = (0_u64..)
            .zip(&deals)
            .collect::<Vec<_>>()
            .into_par_iter()
            // Each thread takes one deal at a time, because some deals take longer than others. The first deals are evaluated for all pairs
            // of opponents, and the later deals only for pairs of strong opponents.
            .with_max_len(1)
            .map(|(number, dealt)| {
                let games = ExactGames::new(dealt)?;
                let here: Vec<Pair> =
                    pairs.iter().copied().filter(|pair| number < wanted(*pair)).collect();
                let players = |(strong, weak): &Pair| {
                    (players_by_strength[*strong], players_by_strength[*weak])
                };
                let players: Vec<_> = here.iter().map(players).collect();
                let rounds: Vec<_> = here.into_iter().zip(rounds(&games, &players)).collect();
                eprintln!("{}: deal {} of {}", rules.name(), number + 1, deals.len());
                Ok(rounds)
            })
            .collect();
        let mut pairs: BTreeMap<_, Vec<MarginSpread>> = BTreeMap::new();
        for (pair, spread) in played?.into_iter().flatten() {
            pairs.entry(pair).or_default().push(spread);
        }
        Ok(Self { rules: Arc::clone(rules), pairs })
    }

    /// Returns the results of whole matches for each pair of computer opponents.
    pub(crate) fn pairings(&self) -> Result<Vec<MeasuredPair>> {
        let pairs = self.pairs.iter();
        pairs.map(|(pair, rounds)| MeasuredPair::of_rounds(&self.rules, *pair, rounds)).collect()
    }
}

/// Returns, for each pair of computer opponents, the probability distribution of the margin in a round. The margin is
/// in points for the first opponent of the pair. A round is two games of a deal with exchanged hands.
pub(crate) fn rounds(
    games: &ExactGames,
    pairs: &[(ExactPlayer, ExactPlayer)],
) -> Vec<MarginSpread> {
    let both = |(one, other): &(ExactPlayer, ExactPlayer)| {
        [BySeat { first: *one, second: *other }, BySeat { first: *other, second: *one }]
    };
    let seats: Vec<_> = pairs.iter().flat_map(both).collect();
    let scores = games.scores_of_games(&seats);
    let round = |scores: &[MarginSpread]| {
        let following = scores[1].iter().map(|(points, odds)| (-points, *odds)).collect();
        sum(&scores[0], &following)
    };
    scores.chunks_exact(2).map(round).collect()
}

/// Returns the probability distribution of the sum of two independent margins (convolution).
fn sum(a: &MarginSpread, b: &MarginSpread) -> MarginSpread {
    let (Some((least_a, _)), Some((least_b, _))) = (a.first_key_value(), b.first_key_value())
    else {
        return MarginSpread::new();
    };
    // Lists are faster than maps: each margin becomes its distance from the least margin.
    let above = |spread: &MarginSpread, least: i32| -> Vec<(usize, f64)> {
        let distance = |margin: i32| usize::try_from(margin - least).unwrap_or_default();
        spread.iter().map(|(margin, odds)| (distance(*margin), *odds)).collect()
    };
    let (a, b) = (above(a, *least_a), above(b, *least_b));
    let most =
        [&a, &b].map(|list| list.last().map_or(0, |(above, _)| *above)).iter().sum::<usize>();
    let mut sums = vec![0.0; most + 1];
    for (one, odds) in a {
        for (other, more) in &b {
            sums[one + other] += odds * more;
        }
    }
    (least_a + least_b..).zip(sums).filter(|(_, odds)| *odds > 0.0).collect()
}

fn mean(spread: &MarginSpread) -> f64 {
    spread.iter().map(|(points, odds)| f64::from(*points) * odds).sum()
}

/// Returns the probabilities of a positive and of a negative margin.
fn decided(spread: &MarginSpread) -> (f64, f64) {
    let share = |sign: i32| {
        let odds = spread.iter().filter(|(points, _)| points.signum() == sign);
        // The addition of 0 turns an empty sum of floats, which is -0, into 0.
        odds.map(|(_, odds)| odds).sum::<f64>() + 0.0
    };
    (share(1), share(-1))
}

impl MeasuredPair {
    /// Computes the results of whole matches between two computer opponents from the distributions of the margin in single rounds.
    ///
    /// The distribution of the margin in a round is averaged over all deals. The rounds of a match have independent deals, so that the
    /// distribution of the match margin is the convolution of one averaged distribution for each round. The standard errors come from the
    /// deals: each deal counts as one round of a match in which all other rounds have the averaged distribution.
    fn of_rounds(rules: &RuleSet, pair: Pair, rounds: &[MarginSpread]) -> Result<Self> {
        let length = rules.rounds();
        let deals = rounds.len();
        let count = f64::from(
            u32::try_from(deals).context("the number of deals does not fit into 32 bits")?,
        );
        let mut round = MarginSpread::new();
        for (points, odds) in rounds.iter().flatten() {
            *round.entry(*points).or_default() += odds / count;
        }
        let others =
            (1..length).fold(MarginSpread::from([(0, 1.0)]), |others, _| sum(&others, &round));
        let (wins, losses) = decided(&sum(&others, &round));
        let share = wins / (wins + losses);
        let length = f64::from(length);
        let error = |squares: f64| length * squares.sqrt() / count;
        let points = mean(&round);
        let points_error = rounds.iter().map(|round| (mean(round) - points).powi(2)).sum();
        let strays = rounds.iter().map(|round| {
            let (wins_here, losses_here) = decided(&sum(&others, round));
            (wins_here - share * (wins_here + losses_here)) / (wins + losses)
        });
        let decided_error = strays.map(|stray| stray.powi(2)).sum();
        let [strong, weak] = names(pair);
        Ok(Self {
            rules: rules.name().to_owned(),
            strong,
            weak,
            deals,
            matches: 0,
            points: points * length,
            points_error: error(points_error),
            wins,
            draws: (1.0 - wins - losses).max(0.0),
            losses,
            decided: share,
            decided_error: error(decided_error),
        })
    }

    /// Computes the results of two computer opponents against each other from the matches that they have played. Each entry of `leads` has
    /// the margins of the stronger opponent, in points, in the two matches of a match pair. A match pair counts as one case, because its
    /// two matches have the same deals.
    pub(crate) fn of_matches(rules: &RuleSet, pair: Pair, leads: &[[i32; 2]]) -> Result<Self> {
        let count = f64::from(
            u32::try_from(leads.len())
                .context("the number of matches does not fit into 32 bits")?,
        );
        let total = |of: &dyn Fn(&[i32; 2]) -> f64| leads.iter().map(of).sum::<f64>();
        let share = |lead: &[i32; 2], sign: i32| {
            f64::from(lead.map(|points| u8::from(points.signum() == sign)).iter().sum::<u8>()) / 2.0
        };
        let points_of = |lead: &[i32; 2]| f64::from(lead[0] + lead[1]) / 2.0;
        let (wins, losses) = (total(&|lead| share(lead, 1)), total(&|lead| share(lead, -1)));
        let decided = wins / (wins + losses);
        let points = total(&points_of) / count;
        let points_error = total(&|lead| (points_of(lead) - points).powi(2));
        let decided_error = total(&|lead| {
            let (wins, losses) = (share(lead, 1), share(lead, -1));
            (wins - decided * (wins + losses)).powi(2)
        });
        let [strong, weak] = names(pair);
        Ok(Self {
            rules: rules.name().to_owned(),
            strong,
            weak,
            deals: leads.len() * usize::from(rules.rounds()),
            matches: 2 * leads.len(),
            points,
            points_error: points_error.sqrt() / count,
            wins: wins / count,
            draws: total(&|lead| share(lead, 0)) / count,
            losses: losses / count,
            decided,
            decided_error: decided_error.sqrt() / (wins + losses),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_two_rounds(rounds: &[MarginSpread]) -> MeasuredPair {
        let rules = RuleSet::named("bga").expect("a rule set");
        assert_eq!(rules.rounds(), 2);
        MeasuredPair::of_rounds(&rules, (1, 0), rounds).expect("few deals")
    }

    #[test]
    fn match_results_are_the_convolution_of_round_margins() {
        // Two rounds with a margin of 1 (probability 0.75) or -1 each have a total of 2, 0 or -2 points.
        let coin = MarginSpread::from([(1, 0.75), (-1, 0.25)]);
        let pairing = of_two_rounds(&[coin.clone(), coin]);
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(pairing.points, 1.0);
        near(pairing.wins, 0.5625);
        near(pairing.draws, 0.375);
        near(pairing.losses, 0.0625);
        near(pairing.decided, 0.9);
        near(pairing.decided_error, 0.0);
    }

    #[test]
    fn a_match_pair_counts_as_one_sample() {
        let rules = RuleSet::named("bga").expect("a rule set");
        let pairing = MeasuredPair::of_matches(&rules, (1, 0), &[[30, 10], [10, -10], [0, -10]]);
        let pairing = pairing.expect("few matches");
        assert_eq!((pairing.deals, pairing.matches), (6, 6));
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        // The expected values are computed by hand: means of 20, 0 and -5 points, 3 wins of 5 decided matches.
        near(pairing.points, 5.0);
        near(
            pairing.points_error,
            (15.0_f64.powi(2) + 5.0_f64.powi(2) + 10.0_f64.powi(2)).sqrt() / 3.0,
        );
        near(pairing.wins, 0.5);
        near(pairing.draws, 1.0 / 6.0);
        near(pairing.losses, 1.0 / 3.0);
        near(pairing.decided, 0.6);
        near(
            pairing.decided_error,
            (0.4_f64.powi(2) + 0.1_f64.powi(2) + 0.3_f64.powi(2)).sqrt() / 2.5,
        );
    }

    #[test]
    fn differences_between_deals_increase_the_standard_error() {
        let pairing =
            of_two_rounds(&[MarginSpread::from([(10, 1.0)]), MarginSpread::from([(-2, 1.0)])]);
        // The expected mean margin of a round is 4 points. The margins of the two rounds differ from this mean by 6 points, so that the
        // standard error of a round is 6 / √2. A match has two rounds.
        assert!((pairing.points - 8.0).abs() < 1e-12);
        assert!((pairing.points_error - 2.0 * 6.0 / 2.0_f64.sqrt()).abs() < 1e-12);
        assert!((pairing.decided - 0.75).abs() < 1e-12 && pairing.decided_error > 0.2);
    }
}
