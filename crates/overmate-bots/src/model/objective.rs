//! Defines the objective of a bot in a game: points or, near the end of a match, the probability of
//! winning the match.

use overmate_rules::{Position, Seat};

use crate::bot::Standing;
use crate::model::horizon_tables::HorizonTables;
use crate::model::score_distribution::ScoreDistribution;

/// Returns the result of a match for a player who is ahead by `lead` points at its end: 1 for a won match, 0.5 for a draw, 0 for a loss.
pub(crate) fn result_of_match(lead: i32) -> f32 {
    match lead.signum() {
        1 => 1.0,
        0 => 0.5,
        _ => 0.0,
    }
}

/// Weight of one game point if the bot's objective is to win the match: a small number that only breaks ties between winning probabilities.
const POINT: f64 = 1e-6;

/// Objective of a bot in one game of a match.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Objective {
    /// The bot maximises its expected points in the current game.
    Points,
    /// The bot maximises its probability of winning the match.
    Match {
        /// Points by which the bot is ahead of its opponent after the earlier games of the match.
        lead: i32,
        /// Probability of each number of points that the bot scores in the later games of the match.
        later: ScoreDistribution,
        /// Whether the bot loses the match if both players play perfectly from now on.
        is_lost: bool,
    },
}

impl Objective {
    /// Returns the objective of the bot in the given seat for the current game of a match.
    ///
    /// The bot plays for the match if [`Standing::is_for_the_match`] holds. `second_game` returns the score distribution of the second game
    /// of the last round, in points for the bot, under the assumption that the bot plays that game for points. If `second_game` returns
    /// `None`, or if the tables do not contain the start of the deal, the bot plays the first game of the last round for points too.
    pub(crate) fn of(
        standing: Standing,
        tables: &HorizonTables,
        position: &Position,
        start: &Position,
        seat: Seat,
        second_game: impl FnOnce() -> Option<ScoreDistribution>,
    ) -> Self {
        if !standing.is_for_the_match() {
            return Self::Points;
        }
        let value = |position: &Position, seat: Seat| {
            let points = tables.exact_points_for_first(position);
            points.map(|points| points * seat.sign_for_first())
        };
        let mut lower_bound = standing.lead() + value(position, seat).unwrap_or_default();
        let mut later = vec![(0, 1.0)];
        if standing.games_after() == 1 {
            // With a large deck, the value tables contain only positions near the end of the current game. The value of the round's second
            // game is then unknown.
            let Some(second) = value(start, !seat) else { return Self::Points };
            lower_bound += second;
            let Some(scores) = second_game() else { return Self::Points };
            later = scores;
        }
        Self::Match { lead: standing.lead(), later, is_lost: lower_bound < 0 }
    }

    /// Returns the value that the bot's objective gives to the bot's final points in a game. The
    /// value is the points themselves, or the probability of winning the match. A drawn match
    /// counts one half.
    pub(crate) fn value(&self, points: i32) -> f64 {
        match self {
            Self::Points => points.into(),
            Self::Match { lead, later, .. } => {
                let result = |(later, share): &(i32, f64)| {
                    share * f64::from(result_of_match(lead + points + later))
                };
                later.iter().map(result).sum::<f64>() + POINT * f64::from(points)
            }
        }
    }

    /// Returns whether the bot may choose an action that gives up points. The bot may do so only if its objective is to win the
    /// match, and if it loses the match when both players play perfectly.
    pub(crate) fn may_concede_points(&self) -> bool {
        matches!(self, Self::Match { is_lost: true, .. })
    }
}
