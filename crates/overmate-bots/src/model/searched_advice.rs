//! Computes advice for games too large to solve: first by proved bounds, then by a depth-limited
//! search.

use overmate_rules::{Action, Game, View, Viewer};
use overmate_solver::Solver;
use overmate_solver::for_bots::{Meter, possible_worlds};

use crate::model::decision::{assess_by_search, assess_worlds, points_over_worlds};
use crate::model::mate_in_one::{mate_points_in_all, prefer_mate};
use crate::model::parameters::Level;
use crate::words::counted;

/// Advised action, with the search results from which the advice was derived.
pub(crate) struct SearchedAdvice {
    pub(crate) choice: Action,
    /// All legal actions, each with its exact final points for the viewer, or with `None` if its
    /// exact points are unknown.
    pub(crate) actions: Vec<(Action, Option<f64>)>,
    /// Search horizon in complete moves, or `None` if the advised action is proved best.
    pub(crate) horizon: Option<u8>,
    /// Whether the search has proved that no action brings more points than the advised action with perfect play by both players.
    pub(crate) is_proved: bool,
    /// Reason for the advice, as one English sentence without a full stop.
    pub(crate) reason: String,
}

/// Returns advice on the viewer's next action, or `None` if it is not the viewer's turn.
///
/// Spends at most half of the nodes on proofs, and the rest on a depth search. With a hand too large for proofs, the depth search gets all
/// nodes. `has_hidden_card` tells whether a card is or may be face down. The depth search gives each possible face-down card of the
/// opponent the same probability.
pub(crate) fn searched_advice(
    solver: &mut Solver,
    view: &View,
    has_hidden_card: bool,
    meter: &mut Meter,
) -> Option<SearchedAdvice> {
    let Viewer::Seat(seat) = view.viewer() else { return None };
    let worlds = possible_worlds(view, seat);
    let proved = if can_prove(view.hand(seat).len(), worlds.len(), meter) {
        meter.with_part(2, |half| solver.advise_with(view, half))?
    } else {
        meter.with_node_limit(0, |none| solver.advise_with(view, none))?
    };
    // In a last move with a repeated card, both players know the face-down card, because its owner has played all other cards.
    let is_known = view.moves() + 1 == view.rules().hand_size();
    let is_open = is_known || !has_hidden_card;
    let exact = |action| {
        let found = proved.actions.iter().find(|other| other.action == action)?;
        found.worst.exact().filter(|_| is_open).map(|value| value.for_seat(seat))
    };
    let actions: Vec<(Action, Option<f64>)> = proved
        .actions
        .iter()
        .map(|advised| (advised.action, exact(advised.action).map(f64::from)))
        .collect();
    let lower_bound =
        proved.actions.iter().map(|action| action.worst.lower_bound_for(seat)).max()?;
    // An action can still be best if its upper bound is at least the highest proved lower bound.
    let open: Vec<_> =
        proved.actions.iter().filter(|a| a.best.upper_bound_for(seat) >= lower_bound).collect();
    let is_exact = open.iter().all(|action| exact(action.action).is_some());
    if is_exact || is_open && open.len() == 1 {
        let choice = if is_exact { proved.choice } else { open[0].action };
        let reason = match exact(choice) {
            Some(points) => format!("it is sure of {points} points, whatever is played"),
            None => {
                format!("it has proved that no other action brings more than {lower_bound} points")
            }
        };
        return Some(SearchedAdvice { choice, actions, horizon: None, is_proved: true, reason });
    }
    let positions = || worlds.iter().map(|(_, game)| game.position());
    if proved.actions.iter().all(|action| action.worst.exact().is_some()) {
        let mates = actions
            .iter()
            .filter_map(|(action, _)| Some((mate_points_in_all(positions(), *action)?, *action)));
        let mate = mates.max_by_key(|(points, _)| *points);
        let reason = match mate {
            Some((points, _)) => format!("it mates for {points} points, whatever lies face down"),
            None => {
                "this action has the best worst case if the card face down were shown".to_owned()
            }
        };
        let choice = mate.map_or(proved.choice, |(_, action)| action);
        let horizon = Some(0);
        return Some(SearchedAdvice { choice, actions, horizon, is_proved: false, reason });
    }
    let margin = Level::HIGHEST.parameters(view.rules()).margin_over(worlds.len());
    let horizon = view.rules().hand_size();
    let assess =
        |game: &Game, part: &mut Meter| assess_by_search(game, seat, horizon, margin, part);
    let assessments = assess_worlds(&worlds, meter, assess);
    #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
    let belief = vec![1.0 / worlds.len().max(1) as f64; worlds.len()];
    let legal: Vec<Action> = open.iter().map(|action| action.action).collect();
    let mut points = points_over_worlds(&legal, &assessments, &belief);
    prefer_mate(
        |action| mate_points_in_all(positions(), action),
        &mut points,
        |action, mate| {
            open.iter()
                .any(|other| other.action == action && other.worst.lower_bound_for(seat) > mate)
        },
    );
    // `max_by` returns the last maximum. In the reversed list this is the first of the best actions.
    let best = points.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
    let choice = best.map_or(proved.choice, |(action, _)| *action);
    let chosen = proved.actions.iter().find(|other| other.action == choice)?;
    let horizon = assessments.iter().map(|world| world.horizon).min().unwrap_or_default();
    let reason = format!(
        "it has proved that this action brings between {} and {} points, and judges the rest {} ahead",
        chosen.worst.lower_bound_for(seat),
        chosen.best.upper_bound_for(seat),
        counted(horizon.into(), "move"),
    );
    Some(SearchedAdvice { choice, actions, horizon: Some(horizon), is_proved: false, reason })
}

/// Returns whether proofs within half of the budget can exclude actions of a player with `hand` cards. `worlds` is the number of possible
/// worlds, which share the nodes.
///
/// Without such a limit, hopeless proofs take most of the time of a decision under a node limit. Four times as many nodes suffice for
/// proofs with one more card. The summand 8 is measured in Pinochle: with 100,000 nodes, proofs changed 15 of 318 choices with 16 cards, 4
/// of 320 with 17 cards, and 4 of 2,240 with 18 to 24 cards. With 1,500,000 nodes, they changed choices with 17 and 18 cards only, in
/// two matches.
fn can_prove(hand: u32, worlds: usize, meter: &Meter) -> bool {
    meter.nodes_left().is_none_or(|nodes| {
        let nodes = nodes / 2 / worlds.max(1) as u64;
        hand <= 8 + nodes.checked_ilog(4).unwrap_or_default()
    })
}
