//! The matches of two players, counted in their order, whatever the order in which they were played.

use std::collections::BTreeMap;

use overmate_rules::{ByPlayer, Player};

use crate::playing::PlayedMatch;
use crate::sprt::{Hypothesis, Sprt};
use crate::stats::{Estimate, PairCounts, mean, mean_of};

/// So many forfeits of two players are told one by one.
const TOLD_FORFEITS: usize = 20;

/// How a match ended: all that an arena counts of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchScore {
    /// The points of the match.
    pub points: ByPlayer<i32>,
    /// Who won.
    pub winner: Option<Player>,
    /// Who forfeited it, and why.
    pub forfeit: Option<(Player, String)>,
}

impl From<&PlayedMatch> for MatchScore {
    fn from(played: &PlayedMatch) -> Self {
        Self {
            points: played.contest.totals(),
            winner: played.contest.result().and_then(|result| result.winner),
            forfeit: played.forfeit.as_ref().map(|(by, forfeit)| (*by, forfeit.why.clone())),
        }
    }
}

/// What the matches of two players came to.
#[derive(Clone, PartialEq, Debug)]
pub struct PairingResult {
    /// The two, by their places in the list of players; the first is *the player* of the other fields.
    pub players: [usize; 2],
    /// The pairs of matches, by what they brought the player.
    pub counts: PairCounts,
    /// Matches that the player won.
    pub wins: u64,
    /// Matches that nobody won.
    pub draws: u64,
    /// Matches that the player lost.
    pub losses: u64,
    /// The points of either player in all matches.
    pub points: [i64; 2],
    /// How many matches either player forfeited.
    pub forfeits: [u64; 2],
    /// The first of these, in order; not more than 20.
    pub told_forfeits: Vec<ToldForfeit>,
    /// What the test came to, if there is one.
    pub sprt: Option<SprtResult>,
    margins: i64,
    squared_margins: u128,
}

/// A match that was forfeited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToldForfeit {
    /// By whom: his place in the list of players.
    pub by: usize,
    /// In which pair of matches, from 0.
    pub pair: u64,
    /// Which player of the match he was.
    pub player: Player,
    /// What he did, or failed to do.
    pub why: String,
}

/// How far a test has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtResult {
    /// The log-likelihood ratio.
    pub log_likelihood_ratio: f64,
    /// Which hypothesis it has accepted.
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
            points: [0; 2],
            forfeits: [0; 2],
            told_forfeits: Vec::new(),
            sprt: None,
            margins: 0,
            squared_margins: 0,
        }
    }

    /// How many matches were counted.
    #[must_use]
    pub fn matches(&self) -> u64 {
        2 * self.counts.pairs()
    }

    /// The points of either player in a match, on average.
    #[must_use]
    pub fn points_a_match(&self) -> [f64; 2] {
        self.points.map(|points| mean(self.matches(), points))
    }

    /// By how many points a match the player is ahead; without bounds if it was the same in all pairs.
    #[must_use]
    pub fn margin_a_match(&self) -> Estimate {
        let a_pair = mean_of(self.counts.pairs(), self.margins, self.squared_margins);
        let Estimate { low, value, high } = a_pair;
        Estimate { low: low / 2.0, value: value / 2.0, high: high / 2.0 }
    }

    /// Counts a pair: a match in which the player was A, and one with the same deals in which he was B.
    fn add(&mut self, pair: u64, matches: &[MatchScore; 2]) {
        let mut half_points = 0;
        let mut margin = 0;
        for (score, player) in matches.iter().zip(Player::BOTH) {
            let (own, other) = (score.points[player], score.points[!player]);
            self.points[0] += i64::from(own);
            self.points[1] += i64::from(other);
            margin += i64::from(own) - i64::from(other);
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
                if self.told_forfeits.len() < TOLD_FORFEITS {
                    let why = why.clone();
                    let told = ToldForfeit { by: self.players[side], pair, player: *by, why };
                    self.told_forfeits.push(told);
                }
            }
        }
        self.counts.add(half_points);
        self.margins += margin;
        self.squared_margins += u128::from(margin.unsigned_abs()).pow(2);
    }
}

/// Matches of two players that are being played.
pub(super) struct Tally {
    result: PairingResult,
    sprt: Option<Sprt>,
    /// How many pairs there will be, unless the test stops before.
    pairs: u64,
    /// Matches that cannot be counted yet, because one before them is not there: by twice the number of the
    /// pair, plus one for the second match.
    waiting: BTreeMap<u64, MatchScore>,
}

impl Tally {
    pub(super) fn new(players: [usize; 2], pairs: u64, sprt: Option<Sprt>) -> Self {
        let mut result = PairingResult::new(players);
        result.sprt = sprt.map(|_| SprtResult { log_likelihood_ratio: 0.0, accepted: None });
        Self { result, sprt, pairs, waiting: BTreeMap::new() }
    }

    /// Whether this match has to be played still.
    pub(super) fn wants(&self, number: u64) -> bool {
        !self.is_done() && number >= self.result.matches() && !self.waiting.contains_key(&number)
    }

    /// Whether no match is needed any more.
    pub(super) fn is_done(&self) -> bool {
        self.result.sprt.is_some_and(|sprt| sprt.accepted.is_some())
            || self.result.counts.pairs() >= self.pairs
    }

    /// Takes in a match. It counts as soon as all before it do; after the test has decided, nothing counts.
    pub(super) fn add(&mut self, number: u64, score: MatchScore) {
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

    /// How many matches are there, and how many there will be as far as is known.
    pub(super) fn progress(&self) -> (u64, u64) {
        if self.is_done() {
            return (self.result.matches(), self.result.matches());
        }
        (self.result.matches() + self.waiting.len() as u64, 2 * self.pairs)
    }

    pub(super) fn players(&self) -> [usize; 2] {
        self.result.players
    }

    pub(super) fn into_result(self) -> PairingResult {
        self.result
    }
}
