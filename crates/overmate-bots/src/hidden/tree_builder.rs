//! The tree of a game with a card face down.

use overmate_rules::{BySeat, Seat};
use overmate_solver::{BudgetExhausted, Meter};

use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::tree::Tree;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor, TypedAction};

/// How far a tree is grown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeLimit {
    /// Moves, begun with a lead, after which it is cut off, and what lies behind is judged.
    pub(crate) moves: u32,
    /// Nodes, beyond which it is given up.
    pub(crate) nodes: usize,
}

impl TreeLimit {
    /// To the end of the game.
    pub(crate) fn whole(nodes: usize) -> Self {
        Self { moves: u32::MAX, nodes }
    }
}

/// The most cards a hand with which it is asked whether a hidden card makes no difference any more. With more it always
/// does, nearly, and to ask takes long.
const MOST_CARDS: u32 = 8;

/// The same where the tree is cut off: there the answer changes a judgement only, and may cost more than the rest of the tree.
const MOST_CARDS_AT_CUT: u32 = 6;

/// A tree, and what its nodes stand for.
#[derive(Default)]
pub(crate) struct GameTree {
    pub(crate) tree: Tree,
    /// By node: the spot, unless it is an end or lies before the first lead.
    pub(crate) spots: Vec<Option<PublicState>>,
    /// By node: the branch of each edge of a spot.
    pub(crate) branches: Vec<Vec<TypedAction>>,
    /// Whether nothing was cut off.
    pub(crate) is_whole: bool,
    /// The nodes at which *first* foreplaces, and *second* after each choice of his, if the tree begins there.
    pub(crate) foreplacing: Option<ForeplacingNodes>,
}

/// The nodes at which cards are foreplaced. The first edge declines; the slots of the second are the cards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForeplacingNodes {
    pub(crate) first: u32,
    pub(crate) second_after_none: u32,
    pub(crate) second_after_card: u32,
}

/// Grows trees of one deal.
pub(crate) struct TreeBuilder<'a> {
    pub(crate) cards: &'a HandCards,
    pub(crate) secured: &'a mut RegretBounds,
    /// Whether to stop where a hidden card makes no difference any more.
    pub(crate) prunes: bool,
}

/// Why there is no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BuildError {
    /// It would have too many nodes.
    TooLarge,
    /// The budget is spent.
    BudgetExhausted,
}

impl From<BudgetExhausted> for BuildError {
    fn from(_: BudgetExhausted) -> Self {
        Self::BudgetExhausted
    }
}

impl TreeBuilder<'_> {
    /// The tree of a whole game, foreplacing included.
    pub(crate) fn grow_game(
        &mut self,
        reach: TreeLimit,
        meter: &mut Meter,
    ) -> Result<GameTree, BuildError> {
        let mut grown = GameTree::new();
        let mut second = [0; 2];
        for first_hides in [false, true] {
            let mut choices = Vec::new();
            for second_hides in [false, true] {
                let hides = BySeat { first: first_hides, second: second_hides };
                let spot = PublicState::start(self.cards, hides);
                let node = self.grow(&mut grown, &spot, reach, meter)?;
                choices.push((node, vec![0; usize::from(count_types(&spot).second)]));
            }
            let mut types = grown.tree.node(choices[0].0).types;
            types.second = 1;
            let node = grown.tree.add_choice(Seat::Second, types, &choices, 0.0);
            second[usize::from(first_hides)] = grown.note(node, None, Vec::new());
        }
        let choices =
            second.map(|node| (node, vec![0; usize::from(grown.tree.node(node).types.first)]));
        let types = BySeat { first: 1, second: 1 };
        let first = grown.tree.add_choice(Seat::First, types, &choices, 0.0);
        grown.note(first, None, Vec::new());
        let [second_after_none, second_after_card] = second;
        grown.foreplacing = Some(ForeplacingNodes { first, second_after_none, second_after_card });
        Ok(grown)
    }

    /// Adds a spot and all that can come after it; returns its node.
    pub(crate) fn grow(
        &mut self,
        grown: &mut GameTree,
        spot: &PublicState,
        reach: TreeLimit,
        meter: &mut Meter,
    ) -> Result<u32, BuildError> {
        if grown.tree.work() >= reach.nodes {
            return Err(BuildError::TooLarge);
        }
        meter.spend()?;
        let is_cut = reach.moves == 0 && spot.lead.is_none();
        let most = if is_cut { MOST_CARDS_AT_CUT } else { MOST_CARDS };
        let is_open = self.is_open(spot, most, meter)?;
        if is_open || is_cut {
            return Ok(self.end(grown, spot, is_open));
        }
        self.grow_played(grown, spot, reach, meter)
    }

    /// The same, but at least the next action is in the tree.
    pub(crate) fn grow_played(
        &mut self,
        grown: &mut GameTree,
        spot: &PublicState,
        reach: TreeLimit,
        meter: &mut Meter,
    ) -> Result<u32, BuildError> {
        let types = count_types(spot);
        let seat = spot.to_act();
        let own: Vec<u32> = bits(spot.types_or_none(seat)).collect();
        let branches = spot.branches(self.cards);
        let mut choices = Vec::with_capacity(branches.len());
        for branch in &branches {
            let before: Vec<u8> = (0u8..)
                .zip(&own)
                .filter(|(_, t)| branch.by >> **t & 1 == 1)
                .map(|(i, _)| i)
                .collect();
            let to = match spot.after(self.cards, *branch) {
                Successor::PublicState(next) => {
                    let moves = reach.moves.saturating_sub(spot.lead.is_none().into());
                    self.grow(grown, &next, TreeLimit { moves, ..reach }, meter)?
                }
                Successor::Over(points) => {
                    let mut types = types;
                    types[seat] = count(before.len());
                    let node = grown.tree.add_over(types, as_points(points));
                    grown.note(node, None, Vec::new())
                }
            };
            choices.push((to, before));
        }
        let without = as_points(spot.mate_points_for_first(self.cards));
        let node = grown.tree.add_choice(seat, types, &choices, without);
        Ok(grown.note(node, Some(*spot), branches))
    }

    /// Adds a spot at which the tree ends.
    fn end(&self, grown: &mut GameTree, spot: &PublicState, is_open: bool) -> u32 {
        grown.is_whole &= is_open;
        let mut points = open_points(self.cards, spot);
        if !is_open {
            add_secrets(self.cards, spot, &mut points);
        }
        let node = grown.tree.add_leaf(count_types(spot), points);
        grown.note(node, None, Vec::new())
    }

    /// Whether a hidden card makes no difference any more; with more than so many cards it is not asked.
    fn is_open(
        &mut self,
        spot: &PublicState,
        most: u32,
        meter: &mut Meter,
    ) -> Result<bool, BudgetExhausted> {
        let known = Seat::BOTH.into_iter().all(|seat| spot.types[seat].count_ones() <= 1);
        if known || !self.prunes || spot.held[spot.to_act()].count_ones() > most {
            return Ok(known && self.prunes);
        }
        self.secured.is_open(self.cards, spot, meter)
    }
}

