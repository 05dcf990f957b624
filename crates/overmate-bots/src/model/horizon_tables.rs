//! Fills tables with position values from depth-limited searches, and computes the action probabilities of the bots of the strength levels
//! 1 to 9.
//!
//! The bot of a level and the model of that level share this code, so that the model has exactly the
//! action probabilities of the bot.

use std::sync::OnceLock;

use overmate_rules::{Action, Phase, Position, Seat};
use overmate_solver::MAX_TABLE_HAND;
use overmate_solver::graph::{Continuation, LeadChoice, LeadGraph, LeadNode, LeadTable};

use crate::model::depth_search::DepthSearch;
use crate::model::evaluator::Evaluator;
use crate::model::mate_in_one::prefer_mate_in_one;
use crate::model::parameters::{Level, LevelParameters};
use crate::model::score_distribution::ScoreDistribution;
use crate::model::softmax::{Distribution, OptionPoints};

/// Maximum search depth, in moves, at which a position is searched individually, without a value table. A deeper search fills a table of
/// all positions.
const SHALLOW: u8 = 2;

/// Tables of the values that searches of different depths find for all positions of a deal, and score distributions of whole games. Each
/// table and distribution is computed at its first use.
///
/// Several bots may share the tables of a deal.
pub(crate) struct HorizonTables {
    graph: LeadGraph,
    /// Tables of position values, one for each number of cards that seat *first* holds when the search ends. This number is the index of
    /// the table. The table with the index 0 is exact.
    tables: [OnceLock<LeadTable>; MAX_TABLE_HAND as usize + 1],
    /// Score distributions of games without face-down cards on the whole deal between two bots of equal strength level, one for each level.
    between_equals: [OnceLock<ScoreDistribution>; Level::COUNT],
}

impl HorizonTables {
    /// Creates the empty tables of position values of a deal. The deal must be small enough for tables.
    pub(crate) fn new(graph: LeadGraph) -> Self {
        Self { graph, tables: Default::default(), between_equals: Default::default() }
    }

    /// Returns the cached score distribution, for seat *first*, of a game without face-down cards on the whole deal between two bots of a
    /// strength level. Returns the result of `compute` and caches it if there is none.
    pub(crate) fn scores_between_equals(
        &self,
        level: Level,
        compute: impl FnOnce() -> Option<ScoreDistribution>,
    ) -> Option<&ScoreDistribution> {
        let cached = &self.between_equals[usize::from(level.get()) - 1];
        // Two threads that need the same distribution at the same time may both compute it, because a computation may end without a result.
        cached.get().or_else(|| {
            let scores = compute()?;
            Some(cached.get_or_init(|| scores))
        })
    }

    /// Returns the graph of the deal's positions in which a card must be led.
    pub(crate) fn graph(&self) -> &LeadGraph {
        &self.graph
    }

    /// Returns the table with the exact values of the deal's positions in which a card must be led.
    pub(crate) fn exact(&self) -> &LeadTable {
        self.tables[0].get_or_init(|| LeadTable::exact(&self.graph))
    }

    /// Returns the exact value of a position in any phase: the final points for seat *first* with perfect play by both players. Returns
    /// `None` if the graph lacks the position.
    pub(crate) fn exact_points_for_first(&self, position: &Position) -> Option<i32> {
        let exact = self.exact();
        self.graph.value_for_first(position, &mut |node| exact.get(node))
    }

    /// Returns the index of a position, from 0, in a numbering of all positions of the deal.
    pub(crate) fn index(&self, node: LeadNode) -> usize {
        let bits = self.graph.cards(Seat::Second).len();
        let all = bits + self.graph.cards(Seat::First).len();
        let flags = usize::from(node.free) << 1 | node.leader as usize;
        // The index of each position fits into a `usize` on any platform, because the hands are small enough for tables of position values.
        let held = usize::try_from(node.held.first << bits | node.held.second);
        flags << all | held.unwrap_or_default()
    }

    /// Returns the points for seat *first* that a search of `ahead` moves finds for a position before a lead.
    pub(crate) fn points_for_first(&self, ahead: u8, node: LeadNode) -> i32 {
        let table = match fewest_cards(ahead, node) {
            0 => self.exact(),
            fewest => self.tables[fewest].get_or_init(|| {
                let evaluator = Evaluator::new(&self.graph);
                let mut rows = evaluator.by_rows();
                LeadTable::estimated(&self.graph, fewest, |first_holds, leader, row| {
                    rows.fill_row(first_holds, leader, row);
                })
            }),
        };
        table.get(node)
    }

