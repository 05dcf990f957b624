//! Values: brackets hold, pruning changes nothing, and who takes the card as shown is beaten.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use overmate_rules::{BySeat, Game, RuleSet, Seat};
use overmate_solver::{Budget, Meter};

use crate::hidden::best_response::best_responses;
use crate::hidden::cfr::{StopRule, solve};
use crate::hidden::exploitability::exploitability_report;
use crate::hidden::match_utility::MatchUtility;
use crate::hidden::planner::{CHANCES_BEFORE_FOREPLACING, Planner};
use crate::hidden::regret_bound::{Guarantee, RegretBounds, open_of};
use crate::hidden::solvable_sizes::solvable_sizes_report;
use crate::hidden::tests::{draw, games, small, solved};
use crate::hidden::tree_builder::{GameTree, TreeBuilder, TreeLimit};
use crate::hidden::value_bounds::ValueBounds;
use crate::hidden::{HiddenSolver, Strength};
use crate::public_game::belief::even_chances;
use crate::public_game::cards::{HandCards, bits};
use crate::public_game::state::{PublicState, Successor};

#[test]
fn to_stop_where_nothing_is_hidden_that_matters_keeps_the_value() {
    let (mut whole, mut pruned) = (0, 0);
    for game in games(&small(3, 4), 11, 3) {
        let (_, all, exact) = solved(&game, false, 0.05);
        let (_, some, other) = solved(&game, true, 0.05);
        assert!(
            (exact.points_for_first - other.points_for_first).abs() <= 0.1,
            "{exact:?} {other:?}"
        );
        whole += all.tree.slots();
        pruned += some.tree.slots();
    }
    assert!(pruned * 2 < whole, "{pruned} of {whole}");
}

/// Random spots in which one card is hidden, and the seat that does not know it.
fn one_hidden(game: &Game, state: &mut u64, seat: Seat) -> Option<(HandCards, PublicState)> {
    let cards = HandCards::new(game.rules(), game.dealt().hands())?;
    let mut spot = PublicState::start(&cards, BySeat::new_with(|s| s != seat));
    let moves = draw(state, 6);
    for _ in 0..moves {
        let branches = spot.branches(&cards);
        if branches.is_empty() {
            return None;
        }
        match spot.after(&cards, branches[draw(state, branches.len())]) {
            Successor::PublicState(next) => spot = next,
            Successor::Over(_) => return None,
        }
    }
    (spot.types[!seat].count_ones() > 1).then_some((cards, spot))
}

#[test]
fn the_value_lies_in_the_brackets() {
    let mut state = 3;
    let (mut tried, mut met, mut quick) = (0, 0, 0);
    for game in games(&small(4, 3), 21, 60) {
        for seat in Seat::BOTH {
            let Some((cards, spot)) = one_hidden(&game, &mut state, seat) else { continue };
            let mut meter = Budget::unlimited().start();
            let mut grown = GameTree::new();
            let mut secured = RegretBounds::default();
            let mut grower = TreeBuilder { cards: &cards, secured: &mut secured, prunes: false };
            let reach = TreeLimit::whole(1_000_000);
            grower.grow_played(&mut grown, &spot, reach, &mut meter).expect("a small tree");
            let chances = even_chances(&spot);
            let solution = solve(
                &grown.tree,
                &chances,
                0.0,
                None,
                StopRule { gap: 0.05, rounds: 2000 },
                &mut meter,
            );
            let value = solution.points_for_first * f64::from(seat.sign_for_first());
            let types: Vec<u32> = bits(spot.types[!seat]).collect();
            let open = |other: &u32| {
                let types = BySeat::new_with(|s| if s == seat { 0 } else { *other });
                f64::from(spot.open(&cards, types) * seat.sign_for_first())
            };
            let shown =
                types.iter().map(open).sum::<f64>() / f64::from(spot.types[!seat].count_ones());
            let sure = ValueBounds::of(&cards, &spot, seat, 0, &mut meter).expect("no limit").sure;
            let naive = least(&cards, &spot, seat, &mut HashMap::new());
            assert_eq!(sure.at_least, naive, "{spot:?}");
            let worst = types.iter().map(open).fold(f64::INFINITY, f64::min);
            assert!((f64::from(sure.at_most) - worst).abs() < 1e-9, "{sure:?} {worst}");
            assert!(value <= shown + 0.1, "{value} {shown}");
            assert!(value >= f64::from(sure.at_least) - 0.1, "{value} {sure:?}");
            // Where a promise of the card shown is kept, nothing is lost by not knowing.
            let points = open_of(&cards, &spot, seat, 0);
            let is_kept = Guarantee::new(&cards, seat, 0, points)
                .is_kept(&spot, &mut meter)
                .expect("no limit");
            assert!(!is_kept || value >= shown - 0.1, "{value} {shown}");
            assert!(!is_kept || sure.exact().is_some(), "{sure:?}");
            // The quick bound says so only where it is so, and where it is known, no more is lost.
            let is_regret = |secured: &mut RegretBounds, most, meter: &mut Meter| {
                secured.is_regret(&cards, &spot, seat, 0, most, meter).expect("no limit")
            };
            let regret = (0..400).find(|most| is_regret(&mut secured, *most, &mut meter));
            let regret = regret.expect("no deal is worth that much");
            assert!(regret > 0 || is_kept);
            assert!(value >= shown - f64::from(regret) - 0.1, "{value} {shown} {regret}");
            quick += usize::from(regret == 0);
            met += usize::from(is_kept);
            tried += 1;
        }
    }
    assert!(tried > 60 && met > 5 && met < tried, "{met} of {tried}");
    assert!((1..=met).contains(&quick), "{quick} of {met}");
}

