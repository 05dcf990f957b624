//! Analyses positions of large decks, which have too many positions for a table.

use overmate_rules::{Action, Position, Seat};

use crate::analysis::results::{ActionValue, Analysis, analyse_by_values};
use crate::budget::Meter;
use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::retrograde::{self, LateValues, Queries};
use crate::search::Search;
use crate::value::{Value, ValueForFirst};

/// Minimum number of cards in the larger hand for which the solver tries retrograde analysis. A search solves smaller hands faster.
const FEWEST_FROM_THE_END: u32 = 12;

/// Part of the time that a search gets before null-window queries: one in this number.
const SEARCH_PART: usize = 16;

/// Returns the value of a position of a large deck, exact or as bounds proved within the budget.
pub(crate) fn value_large(
    position: &Position,
    tree: &ActionTree,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Value {
    if let Some(value) = retrograde_value(position, tree, kept, meter) {
        return Value::Exact(value);
    }
    let queries = queries(position, vec![tree.clone()], meter);
    let mut search = Search::new(position, meter.nodes_left());
    let Some(mut queries) = queries else { return search.value(position, None, meter) };
    // Some positions are easy for the search. Without a time limit it could run forever.
    if meter.time_left().is_some() {
        let value = meter.with_part(SEARCH_PART, |part| search.value(position, None, part));
        queries.note(value);
    }
    let proved = queries.values(meter).first().copied().unwrap_or_default();
    if meter.time_left().is_some() { search.value(position, Some(proved), meter) } else { proved }
}

/// Prepares null-window queries about the values of action trees, between whose roots the player to act chooses. Returns `None` if the
/// queries do not apply, or if not even one query is within the budget. Under a node limit no queries are planned, because such a limit
/// stands for a short search.
fn queries(position: &Position, trees: Vec<ActionTree>, meter: &mut Meter) -> Option<Queries> {
    if meter.nodes_left().is_some() || meter.check().is_err() {
        return None;
    }
    let seat = position.to_act()?;
    let queries = Queries::new(position.rules(), position.hands(), seat, trees)?;
    queries.is_affordable(meter).then_some(queries)
}

/// Analyses a position of a large deck, by retrograde analysis if the budget suffices. Otherwise null-window queries or a search prove
/// bounds.
pub(crate) fn analyse_large(
    position: &Position,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Analysis {
    let Some(actions) = late_action_values(position, kept, meter) else {
        return analyse_by_queries(position, meter)
            .unwrap_or_else(|| analyse_by_search(position, meter));
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
    let actions = action_trees(position);
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

/// Returns each legal action with the tree of the actions after it.
fn action_trees(position: &Position) -> Vec<(Action, ActionTree)> {
    let actions = position.legal_actions();
    actions.filter_map(|a| Some((a, ActionTree::of(&position.clone().play(a).ok()?)))).collect()
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

/// Analyses a position by null-window queries. Returns `None` if the queries do not apply, or if not even one query is within the budget.
fn analyse_by_queries(position: &Position, meter: &mut Meter) -> Option<Analysis> {
    let (actions, trees): (Vec<Action>, Vec<ActionTree>) =
        action_trees(position).into_iter().unzip();
    let mut queries = queries(position, trees, meter)?;
    let values = actions.into_iter().zip(queries.values(meter));
    let actions = values.map(|(action, value)| ActionValue { action, value }).collect();
    let mut search = Search::new(position, meter.nodes_left());
    Some(analysis_of(position, actions, &mut search, meter))
}

fn analyse_by_search(position: &Position, meter: &mut Meter) -> Analysis {
    let mut search = Search::new(position, meter.nodes_left());
    let legal: Vec<_> = position.legal_actions().collect();
    let mut actions: Vec<ActionValue> = Vec::new();
    for (i, &action) in legal.iter().enumerate() {
        let Ok(after) = position.clone().play(action) else { continue };
        let value = meter.with_part(legal.len() - i, |part| search.value(&after, None, part));
        actions.push(ActionValue { action, value });
    }
    analysis_of(position, actions, &mut search, meter)
}

/// Returns the analysis with the values of all actions. If the value of the position is exact, the search finds the principal variation
/// within the rest of the budget.
fn analysis_of(
    position: &Position,
    actions: Vec<ActionValue>,
    search: &mut Search<'_>,
    meter: &mut Meter,
) -> Analysis {
    let value = position.to_act().map_or_else(Value::default, |seat| value_of(seat, &actions));
    let line = match value.exact() {
        Some(value) => line_by_search(search, position, value, meter),
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
            match search.value(&after, None, meter).exact() {
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
