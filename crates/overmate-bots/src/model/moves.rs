//! Lists the moves of a position, with the points that searches of several depths find after each move.

use core::ops::Range;

use overmate_solver::MAX_TABLE_HAND;
use overmate_solver::graph::{Continuation, LeadChoice, LeadNode};

use crate::model::horizon_tables::{HorizonTables, fewest_cards};

/// Search depth at which the points after a move are exact: no more moves can follow, because a hand has at most [`MAX_TABLE_HAND`] cards.
pub(crate) const EXACT: u8 = MAX_TABLE_HAND - 1;

/// Points of a move for the player who chooses it, indexed by the number of moves that are searched after the move, at most [`EXACT`].
/// The unused entries make the array as long as a vector register.
type PointsByDepth = [i16; 16];

/// Set of search depths, given in moves after the current move. The points of other depths are not computed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Depths(u16);

impl Depths {
    /// Returns the set with only the depth of a search of `ahead` moves after the current move, at most [`EXACT`].
    pub(crate) fn only(ahead: u8) -> Self {
        Self(1 << ahead)
    }

    /// Returns the set of the depths in either set.
    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the set with only the depth at which points are exact.
    pub(crate) fn exact() -> Self {
        Self::only(EXACT)
    }

    fn contains(self, ahead: u8) -> bool {
        self.0 >> ahead & 1 == 1
    }

    /// Iterates over the depths of the set in ascending order.
    fn iter(self) -> impl Iterator<Item = u8> {
        (0..=EXACT).filter(move |ahead| self.contains(*ahead))
    }
}

/// All leads of a position, each with its answers.
#[derive(Default)]
pub(crate) struct Moves<'a> {
    /// Leads in the order of [`LeadGraph::leads`](overmate_solver::graph::LeadGraph::leads).
    pub(crate) leads: Vec<LeadMoves<'a>>,
    /// Answers to all leads: those to the first lead, then those to the next lead, and so on.
    pub(crate) answers: Vec<AnswerMove>,
}

/// Lead with its answers.
pub(crate) struct LeadMoves<'a> {
    pub(crate) lead: LeadChoice<'a>,
    /// Points of a mating lead for the leader, or `None` for a lead with an answer.
    pub(crate) mate: Option<i32>,
    /// Indices of the answers in the list [`Moves::answers`].
    pub(crate) answers: Range<usize>,
    /// Points for the leader: those of the mate or, for the best answer, those that searches find.
    points: PointsByDepth,
    /// Depths of the searches after which a level may choose the lead. A level that can give mate considers only the mates with the most
    /// points and the leads that certainly bring more.
    considered: Depths,
}

/// Answer to a lead.
pub(crate) struct AnswerMove {
    pub(crate) next: Continuation,
    /// Points for the follower that searches find after the answer.
    points: PointsByDepth,
}

impl LeadMoves<'_> {
    /// Returns the points for the leader that a search of `ahead` moves after the current move finds. Returns `None` if a level with this
    /// search never chooses the lead, because the level prefers a mate in one.
    pub(crate) fn considered_points(&self, ahead: u8) -> Option<i16> {
        self.considered.contains(ahead).then_some(self.points[usize::from(ahead)])
    }

    /// Returns the exact points for the leader, with perfect play by both players after the lead. The depths must contain
    /// [`Depths::exact`].
    pub(crate) fn exact_points(&self) -> i16 {
        self.points[usize::from(EXACT)]
    }
}

impl AnswerMove {
    /// Returns the points for the follower that a search of `ahead` moves after the answer finds.
    pub(crate) fn points(&self, ahead: u8) -> i16 {
        self.points[usize::from(ahead)]
    }

    /// Returns the exact points for the follower, with perfect play by both players after the answer. The depths must contain
    /// [`Depths::exact`].
    pub(crate) fn exact_points(&self) -> i16 {
        self.points[usize::from(EXACT)]
    }
}

impl<'a> Moves<'a> {
    /// Lists the moves of the position `node`, with the points that searches of the given depths find. Earlier moves are removed, and their
    /// memory is used again.
    pub(crate) fn fill(&mut self, tables: &'a HorizonTables, node: LeadNode, depths: Depths) {
        let Self { leads, answers } = self;
        let graph = tables.graph();
        leads.clear();
        answers.clear();
        let sign = (!node.leader).sign_for_first();
        for lead in graph.leads(node) {
            let first = answers.len();
            let mate = graph.mate_for_first(node, lead).map(|points| -points * sign);
            let mut points = [mate.map_or(i16::MAX, as_short); 16];
            if mate.is_none() {
                for answer in graph.answers(node, lead) {
                    let next = graph.next(node, lead, answer);
                    let after = points_after(tables, next, depths, sign);
                    for (least, after) in points.iter_mut().zip(after) {
                        *least = (*least).min(-after);
                    }
                    answers.push(AnswerMove { next, points: after });
                }
            }
            let (answers, considered) = (first..answers.len(), depths);
            leads.push(LeadMoves { lead, mate, answers, points, considered });
        }
        self.prefer_mates(tables, node, depths);
    }

    /// Returns the answers to a lead.
    pub(crate) fn answers_to(&self, lead: &LeadMoves<'_>) -> &[AnswerMove] {
        &self.answers[lead.answers.clone()]
    }

    /// If there is a mate in one, excludes from the considered leads all but the mates with the most points and the leads that certainly
    /// bring more.
    fn prefer_mates(&mut self, tables: &HorizonTables, node: LeadNode, depths: Depths) {
        let Some(best) = self.leads.iter().filter_map(|lead| lead.mate).max() else { return };
        for lead in &mut self.leads {
            // No lead forces more than its exact points.
            let may_force = !depths.contains(EXACT) || i32::from(lead.exact_points()) > best;
            let forces = |ahead: &u8| match lead.mate {
                Some(points) => points == best,
                None => may_force && tables.lead_forces(node, lead.lead, best, *ahead),
            };
            // A deeper search finds all that a shallower search finds.
            let from = depths.iter().find(forces);
            lead.considered = Depths(from.map_or(0, |from| depths.0 & (u16::MAX << from)));
        }
    }
}

/// Returns the points that searches of the given depths find after an answer, for a player with the given
/// [sign](overmate_rules::Seat::sign_for_first).
fn points_after(
    tables: &HorizonTables,
    next: Continuation,
    depths: Depths,
    sign: i32,
) -> PointsByDepth {
    match next {
        Continuation::Over(points) => [as_short(points * sign); 16],
        Continuation::Lead(node) => {
            let (mut points, mut last) = ([0; 16], (usize::MAX, 0));
            for ahead in depths.iter() {
                // All searches that reach the end of the game find the same points.
                let fewest = fewest_cards(ahead, node);
                if fewest != last.0 {
                    last = (fewest, as_short(tables.points_for_first(ahead, node) * sign));
                }
                points[usize::from(ahead)] = last.1;
            }
            points
        }
    }
}

/// Converts points to 16 bits. A deal with higher scores has no tables.
fn as_short(points: i32) -> i16 {
    points.try_into().unwrap_or_default()
}
