//! Defines the solver, which computes the values of positions and reviews games. The solver chooses the fastest method
//! for each position.

use overmate_rules::{Action, Dealt, Game, Position, Seat};

use crate::analysis::mistake::Mistake;
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
/// This example shows the use of `Solver`.
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

/// Analysis of a position: its value, the value of each action, and the principal variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Analysis {
    /// Value of the analysed position under best play.
    pub value: Value,
    /// All distinct legal actions with their values, in the order of [`Position::legal_actions`].
    pub actions: Vec<ActionValue>,
    /// Principal variation: the actions of best play from the position on, as far as the actions are proved to be best.
    ///
    /// Of several equally good actions, the principal variation takes the first in the order of
    /// [`Position::legal_actions`].
    pub principal_variation: Vec<Action>,
}

/// Legal action with the value of the position after the action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ActionValue {
    /// Legal action of the player whose turn it is.
    pub action: Action,
    /// Value of the position after the action.
    pub value: Value,
}

/// Review of a played game: the values before and after each action, and the points that the action
/// lost.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Review {
    /// Reviewed actions of the game, in the order of play.
    pub actions: Vec<ReviewedAction>,
}

/// Played action, with the values before and after the action and the points that the action lost against best play.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReviewedAction {
    /// Seat that took the reviewed action.
    pub seat: Seat,
    /// Reviewed action.
    pub action: Action,
    /// Value of the position before the reviewed action.
    pub before: Value,
    /// Value of the position after the reviewed action.
    pub after: Value,
    /// Points that the reviewed action lost against best play, at least 0, or `None` if the loss is unproved.
    pub lost: Option<u32>,
    /// All legal actions that provably lose no points, in the order of [`Position::legal_actions`].
    pub best: Vec<Action>,
    /// Reason for the lost points, or `None` if no points were lost or no reason is known.
    pub mistake: Option<Mistake>,
}