    /// Returns the points for `seat` that a search of `horizon` moves finds for each legal action,
    /// in the order of [`Position::legal_actions`].
    ///
    /// Returns `None` if the position is not in the graph.
    pub(crate) fn action_points(
        &self,
        horizon: u8,
        position: &Position,
        seat: Seat,
    ) -> Option<Vec<(Action, i32)>> {
        let foreplacing = matches!(position.phase(), Phase::Foreplacing(_));
        let ahead = if foreplacing { horizon } else { horizon - 1 };
        let search = (ahead <= SHALLOW).then(|| DepthSearch::new(&self.graph));
        let mut points_for_first = |node| match &search {
            Some(search) if self.tables[fewest_cards(ahead, node)].get().is_none() => {
                search.points_for_first(node, ahead)
            }
            _ => self.points_for_first(ahead, node),
        };
        let points = |(action, next)| {
            let points = self.graph.value_for_first(&next, &mut points_for_first)?;
            Some((action, points * seat.sign_for_first()))
        };
        position.successors().map(points).collect()
    }

    /// Returns the action probabilities of the bot of a strength level in a position. Returns `None` if the graph of
    /// the deal's positions lacks the position.
    pub(crate) fn action_distribution(
        &self,
        parameters: LevelParameters,
        position: &Position,
        seat: Seat,
    ) -> Option<Distribution<Action>> {
        let points = self.action_points(parameters.horizon, position, seat)?.into_iter();
        let mut points: OptionPoints<Action> =
            points.map(|(action, points)| (action, points.into())).collect();
        prefer_mate_in_one(position, &mut points, |action, mate| {
            self.beats_mate(parameters.horizon, position, action, mate)
        });
        Some(points.softmax(parameters.temperature))
    }

    /// Returns a position's node in the graph of the deal's positions, together with the lead that corresponds to `action`. Returns `None`
    /// if the graph lacks the position or the lead.
    pub(crate) fn lead_of(
        &self,
        position: &Position,
        action: Action,
    ) -> Option<(LeadNode, LeadChoice<'_>)> {
        let node = self.graph.node(position)?;
        let mut leads = self.graph.leads(node);
        Some((node, leads.find(|lead| self.graph.lead_action(node, *lead) == action)?))
    }

    /// Returns whether a non-mating lead guarantees the leader more than `points` points within `horizon` moves.
    pub(crate) fn beats_mate(
        &self,
        horizon: u8,
        position: &Position,
        action: Action,
        points: i32,
    ) -> bool {
        let lead = self.lead_of(position, action);
        lead.is_some_and(|(node, lead)| self.lead_forces(node, lead, points, horizon - 1))
    }

    /// Returns whether a lead guarantees the leader more than `points` points within `ahead` moves after the current move.
    pub(crate) fn lead_forces(
        &self,
        node: LeadNode,
        lead: LeadChoice<'_>,
        points: i32,
        ahead: u8,
    ) -> bool {
        let mut next = self.graph.answers(node, lead).map(|a| self.graph.next(node, lead, a));
        next.all(|next| self.forces(next, node.leader, points, ahead))
    }

    /// Returns whether a seat can force at least `points` points within `ahead` moves, counted from the next lead.
    ///
    /// Returns `None` if the next lead is not in the graph.
    pub(crate) fn can_force(
        &self,
        position: &Position,
        seat: Seat,
        points: i32,
        ahead: u8,
    ) -> Option<bool> {
        let reached = |node| {
            let found = self.forces(Continuation::Lead(node), seat, points - 1, ahead);
            (if found { points } else { 0 }) * seat.sign_for_first()
        };
        let value = self.graph.value_for_first(position, &mut { reached })?;
        Some(value * seat.sign_for_first() >= points)
    }

    /// Returns whether a seat can force more than `points` points within `ahead` moves after an
    /// answer.
    fn forces(&self, next: Continuation, seat: Seat, points: i32, ahead: u8) -> bool {
        let sign = seat.sign_for_first();
        let node = match next {
            Continuation::Over(reached) => return reached * sign > points,
            Continuation::Lead(node) => node,
        };
        if ahead == 0 {
            return false;
        }
        // A seat cannot force more points than the position's exact value. For a deep search the exact table is filled, because a look-up
        // is cheaper than the search. For a shallow search the exact table is used only if it is filled already.
        let exact = if ahead > SHALLOW { Some(self.exact()) } else { self.tables[0].get() };
        if exact.is_some_and(|exact| exact.get(node) * sign <= points) {
            return false;
        }
        let mut leads = self.graph.leads(node);
        let after = |lead| {
            let answers = self.graph.answers(node, lead);
            answers.map(move |answer| self.graph.next(node, lead, answer))
        };
        if node.leader == seat {
            leads.any(|lead| match self.graph.mate_for_first(node, lead) {
                Some(reached) => reached * sign > points,
                None => after(lead).all(|next| self.forces(next, seat, points, ahead - 1)),
            })
        } else {
            leads.all(|lead| {
                self.graph.mate_for_first(node, lead).is_none()
                    && after(lead).any(|next| self.forces(next, seat, points, ahead - 1))
            })
        }
    }
}

/// Returns the number of cards that seat *first* holds at the end of a search of `ahead` moves. Returns 0 if the search
/// reaches the end of the game.
pub(crate) fn fewest_cards(ahead: u8, node: LeadNode) -> usize {
    (node.held.first.count_ones() as usize).saturating_sub(ahead.into())
}
