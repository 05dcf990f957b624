//! Defines tables of exact or estimated points for the lead positions of a deal (the positions in which a card must be led).

use overmate_rules::Seat;

use super::lead_graph::{LeadGraph, LeadNode};
use crate::kernel::Kernel;
use crate::table::build::Values;

/// Table of the points for seat *first* in the positions of a [`LeadGraph`], exact or estimated.
///
/// An estimated table begins at the positions in which *first* holds a given number of cards. An evaluation function gives the points of
/// these positions. Backward induction gives the points of all positions with more cards. A search of *d* moves from a position in which
/// *first* holds *k* cards therefore has the result of the table that begins at *k* − *d* cards. A search of at least *k* moves is exact.
///
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
    values: Values,
}

impl LeadTable {
    /// Computes the exact points for seat *first* in every position of a [`LeadGraph`].
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
        Self { values: Values::exact(Kernel::fastest(), graph.rules(), graph.deal_cards()) }
    }

    /// Estimates the points for seat *first* in every position in which *first* holds `fewest` or more cards. The function `evaluate`
    /// estimates the positions with exactly `fewest` cards. Backward induction then computes the points of all positions with more cards.
    /// `fewest` must be at least 1.
    ///
    /// The function `evaluate` gets the cards of *first* and the leader, and fills a row with the points for *first* against each set of
    /// cards of *second*. The function may be called twice for the same row. Positions with two cards in one hand and one card in the
    /// other, in which the last two moves with a repeated card begin, have exact points instead of an estimate.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// use overmate_solver::graph::{LeadGraph, LeadTable};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let position = rules.read_position("AcTc/Ah7c first -/- - -")?.validate(&rules)?;
    /// let graph = LeadGraph::of_hands(&rules, position.hands());
    /// let node = graph.node(&position).expect("a card is to be led");
    /// let points = [2, 1].map(|fewest| {
    ///     LeadTable::estimated(&graph, fewest, |_, _, row| row.fill(5)).get(node)
    /// });
    /// // A search of no move and of one move finds the estimate only. The mate in move 10 is two moves ahead.
    /// assert_eq!(points, [5, 5]);
    /// assert_eq!(LeadTable::exact(&graph).get(node), 10 * 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the graph does not [fit a table](LeadGraph::fits_table).
    #[must_use]
    pub fn estimated(
        graph: &LeadGraph,
        fewest: usize,
        evaluate: impl FnMut(u64, Seat, &mut [i16]),
    ) -> Self {
        assert!(
            graph.fits_table(),
            "the graph has too many positions for a table: the caller must check `fits_table` first"
        );
        let (kernel, rules, cards) = (Kernel::fastest(), graph.rules(), graph.deal_cards());
        Self { values: Values::estimated(kernel, rules, cards, fewest, evaluate) }
    }

    /// Returns the points for seat *first* at a node of the [`LeadGraph`] from which the table was computed.
    #[must_use]
    pub fn get(&self, node: LeadNode) -> i32 {
        #[allow(clippy::cast_possible_truncation, reason = "a table has at most ten cards a hand")]
        let held = node.held.map(|set| set as usize);
        self.values.get(node.free, held, node.leader)
    }
}
