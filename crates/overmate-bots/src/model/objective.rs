//! What the perfect player plays for: points, or the match when its end is near.

use overmate_rules::{Position, Seat};

use crate::bot::Standing;
use crate::model::best_response::Reply;
use crate::model::game::{Follower, Known, Spread};
use crate::model::horizon_tables::Sights;
use crate::model::player::Model;

/// A point is worth so little beside the match that it only decides between actions that are equal for that.
const POINT: f64 = 1e-6;

/// What is played for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Aim {
    /// The points of this game.
    Points,
    /// The match.
    Match {
        /// The lead before this game.
        lead: i32,
        /// How likely each score for the player is in the games after this one.
        after: Spread,
        /// Whether best play by the other wins the match whatever is done, so that nothing is lost by giving up points.
        is_lost: bool,
    },
}

impl Aim {
    /// What to play for in a game of a deal.
    ///
    /// A match of two games or more is played for its result as soon as the deal of its last game is known: in the last game,
    /// and in the first of the last round, whose second game has the same cards. For that second game the points count that
    /// come of playing it for points: `second_game` tells them, if they are needed. If the sights do not reach back to its start,
    /// the first one is played for points.
    pub(crate) fn of(
        standing: Standing,
        sights: &Sights,
        position: &Position,
        start: &Position,
        seat: Seat,
        second_game: impl FnOnce() -> Spread,
    ) -> Self {
        let last_round = standing.games_after() == 1 && standing.game.is_multiple_of(2);
        if standing.games < 2
            || standing.games_after() > 1
            || (standing.games_after() == 1 && !last_round)
        {
            return Self::Points;
        }
        let exact = sights.exact();
        let value = |position: &Position, seat: Seat| {
            let points = sights.graph().value_for_first(position, &mut |node| exact.get(node));
            points.map(|points| points * seat.sign_for_first())
        };
        let mut sure = standing.lead() + value(position, seat).unwrap_or_default();
        let mut after = Spread::from([(0, 1.0)]);
        if last_round {
            // With a large deck only the end of this game is known, and all of the second game is too much to work out.
            let Some(second) = value(start, !seat) else { return Self::Points };
            sure += second;
            after = second_game();
        }
        Self::Match { lead: standing.lead(), after, is_lost: sure < 0 }
    }

    /// What final points of this game are worth to the player.
    pub(crate) fn worth(&self, points: i32) -> f64 {
        match self {
            Self::Points => points.into(),
            Self::Match { lead, after, .. } => {
                let result = |(later, odds): (&i32, &f64)| match (lead + points + later).signum() {
                    1 => *odds,
                    0 => odds / 2.0,
                    _ => 0.0,
                };
                after.iter().map(result).sum::<f64>() + POINT * f64::from(points)
            }
        }
    }

    /// Whether points may be given up against best play: only when the match is lost against that anyway.
    pub(crate) fn may_give(&self) -> bool {
        matches!(self, Self::Match { is_lost: true, .. })
    }
}

/// How likely each score for *first* is in a whole game in which both are of a level and all cards lie open.
///
/// What comes of a game in which cards lie face down nobody knows. This says whom the deal favours, and how far it may go either way.
pub(crate) fn played_by_equals(sights: &Sights, start: &Position, model: Model) -> Spread {
    let mut players = overmate_rules::BySeat::new_with(|_| Known::Model(model));
    Follower::default().follow(sights, start, &mut players)
}

/// The points of a seat in a whole game that is played for points, with how likely they are.
pub(crate) fn played_for_points(
    sights: &Sights,
    start: &Position,
    seat: Seat,
    model: Model,
) -> Spread {
    let mut reply = Reply::new(sights, seat, model, Aim::Points);
    let mut players = overmate_rules::BySeat::new_with(|_| Known::Model(model));
    players[seat] = Known::Reply(&mut reply);
    let spread = Follower::default().follow(sights, start, &mut players);
    spread.into_iter().map(|(points, odds)| (points * seat.sign_for_first(), odds)).collect()
}
