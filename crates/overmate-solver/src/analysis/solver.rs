//! Defines the solver, which computes the values of positions and reviews games. The solver chooses the fastest method
//! for each position.

use overmate_rules::{Action, Dealt, Game, Position, Seat};

use crate::analysis::large::{analyse_large, value_large};
use crate::analysis::mistake::Mistake;
use crate::analysis::results::{ActionValue, Analysis, Review, ReviewedAction, analyse_by_values};
use crate::budget::{Budget, Meter};
use crate::byte_table::solve::EqualHands;
use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::deal::cards::{DealCards, MAX_TABLE_HAND};
use crate::kernel::Kernel;
use crate::retrograde::{self, LateValues};
use crate::search::Search;
use crate::table::build::Table;
use crate::table::deal_table::DealTable;
use crate::value::{Value, ValueForFirst};

/// Solver that computes the values of positions and reviews games. The solver keeps the table of position values of the last deal. With a
/// large deck it keeps the values of late positions of the last game, if they need little memory.
///
/// All cards count as known to both players, even a face-down card. For advice to one player who
/// does not know the card, call [`advise`](Solver::advise).
///
/// ```
/// use overmate_rules::{Deal, Game, RuleSet};
/// use overmate_solver::{Budget, Solver};
/// let rules = RuleSet::named("sackson")?.shared();
/// let game = Game::new(Deal::numbered(&rules, 20_010)?);
/// let analysis = Solver::new().analyse(&game, &Budget::unlimited());
/// let actions = analysis.actions.iter().filter(|action| action.value == analysis.value);
/// let best: Vec<String> = actions.map(|best| rules.action_text(best.action).to_string()).collect();
/// assert_eq!(best, ["(Tc)", "(Kc)", "(Qc)", "(Ks)", "(Qs)", "(Kd)"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Solver {
    kernel: Kernel,
    table: Option<DealTable>,
    /// Solvers of positions with equally large hands, indexed by the number of cards in each hand.
    equal_hands: Vec<Option<EqualHands>>,
    /// Values of late positions of the last game with a large deck, from a retrograde analysis.
    late: Option<LateValues>,
}

impl Solver {
    /// Maximum memory, in bytes, of the values that a solver keeps for later positions of the last game with a large deck.
    pub const LATE_BYTES: u64 = retrograde::MOST_KEPT;

