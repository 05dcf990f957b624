//! What to do at a spot: solve as early a part of the game as can be solved, and follow the solution.

use std::collections::HashMap;
use std::sync::Arc;

use overmate_rules::{BySeat, Seat};
use overmate_solver::Meter;

use crate::hidden::best_response::outcomes;
use crate::hidden::cfr::{self, OpponentModel, Solution, StopRule};
use crate::hidden::match_utility::MatchUtility;
use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::tree::NodeKind;
use crate::hidden::tree_builder::{BuildError, GameTree, TreeBuilder, TreeLimit};
use crate::public_game::belief::{SoftmaxPlayer, update};
use crate::public_game::cards::HandCards;
use crate::public_game::state::{PublicAction, PublicState, TypedAction};
use crate::public_game::types::{TypeChances, TypeVector, ZERO, normalised};

/// How much work may go into one decision, and what is expected of the other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HiddenConfig {
    /// The most nodes of a tree that is solved.
    pub(crate) nodes: usize,
    /// The most nodes that solving it may visit.
    pub(crate) visits: u64,
    /// The gap at which a solution is good enough, in points.
    pub(crate) gap: f64,
    pub(crate) model: SoftmaxPlayer,
    /// How far the model is relied on: the share of the other's play that is taken to be like it, 0 to 1.
    pub(crate) reliance: f64,
    /// At the end of a match. Then not points are played for but the match.
    pub(crate) aim: Option<Arc<MatchUtility>>,
}

/// The most cards a hand with which it is tried to see everything to the end.
const MOST_CARDS: u8 = 8;

/// The most moves that are looked ahead where that fails.
const MOST_MOVES: u32 = 8;

/// The rounds of solving that a tree must leave room for: after fewer, a solution is far from an equilibrium, and a smaller
/// tree that is solved tells more than a large one that is not.
const ROUNDS: u64 = 32;

/// How many visits of a node are taken to fit into a millisecond. Only the size of trees rests on it: the clock stops in time
/// whatever it is.
const VISITS_A_MILLISECOND: u128 = 10_000;

/// What is tried and may fail gets one of so many parts of what is left.
pub(crate) const ATTEMPT_PARTS: usize = 6;

/// The gap, in points, at which the solution of a tree is good enough that was cut off.
const LOOSE: f64 = 1.0;

/// Before anything is foreplaced each has one type.
pub(crate) const CHANCES_BEFORE_FOREPLACING: TypeChances = {
    let mut one = ZERO;
    one[0] = 1.0;
    BySeat { first: one, second: one }
};

/// How far what is believed of a hidden card is doubted. Measured by exploitability on small decks: 0, which trusts the model of
/// the other, and 1, which expects the worst card, both lose about twice as much.
const ADVERSARIAL_SHARE: f64 = 0.3;

/// How much of what is believed is the model of the other, where a solution says what he would do.
const SOFTMAX_SHARE: f64 = 0.02;

/// What a seat should do at a spot, for each of its types.
#[derive(Clone, Debug)]
pub(crate) struct LocalStrategy {
    /// For each branch, how likely each type takes it, in the order of the types of the spot.
    pub(crate) chances: Vec<TypeVector>,
    /// For each branch, the points that each type can expect of it; `None` if not judged.
    pub(crate) values: Option<Vec<TypeVector>>,
    /// Moves that were seen through; `None` if to the end of the game.
    pub(crate) horizon: Option<u32>,
    /// How far from an equilibrium the solution is at most, in points, given what is believed.
    pub(crate) gap: f64,
}

/// What a seat should foreplace.
#[derive(Clone, Debug)]
pub(crate) struct Foreplacing {
    /// How likely nothing.
    pub(crate) declines: f64,
    /// How likely each card, in the order of the types.
    pub(crate) cards: TypeVector,
    /// The points that the seat can expect of nothing.
    pub(crate) declines_expected: f64,
    /// The points that the seat can expect of each card.
    pub(crate) cards_expected: TypeVector,
    /// Moves that were seen through; `None` if to the end of the game.
    pub(crate) horizon: Option<u32>,
    /// How far from an equilibrium the solution is at most, in points.
    pub(crate) gap: f64,
}

/// A part of the game that was solved.
struct SolvedSubgame {
    grown: GameTree,
    solution: Solution,
}

