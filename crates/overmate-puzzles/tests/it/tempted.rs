//! Checks which of several equally good replies the opponent in a puzzle chooses. A naive model of the bot of strength level 5 must
//! prefer the same reply. The model follows the published definition of level 5 and shares no code with the levels.

use std::collections::BTreeMap;

use overmate_puzzles::{Decision, Puzzle, PuzzleSet};
use overmate_rules::{Action, Foreplaced, Phase, Position, RuleSet, Seat};
use overmate_solver::Solver;
use test_sample::cases;

use crate::proof;

/// Search horizon of the bot of strength level 5, in moves, including the current move.
const HORIZON: u32 = 4;

/// Loss, in points, above which the bot of strength level 5 never takes an action: five times its softmax temperature.
const CUTOFF: i32 = 5 * 5;

/// Weights, in units of 1/256, that a possible mate by the leader has in the estimated value of a position. The index is the number of
/// the opponent's cards that could answer the lead. Index 4 stands for four or more cards.
const LEADER: [i32; 5] = [240, 90, 30, 10, 0];

/// Weights, in units of 1/256, that a possible mate by the follower has in the estimated value of a position. The follower must first win
/// the lead. The index is the number of the opponent's cards that could answer the lead. Index 4 stands for four or more cards.
const FOLLOWER: [i32; 5] = [150, 50, 15, 5, 0];

/// Names of the rule sets with which the opponent's replies are tested. Under these rule sets, [`factor`] computes the right score factor.
const RULE_SETS: [&str; 3] = ["bga", "sackson", "sackson+no-foreplacing"];

/// Maximum hand size of the positions in which the tests check the opponent's reply. The naive search visits all positions within the
/// horizon, and would take too long for larger hands.
const CARDS: usize = 7;

/// Returns the score factor of a seat's mate in the next move: the move's number, plus 1 if the seat foreplaced a card.
fn factor(at: &Position, seat: Seat) -> i32 {
    let has_foreplaced = matches!(at.foreplaced(seat), Foreplaced::Card(_));
    i32::from(at.moves()) + 1 + i32::from(has_foreplaced)
}

/// Estimates, in units of 1/256 point, how many points a seat's best possible mate is worth in a position before a lead. The estimate is
/// the greatest product of the points and the weight of a possible mate. The difference between the estimates of the two seats is the
/// estimated value of the position.
fn prospect(at: &Position, seat: Seat) -> i32 {
    let weights = if at.to_act() == Some(seat) { LEADER } else { FOLLOWER };
    let others = at.hand_cards(!seat);
    let of_card = at.hand_cards(seat).into_iter().map(|card| {
        let answers = others.iter().filter(|o| o.suit == card.suit || o.rank == card.rank).count();
        i32::from(at.rules().deck().value(card)) * weights[answers.min(4)]
    });
    of_card.max().unwrap_or_default() * factor(at, seat)
}

/// Returns whether, in a position before a lead, exactly two moves remain and only one player has foreplaced. In both moves, this player
/// must play their last card, the repeated card.
fn is_before_repeat(at: &Position) -> bool {
    at.hand_cards(Seat::First).len() != at.hand_cards(Seat::Second).len()
        && at.hand_cards(Seat::First).len() + at.hand_cards(Seat::Second).len() <= 3
}

/// Estimates the final points of the seat *first* by an exhaustive search of the next `ahead` moves. A move in progress does not
/// count.
fn search(at: &Position, ahead: u32) -> i32 {
    if let Some(outcome) = at.outcome() {
        return outcome.points_for_first();
    }
    let is_lead = matches!(at.phase(), Phase::Lead(_));
    let ends = is_lead && is_before_repeat(at);
    if is_lead && ahead == 0 && !ends {
        return (prospect(at, Seat::First) - prospect(at, Seat::Second)) / 256;
    }
    let ahead = if is_lead { ahead.saturating_sub(1) } else { ahead };
    // If a player must play their last card (the repeated card) in both remaining moves, the search continues to the end of the game.
    let ahead = if ends { u32::MAX } else { ahead };
    let after = at.legal_actions().map(|action| search(&at.clone().play(action).unwrap(), ahead));
    if at.to_act() == Some(Seat::First) { after.max().unwrap() } else { after.min().unwrap() }
}

