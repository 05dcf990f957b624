//! Chooses a strategy for a game with a face-down card by solving the largest game tree that fits the budget.
//!
//! The planner tries, in this order, the whole game from foreplacing on, a subgame from an earlier
//! state of the game, the subgame from the current state, and last a depth-limited subgame whose
//! leaves have heuristic values (depth-limited solving; Brown, Sandholm & Amos 2018). At the root of a
//! re-solved subgame, each seat's face-down card is drawn from the beliefs or, with a fixed
//! probability, chosen by the seat (compare Burch, Johanson & Bowling 2014).

use std::sync::Arc;

use overmate_rules::{BySeat, Seat};
use overmate_solver::for_bots::Meter;

use crate::hidden::cfr::{self, StopRule};
use crate::hidden::config::HiddenConfig;
use crate::hidden::opponent_model::softmax_strategy;
use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::subgame::{SolvedSubgame, SubgameCursor};
use crate::hidden::tree_builder::{BuildError, TreeBuilder, TreeLimit, UnratedTree};
use crate::hidden::tree_response::OpponentModel;
use crate::model::state_map::StateMap;
use crate::public_game::belief::{SoftmaxPlayer, update};
use crate::public_game::cards::HandCards;
use crate::public_game::state::{PublicAction, PublicState, TypedAction};
use crate::public_game::types::{TypeChances, TypePoints, TypeProbabilities, ZERO, normalised};

/// Maximum hand size at which the planner tries to solve a game to its end.
const MAX_WHOLE_HAND: u8 = 8;

/// Maximum search horizon, in complete moves, of a depth-limited game tree.
const MAX_HORIZON: u32 = 8;

/// Minimum number of CFR+ iterations that the budget must allow before the planner solves a tree. A
/// solution after fewer iterations is far from an equilibrium. A smaller tree is more useful,
/// because the budget allows more iterations.
const MIN_ROUNDS: u64 = 32;

/// Maximum number of CFR+ iterations on one tree.
const MAX_ROUNDS: u64 = 4096;

/// Maximum number of CFR+ iterations on a depth-limited game tree.
const MAX_ROUNDS_AHEAD: u32 = 128;

/// Least probability with which the opponent is assumed to expect the actual face-down card of the deciding seat.
///
/// The average strategy of CFR+ weighs each iteration by the probability that the seat's own play reaches a state. With a card that the
/// opponent rules out, only iterations would count in which the seat chooses this card against the belief, and these can be few or none.
const LEAST_OWN_CHANCE: f64 = 0.05;

/// Least product of the probabilities with which a plan takes the deciding seat's own actions since the root of the solved tree. After less
/// probable actions, the game is solved again from the next state on.
///
/// The exploitability of a solution hardly depends on play that the solution almost never reaches, so that such play can be bad.
const LEAST_PLANNED: f64 = 0.01;

/// Assumed number of nodes that the solver visits in a millisecond. Only the choice of tree sizes
/// depends on this number. Deadlines hold at any real speed.
const VISITS_PER_MILLISECOND: u128 = 10_000;

/// Divisor of the remaining search budget: each attempt to solve a subgame may spend at most the fraction 1/`ATTEMPT_PARTS`.
pub(crate) const ATTEMPT_PARTS: usize = 6;

/// Maximum sum of both players' exploitabilities, in points, at which the solution of a
/// depth-limited tree is accepted. The leaf values are no more accurate than this limit.
const HEURISTIC_GAP: f64 = 1.0;

/// Beliefs about the face-down cards before foreplacing: with probability 1, neither seat has a face-down card.
pub(crate) const CHANCES_BEFORE_FOREPLACING: TypeChances = {
    let mut one = ZERO;
    one[0] = 1.0;
    BySeat { first: one, second: one }
};

/// Assumed probability that, at the root of a game tree, a seat chooses its face-down card freely. Otherwise the card is drawn at random,
/// with the probabilities of the beliefs. See [`cfr::solve`].
///
/// On twelve-card decks, both seats together lose 27 points to best responses with trees of 200 nodes, and 16 points with
/// trees of 2,000 nodes. With a share of 0 the seats lose 37 and 25 points. With a share of 1 the seats lose 24 and 20
/// points, and also 8 points where whole games are solved.
const ADVERSARIAL_SHARE: f64 = 0.3;