/// Plans for one deal.
pub(crate) struct Planner {
    pub(crate) cards: Arc<HandCards>,
    pub(crate) care: HiddenConfig,
    pub(crate) secured: RegretBounds,
    /// Solved parts by how they were come to.
    solved: HashMap<SubgameKey, SolveAttempt>,
    /// The whole game, foreplacing included, by whose play is planned.
    game: BySeat<SolveAttempt>,
}

/// A part of the game: whose play is planned, where the game began, and what was done since.
type SubgameKey = (Seat, PublicState, Vec<PublicAction>);

/// What is known of a part of the game.
#[derive(Clone)]
enum SolveAttempt {
    SolvedSubgame(Arc<SolvedSubgame>),
    /// It has more nodes than this.
    Larger(usize),
}

/// Where a solution is being followed.
struct SubgameCursor {
    solved: Arc<SolvedSubgame>,
    node: u32,
    /// How likely each type of each seat comes here.
    reach: TypeChances,
}

impl Planner {
    pub(crate) fn new(cards: Arc<HandCards>, care: HiddenConfig) -> Self {
        Self {
            cards,
            care,
            secured: RegretBounds::default(),
            solved: HashMap::new(),
            game: BySeat::new_with(|_| SolveAttempt::Larger(0)),
        }
    }

    /// Reckons with this from now on; what was solved for something else is forgotten.
    pub(crate) fn reckon_with(&mut self, care: &HiddenConfig) {
        if *care != self.care {
            self.care = care.clone();
            self.forget();
        }
    }

    /// As if nothing had been looked at yet.
    pub(crate) fn forget(&mut self) {
        self.secured = RegretBounds::default();
        self.solved.clear();
        self.game = BySeat::new_with(|_| SolveAttempt::Larger(0));
    }

    /// The plan for the seat whose turn it is, after these steps from the first spot.
    pub(crate) fn plan(
        &mut self,
        steps: &[(PublicState, TypedAction)],
        now: &PublicState,
        meter: &mut Meter,
    ) -> LocalStrategy {
        let me = now.to_act();
        let start = steps.first().map_or(now, |(spot, _)| spot);
        let mut chances = self.care.model.prior(&self.cards, start);
        let mut place = self.place_in_game(me, start, meter);
        if let Some(place) = &place {
            chances = normalised(&place.reach);
        }
        for at in 0..=steps.len() {
            let spot = steps.get(at).map_or(now, |(spot, _)| spot);
            if place.as_ref().is_none_or(SubgameCursor::is_left) {
                let path: Vec<PublicAction> =
                    steps[..at].iter().map(|(_, branch)| branch.act).collect();
                // Each step may fail before the present one is come to.
                place = if at == steps.len() {
                    self.solved_from((me, *start, path), spot, &chances, ATTEMPT_PARTS, meter)
                } else {
                    with_part(meter, 2, |part| {
                        self.solved_from(
                            (me, *start, path),
                            spot,
                            &chances,
                            2 * ATTEMPT_PARTS,
                            part,
                        )
                    })
                };
            }
            let Some((_, branch)) = steps.get(at) else { break };
            let index = spot
                .branches(&self.cards)
                .iter()
                .position(|b| b.act == branch.act)
                .unwrap_or_default();
            let mut likelihoods = self.care.model.likelihoods(&self.cards, spot, &chances)[index];
            if let Some(here) = &place {
                let solved = here.slot_chances(spot.to_act(), index);
                for (likelihood, solved) in likelihoods.iter_mut().zip(solved) {
                    *likelihood = (1.0 - SOFTMAX_SHARE) * solved + SOFTMAX_SHARE * *likelihood;
                }
            }
            place = place.and_then(|place| place.follow(spot.to_act(), index));
            update(spot, *branch, &likelihoods, &mut chances);
        }
        match place {
            Some(place) => place.read(now.to_act(), None),
            None => self.look_ahead(now, &chances, meter),
        }
    }

    /// The first lead in the solution of the whole game, if it can be solved.
    fn place_in_game(
        &mut self,
        me: Seat,
        start: &PublicState,
        meter: &mut Meter,
    ) -> Option<SubgameCursor> {
        let hides = BySeat::new_with(|seat| start.hides(seat));
        if *start != PublicState::start(&self.cards, hides) {
            return None;
        }
        let solved = self.game(me, meter)?;
        let mut place = SubgameCursor::begin(solved);
        for seat in Seat::BOTH {
            place = place.follow(seat, hides[seat].into())?;
        }
        Some(place)
    }

