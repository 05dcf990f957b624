//! Builds the game tree of a game with a face-down card.

use overmate_rules::{BySeat, Seat};
use overmate_solver::for_bots::{BudgetExhausted, Meter};

use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::tree::Tree;
use crate::public_game::cards::{HandCards, bits, place_in};
use crate::public_game::state::{PublicState, Successor, TypedAction};
use crate::public_game::types::MAX_TYPES;

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
    /// Legal actions at all nodes, in the order of the nodes.
    all_actions: Vec<TypedAction>,
    /// Number of actions at each node and all nodes before it.
    actions_until: Vec<u32>,
    /// Whether no leaf of the tree has a heuristic value: every leaf is the end of the game or has exact values.
    pub(crate) is_whole: bool,
    /// Nodes at which the seats may foreplace (set cards aside), or `None` for a tree that begins later in the game.
    pub(crate) foreplacing: Option<ForeplacingNodes>,
}

/// Game tree whose leaves have no points yet. Most built trees turn out too large, and the points of leaves are expensive.
pub(crate) struct UnratedTree {
    game: GameTree,
    leaves: Vec<Leaf>,
}

/// Leaf of an [`UnratedTree`].
struct Leaf {
    /// Index of the leaf's node in the tree.
    node: u32,
    state: PublicState,
    /// Whether the face-down cards provably cannot change the value of the state, so that the leaf has exact values.
    is_open: bool,
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
    ) -> Result<UnratedTree, BuildError> {
        let mut unrated = UnratedTree::new();
        let mut second = [0; 2];
        for first_hides in [false, true] {
            let mut choices = Vec::new();
            for second_hides in [false, true] {
                let hides = BySeat { first: first_hides, second: second_hides };
                let state = PublicState::start(self.cards, hides);
                let node = self.add(&mut unrated, &state, limit, meter)?;
                choices.push((node, vec![0; usize::from(count_types(&state).second)]));
            }
            let game = &mut unrated.game;
            let mut types = game.tree.node(choices[0].0).types;
            types.second = 1;
            let node = game.tree.add_choice(Seat::Second, types, &choices, 0.0);
            second[usize::from(first_hides)] = game.note(node, None, &[]);
        }
        let game = &mut unrated.game;
        let choices =
            second.map(|node| (node, vec![0; usize::from(game.tree.node(node).types.first)]));
        let types = BySeat { first: 1, second: 1 };
        let first = game.tree.add_choice(Seat::First, types, &choices, 0.0);
        game.note(first, None, &[]);
        let [second_after_none, second_after_card] = second;
        game.foreplacing = Some(ForeplacingNodes { first, second_after_none, second_after_card });
        Ok(unrated)
    }

    /// Builds the tree of the rest of a game from a state before a lead or an answer. The root
    /// of the tree is a choice between actions even if the hidden card no longer matters.
    pub(crate) fn subgame(
        &mut self,
        state: &PublicState,
        limit: TreeLimit,
        meter: &mut Meter,
    ) -> Result<UnratedTree, BuildError> {
        let mut unrated = UnratedTree::new();
        self.add_choice(&mut unrated, state, limit, meter)?;
        Ok(unrated)
    }

    /// Adds to a tree the node of a game state, with all its descendants. Returns the index of the node.
    fn add(
        &mut self,
        unrated: &mut UnratedTree,
        state: &PublicState,
        limit: TreeLimit,
        meter: &mut Meter,
    ) -> Result<u32, BuildError> {
        if unrated.game.tree.work() >= limit.nodes {
            return Err(BuildError::TooLarge);
        }
        meter.spend()?;
        let is_cut = limit.moves == 0 && state.lead.is_none();
        let most = if is_cut { MAX_CARDS_TO_PRUNE_AT_HORIZON } else { MAX_CARDS_TO_PRUNE };
        let is_open = self.is_open(state, most, meter)?;
        if is_open || is_cut {
            return Ok(unrated.add_leaf(state, is_open));
        }
        self.add_choice(unrated, state, limit, meter)
    }

    /// Adds to a tree the node at which a seat acts, with all its descendants. Returns the index of the node.
    fn add_choice(
        &mut self,
        unrated: &mut UnratedTree,
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
                    self.add(unrated, &next, TreeLimit { moves, ..limit }, meter)?
                }
                Successor::Over(points) => {
                    let mut types = types;
                    types[seat] = count(before.len());
                    let game = &mut unrated.game;
                    let node = game.tree.add_over(types, as_points(points));
                    game.note(node, None, &[])
                }
            };
            choices.push((to, before));
        }
        let game = &mut unrated.game;
        let mated = as_points(state.mate_points_for_first(self.cards));
        let node = game.tree.add_choice(seat, types, &choices, mated);
        Ok(game.note(node, Some(*state), &actions))
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

impl UnratedTree {
    fn new() -> Self {
        Self { game: GameTree { is_whole: true, ..GameTree::default() }, leaves: Vec::new() }
    }

