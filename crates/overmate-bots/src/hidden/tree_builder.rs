//! Builds the game tree of a game with a face-down card.

use overmate_rules::{BySeat, Seat};
use overmate_solver::for_bots::{BudgetExhausted, Meter};

use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::tree::Tree;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor, TypedAction};

/// Limits of a game tree: its search horizon in moves and its number of nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeLimit {
    /// Maximum depth of the game tree in complete moves, after which leaves have heuristic values.
    pub(crate) moves: u32,
    /// Maximum number of nodes of the game tree. A larger tree is not completed.
    pub(crate) nodes: usize,
}

impl TreeLimit {
    /// Returns limits for a game tree that reaches the end of the game.
    pub(crate) fn whole(nodes: usize) -> Self {
        Self { moves: u32::MAX, nodes }
    }
}

/// Maximum hand size at which the builder of game trees checks whether the face-down cards can still change the value of a state. With
/// larger hands the face-down cards nearly always matter, and the check is expensive.
const MAX_CARDS_TO_PRUNE: u32 = 8;

/// Maximum hand size at which the builder of game trees checks, at the search horizon, whether the face-down cards can still change the
/// value of a state. At the horizon the check only improves a heuristic value.
const MAX_CARDS_TO_PRUNE_AT_HORIZON: u32 = 6;

/// Game tree that stores the public state of the game (without hidden cards) for each node.
#[derive(Default)]
pub(crate) struct GameTree {
    /// Nodes, edges and payoffs of the game tree.
    pub(crate) tree: Tree,
    /// Public state (the game without hidden cards) at each node, or `None` for leaves and foreplacing nodes.
    pub(crate) states: Vec<Option<PublicState>>,
    /// Legal actions at each node, in the order of its edges; empty for leaves and foreplacing
    /// nodes.
    pub(crate) actions: Vec<Vec<TypedAction>>,
    /// Whether no leaf of the tree has a heuristic value: every leaf is the end of the game or has exact values.
    pub(crate) is_whole: bool,
    /// Nodes at which the seats may foreplace (set cards aside), or `None` for a tree that begins later in the game.
    pub(crate) foreplacing: Option<ForeplacingNodes>,
}

/// Indices of the tree nodes at which a seat chooses whether to set a card aside (foreplace). The
/// first edge of each node stands for declining. The second edge has one slot for each card.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForeplacingNodes {
    /// Index of the node at which seat *first* chooses whether to set a card aside (foreplace).
    pub(crate) first: u32,
    /// Index of the node at which seat *second* may foreplace (set a card aside) after seat *first* has declined.
    pub(crate) second_after_none: u32,
    /// Index of the node at which seat *second* may foreplace (set a card aside) after seat
    /// *first* has foreplaced.
    pub(crate) second_after_card: u32,
}

/// Builder of game trees for one deal.
pub(crate) struct TreeBuilder<'a> {
    /// Cards of both hands of the deal.
    pub(crate) cards: &'a HandCards,
    /// Cache of regret bounds, which limit the points that a seat loses by not knowing the opponent's hidden card.
    pub(crate) regrets: &'a mut RegretBounds,
    /// Whether the game tree ends at states in which the face-down cards provably cannot change the value of the game.
    pub(crate) prunes: bool,
}

/// Reason why no game tree was built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuildError {
    /// The game tree has more nodes than the limit allows.
    TooLarge,
    /// The budget ran out before the game tree was complete.
    BudgetExhausted,
}

impl From<BudgetExhausted> for BuildError {
    fn from(_: BudgetExhausted) -> Self {
        Self::BudgetExhausted
    }
}