/// What a seat that hides nothing is sure of, by trying everything.
fn least(
    cards: &HandCards,
    spot: &PublicState,
    seat: Seat,
    known: &mut HashMap<PublicState, i32>,
) -> i32 {
    if let Some(known) = known.get(spot) {
        return *known;
    }
    let own = |points_for_first: i32| points_for_first * seat.sign_for_first();
    let all: Vec<i32> = spot
        .branches(cards)
        .into_iter()
        .map(|branch| match spot.after(cards, branch) {
            Successor::PublicState(next) => least(cards, &next, seat, known),
            Successor::Over(points) => own(points),
        })
        .chain((spot.mated(cards) != 0).then(|| own(spot.mate_points_for_first(cards))))
        .collect();
    let best = if spot.to_act() == seat { all.iter().max() } else { all.iter().min() };
    let best = *best.expect("something happens");
    known.insert(*spot, best);
    best
}

#[test]
fn sampling_the_hidden_card_is_beaten() {
    let report = exploitability_report(&small(4, 3), 2, 2);
    let loss = |player: &str| {
        let found = report.players.iter().find(|other| other.player == player).expect("measured");
        found.loses_as_first + found.loses_as_second
    };
    let [sampling, worst] =
        ["sampling the hidden card", "worst case over the hidden card"].map(loss);
    let [search, solution] = ["search limited to 2,000 nodes", "solution"].map(loss);
    assert!(report.deals == 2 && (-0.01..0.1).contains(&solution), "{report}");
    // Two deals, so the margins are wide: with more of them `docs/levels.md` says how much it is.
    assert!(sampling > 20.0 && worst > 10.0, "{report}");
    assert!(search < worst && search < sampling / 2.0, "{report}");
    assert!(loss("search limited to 20,000 nodes") < 1.0, "{report}");
    // To rely on the other a little costs little, and brings something where he is what he is taken for.
    let against = |player: &str| {
        let found = report.players.iter().find(|other| other.player == player);
        found.expect("measured").against_level
    };
    assert!(loss("`perfect`") < 4.0, "{report}");
    assert!(
        against("`perfect`") > against("solution") && against("level 5").abs() < 1e-6,
        "{report}"
    );
    let line = report.to_string();
    assert!(line.lines().count() == 14 && line.contains("| solution | 0.0"), "{line}");
}

#[test]
fn few_cards_are_solved_to_the_end() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let report = solvable_sizes_report(&rules, 2, 1);
    for limit in report.sizes.iter().filter(|limit| limit.cards <= 6) {
        assert!(limit.solved == limit.positions && limit.positions > 0, "{report}");
    }
    assert_eq!(report.sizes.len(), 5);
}

/// At the end of a match that is played for: who plays so wins it at least as surely as who plays for points, and sometimes more.
/// That holds in the last game, and in the one before if its scores are likely in some way.
#[test]
fn at_the_end_of_a_match_that_is_played_for() {
    let later = BTreeMap::from([(-60, 0.2), (-15, 0.3), (0, 0.3), (25, 0.2)]);
    let (mut compared, mut gained) = (0, 0.0);
    let aims = [MatchUtility::last(-40), MatchUtility::last(5)].into_iter();
    let aims = aims.chain([-12, 30].map(|lead| MatchUtility::before(lead, &later)));
    for (aim, game) in aims.zip(games(&small(3, 4), 77, 4)) {
        let (cards, grown, for_points) = solved(&game, true, 0.1);
        let mut care = HiddenSolver::care(Strength::FULL);
        care.aim = Some(Arc::new(aim.clone()));
        let mut planner = Planner::new(Arc::new(cards), care);
        let mut meter = Budget::unlimited().start();
        let plan = planner.plan_foreplacing(Seat::First, false, &mut meter);
        assert!(plan.is_some_and(|plan| plan.horizon.is_none()), "few cards are seen through");
        let for_match = planner.solution(Seat::First).expect("it was just found");
        let tree = grown.tree.with_points(|points| aim.worth(points, true));
        let sure = |strategy: &[f32]| best_responses(&tree, strategy, &CHANCES_BEFORE_FOREPLACING);
        let (of_points, of_match) = (sure(&for_points.strategy), sure(&for_match));
        // What *first* is sure of, and what *second* is.
        let more = [of_match.second - of_points.second, of_points.first - of_match.first];
        for more in more {
            assert!(more > -1.0, "{aim:?}: {more}");
            gained += more;
            compared += 1;
        }
    }
    assert!(compared == 8 && gained > 5.0, "{gained}");
}