/// Strategy of the acting seat in one state of the game, for each card that the seat may have face down.
#[derive(Clone, Debug)]
pub(crate) struct LocalStrategy {
    /// Probability of each action, for each card that the acting seat may have face down.
    pub(crate) chances: Vec<TypeProbabilities>,
    /// Expected points of the acting seat after each action, for each of the seat's possible face-down cards, or `None`
    /// if no tree was solved.
    pub(crate) values: Option<Vec<TypePoints>>,
    /// Search horizon in complete moves, or `None` for a search to the end of the game.
    pub(crate) horizon: Option<u32>,
    /// Sum of both players' exploitabilities under the solution, in points.
    pub(crate) gap: f64,
}

/// Action probabilities and expected points of a seat that may set a card aside (foreplace).
#[derive(Clone, Debug)]
pub(crate) struct ForeplacingStrategy {
    /// Probability that the seat declines to foreplace, and so sets no card aside.
    pub(crate) declines: f64,
    /// Probability that the seat foreplaces (sets aside) each card of its hand, in the order of the cards in the hand.
    pub(crate) cards: TypeProbabilities,
    /// Expected final points of the seat after it declines to foreplace.
    pub(crate) declines_expected: f64,
    /// Expected final points of the seat after it foreplaces (sets aside) each card of its hand.
    pub(crate) cards_expected: TypePoints,
    /// Search horizon in complete moves, or `None` for a search to the end of the game.
    pub(crate) horizon: Option<u32>,
    /// Sum of both players' exploitabilities under the solution, in points.
    pub(crate) gap: f64,
}

/// Planner for a deal, which solves game trees and keeps the solutions for later decisions.
pub(crate) struct Planner {
    pub(crate) cards: Arc<HandCards>,
    pub(crate) config: HiddenConfig,
    pub(crate) regrets: RegretBounds,
    /// Results of attempts to solve a game tree to the end of the game.
    attempts: StateMap<TreeKey, SolveAttempt>,
}

/// Key of the stored result of an attempt to solve a game tree to the end of the game. The key holds the deciding seat and, for a subgame,
/// the subgame's root and the seat's face-down card. The root is an earlier public state with the actions that led from there to the root.
type TreeKey = (Seat, Option<(PublicState, Vec<PublicAction>, Option<u32>)>);

/// Result of an attempt to solve a game tree to the end of the game.
enum SolveAttempt {
    Solved(Arc<SolvedSubgame>),
    /// The game tree was not built, because it has more nodes than the given limit.
    LargerThan(usize),
}

impl Planner {
    /// Creates a planner for a deal. The new planner has not solved any game tree yet.
    pub(crate) fn new(cards: Arc<HandCards>, config: HiddenConfig) -> Self {
        Self { cards, config, regrets: RegretBounds::default(), attempts: StateMap::default() }
    }

    /// Stores new settings for solving game trees, and discards the solved game trees if the settings have changed.
    pub(crate) fn configure(&mut self, config: &HiddenConfig) {
        if *config != self.config {
            self.config = config.clone();
            self.forget();
        }
    }

    /// Discards everything that the planner has computed: solved game trees, failed attempts and regret bounds.
    pub(crate) fn forget(&mut self) {
        self.regrets = RegretBounds::default();
        self.attempts.clear();
    }