impl TreeBuilder<'_> {
    /// Builds the tree of a complete game, from foreplacing (the choice of cards to set aside) on, within given limits.
    pub(crate) fn game(
        &mut self,
        limit: TreeLimit,
        meter: &mut Meter,
    ) -> Result<GameTree, BuildError> {
        let mut game = GameTree::new();
        let mut second = [0; 2];
        for first_hides in [false, true] {
            let mut choices = Vec::new();
            for second_hides in [false, true] {
                let hides = BySeat { first: first_hides, second: second_hides };
                let state = PublicState::start(self.cards, hides);
                let node = self.add(&mut game, &state, limit, meter)?;
                choices.push((node, vec![0; usize::from(count_types(&state).second)]));
            }
            let mut types = game.tree.node(choices[0].0).types;
            types.second = 1;
            let node = game.tree.add_choice(Seat::Second, types, &choices, 0.0);
            second[usize::from(first_hides)] = game.note(node, None, Vec::new());
        }
        let choices =
            second.map(|node| (node, vec![0; usize::from(game.tree.node(node).types.first)]));
        let types = BySeat { first: 1, second: 1 };
        let first = game.tree.add_choice(Seat::First, types, &choices, 0.0);
        game.note(first, None, Vec::new());
        let [second_after_none, second_after_card] = second;
        game.foreplacing = Some(ForeplacingNodes { first, second_after_none, second_after_card });
        Ok(game)
    }

    /// Builds the tree of the rest of a game from a state before a lead or an answer. The root
    /// of the tree is a choice between actions even if the hidden card no longer matters.
    pub(crate) fn subgame(
        &mut self,
        state: &PublicState,
        limit: TreeLimit,
        meter: &mut Meter,
    ) -> Result<GameTree, BuildError> {
        let mut game = GameTree::new();
        self.add_choice(&mut game, state, limit, meter)?;
        Ok(game)
    }

    /// Adds to a tree the node of a game state, with all its descendants. Returns the index of the node.
    fn add(
        &mut self,
        game: &mut GameTree,
        state: &PublicState,
        limit: TreeLimit,
        meter: &mut Meter,
    ) -> Result<u32, BuildError> {
        if game.tree.work() >= limit.nodes {
            return Err(BuildError::TooLarge);
        }
        meter.spend()?;
        let is_cut = limit.moves == 0 && state.lead.is_none();
        let most = if is_cut { MAX_CARDS_TO_PRUNE_AT_HORIZON } else { MAX_CARDS_TO_PRUNE };
        let is_open = self.is_open(state, most, meter)?;
        if is_open || is_cut {
            return Ok(self.add_leaf(game, state, is_open));
        }
        self.add_choice(game, state, limit, meter)
    }

    /// Adds to a tree the node at which a seat acts, with all its descendants. Returns the index of the node.
    fn add_choice(
        &mut self,
        game: &mut GameTree,
        state: &PublicState,
        limit: TreeLimit,
        meter: &mut Meter,
    ) -> Result<u32, BuildError> {
        let types = count_types(state);
        let seat = state.to_act();
        let own: Vec<u32> = bits(state.types_or_none(seat)).collect();
        let actions = state.actions(self.cards);
        let mut choices = Vec::with_capacity(actions.len());
        for action in &actions {
            let has = (0u8..).zip(&own).filter(|(_, t)| action.by >> **t & 1 == 1);
            let before: Vec<u8> = has.map(|(i, _)| i).collect();
            let to = match state.after(self.cards, *action) {
                Successor::State(next) => {
                    let moves = limit.moves.saturating_sub(state.lead.is_none().into());
                    self.add(game, &next, TreeLimit { moves, ..limit }, meter)?
                }
                Successor::Over(points) => {
                    let mut types = types;
                    types[seat] = count(before.len());
                    let node = game.tree.add_over(types, as_points(points));
                    game.note(node, None, Vec::new())
                }
            };
            choices.push((to, before));
        }
        let mated = as_points(state.mate_points_for_first(self.cards));
        let node = game.tree.add_choice(seat, types, &choices, mated);
        Ok(game.note(node, Some(*state), actions))
    }

    /// Adds a leaf to a tree, with exact values if hidden cards provably cannot change the value, otherwise with heuristic values.
    fn add_leaf(&self, game: &mut GameTree, state: &PublicState, is_open: bool) -> u32 {
        game.is_whole &= is_open;
        let mut points = open_points(self.cards, state);
        if !is_open {
            add_information_advantage(self.cards, state, &mut points);
        }
        let node = game.tree.add_leaf(count_types(state), points);
        game.note(node, None, Vec::new())
    }

    /// Returns whether the face-down cards provably cannot change the value of a state. Always
    /// returns `false` if a hand has more than `most` cards.
    fn is_open(
        &mut self,
        state: &PublicState,
        most: u32,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        let known = Seat::BOTH.into_iter().all(|seat| state.types[seat].count_ones() <= 1);
        if known || !self.prunes || state.held[state.to_act()].count_ones() > most {
            return Ok(known && self.prunes);
        }
        self.regrets.is_open(self.cards, state, meter)
    }
}