impl Analysis {
    /// Creates the analysis of a finished game, with the given value and without legal actions.
    pub(crate) fn over(value: ValueForFirst) -> Self {
        Self { value: Value::Exact(value), actions: Vec::new(), principal_variation: Vec::new() }
    }
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
    /// This example calls `with_kernel`.
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
    /// This example calls `value`.
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
            let mut meter = budget.start();
            return match retrograde_value(position, &tree, &mut self.late, &mut meter) {
                Some(value) => Value::Exact(value),
                None => Search::new(position, meter.nodes_left()).value(position, &mut meter),
            };
        }
        // For a single lead position with equal hands, a search is faster than filling a table with all later positions.
        let single = matches!(tree, ActionTree::Lead(_)) && hands.first.len() == hands.second.len();
        if single || !Table::holds_scores_of(position.rules()) {
            let mut meter = Budget::unlimited().start();
            return Search::new(position, None).value(position, &mut meter);
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
    /// This example calls `analyse`.
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
    /// This example calls `analyse_position`.
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
    /// This example calls `review`.
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

/// Analyses a position of an unfinished game, given a function that computes the values of the
/// actions in a position.
pub(crate) fn analyse_by_values(
    position: &Position,
    mut values: impl FnMut(&Position) -> Vec<(Action, ValueForFirst)>,
) -> Analysis {
    let actions = values(position);
    let value = best(position, &actions).map_or_else(Default::default, |(_, value)| value);
    let mut line = Vec::new();
    let mut at = position.clone();
    let mut next = best(position, &actions);
    while let Some((action, _)) = next
        && let Ok(after) = at.play(action)
    {
        line.push(action);
        next = best(&after, &values(&after));
        at = after;
    }
    let exact = |(action, value)| ActionValue { action, value: Value::Exact(value) };
    Analysis {
        value: Value::Exact(value),
        actions: actions.into_iter().map(exact).collect(),
        principal_variation: line,
    }
}

/// Returns the action with the best value for the seat whose turn it is. Of several best actions,
/// the first is returned.
fn best(
    position: &Position,
    actions: &[(Action, ValueForFirst)],
) -> Option<(Action, ValueForFirst)> {
    let seat = position.to_act()?;
    let best = actions.iter().map(|(_, value)| value.for_seat(seat)).max()?;
    actions.iter().find(|(_, value)| value.for_seat(seat) == best).copied()
}

/// Minimum number of cards in the larger hand for which the solver tries retrograde analysis. A search solves smaller hands faster.
const FEWEST_FROM_THE_END: u32 = 12;

/// Analyses a position of a large deck, by retrograde analysis if the budget suffices and by search
/// otherwise.
fn analyse_large(
    position: &Position,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Analysis {
    let Some(actions) = late_action_values(position, kept, meter) else {
        return analyse_by_search(position, meter);
    };
    let mut first = Some(actions);
    let mut analysis = analyse_by_values(position, |position| {
        first.take().or_else(|| late_action_values(position, kept, meter)).unwrap_or_default()
    });
    // A search finds the last actions of the principal variation, because the solver does not use retrograde analysis for small hands. A
    // search solves small hands faster.
    let mut at = position.clone();
    for action in &analysis.principal_variation {
        match at.play(*action) {
            Ok(next) => at = next,
            Err(_) => return analysis,
        }
    }
    if let Some(value) = analysis.value.exact() {
        let rest = line_by_search(&mut Search::new(&at, meter.nodes_left()), &at, value, meter);
        analysis.principal_variation.extend(rest);
    }
    analysis
}

/// Computes the value of the position after each legal action by retrograde analysis, or from the values in `kept`. Returns `None` if that
/// analysis does not apply or exceeds the budget.
fn late_action_values(
    position: &Position,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Option<Vec<(Action, ValueForFirst)>> {
    let actions = position.legal_actions();
    let actions: Vec<(Action, ActionTree)> = actions
        .filter_map(|a| Some((a, ActionTree::of(&position.clone().play(a).ok()?))))
        .collect();
    let mut leads = Vec::new();
    for (_, tree) in &actions {
        tree.leads(&mut leads);
    }
    let mut points = late_points(position, &leads, kept, meter)?.into_iter();
    let mut value = |tree: &ActionTree| {
        ValueForFirst::new(tree.points_for_first(&mut |_| points.next().unwrap_or_default()))
    };
    Some(actions.iter().map(|(action, tree)| (*action, value(tree))).collect())
}

/// Computes the value of a position by retrograde analysis. Returns `None` if that analysis does not apply or exceeds the budget.
fn retrograde_value(
    position: &Position,
    tree: &ActionTree,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Option<ValueForFirst> {
    let mut leads = Vec::new();
    tree.leads(&mut leads);
    let mut points = late_points(position, &leads, kept, meter)?.into_iter();
    let points = tree.points_for_first(&mut |_| points.next().unwrap_or_default());
    Some(ValueForFirst::new(points))
}

/// Computes the points for seat *first*, by retrograde analysis, in each of several lead positions (positions in which a card must be led).
/// Returns `None` if the hands are too small, or if the analysis exceeds the budget or is impossible. Without a remaining budget, the
/// analysis is not even planned, because planning takes time.
fn late_points(
    position: &Position,
    leads: &[LeadPosition],
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Option<Vec<i32>> {
    let hands = position.hands();
    let is_early = hands.first.len().max(hands.second.len()) >= FEWEST_FROM_THE_END;
    if !is_early || meter.check().is_err() {
        return None;
    }
    retrograde::points_for_first(position.rules(), hands, leads, kept, meter)
}

fn analyse_by_search(position: &Position, meter: &mut Meter) -> Analysis {
    let mut search = Search::new(position, meter.nodes_left());
    let legal: Vec<_> = position.legal_actions().collect();
    let mut actions: Vec<ActionValue> = Vec::new();
    for (i, &action) in legal.iter().enumerate() {
        let Ok(after) = position.clone().play(action) else { continue };
        let value = meter.with_part(legal.len() - i, |part| search.value(&after, part));
        actions.push(ActionValue { action, value });
    }
    let value = position.to_act().map_or_else(Value::default, |seat| value_of(seat, &actions));
    let line = match value.exact() {
        Some(value) => line_by_search(&mut search, position, value, meter),
        None => Vec::new(),
    };
    Analysis { value, actions, principal_variation: line }
}

/// Returns the value of a position from the values of its actions: the best value for the seat whose turn it is.
fn value_of(seat: Seat, actions: &[ActionValue]) -> Value {
    let sure =
        actions.iter().map(|action| action.value.lower_bound_for(seat)).max().unwrap_or_default();
    let hope =
        actions.iter().map(|action| action.value.upper_bound_for(seat)).max().unwrap_or_default();
    let for_first = |points: i32| ValueForFirst::new(points * seat.sign_for_first());
    match seat {
        Seat::First => Value::between(for_first(sure), for_first(hope)),
        Seat::Second => Value::between(for_first(hope), for_first(sure)),
    }
}

/// Returns the principal variation of a position whose exact value is known. The variation ends
/// before the first action that the search cannot prove within the budget.
fn line_by_search(
    search: &mut Search<'_>,
    position: &Position,
    value: ValueForFirst,
    meter: &mut Meter,
) -> Vec<Action> {
    let mut line = Vec::new();
    let mut at = position.clone();
    'line: loop {
        for action in at.legal_actions() {
            let Ok(after) = at.clone().play(action) else { continue };
            match search.value(&after, meter).exact() {
                Some(reached) if reached == value => {
                    line.push(action);
                    at = after;
                    continue 'line;
                }
                Some(_) => {}
                // The search cannot prove the value of this action within the budget, so the principal variation ends here. The variation
                // takes the first of several best actions, and the unproved action could be this first action.
                None => return line,
            }
        }
        return line;
    }
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