/// Returns whether a seat can force more than `points` points for itself within the next `ahead` moves. A move in progress does not
/// count.
fn forces(at: &Position, seat: Seat, points: i32, ahead: u32) -> bool {
    if let Some(outcome) = at.outcome() {
        return outcome.points_for_first() * seat.sign_for_first() > points;
    }
    let is_lead = matches!(at.phase(), Phase::Lead(_));
    if is_lead && ahead == 0 {
        return false;
    }
    let ahead = if is_lead { ahead - 1 } else { ahead };
    let mut after = at
        .legal_actions()
        .map(|action| forces(&at.clone().play(action).unwrap(), seat, points, ahead));
    if at.to_act() == Some(seat) { after.any(|found| found) } else { after.all(|found| found) }
}

/// Returns the action in the list `candidates` that the bot of strength level 5 takes most often. A tie goes to the
/// first candidate.
fn most_tempting(at: &Position, candidates: &[Action]) -> Action {
    let seat = at.to_act().expect("a player acts");
    let after = |action: Action| at.clone().play(action).unwrap();
    let mate = |action| after(action).mate().map(|mate| mate.points());
    let best_mate = at.legal_actions().filter_map(mate).max();
    // If the bot can give mate at once, it considers only its best mates and the actions that guarantee more points.
    let is_considered = |action| match (best_mate, mate(action)) {
        (None, _) => true,
        (Some(best), Some(points)) => points == best,
        (Some(best), None) => forces(&after(action), seat, best, HORIZON - 1),
    };
    let points = |action| search(&after(action), HORIZON - 1) * seat.sign_for_first();
    let considered = at.legal_actions().filter(|action| is_considered(*action));
    let considered: BTreeMap<String, i32> =
        considered.map(|action| (format!("{action:?}"), points(action))).collect();
    let most = *considered.values().max().expect("some action");
    // The bot prefers actions that lose fewer points, and never takes an action that loses more than `CUTOFF` points.
    let preference = |action: &Action| {
        let points = considered.get(&format!("{action:?}")).copied();
        points.filter(|points| most - points <= CUTOFF).unwrap_or(i32::MIN)
    };
    let best = candidates.iter().map(preference).max().expect("a candidate");
    *candidates.iter().find(|action| preference(action) == best).unwrap()
}

/// Statistics of the opponent's replies that the test compares with a model of the bot of strength level 5.
#[derive(Default, Debug)]
struct Checked {
    /// Number of the opponent's replies that the test has compared with the choice of the test's own copy of level 5. Each reply is in a
    /// position with several best actions.
    ties: usize,
    /// Number of the opponent's compared replies that are not the first best action in the list of legal actions. The test compares each
    /// reply with the choice of a model of level 5.
    not_first: usize,
}

/// Checks the opponent's replies in a line of play, at each position in which several actions are best.
fn check(
    at: &Position,
    line: &[Action],
    puzzle: &Puzzle,
    solver: &mut Solver,
    checked: &mut Checked,
) {
    let mut at = at.clone();
    for &action in line {
        let is_reply = at.to_act() == Some(!puzzle.solver());
        let held = at.hand_cards(Seat::First).len().max(at.hand_cards(Seat::Second).len());
        if is_reply && held <= CARDS && !matches!(at.phase(), Phase::Foreplacing(_)) {
            let values = proof::values(solver, &at);
            let best = values.iter().map(|(_, value)| *value).max().unwrap();
            let equal: Vec<Action> = values
                .iter()
                .filter(|(_, value)| *value == best)
                .map(|(action, _)| *action)
                .collect();
            if equal.len() > 1 {
                assert_eq!(action, most_tempting(&at, &equal), "{puzzle}: {at}");
                checked.ties += 1;
                checked.not_first += usize::from(action != equal[0]);
            }
        }
        at = at.play(action).expect("lines are legal");
    }
}

#[test]
fn among_equally_good_replies_the_opponent_takes_what_tempts_level_5_most() {
    let mut solver = Solver::new();
    let mut checked = Checked::default();
    for name in RULE_SETS {
        let rules = RuleSet::named(name).expect("a rule set").shared();
        let set = PuzzleSet::embedded(&rules).expect("a set");
        let step = cases(set.entries().len() / 60, 1);
        let before = checked.ties;
        for entry in set.entries().iter().step_by(step) {
            let puzzle = set.read(entry).expect("an embedded puzzle can be read");
            for line in puzzle.solution.lines() {
                check(puzzle.position(), &line, &puzzle, &mut solver, &mut checked);
            }
            check(
                &Decision::end(&puzzle.solution),
                &puzzle.ending,
                &puzzle,
                &mut solver,
                &mut checked,
            );
        }
        assert!(checked.ties > before, "{name}");
    }
    println!("{checked:?}");
    assert!(checked.ties >= 60 && checked.not_first >= 20, "{checked:?}");
}
