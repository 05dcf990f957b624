//! How a level plays a deal: what it sees at each position, and how likely it takes each action for that.
//!
//! The levels that play and the levels that others reckon with are the same code, so what is worked out from a model is exact.

use std::cell::OnceCell;

use overmate_rules::{Action, Phase, Position, RuleSet, Seat};
use overmate_solver::{
    Continuation, HorizonDeepening, LeadChoice, LeadGraph, LeadNode, LeadTable, MAX_TABLE_HAND,
};

use crate::level::bot::Level;
use crate::model::evaluator::Judge;

/// A loss of more than so many temperatures is never taken.
const NEVER: f64 = 5.0;

/// How much a loss is, as a share, if it is the mean of those in several games that may be the one.
const MEAN_OF_GAMES: f64 = 0.6;

/// Something that may be done, with how likely it is.
pub(crate) type Odds<T> = Vec<(T, f64)>;

/// How far a level sees, and how much it minds a loss that it sees.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Manner {
    /// Moves within which it sees everything, the present one included: from 1.
    pub(crate) horizon: u8,
    /// A loss of so many points is taken e times less often than none.
    pub(crate) temperature: f64,
    /// Positions that it looks at for an action without a table, in each game that may be the one.
    pub(crate) nodes: u64,
}

impl Manner {
    /// Losses of more points than this are never taken.
    pub(crate) fn never(self) -> i32 {
        #[allow(clippy::cast_possible_truncation, reason = "some tens of points")]
        let points = (self.temperature * NEVER).ceil() as i32;
        points
    }

    /// The temperature where any of so many games may be the one: the mean of several losses differs less than each does.
    pub(crate) fn temperature_among(self, games: usize) -> f64 {
        if games > 1 { MEAN_OF_GAMES * self.temperature } else { self.temperature }
    }
}

/// What levels see of a deal, by how far they look.
pub(crate) struct Sights {
    graph: LeadGraph,
    /// By the moves that are looked ahead, as far as they are wanted.
    tables: Vec<Option<LeadTable>>,
    exact: OnceCell<LeadTable>,
}

impl Sights {
    /// What is seen by players of these horizons. The graph must fit a table.
    pub(crate) fn new(graph: LeadGraph, horizons: &[u8]) -> Self {
        let furthest = horizons.iter().copied().max().unwrap_or_default();
        // With a horizon of three moves two are looked ahead after a card, and three before the first.
        let is_wanted = |ahead: u8| horizons.iter().any(|h| *h == ahead || *h == ahead + 1);
        let mut judge = Judge::new(&graph);
        let mut deepening = HorizonDeepening::new(&graph, |first_holds, leader, free, row| {
            judge.fill_row(first_holds, leader, free, row);
        });
        let mut tables = Vec::new();
        while deepening.horizon() < furthest {
            tables.push(is_wanted(deepening.horizon()).then(|| deepening.table().clone()));
            deepening.deepen();
        }
        tables.push(Some(deepening.into_table()));
        Self { graph, tables, exact: OnceCell::new() }
    }

    pub(crate) fn graph(&self) -> &LeadGraph {
        &self.graph
    }

    /// The exact values.
    pub(crate) fn exact(&self) -> &LeadTable {
        self.exact.get_or_init(|| LeadTable::exact(&self.graph))
    }

    /// The exact value of a lead for its leader.
    pub(crate) fn exact_lead(&self, node: LeadNode, lead: LeadChoice) -> i32 {
        let sign = node.leader.sign_for_first();
        if let Some(points) = self.graph.mate_for_first(node, lead) {
            return points * sign;
        }
        let answers = self.graph.answers(node, lead);
        let next = answers.map(|answer| self.graph.next(node, lead, answer));
        next.map(|next| self.exact_next(next) * sign).min().unwrap_or_default()
    }

    /// The exact value of what follows an answer, for *first*.
    pub(crate) fn exact_next(&self, next: Continuation) -> i32 {
        match next {
            Continuation::Over(points) => points,
            Continuation::Lead(node) => self.exact().get(node),
        }
    }