    /// Returns the strategy of the acting seat in the current state of a game, given the actions
    /// that led to that state.
    ///
    /// `own` is the index of the face-down card of the acting seat in its hand, or [`NO_TYPE`](crate::public_game::history::NO_TYPE)
    /// without such a card. If the plan with this card rarely takes the seat's own actions, the later states are solved again. In each new
    /// tree, the opponent expects the card with at least the probability [`LEAST_OWN_CHANCE`]. If `own` is `None`, all plans are followed.
    pub(crate) fn decide(
        &mut self,
        steps: &[(PublicState, TypedAction)],
        now: &PublicState,
        own: Option<u32>,
        meter: &mut Meter,
    ) -> LocalStrategy {
        let me = now.to_act();
        let start = steps.first().map_or(now, |(state, _)| state);
        let mut cursor = self.first_lead_of_game(me, start, meter);
        let mut chances = match &cursor {
            Some(cursor) => normalised(&cursor.reach),
            None => self.config.model.prior(&self.cards, start),
        };
        // Probability with which the seat takes its actions since the root of the cursor's tree. The root of a whole game lies before the
        // seat foreplaces its card.
        let own_at = |state: &PublicState| own.and_then(|own| state.place_of_type(me, own));
        let mut planned = match (&cursor, own_at(start)) {
            (Some(cursor), Some(index)) => cursor.reach[me][index],
            _ => 1.0,
        };
        cursor = cursor.filter(|_| planned >= LEAST_PLANNED);
        for at in 0..=steps.len() {
            let state = steps.get(at).map_or(now, |(state, _)| state);
            let own_index = own_at(state);
            if let Some(index) = own_index {
                raise(&mut chances[me], index);
            }
            if cursor.as_ref().is_none_or(SubgameCursor::is_leaf) {
                let path = steps[..at].iter().map(|(_, taken)| taken.action).collect();
                let key = (me, Some((*start, path, own)));
                let is_last = at == steps.len();
                let parts = if is_last { ATTEMPT_PARTS } else { 2 * ATTEMPT_PARTS };
                let attempt = |meter: &mut Meter| {
                    self.solve_to_the_end(key, chances, meter, |planner, limit, meter| {
                        planner.build_subgame(state, limit, parts, meter)
                    })
                };
                // Each attempt to solve an earlier state gets half of the remaining budget, so that budget is left for the current state.
                let solved = if is_last { attempt(meter) } else { meter.with_part(2, attempt) };
                cursor = solved.map(SubgameCursor::at_root);
                planned = 1.0;
            }
            let Some((_, taken)) = steps.get(at) else { break };
            let actions = state.actions(&self.cards);
            let index = actions.iter().position(|a| a.action == taken.action).unwrap_or_default();
            let likelihoods = match &cursor {
                Some(cursor) => cursor.chances(index),
                None => self.config.model.likelihoods(&self.cards, state, &chances)[index],
            };
            if let (true, Some(index)) = (state.to_act() == me, own_index) {
                planned *= likelihoods[index];
            }
            cursor = cursor.filter(|_| planned >= LEAST_PLANNED);
            cursor = cursor.and_then(|cursor| cursor.follow(state.to_act(), index));
            update(state, *taken, &likelihoods, &mut chances);
        }
        match cursor {
            Some(cursor) => local_strategy(&cursor, now.to_act(), None),
            None => self.look_ahead(now, &chances, meter),
        }
    }

    /// Returns the foreplacing strategy of a seat, or `None` if the smallest game tree exceeds the
    /// node budget.
    pub(crate) fn decide_foreplacing(
        &mut self,
        seat: Seat,
        first_hides: bool,
        meter: &mut Meter,
    ) -> Option<ForeplacingStrategy> {
        let (solved, horizon) = if let Some(solved) = self.whole_game(seat, meter) {
            (solved, None)
        } else {
            let (game, moves) = deepest(0, |moves| {
                let nodes = self.max_nodes_ahead(moves == 0, meter);
                self.build_game(TreeLimit { moves, nodes }, meter).ok()
            })?;
            (self.solve(game, seat, CHANCES_BEFORE_FOREPLACING, meter), Some(moves))
        };
        let mut cursor = SubgameCursor::at_root(solved);
        if seat == Seat::Second {
            cursor = cursor.follow(Seat::First, first_hides.into())?;
        }
        Some(ForeplacingStrategy {
            declines: cursor.chances(0)[0],
            cards: cursor.slot_chances(1),
            declines_expected: cursor.slot_values(seat, 0)[0],
            cards_expected: cursor.slot_values(seat, 1),
            horizon,
            gap: cursor.gap(),
        })
    }

    /// Returns seat `me`'s strategy for the complete game including foreplacing, or `None` if the
    /// game is unsolved.
    #[cfg(test)]
    pub(crate) fn solution(&self, me: Seat) -> Option<crate::hidden::tree::Strategy> {
        match self.attempts.get(&(me, None))? {
            SolveAttempt::Solved(solved) => Some(solved.solution.strategy.clone()),
            SolveAttempt::LargerThan(_) => None,
        }
    }

