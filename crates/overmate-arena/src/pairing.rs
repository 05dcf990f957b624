//! Adds up the results of the matches between two entrants in the order of the match numbers.

use std::collections::BTreeMap;

use overmate_rules::{ByPlayer, Player};

use crate::match_play::PlayedMatch;
use crate::pair_counts::PairCounts;
use crate::sprt::{Hypothesis, Sprt};
use crate::stats::{Estimate, mean, mean_of};

/// Maximum number of forfeited matches that the results of a pairing (all matches between two entrants) list
/// individually.
const MAX_REPORTED_FORFEITS: usize = 20;

/// Result of one match: the points of players A and B, the winner or a draw, and the forfeit if a bot forfeited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchScore {
    /// Points that each player, A and B, scored in the match.
    pub points: ByPlayer<i32>,
    /// Winner of the match, or `None` for a draw.
    pub winner: Option<Player>,
    /// Player (A or B) whose bot forfeited the match, with the reason in words, or `None` without a forfeit.
    pub forfeit: Option<(Player, String)>,
}

impl From<&PlayedMatch> for MatchScore {
    fn from(played: &PlayedMatch) -> Self {
        Self {
            points: played.state.totals(),
            winner: played.state.result().and_then(|result| result.winner),
            forfeit: played.forfeit.as_ref().map(|(by, forfeit)| (*by, forfeit.why.clone())),
        }
    }
}

/// Results of a pairing, which comprises all matches between two entrants.
#[derive(Clone, PartialEq, Debug)]
pub struct PairingResult {
    /// Indices of the two entrants in the arena's list of entrants. All statistics are from the viewpoint of the
    /// entrant at the first index.
    pub players: [usize; 2],
    /// Number of match pairs in which the first entrant of the pairing scored 0, ½, 1, 1½ and 2 points.
    pub counts: PairCounts,
    /// Number of matches that the first entrant of the pairing won.
    pub wins: u64,
    /// Number of matches between the two entrants that ended in a draw.
    pub draws: u64,
    /// Number of matches that the first entrant of the pairing lost.
    pub losses: u64,
    /// Number of match pairs with a forfeit. The sums of points and margins leave these pairs out.
    pub forfeited_pairs: u64,
    /// Game points of each of the two entrants, summed over all match pairs without a forfeit.
    pub points: [i64; 2],
    /// Number of matches that each of the two entrants forfeited.
    pub forfeits: [u64; 2],
    /// At most 20 forfeited matches between the two entrants: those with the lowest match numbers.
    pub reported_forfeits: Vec<ReportedForfeit>,
    /// State of the sequential probability ratio test between the two entrants, or `None` without such a test.
    pub sprt: Option<SprtResult>,
    /// Points of the first entrant minus points of the second entrant, summed over all match pairs without a forfeit.
    margins: i64,
    /// Sum, over all match pairs without a forfeit, of the square of the point difference between the two entrants.
    squared_margins: u128,
}

/// Match that one of two entrants forfeited, with the reason of the forfeit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedForfeit {
    /// Index, in the arena's list of entrants, of the entrant that forfeited the match.
    pub by: usize,
    /// Number of the match pair that contains the forfeited match, from 0.
    pub pair: u64,
    /// Role of the forfeiting entrant in the match: player A or player B.
    pub player: Player,
    /// Reason why the match was forfeited, in words.
    pub why: String,
}

/// State of the sequential probability ratio test on the Elo difference between two entrants.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtResult {
    /// Natural logarithm of the likelihood ratio of the higher to the lower tested Elo difference.
    pub log_likelihood_ratio: f64,
    /// Hypothesis that the sequential probability ratio test has accepted, or `None` while the test has accepted neither hypothesis.
    pub accepted: Option<Hypothesis>,
}

impl PairingResult {
    fn new(players: [usize; 2]) -> Self {
        Self {
            players,
            counts: PairCounts::default(),
            wins: 0,
            draws: 0,
            losses: 0,
            forfeited_pairs: 0,
            points: [0; 2],
            forfeits: [0; 2],
            reported_forfeits: Vec::new(),
            sprt: None,
            margins: 0,
            squared_margins: 0,
        }
    }

    /// Returns the number of matches in the results of two entrants of an arena: two matches for each match pair.
    #[must_use]
    pub fn matches(&self) -> u64 {
        2 * self.counts.pairs()
    }

    /// Returns the number of matches in match pairs without a forfeit. Only these matches count for the points.
    #[must_use]
    pub fn scored_matches(&self) -> u64 {
        self.matches() - 2 * self.forfeited_pairs
    }

    /// Returns each entrant's mean points in a match, over all match pairs without a forfeit; 0 if there are no such pairs.
    #[must_use]
    pub fn points_a_match(&self) -> [f64; 2] {
        self.points.map(|points| mean(self.scored_matches(), points))
    }

    /// Estimates the mean margin of a match (points of the first entrant minus points of the second entrant) from all match
    /// pairs without a forfeit. The confidence interval is unbounded if all pairs have the same margin.
    #[must_use]
    pub fn margin_a_match(&self) -> Estimate {
        let a_pair = mean_of(self.scored_matches() / 2, self.margins, self.squared_margins);
        let Estimate { low, value, high } = a_pair;
        Estimate { low: low / 2.0, value: value / 2.0, high: high / 2.0 }
    }