    /// Creates a solver that has not solved any deal yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the solver kernel (implementation of the inner loops), for speed comparisons of instruction sets. All kernels give the same
    /// values.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// use overmate_solver::{Budget, Kernel, Solver};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?);
    /// let fastest = Solver::new().value(game.position(), &Budget::unlimited());
    /// let mut portable = Solver::new().with_kernel(Kernel::Portable);
    /// assert_eq!(portable.value(game.position(), &Budget::unlimited()), fastest);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if this processor does not support the kernel.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        assert!(
            kernel.is_supported(),
            "this processor lacks the instructions of the kernel {kernel}"
        );
        Self { kernel, ..Self::default() }
    }

    /// Returns the value of a position, either exact or as proved bounds. No deal table is built.
    ///
    /// With at most ten cards a hand the value is always exact, and the budget is ignored.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// use overmate_solver::{Budget, Solver};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?);
    /// let value = Solver::new().value(game.position(), &Budget::unlimited());
    /// assert!(value.exact().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value(&mut self, position: &Position, budget: &Budget) -> Value {
        let tree = ActionTree::of(position);
        match tree {
            ActionTree::Over(points) => return Value::Exact(ValueForFirst::new(points)),
            ActionTree::Lead(lead) => {
                if let Some(value) = self.value_of_equal_hands(position, &lead) {
                    return Value::Exact(value);
                }
            }
            ActionTree::Choice(..) => {}
        }
        let hands = position.hands();
        if hands.first.len().max(hands.second.len()) > u32::from(MAX_TABLE_HAND) {
            return value_large(position, &tree, &mut self.late, &mut budget.start());
        }
        // For a single lead position with equal hands, a search is faster than filling a table with all later positions.
        let single = matches!(tree, ActionTree::Lead(_)) && hands.first.len() == hands.second.len();
        if single || !Table::holds_scores_of(position.rules()) {
            let mut meter = Budget::unlimited().start();
            return Search::new(position, None).value(position, None, &mut meter);
        }
        let table = Table::of_hands(self.kernel, position.rules(), hands);
        Value::Exact(table.value_for_first(position))
    }

    /// Computes the value of a position with equal hand sizes by vector instructions. Returns `None` if the hand sizes
    /// differ or are too large, if the solver kernel has no vector instructions, or if one byte cannot encode all
    /// scores.
    fn value_of_equal_hands(
        &mut self,
        position: &Position,
        lead: &LeadPosition,
    ) -> Option<ValueForFirst> {
        let size = lead.hands.first.len() as usize;
        let fits = size == lead.hands.second.len() as usize && size <= MAX_TABLE_HAND.into();
        if !fits {
            return None;
        }
        if self.equal_hands.len() <= size {
            self.equal_hands.resize_with(size + 1, || None);
        }
        let known = &mut self.equal_hands[size];
        if known.is_none() {
            *known = EqualHands::new(self.kernel, size);
        }
        let solver = known.as_mut()?;
        let cards = DealCards::of_hands(position.rules(), lead.hands);
        let points = solver.points_for_first(position.rules(), &cards, lead.free, lead.leader)?;
        Some(ValueForFirst::new(points))
    }

    /// Analyses the current position of a game.
    ///
    /// With at most 20 cards all values are exact, and the budget is ignored. With more cards the budget is shared
    /// between the value and the actions, and each [`Value`] states the proved bounds.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// use overmate_solver::{Budget, Solver, Value, ValueForFirst};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let game = Game::new(Deal::numbered(&rules, 20_010)?);
    /// let analysis = Solver::new().analyse(&game, &Budget::unlimited());
    /// assert_eq!(analysis.value, Value::Exact(ValueForFirst::new(16)));
    /// assert_eq!(analysis.actions.len(), game.legal_actions().count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse(&mut self, game: &Game, budget: &Budget) -> Analysis {
        self.analyse_with(game, &mut budget.start())
    }

    /// Analyses the current position of a game, with a meter that counts the visited nodes.
    pub(crate) fn analyse_with(&mut self, game: &Game, meter: &mut Meter) -> Analysis {
        if let Some(outcome) = game.outcome() {
            return Analysis::over(outcome.into());
        }
        let position = game.position();
        match self.table(game.dealt()) {
            Some(table) => analyse_by_table(table, position),
            None => analyse_large(position, &mut self.late, meter),
        }
    }

    /// Analyses a position for which the earlier actions of the game are not known.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// use overmate_solver::{Budget, Solver};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let position = rules.read_position("AcTc/AhKh second -/- - -")?.validate(&rules)?;
    /// let analysis = Solver::new().analyse_position(&position, &Budget::unlimited());
    /// assert_eq!(analysis.actions.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse_position(&mut self, position: &Position, budget: &Budget) -> Analysis {
        if let Some(outcome) = position.outcome() {
            return Analysis::over(outcome.into());
        }
        // The value of a position does not depend on the cards played before. The table of any deal from which the position can arise
        // therefore holds the right values.
        match position.possible_deal().as_ref().and_then(|dealt| self.table(dealt)) {
            Some(table) => analyse_by_table(table, position),
            None => analyse_large(position, &mut self.late, &mut budget.start()),
        }
    }

    /// Reviews a game: computes the points that each action lost against best play. All actions share the budget.
    ///
    /// ```
    /// use overmate_rules::{Deal, Game, RuleSet};
    /// use overmate_solver::{Budget, Solver};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let mut game = Game::new(Deal::numbered(&rules, 20_010)?);
    /// while let Some(action) = game.legal_actions().next() {
    ///     game = game.play(action)?;
    /// }
    /// let review = Solver::new().review(&game, &Budget::unlimited());
    /// assert_eq!(review.actions.len(), game.actions().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn review(&mut self, game: &Game, budget: &Budget) -> Review {
        let mut meter = budget.start();
        let count = game.actions().len();
        let mut actions = Vec::new();
        for (done, &action) in game.actions().iter().enumerate() {
            let before = game.after(done);
            let position = before.position();
            let Some(seat) = before.to_act() else { break };
            let analysis = if let Some(table) = self.table(before.dealt()) {
                analyse_by_table(table, position)
            } else {
                let late = &mut self.late;
                meter.with_part(count - done, |part| analyse_large(position, late, part))
            };
            actions.push(reviewed(position, seat, action, &analysis));
        }
        Review { actions }
    }

    /// Returns the table of the values of all positions of a deal, or `None` if the deal is too
    /// large for a table.
    pub(crate) fn table(&mut self, dealt: &Dealt) -> Option<&DealTable> {
        let known = self.table.take();
        let known = known.filter(|table| table.dealt() == dealt);
        self.table = match known {
            Some(table) => Some(table),
            None => DealTable::by_kernel(self.kernel, dealt).ok(),
        };
        self.table.as_ref()
    }
}

fn analyse_by_table(table: &DealTable, position: &Position) -> Analysis {
    analyse_by_values(position, |position| table.action_values(position).unwrap_or_default())
}

fn reviewed(
    position: &Position,
    seat: Seat,
    action: Action,
    analysis: &Analysis,
) -> ReviewedAction {
    let before = analysis.value;
    let played = analysis.actions.iter().find(|other| other.action == action);
    let after = played.map_or(before, |played| played.value);
    let lost = match (before.exact(), after.exact()) {
        (Some(before), Some(after)) => {
            u32::try_from(before.for_seat(seat) - after.for_seat(seat)).ok()
        }
        _ => None,
    };
    let is_best = |other: &&ActionValue| before.exact().is_some() && other.value == before;
    let best: Vec<Action> =
        analysis.actions.iter().filter(is_best).map(|other| other.action).collect();
    let mistake = lost.filter(|lost| *lost > 0).and_then(|_| Mistake::of(position, action, &best));
    ReviewedAction { seat, action, before, after, lost, best, mistake }
}
