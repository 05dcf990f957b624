//! What two opponents make of matches against each other, from the exact scores of a sample of deals.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use overmate_bots::{BuiltIn, Contestant, ExactGames, Level};
use overmate_rules::{BySeat, DealSource as _, Dealt, RuleSet, SeededDeals};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// How likely each lead is.
type Spread = BTreeMap<i32, f64>;

/// Everybody, from the weakest to the strongest.
pub(crate) fn contestants() -> Vec<Contestant> {
    [Contestant::Random].into_iter().chain(BuiltIn::all().map(Contestant::BuiltIn)).collect()
}

/// What a contestant is called in tables.
pub(crate) fn name(contestant: Contestant) -> String {
    match contestant {
        Contestant::Random => "random".to_owned(),
        Contestant::BuiltIn(BuiltIn::Level(level)) => level.get().to_string(),
        Contestant::BuiltIn(BuiltIn::Perfect) => "perfect".to_owned(),
    }
}

/// What comes of matches between two, for the stronger: a line of `levels.tsv`.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Pairing {
    pub(crate) rules: String,
    pub(crate) strong: String,
    pub(crate) weak: String,
    /// Deals of which every game was reckoned with.
    pub(crate) deals: usize,
    /// Points a match, and the standard error of that.
    pub(crate) points: f64,
    pub(crate) points_error: f64,
    /// Shares of all matches, from 0 to 1.
    pub(crate) wins: f64,
    pub(crate) draws: f64,
    pub(crate) losses: f64,
    /// The share of the decided matches that the stronger wins, and its standard error.
    pub(crate) decided: f64,
    pub(crate) decided_error: f64,
}

/// The leads of the stronger after a round of each deal, for each pair of opponents.
pub(crate) struct Rounds {
    rules: Arc<RuleSet>,
    /// By the places of the stronger and the weaker.
    pairs: BTreeMap<(usize, usize), Vec<Spread>>,
}

/// Whether so many deals tell little, because both err seldom.
fn is_strong(contestant: Contestant) -> bool {
    match contestant {
        Contestant::Random => false,
        Contestant::BuiltIn(BuiltIn::Level(level)) => {
            level >= Level::new(6).unwrap_or(Level::HIGHEST)
        }
        Contestant::BuiltIn(BuiltIn::Perfect) => true,
    }
}

/// The deals that are played: the first of a seed, so that anybody can play them again.
pub(crate) fn deals(rules: &RuleSet, count: u64) -> Vec<Dealt> {
    let mut source = SeededDeals::new(1);
    (0..count).map(|_| source.next_deal(rules)).collect()
}

impl Rounds {
    /// Plays all pairs on all deals.
    pub(crate) fn play(rules: &Arc<RuleSet>, all: u64, strong: u64) -> Result<Self> {
        let contestants = contestants();
        let deals = deals(rules, all.max(strong));
        let played: Result<Vec<_>> = (0_u64..)
            .zip(&deals)
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(number, dealt)| {
                let mut games = ExactGames::new(rules, dealt)?;
                let mut rounds = Vec::new();
                for (place, &one) in contestants.iter().enumerate() {
                    for (below, &other) in contestants.iter().enumerate().take(place) {
                        let wanted = if is_strong(other) { strong } else { all };
                        if number < wanted {
                            rounds.push(((place, below), round(&mut games, one, other)));
                        }
                    }
                }
                eprintln!("{}: deal {} of {}", rules.name(), number + 1, deals.len());
                Ok(rounds)
            })
            .collect();
        let mut pairs: BTreeMap<_, Vec<Spread>> = BTreeMap::new();
        for (pair, spread) in played?.into_iter().flatten() {
            pairs.entry(pair).or_default().push(spread);
        }
        Ok(Self { rules: Arc::clone(rules), pairs })
    }

    /// What matches come to, for each pair.
    pub(crate) fn pairings(&self) -> Result<Vec<Pairing>> {
        let contestants = contestants();
        let named = |(strong, weak): (usize, usize)| (contestants[strong], contestants[weak]);
        let pairs = self.pairs.iter();
        pairs.map(|(pair, spreads)| Pairing::of(&self.rules, named(*pair), spreads)).collect()
    }
}

/// The lead of one over the other after both games of a deal.
pub(crate) fn round(games: &mut ExactGames, one: Contestant, other: Contestant) -> Spread {
    let leading = games.scores_for_first(BySeat { first: one, second: other });
    let following = games.scores_for_first(BySeat { first: other, second: one });
    sum(&leading, &following.into_iter().map(|(points, odds)| (-points, odds)).collect())
}

/// How likely each sum of two is.
fn sum(a: &Spread, b: &Spread) -> Spread {
    let mut sums = Spread::new();
    for (one, odds) in a {
        for (other, more) in b {
            *sums.entry(one + other).or_default() += odds * more;
        }
    }
    sums
}

fn mean(spread: &Spread) -> f64 {
    spread.iter().map(|(points, odds)| f64::from(*points) * odds).sum()
}

/// The shares of positive and of negative sums.
fn decided(spread: &Spread) -> (f64, f64) {
    let share = |sign: i32| {
        let odds = spread.iter().filter(|(points, _)| points.signum() == sign);
        // Nothing at all adds up to -0.
        odds.map(|(_, odds)| odds).sum::<f64>() + 0.0
    };
    (share(1), share(-1))
}

impl Pairing {
    /// A match is some rounds with deals that have nothing to do with one another, so a mean round, added to itself, is a mean
    /// match. Its errors are those of the deals, each as if it were one round of a match and the mean the others.
    fn of(
        rules: &RuleSet,
        (strong, weak): (Contestant, Contestant),
        rounds: &[Spread],
    ) -> Result<Self> {
        let length = rules.rounds();
        let deals = rounds.len();
        let count = f64::from(u32::try_from(deals).context("too many deals")?);
        let mut round = Spread::new();
        for (points, odds) in rounds.iter().flatten() {
            *round.entry(*points).or_default() += odds / count;
        }
        let others = (1..length).fold(Spread::from([(0, 1.0)]), |others, _| sum(&others, &round));
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
        Ok(Self {
            rules: rules.name().to_owned(),
            strong: name(strong),
            weak: name(weak),
            deals,
            points: points * length,
            points_error: error(points_error),
            wins,
            draws: (1.0 - wins - losses).max(0.0),
            losses,
            decided: share,
            decided_error: error(decided_error),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_two_rounds(rounds: &[Spread]) -> Pairing {
        let rules = RuleSet::named("bga").expect("a rule set");
        assert_eq!(rules.rounds(), 2);
        Pairing::of(&rules, (Contestant::Random, Contestant::Random), rounds).expect("few deals")
    }

    #[test]
    fn matches_follow_from_rounds() {
        // A coin that gives a point, twice: two points, none, or two lost.
        let coin = Spread::from([(1, 0.75), (-1, 0.25)]);
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
    fn deals_that_differ_are_less_sure() {
        let pairing = of_two_rounds(&[Spread::from([(10, 1.0)]), Spread::from([(-2, 1.0)])]);
        // Means of 4 a round with strays of 6 each: the error of the mean is 6 by the root of 2, twice in a match.
        assert!((pairing.points - 8.0).abs() < 1e-12);
        assert!((pairing.points_error - 2.0 * 6.0 / 2.0_f64.sqrt()).abs() < 1e-12);
        assert!((pairing.decided - 0.75).abs() < 1e-12 && pairing.decided_error > 0.2);
    }
}
