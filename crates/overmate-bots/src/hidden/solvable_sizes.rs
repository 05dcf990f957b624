//! Up to how many cards a hidden card is solved to the end of the game.

use std::fmt;
use std::sync::Arc;

use overmate_rules::{BySeat, DealSource, RuleSet, Seat, SeededDeals};
use overmate_solver::Budget;

use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::solver::Strength;
use crate::hidden::tree_builder::{GameTree, TreeBuilder, TreeLimit};
use crate::public_game::cards::HandCards;
use crate::public_game::state::{PublicState, Successor};

/// How often positions are small enough to be solved to the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvableSizesReport {
    /// By the number of cards, ascending.
    pub sizes: Vec<SizeRow>,
}

/// Positions of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SizeRow {
    /// Cards that each has not played, one that lies face down included.
    pub cards: u32,
    /// How many positions were tried.
    pub positions: u32,
    /// How many of them are solved to the end at full strength.
    pub solved: u32,
    /// The middle number of nodes of those trees; 0 if none was solved.
    pub nodes: usize,
}

impl fmt::Display for SolvableSizesReport {
    /// A Markdown table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| cards each | positions | solved to the end | nodes, median |")?;
        writeln!(f, "|---:|---:|---:|---:|")?;
        for SizeRow { cards, positions, solved, nodes } in &self.sizes {
            let share = f64::from(*solved) / f64::from((*positions).max(1)) * 100.0;
            writeln!(f, "| {cards} | {positions} | {share:.0}% | {nodes} |")?;
        }
        Ok(())
    }
}

/// Tries positions of 5 to 9 cards each, one or two of them face down, in which a card is to be led: of each size one
/// from each of so many random games for each way to foreplace.
#[must_use]
pub fn solvable_sizes_report(rules: &Arc<RuleSet>, games: u32, seed: u64) -> SolvableSizesReport {
    let mut source = SeededDeals::new(seed);
    let mut chance = seed;
    let mut sizes = Vec::new();
    for cards in 5..=9 {
        let mut limit = SizeRow { cards, ..SizeRow::default() };
        let mut nodes = Vec::new();
        for _ in 0..games {
            let dealt = source.next_deal(rules);
            let Some(deal) = HandCards::new(rules, dealt.hands()) else { continue };
            for (first, second) in [(true, false), (false, true), (true, true)] {
                let start = PublicState::start(&deal, BySeat { first, second });
                let Some(spot) = wander(&deal, start, cards, &mut chance) else { continue };
                limit.positions += 1;
                let mut secured = RegretBounds::default();
                let mut grower = TreeBuilder { cards: &deal, secured: &mut secured, prunes: true };
                let reach = TreeLimit::whole(Strength::FULL.nodes);
                let mut grown = GameTree::new();
                if grower.grow(&mut grown, &spot, reach, &mut Budget::unlimited().start()).is_ok() {
                    nodes.push(grown.spots.len());
                }
            }
        }
        nodes.sort_unstable();
        limit.solved = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        limit.nodes = nodes.get(nodes.len() / 2).copied().unwrap_or_default();
        sizes.push(limit);
    }
    SolvableSizesReport { sizes }
}

/// Plays at random until each has so many cards; `None` if the game ends before, or if nothing is hidden any more.
fn wander(
    cards: &HandCards,
    start: PublicState,
    until: u32,
    chance: &mut u64,
) -> Option<PublicState> {
    let mut spot = start;
    while spot.lead.is_some() || spot.held.first.count_ones() > until {
        let branches = spot.branches(cards);
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let at = (*chance >> 33).checked_rem(branches.len() as u64)?;
        let Successor::PublicState(next) = spot.after(cards, branches[usize::try_from(at).ok()?])
        else {
            return None;
        };
        spot = next;
    }
    let is_hidden = |seat: Seat| spot.types[seat].count_ones() > 1;
    Seat::BOTH.into_iter().any(is_hidden).then_some(spot)
}
