//! Analyses positions of large decks, which have too many positions for a table.

use core::time::Duration;

use overmate_rules::{Action, Position, Seat};

use crate::analysis::results::{ActionValue, Analysis, analyse_by_values};
use crate::budget::Meter;
use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::retrograde::{self, LateValues, Queries};
use crate::search::Search;
use crate::value::{Value, ValueForFirst};

/// Minimum number of cards in the larger hand for which the solver tries retrograde analysis. A search solves smaller hands faster.
const FEWEST_FROM_THE_END: u32 = 12;

/// Shortest time limit for null-window queries. The plan of the queries about a whole deal of 48 cards takes a good part of this time.
const SHORTEST_FOR_QUERIES: Duration = Duration::from_millis(100);

/// Part of the time that a search gets before null-window queries: one in this number.
const SEARCH_PART: u32 = 16;

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
    let mut search = Search::new(position, meter.nodes_left());
    let mut proved = None;
    if let Some(mut queries) = queries(position, vec![tree.clone()], meter) {
        // Some positions are easy for the search, but no position about which a query takes longer. Without a time limit the search could
        // run forever.
        if meter.time_left().is_some_and(|left| queries.time(meter) < left / SEARCH_PART) {
            let value =
                meter.with_part(SEARCH_PART as usize, |part| search.value(position, None, part));
            queries.note(value);
        }
        proved = queries.values(meter).first().copied();
    }
    search.value(position, proved, meter)
}

/// Analyses a position of a large deck, by retrograde analysis if the budget suffices. Otherwise null-window queries and a search prove
/// bounds.
pub(crate) fn analyse_large(
    position: &Position,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Analysis {
    if let Some(actions) = late_action_values(position, kept, meter) {
        return analyse_with_values(position, actions, kept, meter);
    }
    let proved = queried_action_values(position, meter);
    match proved.as_deref().and_then(exact_values) {
        Some(actions) => analyse_with_values(position, actions, kept, meter),
        None => analyse_by_search(position, &proved.unwrap_or_default(), meter),
    }
}

/// Analyses a position, given the exact values of all actions. The values of the positions of the principal variation are computed within
/// the rest of the budget.
fn analyse_with_values(
    position: &Position,
    actions: Vec<(Action, ValueForFirst)>,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Analysis {
    let mut first = Some(actions);
    let mut analysis = analyse_by_values(position, |position| {
        let values = first.take().or_else(|| late_action_values(position, kept, meter));
        values
            .or_else(|| exact_values(&queried_action_values(position, meter)?))
            .unwrap_or_default()
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

/// Returns the values of all actions, or `None` if not all of them are exact.
fn exact_values(actions: &[ActionValue]) -> Option<Vec<(Action, ValueForFirst)>> {
    actions.iter().map(|action| Some((action.action, action.value.exact()?))).collect()
}

/// Computes the value of the position after each legal action by retrograde analysis, or from the values in `kept`. Returns `None` if that
/// analysis does not apply or exceeds the budget.
fn late_action_values(
    position: &Position,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Option<Vec<(Action, ValueForFirst)>> {
    let actions = action_trees(position);
    let leads = ActionTree::leads_of(actions.iter().map(|(_, tree)| tree));
    let mut points = late_points(position, &leads, kept, meter)?.into_iter();
    let mut value = |tree: &ActionTree| {
        ValueForFirst::new(tree.points_for_first(&mut |_| points.next().unwrap_or_default()))
    };
    Some(actions.iter().map(|(action, tree)| (*action, value(tree))).collect())
}

/// Returns each legal action with the tree of the actions after it.
fn action_trees(position: &Position) -> Vec<(Action, ActionTree)> {
    position.successors().map(|(action, after)| (action, ActionTree::of(&after))).collect()
}

/// Computes the value of a position by retrograde analysis. Returns `None` if that analysis does not apply or exceeds the budget.
fn retrograde_value(
    position: &Position,
    tree: &ActionTree,
    kept: &mut Option<LateValues>,
    meter: &mut Meter,
) -> Option<ValueForFirst> {
    let leads = ActionTree::leads_of([tree]);
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
    if !is_early(position) || meter.check().is_err() {
        return None;
    }
    retrograde::points_for_first(position.rules(), position.hands(), leads, kept, meter)
}

/// Returns whether the hands of a position are large enough for retrograde analysis.
fn is_early(position: &Position) -> bool {
    let hands = position.hands();
    hands.first.len().max(hands.second.len()) >= FEWEST_FROM_THE_END
}

/// Proves bounds on the values of the positions after all legal actions by null-window queries. Returns `None` if the queries do not
/// apply, or if not even one query is within the budget.
fn queried_action_values(position: &Position, meter: &mut Meter) -> Option<Vec<ActionValue>> {
    let (actions, trees): (Vec<Action>, Vec<ActionTree>) =
        action_trees(position).into_iter().unzip();
    let values = queries(position, trees, meter)?.values(meter);
    let actions = actions.into_iter().zip(values);
    Some(actions.map(|(action, value)| ActionValue { action, value }).collect())
}

/// Prepares null-window queries about the values of action trees, between whose roots the player to act chooses. Returns `None` if the
/// hands are too small, if the queries do not apply, or if not even one query is within the budget. Under a node limit, which stands for a
/// short search, or a short time limit no queries are planned, because planning takes time.
fn queries(position: &Position, trees: Vec<ActionTree>, meter: &mut Meter) -> Option<Queries> {
    let is_short = meter.nodes_left().is_some()
        || meter.time_left().is_some_and(|left| left < SHORTEST_FOR_QUERIES);
    if is_short || !is_early(position) || meter.check().is_err() {
        return None;
    }
    let seat = position.to_act()?;
    let queries = Queries::new(position.rules(), position.hands(), seat, trees)?;
    queries.is_affordable(meter).then_some(queries)
}

/// Analyses a position by a search. `proved` has bounds on the values of actions that are already proved.
fn analyse_by_search(position: &Position, proved: &[ActionValue], meter: &mut Meter) -> Analysis {
    let mut search = Search::new(position, meter.nodes_left());
    let successors = position.successors();
    let count = successors.len();
    let mut actions: Vec<ActionValue> = Vec::new();
    for (i, (action, after)) in successors.enumerate() {
        let known = proved.iter().find(|known| known.action == action).map(|known| known.value);
        let value = meter.with_part(count - i, |part| search.value(&after, known, part));
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