    /// A number for each position, dense from 0.
    pub(crate) fn place(&self, node: LeadNode) -> usize {
        let bits = self.graph.cards(Seat::Second).len();
        let all = bits + self.graph.cards(Seat::First).len();
        let flags = usize::from(node.free) << 1 | node.leader as usize;
        // Few enough for a table, so for a number of any platform.
        let held = usize::try_from(node.held.first << bits | node.held.second);
        flags << all | held.unwrap_or_default()
    }

    /// What is seen when looking so many moves ahead.
    ///
    /// # Panics
    ///
    /// If no horizon that was wanted looks as far.
    fn table(&self, ahead: u8) -> &LeadTable {
        self.tables[usize::from(ahead)].as_ref().expect("only wanted horizons are asked for")
    }

    /// The points for *first* of a position, looking so many moves ahead; `None` if it is not one of the graph.
    pub(crate) fn points_for_first(&self, ahead: u8, position: &Position) -> Option<i32> {
        let table = self.table(ahead);
        self.graph.value_for_first(position, &mut |node| table.get(node))
    }

    /// What follows a lead and its answer, for *first*, looking so many moves ahead.
    pub(crate) fn next_for_first(&self, ahead: u8, next: Continuation) -> i32 {
        match next {
            Continuation::Over(points) => points,
            Continuation::Lead(node) => self.table(ahead).get(node),
        }
    }

    /// What a lead seems worth to its leader, and whether it is mate.
    pub(crate) fn lead_points(&self, ahead: u8, node: LeadNode, lead: LeadChoice) -> (i32, bool) {
        let sign = node.leader.sign_for_first();
        if let Some(points) = self.graph.mate_for_first(node, lead) {
            return (points * sign, true);
        }
        let answers = self.graph.answers(node, lead);
        let points = answers
            .map(|answer| self.next_for_first(ahead, self.graph.next(node, lead, answer)) * sign);
        (points.min().unwrap_or_default(), false)
    }

    /// What each action of a position seems worth to the seat whose turn it is, in the order of
    /// [`Position::legal_actions`]; `None` if the position is not one of the graph.
    pub(crate) fn action_points(
        &self,
        horizon: u8,
        position: &Position,
        seat: Seat,
    ) -> Option<Vec<(Action, i32)>> {
        let foreplacing = matches!(position.phase(), Phase::Foreplacing(_));
        let ahead = if foreplacing { horizon } else { horizon - 1 };
        let points = |action| {
            let next = position.play(action).ok()?;
            Some((action, self.points_for_first(ahead, &next)? * seat.sign_for_first()))
        };
        position.legal_actions().into_iter().map(points).collect()
    }

    /// What a level chooses among at a position, and how likely it takes each; `None` if the position is not one of the
    /// graph.
    pub(crate) fn action_odds(
        &self,
        manner: Manner,
        position: &Position,
        seat: Seat,
    ) -> Option<Odds<Action>> {
        let points = self.action_points(manner.horizon, position, seat)?.into_iter();
        let mut odds = points.map(|(action, points)| (action, points.into())).collect();
        heed_mate(position, &mut odds, |action, points| {
            self.outdoes_mate(manner.horizon, position, action, points)
        });
        temper(manner.temperature, &mut odds);
        Some(odds)
    }

    /// Whether a lead that is not mate brings more than a mate of so many points, by force and within the horizon.
    pub(crate) fn outdoes_mate(
        &self,
        horizon: u8,
        position: &Position,
        action: Action,
        points: i32,
    ) -> bool {
        let Some(node) = self.graph.node(position) else { return false };
        let mut leads = self.graph.leads(node);
        let lead = leads.find(|lead| self.graph.lead_action(node, *lead) == action);
        lead.is_some_and(|lead| self.lead_forces(node, lead, points, horizon - 1))
    }