    /// Returns a cursor at the node before the first lead in the solution of the complete game, or
    /// `None` if the game is unsolved.
    fn first_lead_of_game(
        &mut self,
        me: Seat,
        start: &PublicState,
        meter: &mut Meter,
    ) -> Option<SubgameCursor> {
        let hides = BySeat::new_with(|seat| start.hides(seat));
        if *start != PublicState::start(&self.cards, hides) {
            return None;
        }
        let mut cursor = SubgameCursor::at_root(self.whole_game(me, meter)?);
        for seat in Seat::BOTH {
            cursor = cursor.follow(seat, hides[seat].into())?;
        }
        Some(cursor)
    }

    /// Returns the solution of the complete game including foreplacing, or `None` if the budget is too small.
    fn whole_game(&mut self, me: Seat, meter: &mut Meter) -> Option<Arc<SolvedSubgame>> {
        self.solve_to_the_end((me, None), CHANCES_BEFORE_FOREPLACING, meter, Self::build_game)
    }

    /// Returns the solution of a game tree that reaches the end of the game, or `None` if the budget is too small.
    fn solve_to_the_end(
        &mut self,
        key: TreeKey,
        chances: TypeChances,
        meter: &mut Meter,
        build: impl FnOnce(&mut Self, TreeLimit, &mut Meter) -> Result<UnratedTree, BuildError>,
    ) -> Option<Arc<SolvedSubgame>> {
        let nodes = self.max_nodes(meter);
        match self.attempts.get(&key) {
            Some(SolveAttempt::Solved(solved)) => return Some(Arc::clone(solved)),
            Some(SolveAttempt::LargerThan(known)) if *known >= nodes => return None,
            Some(SolveAttempt::LargerThan(_)) | None => {}
        }
        let (attempt, solved) = match build(self, TreeLimit::whole(nodes), meter) {
            Ok(game) => {
                let solved = self.solve(game, key.0, chances, meter);
                (SolveAttempt::Solved(Arc::clone(&solved)), Some(solved))
            }
            Err(BuildError::TooLarge) => (SolveAttempt::LargerThan(nodes), None),
            // If the budget does not suffice to build the game tree, the failure is not recorded. A later attempt with a larger budget may
            // succeed.
            Err(BuildError::BudgetExhausted) => return None,
        };
        self.attempts.insert(key, attempt);
        solved
    }

    /// Returns the acting seat's strategy from the game tree with the largest search horizon that
    /// the budget allows.
    fn look_ahead(
        &mut self,
        state: &PublicState,
        chances: &TypeChances,
        meter: &mut Meter,
    ) -> LocalStrategy {
        // The horizon includes the current move, even if its lead has already been played.
        let begun = u32::from(state.lead.is_some());
        let found = deepest(1 - begun, |moves| {
            let nodes = self.max_nodes_ahead(moves + begun == 1, meter);
            self.build_subgame(state, TreeLimit { moves, nodes }, ATTEMPT_PARTS, meter).ok()
        });
        if let Some((game, moves)) = found {
            let solved = self.solve(game, state.to_act(), *chances, meter);
            let cursor = SubgameCursor::at_root(solved);
            return local_strategy(&cursor, state.to_act(), Some(moves + begun));
        }
        // Without a game tree, the fallback is the action that would be best if all cards were shown right after the action. A low
        // temperature makes the softmax choose this action almost surely.
        let greedy = SoftmaxPlayer { temperature: 0.01 };
        let likelihoods = greedy.likelihoods(&self.cards, state, chances);
        LocalStrategy { chances: likelihoods, values: None, horizon: Some(0), gap: f64::INFINITY }
    }

    /// Returns the maximum number of tree nodes with which the budget still allows [`MIN_ROUNDS`] CFR+ iterations.
    fn max_nodes(&self, meter: &Meter) -> usize {
        let by_time =
            meter.time_left().map(|left| left.as_micros() * VISITS_PER_MILLISECOND / 1000);
        let by_time = by_time.map(|visits| u64::try_from(visits).unwrap_or(u64::MAX));
        let visits = meter.nodes_left().into_iter().chain(by_time).min().unwrap_or(u64::MAX);
        let nodes = usize::try_from(visits / (2 * MIN_ROUNDS)).unwrap_or(usize::MAX);
        nodes.min(self.config.nodes)
    }

    /// Returns the maximum number of nodes that the budget allows for a depth-limited game tree. The limit is higher at the smallest
    /// horizon: a rough solution is better than none.
    fn max_nodes_ahead(&self, is_least: bool, meter: &Meter) -> usize {
        let nodes = self.max_nodes(meter);
        if is_least { nodes.saturating_mul(4).min(self.config.nodes) } else { nodes }
    }