impl GameTree {
    pub(crate) fn new() -> Self {
        Self { is_whole: true, ..Self::default() }
    }

    pub(crate) fn note(
        &mut self,
        node: u32,
        spot: Option<PublicState>,
        branches: Vec<TypedAction>,
    ) -> u32 {
        self.spots.push(spot);
        self.branches.push(branches);
        debug_assert_eq!(self.spots.len(), node as usize + 1);
        node
    }
}

pub(crate) fn count_types(spot: &PublicState) -> BySeat<u8> {
    BySeat::new_with(|seat| count(bits(spot.types_or_none(seat)).count()))
}

/// The open values of a spot, by the type of *first*, then of *second*.
pub(crate) fn open_points(cards: &HandCards, spot: &PublicState) -> Vec<f32> {
    let mut points = Vec::new();
    for first in bits(spot.types_or_none(Seat::First)) {
        for second in bits(spot.types_or_none(Seat::Second)) {
            points.push(as_points(spot.open(cards, BySeat { first, second })));
        }
    }
    points
}

/// What a secret is worth on average, as a share of the points that an average card is worth in the last move; and what is
/// added for each point that the other, if he leads, loses at once by not knowing. The shares fit the exact values of random
/// positions of 5 to 8 cards in which one card is hidden.
const SECRET: f32 = 0.12;
const GUESS: f32 = 1.5;

/// Turns open values of a lead into a judgement: who has a secret does better than with open cards.
fn add_secrets(cards: &HandCards, spot: &PublicState, points: &mut [f32]) {
    let deck = cards.rules().deck();
    let values: f32 = deck.cards().iter().map(|card| f32::from(deck.value(*card))).sum();
    let secret = SECRET * values / 2.0;
    let losses = BySeat::new_with(|seat| {
        let own = bits(spot.types_or_none(seat));
        own.map(|own| match spot.types[!seat].count_ones() {
            0 | 1 => 0.0,
            _ if spot.leader == seat => secret + GUESS * guess(cards, spot, seat, own),
            _ => secret,
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

/// What a seat that leads loses if it must lead one card against all types of the other, which are equally likely, and
/// everything is shown after that: 0 and up.
fn guess(cards: &HandCards, spot: &PublicState, seat: Seat, own: u32) -> f32 {
    let others = || bits(spot.types_or_none(!seat));
    let total = |spot: &PublicState| {
        let types = |other| BySeat::new_with(|s| if s == seat { own } else { other });
        others().map(|other| spot.open(cards, types(other)) * seat.sign_for_first()).sum::<i32>()
    };
    let leads = spot.branches(cards).into_iter().filter(|branch| branch.by >> own & 1 == 1);
    let best = leads.filter_map(|branch| match spot.after(cards, branch) {
        Successor::PublicState(next) => Some(total(&next)),
        Successor::Over(_) => None,
    });
    let count = spot.types[!seat].count_ones().max(1);
    as_points(total(spot) - best.max().unwrap_or_default()).max(0.0)
        / as_points(count.cast_signed())
}

fn count(len: usize) -> u8 {
    u8::try_from(len).expect("a hand has at most 30 cards")
}

#[allow(clippy::cast_precision_loss, reason = "scores are below 2^24")]
pub(crate) fn as_points(points: i32) -> f32 {
    points as f32
}