    /// The solution of the whole game, if the tree is small enough.
    fn game(&mut self, me: Seat, meter: &mut Meter) -> Option<Arc<SolvedSubgame>> {
        let nodes = self.room(meter);
        match &self.game[me] {
            SolveAttempt::SolvedSubgame(solved) => return Some(Arc::clone(solved)),
            SolveAttempt::Larger(known) if *known >= nodes => return None,
            SolveAttempt::Larger(_) => {}
        }
        match self.grow_game(TreeLimit::whole(nodes), meter) {
            Ok(grown) => {
                let solved = self.solve(grown, me, CHANCES_BEFORE_FOREPLACING, meter);
                self.game[me] = SolveAttempt::SolvedSubgame(Arc::clone(&solved));
                Some(solved)
            }
            Err(BuildError::TooLarge) => {
                self.game[me] = SolveAttempt::Larger(nodes);
                None
            }
            // With more to spend it may be done later.
            Err(BuildError::BudgetExhausted) => None,
        }
    }

    /// What is done in the whole game, if it was solved.
    #[cfg(test)]
    pub(crate) fn solution(&self, me: Seat) -> Option<crate::hidden::best_response::Strategy> {
        match &self.game[me] {
            SolveAttempt::SolvedSubgame(solved) => Some(solved.solution.strategy.clone()),
            SolveAttempt::Larger(_) => None,
        }
    }

    /// The most nodes of a tree that leaves enough to solve it.
    fn room(&self, meter: &Meter) -> usize {
        let by_time = meter.time_left().map(|left| left.as_micros() * VISITS_A_MILLISECOND / 1000);
        let by_time = by_time.map(|visits| u64::try_from(visits).unwrap_or(u64::MAX));
        let visits = meter.nodes_left().into_iter().chain(by_time).min().unwrap_or(u64::MAX);
        let nodes = usize::try_from(visits / (2 * ROUNDS)).unwrap_or(usize::MAX);
        nodes.min(self.care.nodes)
    }

    /// The same where everything is not seen. To see little is better than to see nothing, even if it is not solved as well.
    fn room_ahead(&self, is_least: bool, meter: &Meter) -> usize {
        let nodes = self.room(meter);
        if is_least { nodes.saturating_mul(4).min(self.care.nodes) } else { nodes }
    }

    fn grow_game(&mut self, reach: TreeLimit, meter: &mut Meter) -> Result<GameTree, BuildError> {
        if reach.moves > MOST_MOVES && self.cards.rules().hand_size() > MOST_CARDS {
            return Err(BuildError::TooLarge);
        }
        let mut grower =
            TreeBuilder { cards: &self.cards, secured: &mut self.secured, prunes: true };
        with_part(meter, ATTEMPT_PARTS, |part| grower.grow_game(reach, part))
    }

    fn solve(
        &self,
        grown: GameTree,
        me: Seat,
        chances: TypeChances,
        meter: &mut Meter,
    ) -> Arc<SolvedSubgame> {
        let is_whole = grown.is_whole;
        let rounds = self.care.visits / (2 * grown.tree.work() as u64).max(1);
        let rounds = u32::try_from(rounds.clamp(32, 4096)).unwrap_or(32);
        let effort = if is_whole {
            StopRule { gap: self.care.gap, rounds }
        } else {
            // What lies behind is only judged: to be more exact before it would be for nothing.
            StopRule { gap: self.care.gap.max(LOOSE), rounds: rounds.min(128) }
        };
        let expected = (self.care.reliance > 0.0)
            .then(|| self.care.model.strategy(&self.cards, &grown, &chances, meter).ok())
            .flatten();
        let habit = expected.as_ref().map(|strategy| OpponentModel {
            seat: !me,
            strategy,
            share: self.care.reliance,
        });
        let solution = match &self.care.aim {
            None => cfr::solve(&grown.tree, &chances, ADVERSARIAL_SHARE, habit, effort, meter),
            Some(aim) => {
                // The tree itself keeps the points, so that they can be told.
                let worth = grown.tree.with_points(|points| aim.worth(points, is_whole));
                cfr::solve(&worth, &chances, ADVERSARIAL_SHARE, habit, effort, meter)
            }
        };
        Arc::new(SolvedSubgame { grown, solution })
    }

