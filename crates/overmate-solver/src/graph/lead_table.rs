//! Defines tables with the points of every lead position of a deal, exact or estimated by iterative
//! deepening.

use overmate_rules::{BySeat, Seat};

use super::lead_graph::{LeadGraph, LeadNode};
use crate::deal::last_moves::LastMovesTable;
use crate::table::build::TableBuilder;
use crate::table::rows::{Rows, to_lane};

/// Table of the points for seat *first* in every position of a [`LeadGraph`], exact or estimated.
///
/// This example shows the use of `LeadTable`.
/// ```
/// use overmate_rules::RuleSet;
/// use overmate_solver::graph::{LeadGraph, LeadTable};
/// let rules = RuleSet::named("bga")?.shared();
/// let position = rules.read_position("AcTc/Ah7c first -/- - -")?.validate(&rules)?;
/// let graph = LeadGraph::of_hands(&rules, position.hands());
/// let node = graph.node(&position).expect("a card is to be led");
/// // The ace of clubs takes the seven of clubs, and the ten of clubs then mates in move 10.
/// assert_eq!(LeadTable::exact(&graph).get(node), 10 * 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeadTable {
    rows: Rows,
}

/// Iterative deepening over all positions of a [`LeadGraph`], which estimates points with a growing
/// search horizon.
///
/// The table starts with an evaluation function at horizon 0, and each step extends the horizon by
/// one move.
///
/// This example shows the use of `HorizonDeepening`.
/// ```
/// use overmate_rules::RuleSet;
/// use overmate_solver::graph::{HorizonDeepening, LeadGraph};
/// let rules = RuleSet::named("bga")?.shared();
/// let position = rules.read_position("AcTc/Ah7c first -/- - -")?.validate(&rules)?;
/// let graph = LeadGraph::of_hands(&rules, position.hands());
/// let node = graph.node(&position).expect("a card is to be led");
/// let mut deepening = HorizonDeepening::new(&graph, |_, _, _, row| row.fill(5));
/// let points = [0, 1, 2].map(|_| {
///     let points = deepening.table().get(node);
///     deepening.deepen();
///     points
/// });
/// // The search sees the mate in move 10 once it looks two moves ahead.
/// assert_eq!(points, [5, 5, 10 * 10]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HorizonDeepening<'a> {
    graph: &'a LeadGraph,
    table: LeadTable,
    last_moves: LastMovesTable,
    horizon: u8,
}

impl LeadTable {
    /// Computes the exact points for seat *first* of every position of the graph.
    ///
    /// # Panics
    ///
    /// Panics if the graph does not [fit a table](LeadGraph::fits_table).
    #[must_use]
    pub fn exact(graph: &LeadGraph) -> Self {
        assert!(
            graph.fits_table(),
            "the graph has too many positions for a table: the caller must check `fits_table` first"
        );
        Self { rows: TableBuilder::new(graph.rules(), graph.deal_cards()).run() }
    }

    /// Returns the points for seat *first* at a node.
    #[must_use]
    pub fn get(&self, node: LeadNode) -> i32 {
        #[allow(clippy::cast_possible_truncation, reason = "a table has at most ten cards a hand")]
        let held = node.held.map(|set| set as usize);
        self.rows.get(node.free, held, node.leader).into()
    }
}

impl<'a> HorizonDeepening<'a> {
    /// Creates the table for the search horizon 0 from the evaluation function `evaluate`.
    ///
    /// The function `evaluate` gets the cards of *first*, the leader and the state of the free
    /// move, and fills a row of points for *first*.
    ///
    /// # Panics
    ///
    /// Panics if the graph does not [fit a table](LeadGraph::fits_table).
    pub fn new(
        graph: &'a LeadGraph,
        mut evaluate: impl FnMut(u64, Seat, bool, &mut [i16]),
    ) -> Self {
        assert!(
            graph.fits_table(),
            "the graph has too many positions for a table: the caller must check `fits_table` first"
        );
        let (rules, cards) = (graph.rules(), graph.deal_cards());
        let sizes = BySeat::new_with(|seat| cards.cards[seat].len());
        let mut rows = Rows::new(sizes, rules.free_move());
        for first_holds in 1..1_usize << sizes.first {
            for leader in Seat::BOTH {
                for free in [false, true] {
                    if !free || rules.free_move() {
                        let row = rows.row_mut(free, first_holds, leader);
                        evaluate(first_holds as u64, leader, free, &mut row[..1 << sizes.second]);
                        // No caller asks for the points of an empty hand.
                        row[0] = 0;
                    }
                }
            }
        }
        // Positions with two cards against one are exact from the start.
        let last_moves = LastMovesTable::new(rules, cards);
        for first in 1..1_usize << sizes.first {
            for (second, leader, points) in last_moves.values(first) {
                for free in [false, true] {
                    if !free || rules.free_move() {
                        rows.set(free, BySeat { first, second }, leader, to_lane(points));
                    }
                }
            }
        }
        Self { graph, table: LeadTable { rows }, last_moves, horizon: 0 }
    }

    /// Returns the search horizon in complete moves.
    #[must_use]
    pub fn horizon(&self) -> u8 {
        self.horizon
    }

    /// Returns the table of the last search, with the points for seat *first* in every position.
    #[must_use]
    pub fn table(&self) -> &LeadTable {
        &self.table
    }

    /// Ends the iterative deepening, and returns the table of the last search.
    #[must_use]
    pub fn into_table(self) -> LeadTable {
        self.table
    }

    /// Extends the search horizon by one move: each position gets the points after the best lead
    /// and answer.
    pub fn deepen(&mut self) {
        let rows = std::mem::take(&mut self.table.rows);
        let builder = TableBuilder::with_rows(self.graph.rules(), self.graph.deal_cards(), rows);
        self.table.rows = builder.deepen(&self.last_moves);
        self.horizon = self.horizon.saturating_add(1);
    }
}
