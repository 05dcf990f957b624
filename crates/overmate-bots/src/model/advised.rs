//! What is best when there is too much to know all of it: what is proved, and where that says nothing, what is judged.

use overmate_rules::{Action, View, Viewer};
use overmate_solver::{Meter, Solver, possible_worlds};

use crate::hidden::HiddenSolver;
use crate::level::bot::{Level, MARGIN_OF_CASES, Seen, look, sure_mate, weigh};
use crate::model::horizon_tables::{Odds, heed_sure_mate};

/// What to do.
pub(crate) struct Counselled {
    pub(crate) choice: Action,
    /// Every legal action, with the points that it brings if that is known.
    pub(crate) actions: Vec<(Action, Option<f64>)>,
    /// Moves within which everything was seen; `None` if to the end of the game.
    pub(crate) horizon: Option<u8>,
    pub(crate) is_proved: bool,
    pub(crate) reason: String,
}

/// What the viewer does whose turn it is; `None` if it is not.
///
/// The first half of what is left is spent on proofs, and what then is left on looking ahead. A card that may lie face down
/// before the other is taken in turn as if it were shown, each as likely as any.
pub(crate) fn counselled(
    solver: &mut Solver,
    view: &View,
    meter: &mut Meter,
) -> Option<Counselled> {
    let Viewer::Seat(seat) = view.viewer() else { return None };
    let half = meter.rest().part(2);
    let counsel = solver.advise(view, &half)?;
    // In the move with a repeated card all others are played, so both know what lies face down.
    let is_known = view.moves() + 1 == view.rules().hand_size();
    let is_open = is_known || !HiddenSolver::is_needed(view);
    let exact = |action| {
        let found = counsel.actions.iter().find(|other| other.action == action)?;
        found.worst.exact().filter(|_| is_open).map(|value| value.for_seat(seat))
    };
    let actions: Vec<(Action, Option<f64>)> = counsel
        .actions
        .iter()
        .map(|counselled| (counselled.action, exact(counselled.action).map(f64::from)))
        .collect();
    let sure = counsel.actions.iter().map(|action| action.worst.lower_bound_for(seat)).max()?;
    // What can still be the best.
    let open: Vec<_> =
        counsel.actions.iter().filter(|action| action.best.upper_bound_for(seat) >= sure).collect();
    let is_exact = open.iter().all(|action| exact(action.action).is_some());
    if is_exact || is_open && open.len() == 1 {
        let choice = if is_exact { counsel.choice } else { open[0].action };
        let reason = match exact(choice) {
            Some(points) => format!("is sure of {points} points, whatever is played"),
            None => format!("proved that nothing else brings more than {sure} points"),
        };
        return Some(Counselled { choice, actions, horizon: None, is_proved: true, reason });
    }
    let cases = possible_worlds(view, seat);
    let positions = || cases.iter().map(|(_, game)| game.position());
    if counsel.actions.iter().all(|action| action.worst.exact().is_some()) {
        let mates = actions
            .iter()
            .filter_map(|(action, _)| Some((sure_mate(positions(), *action)?, *action)));
        let mate = mates.max_by_key(|(points, _)| *points);
        let reason = match mate {
            Some((points, _)) => format!("mates for {points} points, whatever lies face down"),
            None => "it has the best worst case if the card face down were shown".to_owned(),
        };
        let choice = mate.map_or(counsel.choice, |(_, action)| action);
        return Some(Counselled { choice, actions, horizon: Some(0), is_proved: false, reason });
    }
    if let Some(nodes) = half.nodes() {
        meter.limit_nodes(nodes);
    }
    let margin = if cases.len() > 1 {
        MARGIN_OF_CASES
    } else {
        Level::HIGHEST.manner_in(view.rules()).never()
    };
    let mut seen: Vec<Seen> = Vec::new();
    for (at, (_, game)) in cases.iter().enumerate() {
        let horizon = view.rules().hand_size();
        let look = |part: &mut Meter| look(game, seat, horizon, margin, part);
        seen.push(meter.with_part(cases.len() - at, look));
    }
    #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
    let even = vec![1.0 / cases.len().max(1) as f64; cases.len()];
    let legal: Vec<Action> = open.iter().map(|action| action.action).collect();
    let mut points: Odds<Action> = weigh(&legal, &seen, &even);
    heed_sure_mate(
        |action| sure_mate(positions(), action),
        &mut points,
        |action, mate| {
            open.iter()
                .any(|other| other.action == action && other.worst.lower_bound_for(seat) > mate)
        },
    );
    // The first of the best.
    let best = points.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
    let choice = best.map_or(counsel.choice, |(action, _)| *action);
    let chosen = counsel.actions.iter().find(|other| other.action == choice)?;
    let horizon = seen.iter().map(|seen| seen.horizon).min().unwrap_or_default();
    let reason = format!(
        "proved that it brings between {} and {} points, and judges the rest {horizon} move{} ahead",
        chosen.worst.lower_bound_for(seat),
        chosen.best.upper_bound_for(seat),
        if horizon == 1 { "" } else { "s" },
    );
    Some(Counselled { choice, actions, horizon: Some(horizon), is_proved: false, reason })
}