    /// What a seat should foreplace: nothing, or each of its types.
    pub(crate) fn plan_foreplacing(
        &mut self,
        seat: Seat,
        first_hides: bool,
        meter: &mut Meter,
    ) -> Option<Foreplacing> {
        let (solved, horizon) = if let Some(solved) = self.game(seat, meter) {
            (solved, None)
        } else {
            let (grown, moves) = deepest(0, |moves| {
                let nodes = self.room_ahead(moves == 0, meter);
                self.grow_game(TreeLimit { moves, nodes }, meter).ok()
            })?;
            (self.solve(grown, seat, CHANCES_BEFORE_FOREPLACING, meter), Some(moves))
        };
        let gap = solved.solution.gap;
        let mut place = SubgameCursor::begin(solved);
        if seat == Seat::Second {
            place = place.follow(Seat::First, first_hides.into())?;
        }
        Some(Foreplacing {
            declines: place.slot_chances(seat, 0)[0],
            cards: place.slots(1),
            declines_expected: place.slot_values(seat, 0)[0],
            cards_expected: place.slot_values(seat, 1),
            horizon,
            gap,
        })
    }

    /// The solution from a spot on, if the tree is small enough.
    fn solved_from(
        &mut self,
        key: SubgameKey,
        spot: &PublicState,
        chances: &TypeChances,
        parts: usize,
        meter: &mut Meter,
    ) -> Option<SubgameCursor> {
        let nodes = self.room(meter);
        match self.solved.get(&key) {
            Some(SolveAttempt::SolvedSubgame(solved)) => {
                return Some(SubgameCursor::begin(Arc::clone(solved)));
            }
            Some(SolveAttempt::Larger(known)) if *known >= nodes => return None,
            _ => {}
        }
        match self.grow(spot, TreeLimit::whole(nodes), parts, meter) {
            Ok(grown) => {
                let solved = self.solve(grown, key.0, *chances, meter);
                self.solved.insert(key, SolveAttempt::SolvedSubgame(Arc::clone(&solved)));
                Some(SubgameCursor::begin(solved))
            }
            Err(BuildError::TooLarge) => {
                self.solved.insert(key, SolveAttempt::Larger(nodes));
                None
            }
            // With more to spend it may be done later.
            Err(BuildError::BudgetExhausted) => None,
        }
    }

    fn grow(
        &mut self,
        spot: &PublicState,
        reach: TreeLimit,
        parts: usize,
        meter: &mut Meter,
    ) -> Result<GameTree, BuildError> {
        if reach.moves > MOST_MOVES && spot.held[spot.to_act()].count_ones() > MOST_CARDS.into() {
            return Err(BuildError::TooLarge);
        }
        let mut grown = GameTree::new();
        let mut grower =
            TreeBuilder { cards: &self.cards, secured: &mut self.secured, prunes: true };
        // The root is to be played, so it is not put aside, even if nothing is hidden there that matters.
        with_part(meter, parts, |part| grower.grow_played(&mut grown, spot, reach, part))?;
        Ok(grown)
    }

    /// The solution of as many moves as can be looked ahead.
    fn look_ahead(
        &mut self,
        spot: &PublicState,
        chances: &TypeChances,
        meter: &mut Meter,
    ) -> LocalStrategy {
        // The move that has begun is one as well.
        let begun = u32::from(spot.lead.is_some());
        let deepest = deepest(1 - begun, |moves| {
            let nodes = self.room_ahead(moves + begun == 1, meter);
            self.grow(spot, TreeLimit { moves, nodes }, ATTEMPT_PARTS, meter).ok()
        });
        match deepest {
            Some((grown, moves)) => {
                let place = SubgameCursor::begin(self.solve(grown, spot.to_act(), *chances, meter));
                place.read(spot.to_act(), Some(moves + begun))
            }
            None => self.at_a_glance(spot, chances),
        }
    }

    /// What is best if the cards were shown from now on.
    fn at_a_glance(&self, spot: &PublicState, chances: &TypeChances) -> LocalStrategy {
        let sharp = SoftmaxPlayer { temperature: 0.01 };
        let likelihoods = sharp.likelihoods(&self.cards, spot, chances);
        LocalStrategy { chances: likelihoods, values: None, horizon: Some(0), gap: f64::INFINITY }
    }
}

/// Tries something with one of so many parts of what is left, so that there always is something left for what it is done for.
pub(crate) fn with_part<T>(
    meter: &mut Meter,
    parts: usize,
    attempt: impl FnOnce(&mut Meter) -> T,
) -> T {
    meter.with_part(parts, attempt)
}

