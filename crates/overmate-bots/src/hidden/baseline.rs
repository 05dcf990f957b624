//! What to beat: players that take each card that may lie face down in turn as if it were shown.

use overmate_rules::{BySeat, Seat};

use crate::hidden::best_response::Strategy;
use crate::hidden::tree::{Edge, NodeKind};
use crate::hidden::tree_builder::GameTree;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{NO_CARD, PublicState, Successor};

/// A way to judge an action by its open values against each card that the other may hide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Baseline {
    /// By their average: sampling of the hidden card (PIMC), with every card sampled.
    Sampling,
    /// By the worst, and among equals by the average: what `Solver::counsel` advises.
    WorstCase,
}

impl Baseline {
    /// What the player does at every node of a tree that begins with foreplacing.
    pub(crate) fn strategy(self, cards: &HandCards, grown: &GameTree) -> Strategy {
        let mut strategy = vec![0.0; grown.tree.slots()];
        for (node, spot) in (0u32..).zip(&grown.spots) {
            let NodeKind::Choice { seat, edges, .. } = grown.tree.node(node).what else { continue };
            let edges = grown.tree.edges(edges);
            let Some(spot) = spot else {
                let first_hides = grown.foreplacing.is_some_and(|f| f.second_after_card == node);
                strategy[self.foreplaces(cards, grown, seat, first_hides, edges)] = 1.0;
                continue;
            };
            let branches = &grown.branches[node as usize];
            for (own, number) in (0u8..).zip(bits(spot.types_or_none(seat))) {
                let judged = edges.iter().zip(branches).filter_map(|(edge, branch)| {
                    let k =
                        grown.tree.before(*edge, seat).iter().position(|before| *before == own)?;
                    let next = spot.after(cards, *branch);
                    let values = bits(spot.types_or_none(!seat)).map(|other| {
                        let types = BySeat::new_with(|s| if s == seat { number } else { other });
                        let points = match next {
                            Successor::PublicState(next) => next.open(cards, types),
                            Successor::Over(points) => points,
                        };
                        points * seat.sign_for_first()
                    });
                    Some((self.judge(values), edge.slots as usize + k))
                });
                if let Some((_, slot)) = first_best(judged) {
                    strategy[slot] = 1.0;
                }
            }
        }
        strategy
    }

    /// The slot of the card that a seat foreplaces, or of nothing.
    fn foreplaces(
        self,
        cards: &HandCards,
        grown: &GameTree,
        seat: Seat,
        first_hides: bool,
        edges: &[Edge],
    ) -> usize {
        let start = |first: bool, second: bool| PublicState::start(cards, BySeat { first, second });
        let numbers =
            |spot: &PublicState, seat: Seat| bits(spot.types_or_none(seat)).collect::<Vec<_>>();
        let mut judged = Vec::new();
        for (hides, edge) in [false, true].into_iter().zip(edges) {
            let slots = edge.slots as usize..;
            let own = match seat {
                Seat::First => numbers(&start(hides, false), seat),
                Seat::Second => numbers(&start(first_hides, hides), seat),
            };
            debug_assert_eq!(own.len(), grown.tree.before(*edge, seat).len());
            for (number, slot) in own.into_iter().zip(slots) {
                let values: Vec<i32> = match seat {
                    // The other answers as if he saw the card.
                    Seat::First => {
                        let replies = [false, true].into_iter().flat_map(|second_hides| {
                            let spot = start(hides, second_hides);
                            let open = |second| spot.open(cards, BySeat { first: number, second });
                            numbers(&spot, Seat::Second).into_iter().map(open).collect::<Vec<_>>()
                        });
                        vec![replies.min().unwrap_or_default()]
                    }
                    Seat::Second => {
                        let spot = start(first_hides, hides);
                        let open = |first| -spot.open(cards, BySeat { first, second: number });
                        numbers(&spot, Seat::First).into_iter().map(open).collect()
                    }
                };
                judged.push((self.judge(values.into_iter()), slot));
            }
        }
        debug_assert!(!judged.is_empty() && NO_CARD == 1);
        first_best(judged.into_iter()).map_or(0, |(_, slot)| slot)
    }

    /// The more the better.
    fn judge(self, values: impl Iterator<Item = i32>) -> (i32, i32) {
        let (mut least, mut sum) = (i32::MAX, 0);
        for value in values {
            least = least.min(value);
            sum += value;
        }
        // The cases are as many for each action, so the sum orders as the average does.
        match self {
            Self::Sampling => (sum, 0),
            Self::WorstCase => (least, sum),
        }
    }
}

fn first_best(judged: impl Iterator<Item = ((i32, i32), usize)>) -> Option<((i32, i32), usize)> {
    judged.reduce(|best, next| if next.0 > best.0 { next } else { best })
}