impl GameTree {
    fn new() -> Self {
        Self { is_whole: true, ..Self::default() }
    }

    /// Stores the state and the legal actions of the most recently added node, and returns the node's index.
    fn note(&mut self, node: u32, state: Option<PublicState>, actions: Vec<TypedAction>) -> u32 {
        self.states.push(state);
        self.actions.push(actions);
        debug_assert_eq!(self.states.len(), node as usize + 1);
        node
    }
}

fn count_types(state: &PublicState) -> BySeat<u8> {
    BySeat::new_with(|seat| count(bits(state.types_or_none(seat)).count()))
}

/// Returns the points for seat *first* under best play with all cards shown, for each pair of
/// face-down cards of *first* and *second*.
fn open_points(cards: &HandCards, state: &PublicState) -> Vec<f32> {
    let mut points = Vec::new();
    for first in bits(state.types_or_none(Seat::First)) {
        for second in bits(state.types_or_none(Seat::Second)) {
            let types = BySeat { first, second };
            points.push(as_points(state.open_points_for_first(cards, types)));
        }
    }
    points
}

/// Average advantage that a hidden card gives its owner, as a fraction of the points of an average mate in the last
/// move.
///
/// This share and [`GUESS_FACTOR`] are fitted to the exact values of random positions of 5 to 8 cards a hand in which one card
/// is hidden.
const INFORMATION_SHARE: f32 = 0.12;

/// Factor for the points that a leader loses because the opponent's card is hidden. The product is added to the estimated advantage of the
/// hidden card's owner.
const GUESS_FACTOR: f32 = 1.5;

/// Adds the estimated advantage of a hidden card's owner to leaf values that were computed with all cards shown.
fn add_information_advantage(cards: &HandCards, state: &PublicState, points: &mut [f32]) {
    let deck = cards.rules().deck();
    let values: f32 = deck.cards().iter().map(|card| f32::from(deck.value(*card))).sum();
    let advantage = INFORMATION_SHARE * values / 2.0;
    let losses = BySeat::new_with(|seat| {
        let own = bits(state.types_or_none(seat));
        own.map(|own| match state.types[!seat].count_ones() {
            0 | 1 => 0.0,
            _ if state.leader == seat => {
                advantage + GUESS_FACTOR * guess_loss(cards, state, seat, own)
            }
            _ => advantage,
        })
        .collect::<Vec<f32>>()
    });
    let pairs = losses
        .first
        .iter()
        .flat_map(|first| losses.second.iter().map(move |second| second - first));
    for (points, of_second) in points.iter_mut().zip(pairs) {
        *points += of_second;
    }
}

/// Returns the mean points, at least 0, that the leading seat loses because the opponent's card is hidden.
fn guess_loss(cards: &HandCards, state: &PublicState, seat: Seat, own: u32) -> f32 {
    let others = || bits(state.types_or_none(!seat));
    let total = |next: &Successor| {
        let types = |other| BySeat::new_with(|s| if s == seat { own } else { other });
        let points = others().map(|other| next.open_points_for_first(cards, types(other)));
        points.sum::<i32>() * seat.sign_for_first()
    };
    let leads = state.actions_of(cards, own).map(|lead| state.after(cards, lead));
    let best = leads.map(|next| total(&next)).max();
    let count = state.types[!seat].count_ones().max(1);
    as_points(total(&Successor::State(*state)) - best.unwrap_or_default()).max(0.0)
        / as_points(count.cast_signed())
}

fn count(len: usize) -> u8 {
    u8::try_from(len).expect("a hand has at most 30 cards")
}

/// Converts points to the 32-bit floating-point numbers of a game tree.
#[allow(clippy::cast_precision_loss, reason = "scores are below 2^24")]
pub(crate) fn as_points(points: i32) -> f32 {
    points as f32
}