/// Tries something with at most so many nodes, and no more than a [part](ATTEMPT_PARTS) of what is left.
pub(crate) fn with_limit<T>(
    meter: &mut Meter,
    nodes: u64,
    attempt: impl FnOnce(&mut Meter) -> T,
) -> T {
    with_part(meter, ATTEMPT_PARTS, |part| part.with_node_limit(nodes, attempt))
}

/// The deepest tree that is not too large, and its moves.
fn deepest(least: u32, mut grow: impl FnMut(u32) -> Option<GameTree>) -> Option<(GameTree, u32)> {
    let mut found = None;
    for moves in least..=MOST_MOVES {
        match grow(moves) {
            Some(grown) => found = Some((grown, moves)),
            None => break,
        }
    }
    found
}

impl SubgameCursor {
    fn begin(solved: Arc<SolvedSubgame>) -> Self {
        Self { node: solved.grown.tree.root(), reach: solved.solution.chances, solved }
    }

    fn read(&self, seat: Seat, horizon: Option<u32>) -> LocalStrategy {
        let edges = 0..self.solved.grown.branches[self.node as usize].len();
        LocalStrategy {
            chances: edges.clone().map(|index| self.slot_chances(seat, index)).collect(),
            values: Some(edges.map(|index| self.edge_values(seat, index)).collect()),
            horizon,
            gap: self.solved.solution.gap,
        }
    }

    /// Whether the solution ends here.
    fn is_left(&self) -> bool {
        self.solved.grown.spots[self.node as usize].is_none()
    }

    /// How likely each type of the seat that acts here takes an edge.
    fn slot_chances(&self, seat: Seat, index: usize) -> TypeVector {
        let tree = &self.solved.grown.tree;
        let mut chances = ZERO;
        if let NodeKind::Choice { edges, .. } = tree.node(self.node).what {
            let edge = &tree.edges(edges)[index];
            for (k, &i) in tree.before(*edge, seat).iter().enumerate() {
                chances[usize::from(i)] =
                    self.solved.solution.strategy[edge.slots as usize + k].into();
            }
        }
        chances
    }

    /// The chances of all slots of an edge.
    fn slots(&self, index: usize) -> TypeVector {
        let tree = &self.solved.grown.tree;
        let mut chances = ZERO;
        if let NodeKind::Choice { seat, edges, .. } = tree.node(self.node).what {
            let edge = &tree.edges(edges)[index];
            let slots = &self.solved.solution.strategy[edge.slots as usize..];
            for (chance, (slot, _)) in
                chances.iter_mut().zip(slots.iter().zip(tree.before(*edge, seat)))
            {
                *chance = (*slot).into();
            }
        }
        chances
    }

    fn follow(mut self, seat: Seat, index: usize) -> Option<Self> {
        let tree = &self.solved.grown.tree;
        let NodeKind::Choice { edges, .. } = tree.node(self.node).what else { return None };
        let edge = tree.edges(edges)[index];
        let mut reach = ZERO;
        for (k, &i) in tree.before(edge, seat).iter().enumerate() {
            let slot = self.solved.solution.strategy[edge.slots as usize + k];
            reach[k] = self.reach[seat][usize::from(i)] * f64::from(slot);
        }
        self.reach[seat] = reach;
        self.node = edge.to;
        Some(self)
    }

    /// What the seat that acts here gets after an edge if both follow the solution, by the types that it then has.
    fn slot_values(&self, seat: Seat, index: usize) -> TypeVector {
        let SolvedSubgame { grown, solution, .. } = &*self.solved;
        let NodeKind::Choice { edges, .. } = grown.tree.node(self.node).what else { return ZERO };
        let to = grown.tree.edges(edges)[index].to;
        let mut values = outcomes(&grown.tree, &solution.strategy, to, seat, &self.reach[!seat]);
        let total: f64 = self.reach[!seat].iter().sum();
        if total > 0.0 {
            for value in &mut values {
                *value /= total;
            }
        }
        values
    }

    /// The same by the types that it has here; 0 for types that do not have the edge.
    fn edge_values(&self, seat: Seat, index: usize) -> TypeVector {
        let tree = &self.solved.grown.tree;
        let values = self.slot_values(seat, index);
        let mut by_type = ZERO;
        if let NodeKind::Choice { edges, .. } = tree.node(self.node).what {
            for (k, &i) in tree.before(tree.edges(edges)[index], seat).iter().enumerate() {
                by_type[usize::from(i)] = values[k];
            }
        }
        by_type
    }
}