    /// Adds the results of a match pair (two matches on the same deals) to the results of the pairing. The first of the
    /// two entrants plays as A, then as B.
    fn add(&mut self, pair: u64, matches: &[MatchScore; 2]) {
        let mut half_points = 0;
        let mut points = [0; 2];
        for (score, player) in matches.iter().zip(Player::BOTH) {
            let (own, other) = (score.points[player], score.points[!player]);
            points[0] += i64::from(own);
            points[1] += i64::from(other);
            match score.winner {
                Some(winner) if winner == player => {
                    self.wins += 1;
                    half_points += 2;
                }
                Some(_) => self.losses += 1,
                None => {
                    self.draws += 1;
                    half_points += 1;
                }
            }
            if let Some((by, why)) = &score.forfeit {
                let side = usize::from(*by != player);
                self.forfeits[side] += 1;
                if self.reported_forfeits.len() < MAX_REPORTED_FORFEITS {
                    let why = why.clone();
                    let report = ReportedForfeit { by: self.players[side], pair, player: *by, why };
                    self.reported_forfeits.push(report);
                }
            }
        }
        self.counts.add(half_points);
        // Points of match pairs with a forfeit are not added up: a forfeited match ends early, and its points do not measure the play.
        if matches.iter().any(|score| score.forfeit.is_some()) {
            self.forfeited_pairs += 1;
            return;
        }
        let margin = points[0] - points[1];
        self.points[0] += points[0];
        self.points[1] += points[1];
        self.margins += margin;
        self.squared_margins += u128::from(margin.unsigned_abs()).pow(2);
    }
}

/// Collector that adds up the results of the matches between two entrants while the arena runs.
pub(crate) struct PairingCounter {
    result: PairingResult,
    sprt: Option<Sprt>,
    /// Maximum number of match pairs (two matches on the same deals) that the two entrants play against each other. The sequential
    /// probability ratio test may end the pairing earlier.
    pairs: u64,
    /// Results, by match number, of finished matches that are not yet counted, because another match must finish first. The
    /// number of a match is twice the number of its pair, plus 1 for the second match of the pair.
    waiting: BTreeMap<u64, MatchScore>,
}

impl PairingCounter {
    /// Creates the collector of the results between two entrants, before any of their matches has finished.
    pub(crate) fn new(players: [usize; 2], pairs: u64, sprt: Option<Sprt>) -> Self {
        let mut result = PairingResult::new(players);
        result.sprt = sprt.map(|_| SprtResult { log_likelihood_ratio: 0.0, accepted: None });
        Self { result, sprt, pairs, waiting: BTreeMap::new() }
    }

    /// Returns whether the pairing of the two entrants still needs the result of the match with the given number.
    pub(crate) fn wants(&self, number: u64) -> bool {
        !self.is_done() && number >= self.result.matches() && !self.waiting.contains_key(&number)
    }

    /// Returns whether the matches between the two entrants have ended: all results are known, or the statistical test
    /// has decided.
    pub(crate) fn is_done(&self) -> bool {
        self.result.sprt.is_some_and(|sprt| sprt.accepted.is_some())
            || self.result.counts.pairs() >= self.pairs
    }

    /// Adds the score of a finished match to the results of the pairing. Matches count in the order of their numbers. Matches
    /// after the decision of the sequential probability ratio test do not count.
    pub(crate) fn add(&mut self, number: u64, score: MatchScore) {
        if !self.wants(number) {
            return;
        }
        self.waiting.insert(number, score);
        while !self.is_done() {
            let next = self.result.matches();
            if !(self.waiting.contains_key(&next) && self.waiting.contains_key(&(next + 1))) {
                return;
            }
            let both = [next, next + 1].map(|number| self.waiting.remove(&number));
            let [Some(one), Some(other)] = both else { return };
            self.result.add(next / 2, &[one, other]);
            if let Some(sprt) = self.sprt {
                self.result.sprt = Some(SprtResult {
                    log_likelihood_ratio: sprt.log_likelihood_ratio(&self.result.counts),
                    accepted: sprt.decide(&self.result.counts),
                });
            }
        }
        self.waiting.clear();
    }

    /// Returns the number of finished matches between the two entrants, and an upper bound of the total number of their matches.
    pub(crate) fn progress(&self) -> (u64, u64) {
        if self.is_done() {
            return (self.result.matches(), self.result.matches());
        }
        (self.result.matches() + self.waiting.len() as u64, 2 * self.pairs)
    }

    /// Returns the indices of the pairing's two entrants in the arena's list of entrants.
    pub(crate) fn players(&self) -> [usize; 2] {
        self.result.players
    }

    /// Returns the results of the matches between the two entrants.
    pub(crate) fn into_result(self) -> PairingResult {
        self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(a: i32, b: i32, forfeit: Option<Player>) -> MatchScore {
        let winner = match forfeit {
            Some(by) => Some(!by),
            None => Some(if a > b { Player::A } else { Player::B }),
        };
        let forfeit = forfeit.map(|by| (by, "the program did not answer".to_owned()));
        MatchScore { points: ByPlayer { a, b }, winner, forfeit }
    }

    #[test]
    fn a_forfeit_counts_as_a_lost_match_and_leaves_the_points_alone() {
        let mut counter = PairingCounter::new([0, 1], 2, None);
        // The first entrant plays as A in the matches with even numbers, and as B in the matches with odd numbers.
        counter.add(0, score(30, 20, None));
        counter.add(1, score(10, 24, None));
        // In the second match pair, the second entrant forfeits both matches, although this entrant is 9 points ahead
        // in each match.
        counter.add(2, score(0, 9, Some(Player::B)));
        counter.add(3, score(9, 0, Some(Player::A)));
        let result = counter.into_result();
        assert_eq!((result.wins, result.draws, result.losses), (4, 0, 0));
        assert_eq!((result.forfeits, result.forfeited_pairs), ([0, 2], 1));
        assert_eq!((result.points, result.scored_matches()), ([54, 30], 2));
        assert!((result.margin_a_match().value - 12.0).abs() < 1e-9);
    }
}