    /// Returns the number of nodes of the tree.
    pub(crate) fn nodes(&self) -> usize {
        self.game.states.len()
    }

    /// Adds a leaf for a game state, and returns the index of the node. If the face-down cards of the state may matter, no lead of the
    /// state waits for an answer.
    fn add_leaf(&mut self, state: &PublicState, is_open: bool) -> u32 {
        self.game.is_whole &= is_open;
        let types = count_types(state);
        let pairs = usize::from(types.first) * usize::from(types.second);
        let node = self.game.tree.add_leaf(types, std::iter::repeat_n(0.0, pairs));
        self.leaves.push(Leaf { node, state: *state, is_open });
        self.game.note(node, None, &[])
    }

    /// Returns the game tree with points at its leaves: exact values if hidden cards provably cannot change the value of the leaf's
    /// state, otherwise heuristic values.
    pub(crate) fn rated(self, cards: &HandCards) -> GameTree {
        let Self { mut game, leaves } = self;
        for Leaf { node, state, is_open } in leaves {
            let points = game.tree.leaf_points_mut(node);
            write_open_points(cards, &state, points);
            if !is_open {
                add_information_advantage(cards, &state, points);
            }
        }
        game
    }
}

impl GameTree {
    /// Returns the legal actions at a node, in the order of its edges; none for leaves and foreplacing nodes.
    pub(crate) fn actions(&self, node: u32) -> &[TypedAction] {
        let until = |node: usize| self.actions_until[node] as usize;
        let node = node as usize;
        &self.all_actions[node.checked_sub(1).map_or(0, until)..until(node)]
    }

    /// Stores the state and the legal actions of the most recently added node, and returns the node's index.
    fn note(&mut self, node: u32, state: Option<PublicState>, actions: &[TypedAction]) -> u32 {
        self.states.push(state);
        self.all_actions.extend_from_slice(actions);
        let count = u32::try_from(self.all_actions.len());
        self.actions_until.push(count.expect("a tree has fewer than 2^32 actions"));
        debug_assert_eq!(self.states.len(), node as usize + 1);
        node
    }
}

fn count_types(state: &PublicState) -> BySeat<u8> {
    BySeat::new_with(|seat| count(bits(state.types_or_none(seat)).count()))
}

/// Writes the points for seat *first* under best play with all cards shown, for each pair of face-down cards of *first* and *second*.
fn write_open_points(cards: &HandCards, state: &PublicState, points: &mut [f32]) {
    let [first, second] = Seat::BOTH.map(|seat| state.types_or_none(seat));
    state.each_open_points(cards, |types, points_for_first| {
        let row = place_in(first, types.first) * second.count_ones() as usize;
        points[row + place_in(second, types.second)] = as_points(points_for_first);
    });
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
        match state.types[!seat].count_ones() {
            0 | 1 => own.map(|_| 0.0).collect(),
            _ if state.leader == seat => {
                let losses = guess_losses(cards, state);
                own.map(|own| advantage + GUESS_FACTOR * losses[own as usize]).collect()
            }
            _ => own.map(|_| advantage).collect::<Vec<f32>>(),
        }
    });
    let pairs = losses
        .first
        .iter()
        .flat_map(|first| losses.second.iter().map(move |second| second - first));
    for (points, of_second) in points.iter_mut().zip(pairs) {
        *points += of_second;
    }
}

/// Returns the mean points, at least 0, that the leader loses because the opponent's card is hidden, for each card that the leader may
/// have face down. The index is that of the card in the leader's hand.
fn guess_losses(cards: &HandCards, state: &PublicState) -> [f32; MAX_TYPES] {
    let seat = state.leader;
    let totals = |state: &PublicState| {
        let mut totals = [0; MAX_TYPES];
        state.each_open_points(cards, |types, points_for_first| {
            totals[types[seat] as usize] += points_for_first * seat.sign_for_first();
        });
        totals
    };
    let mut best = [None; MAX_TYPES];
    for lead in state.actions(cards) {
        let Successor::State(next) = state.after(cards, lead) else { continue };
        let totals = totals(&next);
        for own in bits(lead.by) {
            let best = &mut best[own as usize];
            *best = (*best).max(Some(totals[own as usize]));
        }
    }
    let count = state.types[!seat].count_ones().max(1);
    let known = totals(state).into_iter().zip(best);
    let mut losses = [0.0; MAX_TYPES];
    for (loss, (known, best)) in losses.iter_mut().zip(known) {
        *loss =
            as_points(known - best.unwrap_or_default()).max(0.0) / as_points(count.cast_signed());
    }
    losses
}

fn count(len: usize) -> u8 {
    u8::try_from(len).expect("a hand has at most 30 cards")
}

/// Converts points to the 32-bit floating-point numbers of a game tree.
#[allow(clippy::cast_precision_loss, reason = "scores are below 2^24")]
pub(crate) fn as_points(points: i32) -> f32 {
    points as f32
}