    fn build_game(
        &mut self,
        limit: TreeLimit,
        meter: &mut Meter,
    ) -> Result<UnratedTree, BuildError> {
        if limit.moves > MAX_HORIZON && self.cards.rules().hand_size() > MAX_WHOLE_HAND {
            return Err(BuildError::TooLarge);
        }
        meter.with_part(ATTEMPT_PARTS, |part| self.builder().game(limit, part))
    }

    fn build_subgame(
        &mut self,
        state: &PublicState,
        limit: TreeLimit,
        parts: usize,
        meter: &mut Meter,
    ) -> Result<UnratedTree, BuildError> {
        let hand = state.held[state.to_act()].count_ones();
        if limit.moves > MAX_HORIZON && hand > MAX_WHOLE_HAND.into() {
            return Err(BuildError::TooLarge);
        }
        meter.with_part(parts, |part| self.builder().subgame(state, limit, part))
    }

    fn builder(&mut self) -> TreeBuilder<'_> {
        TreeBuilder { cards: &self.cards, regrets: &mut self.regrets, prunes: true }
    }

    fn solve(
        &self,
        unrated: UnratedTree,
        me: Seat,
        chances: TypeChances,
        meter: &mut Meter,
    ) -> Arc<SolvedSubgame> {
        let config = &self.config;
        let game = unrated.rated(&self.cards);
        let rounds = config.visits / (2 * game.tree.work() as u64).max(1);
        let rounds = u32::try_from(rounds.clamp(MIN_ROUNDS, MAX_ROUNDS)).unwrap_or(u32::MAX);
        let stop = if game.is_whole {
            StopRule { gap: config.gap, rounds }
        } else {
            let gap = config.gap.max(HEURISTIC_GAP);
            StopRule { gap, rounds: rounds.min(MAX_ROUNDS_AHEAD) }
        };
        let expected = (config.reliance > 0.0)
            .then(|| softmax_strategy(config.model, &self.cards, &game, &chances, meter).ok())
            .flatten();
        let model = expected.as_ref().map(|strategy| OpponentModel {
            seat: !me,
            strategy,
            share: config.reliance,
        });
        let solution = match &config.utility {
            None => cfr::solve(&game.tree, &chances, ADVERSARIAL_SHARE, model, stop, meter),
            Some(utility) => {
                // The points of the game tree are replaced by utilities only in a copy of the tree. The stored tree keeps payoffs
                // in points, so that the advice can give expected points.
                let tree = game.tree.with_points(|points| utility.utility(points, game.is_whole));
                cfr::solve(&tree, &chances, ADVERSARIAL_SHARE, model, stop, meter)
            }
        };
        Arc::new(SolvedSubgame { game, solution })
    }
}

/// Raises the probability of a card to [`LEAST_OWN_CHANCE`] if it is lower, and lowers the probabilities of all other cards accordingly.
fn raise(chances: &mut TypeProbabilities, index: usize) {
    let missing = LEAST_OWN_CHANCE - chances[index];
    if missing > 0.0 {
        let scale = (1.0 - LEAST_OWN_CHANCE) / (1.0 - chances[index]);
        for chance in chances.iter_mut() {
            *chance *= scale;
        }
        chances[index] = LEAST_OWN_CHANCE;
    }
}

/// Returns the strategy of the acting seat at the cursor's node of a solved game tree.
fn local_strategy(cursor: &SubgameCursor, seat: Seat, horizon: Option<u32>) -> LocalStrategy {
    let actions = 0..cursor.actions();
    LocalStrategy {
        chances: actions.clone().map(|index| cursor.chances(index)).collect(),
        values: Some(actions.map(|index| cursor.values(seat, index)).collect()),
        horizon,
        gap: cursor.gap(),
    }
}

/// Returns the game tree with the largest search horizon for which `build` returns a tree, together with this horizon. The function builds
/// trees with growing horizons from `least` on, until a tree exceeds its limits.
fn deepest(
    least: u32,
    mut build: impl FnMut(u32) -> Option<UnratedTree>,
) -> Option<(UnratedTree, u32)> {
    (least..=MAX_HORIZON).map_while(|moves| Some((build(moves)?, moves))).last()
}
