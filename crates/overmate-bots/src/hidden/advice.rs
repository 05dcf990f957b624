//! Defines advice for one decision: a probability for each action, with a reason in words.

use overmate_rules::Action;

use crate::bot::PointBounds;
use crate::words::counted;

/// Advice for a decision in a game with hidden cards: a probability and expected points for each action.
#[derive(Clone, PartialEq, Debug)]
pub struct MixedAdvice {
    /// Probability and expected points of each legal action, in the order of
    /// [`View::legal_actions`](overmate_rules::View::legal_actions).
    pub actions: Vec<WeightedAction>,
    /// Search horizon in complete moves, or `None` for a search to the end of the game.
    pub horizon: Option<u8>,
    /// Whether a proof shows that the actions with the highest probability are best against every possible face-down card of the opponent.
    pub is_proved: bool,
    /// Bounds on the points that the player's best play guarantees in every possible world, or
    /// `None` if no bounds were computed.
    pub sure: Option<PointBounds>,
    /// Reason for the advice in plain English, as one sentence without a full stop.
    pub reason: String,
}

/// Legal action with its recommended probability and its expected points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeightedAction {
    /// Legal action of the player who receives the advice.
    pub action: Action,
    /// Recommended probability of the action, 0 to 1. The probabilities of all actions add up to 1. Several actions have positive
    /// probabilities where predictable play would reveal the hidden card.
    pub chance: f64,
    /// Expected final points of the advised player after the action, or `None` if no points were computed.
    pub expected: Option<f64>,
}

/// Probability below which an action of an approximate equilibrium is never taken (thresholding of Ganzfried, Sandholm & Waugh 2012).
const PURIFICATION_THRESHOLD: f64 = 0.02;

/// Largest sum of both players' exploitabilities, in points, at which a decision counts as solved.
pub(crate) const SOLVED_GAP: f64 = 1.0;

/// Sets the probabilities of improbable actions to 0, and scales the other probabilities so that their sum is 1.
pub(crate) fn purified(mut actions: Vec<WeightedAction>) -> Vec<WeightedAction> {
    let mut chances: Vec<f64> = actions.iter().map(|action| action.chance).collect();
    purify(&mut chances);
    for (action, chance) in actions.iter_mut().zip(chances) {
        action.chance = chance;
    }
    actions
}

/// Sets the probabilities of improbable options to 0, and scales the other probabilities so that their sum is 1.
pub(crate) fn purify(chances: &mut [f64]) {
    let most = chances.iter().copied().fold(0.0, f64::max);
    let threshold = PURIFICATION_THRESHOLD.min(most);
    let kept = |chance: f64| if chance >= threshold { chance } else { 0.0 };
    let total: f64 = chances.iter().copied().map(kept).sum();
    let count = chances.len();
    for chance in chances {
        *chance = if total > 0.0 { kept(*chance) / total } else { equal_share(count) };
    }
}

/// Returns whether the probability of an action is below [`PURIFICATION_THRESHOLD`].
pub(crate) fn is_improbable(chance: f64) -> bool {
    chance < PURIFICATION_THRESHOLD
}

/// Returns the probability 1/`count` of each of `count` equally likely options, where `count` is at most 255.
pub(crate) fn equal_share(count: usize) -> f64 {
    1.0 / f64::from(u8::try_from(count).unwrap_or(u8::MAX).max(1))
}

/// Sets the probability of `action` to 1 and of all other actions to 0, and sets the expected points of `action` to
/// `points`.
pub(crate) fn only(
    actions: Vec<WeightedAction>,
    action: Action,
    points: i32,
) -> Vec<WeightedAction> {
    let advised = |mut other: WeightedAction| {
        let is_it = other.action == action;
        other.chance = if is_it { 1.0 } else { 0.0 };
        other.expected = if is_it { Some(points.into()) } else { other.expected };
        other
    };
    actions.into_iter().map(advised).collect()
}

/// Returns an English clause that states the search horizon and the accuracy of a solution.
/// `to_the_end` is the wording for a search to the end of the game.
pub(crate) fn solved_reason(horizon: Option<u32>, gap: f64, to_the_end: &str) -> String {
    match horizon {
        None if gap <= SOLVED_GAP => format!("it solved {to_the_end}, within {gap:.2} points"),
        None => format!("it looked {to_the_end}, and may be {gap:.0} points from best play"),
        Some(0) => "this action looks best if the card face down were shown".to_owned(),
        Some(moves) => {
            let moves = counted(moves.into(), "move");
            format!("it looked {moves} ahead with what it believes of the card face down")
        }
    }
}
