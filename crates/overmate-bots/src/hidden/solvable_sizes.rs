//! Measures how many random positions with a face-down card can be solved to the end of the game, for each hand size.

use std::fmt;
use std::sync::Arc;

use overmate_rules::{BySeat, DealSource, RuleSet, Seat, SeededDeals};
use overmate_solver::Budget;

use crate::hidden::config::Strength;
use crate::hidden::regret_bound::RegretBounds;
use crate::hidden::tree_builder::{TreeBuilder, TreeLimit};
use crate::public_game::cards::HandCards;
use crate::public_game::state::{PublicState, Successor};

/// Report on random positions with a face-down card: the number that can be solved to the end of the game, for each
/// hand size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolvableSizesReport {
    /// Numbers of examined and solved positions for each hand size, in ascending order of the hand size.
    pub sizes: Vec<SizeRow>,
}

/// Numbers of examined and solved positions for one hand size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SizeRow {
    /// Number of unplayed cards of each seat, including a face-down card.
    pub cards: u32,
    /// Number of examined positions.
    pub positions: u32,
    /// Number of positions whose game tree to the end of the game fits the node limit of the solver at full strength.
    pub solved: u32,
    /// Median number of nodes in the game trees of the solved positions; 0 if no position was solved.
    pub nodes: usize,
}

impl fmt::Display for SolvableSizesReport {
    /// Writes the percentages of solved positions for each hand size as a Markdown table.
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

/// Counts, for each hand size, the random positions with face-down cards that can be solved to the end of the game.
///
/// For each hand size, each of `games` random deals gives up to three positions: with a face-down card of *first*, of *second*, and of both
/// seats.
#[must_use]
pub fn solvable_sizes_report(rules: &Arc<RuleSet>, games: u32, seed: u64) -> SolvableSizesReport {
    let mut source = SeededDeals::new(seed);
    let mut chance = seed;
    let mut sizes = Vec::new();
    for cards in 5..=9 {
        let mut row = SizeRow { cards, ..SizeRow::default() };
        let mut nodes = Vec::new();
        for _ in 0..games {
            let dealt = source.next_deal(rules);
            let Some(deal) = HandCards::new(rules, dealt.hands()) else { continue };
            for (first, second) in [(true, false), (false, true), (true, true)] {
                let start = PublicState::start(&deal, BySeat { first, second });
                let Some(state) = play_at_random(&deal, start, cards, &mut chance) else {
                    continue;
                };
                row.positions += 1;
                let mut regrets = RegretBounds::default();
                let mut builder = TreeBuilder { cards: &deal, regrets: &mut regrets, prunes: true };
                let limit = TreeLimit::whole(Strength::FULL.nodes);
                let mut meter = Budget::unlimited().start();
                if let Ok(game) = builder.subgame(&state, limit, &mut meter) {
                    nodes.push(game.nodes());
                }
            }
        }
        nodes.sort_unstable();
        row.solved = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        row.nodes = nodes.get(nodes.len() / 2).copied().unwrap_or_default();
        sizes.push(row);
    }
    SolvableSizesReport { sizes }
}

/// Plays random actions until each seat holds `until` cards. Returns `None` if the game ends
/// earlier, or if no card is hidden at that point.
fn play_at_random(
    cards: &HandCards,
    start: PublicState,
    until: u32,
    chance: &mut u64,
) -> Option<PublicState> {
    let mut state = start;
    while state.lead.is_some() || state.held.first.count_ones() > until {
        let actions = state.actions(cards);
        *chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let at = (*chance >> 33).checked_rem(actions.len() as u64)?;
        let Successor::State(next) = state.after(cards, actions[usize::try_from(at).ok()?]) else {
            return None;
        };
        state = next;
    }
    let is_hidden = |seat: Seat| state.types[seat].count_ones() > 1;
    Seat::BOTH.into_iter().any(is_hidden).then_some(state)
}