    /// Whether a lead brings its leader more than so many points by force within so many moves after this one.
    pub(crate) fn lead_forces(
        &self,
        node: LeadNode,
        lead: LeadChoice,
        points: i32,
        ahead: u8,
    ) -> bool {
        // What is not true at all cannot be forced within any number of moves.
        let sign = node.leader.sign_for_first();
        let truly = |next| match next {
            Continuation::Over(points) => points * sign,
            Continuation::Lead(node) => self.exact().get(node) * sign,
        };
        let mut next = self.graph.answers(node, lead).map(|a| self.graph.next(node, lead, a));
        next.all(|next| truly(next) > points && self.forces(next, node.leader, points, ahead))
    }

    /// Whether a seat gets at least so many points, more than none, from a position on by force and within so many moves
    /// from the next lead; `None` if that is not one of the graph.
    pub(crate) fn brings(
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

    fn forces(&self, next: Continuation, seat: Seat, points: i32, ahead: u8) -> bool {
        let sign = seat.sign_for_first();
        let node = match next {
            Continuation::Over(reached) => return reached * sign > points,
            Continuation::Lead(node) => node,
        };
        if ahead == 0 || self.exact().get(node) * sign <= points {
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

impl Level {
    /// How it looks to somebody who sees everything: exact values that are worse by so many points are chosen e times less
    /// often.
    ///
    /// The temperature of the softmax that explains best what the level plays in open games of `bga` and `sackson`.
    pub(crate) fn exact_temperature(self) -> f64 {
        match self.get() {
            1 => 100.0,
            2 => 70.0,
            3 => 50.0,
            4 => 45.0,
            5 => 35.0,
            6 => 22.0,
            7 => 15.0,
            8 => 6.0,
            _ => 3.0,
        }
    }

    /// How it sees and minds in a rule set.
    ///
    /// With a larger deck more points are at stake, and so more are a small loss.
    pub(crate) fn manner_in(self, rules: &RuleSet) -> Manner {
        let manner = self.manner();
        let size = rules.hand_size().max(MAX_TABLE_HAND);
        let temperature = manner.temperature * f64::from(size) / f64::from(MAX_TABLE_HAND);
        Manner { temperature, ..manner }
    }

    /// How it sees and minds with up to 20 cards.
    pub(crate) fn manner(self) -> Manner {
        let (horizon, temperature, nodes) = match self.get() {
            1 => (1, 30.0, 200),
            2 => (2, 30.0, 300),
            3 => (2, 12.0, 600),
            4 => (3, 8.0, 1_500),
            5 => (4, 5.0, 5_500),
            6 => (5, 3.5, 15_000),
            7 => (6, 2.5, 30_000),
            8 => (7, 1.5, 80_000),
            _ => (8, 0.8, 200_000),
        };
        Manner { horizon, temperature, nodes }
    }
}

/// Leaves, when there is a mate in one, the best mate and what certainly brings more.
pub(crate) fn heed_mate(
    position: &Position,
    odds: &mut Odds<Action>,
    is_more: impl FnMut(Action, i32) -> bool,
) {
    let mate = |action| Some(position.play(action).ok()?.mate()?.points());
    heed_sure_mate(mate, odds, is_more);
}

/// The same where it is told which action is mate for sure, and for how many points.
pub(crate) fn heed_sure_mate(
    mate: impl Fn(Action) -> Option<i32>,
    odds: &mut Odds<Action>,
    mut is_more: impl FnMut(Action, i32) -> bool,
) {
    let Some(points) = odds.iter().filter_map(|(action, _)| mate(*action)).max() else { return };
    odds.retain(|(action, _)| match mate(*action) {
        Some(other) => other == points,
        None => is_more(*action, points),
    });
}

/// Turns points into odds: the more seems lost, the less likely.
pub(crate) fn temper<T>(temperature: f64, odds: &mut Odds<T>) {
    let most = odds.iter().map(|(_, points)| *points).fold(f64::NEG_INFINITY, f64::max);
    odds.retain(|(_, points)| most - points <= NEVER * temperature);
    let mut sum = 0.0;
    for (_, points) in odds.iter_mut() {
        *points = ((*points - most) / temperature).exp();
        sum += *points;
    }
    for (_, share) in odds.iter_mut() {
        *share /= sum;
    }
}
