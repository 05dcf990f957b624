//! Choices from views: legal, blind to what is hidden, the same for the same seed, within any budget.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use overmate_rules::{Action, BySeat, Card, Game, Phase, RuleSet, Seat, Viewer};
use overmate_solver::{Budget, Solver};

use crate::hidden::match_utility::MatchUtility;
use crate::hidden::planner::Planner;
use crate::hidden::tests::{draw, games, small};
use crate::hidden::{HiddenSolver, Strength};
use crate::public_game::cards::HandCards;
use crate::public_game::history::History;
use crate::{BuiltIn, Level, Standing, Turn};

const QUICK: Strength = Strength { temperature: 8.0, nodes: 300 };

/// Plays a game of minds whose foreplacing is drawn; calls back before each action of theirs.
fn play(
    game: Game,
    seed: u64,
    budget: &Budget,
    mut look: impl FnMut(&Game, Seat, Option<Action>),
) -> Game {
    let mut minds = BySeat::new_with(|seat| HiddenSolver::new(QUICK, seed + seat as u64));
    let mut solver = Solver::new();
    let mut state = seed;
    let mut game = game;
    while let Some(seat) = game.to_act() {
        let view = game.view(Viewer::Seat(seat));
        let choice = minds[seat].choose(&view, budget).map(|choice| choice.action);
        look(&game, seat, choice);
        let mut action =
            choice.unwrap_or_else(|| solver.advise(&view, budget).expect("his turn").choice);
        if let Phase::Foreplacing(_) = game.phase() {
            let legal = game.legal_actions();
            action = legal[draw(&mut state, legal.len())];
        }
        game = game.play(action).expect("minds play by the rules");
    }
    game
}

#[test]
fn the_hidden_card_makes_no_difference_to_who_does_not_see_it() {
    let budget = Budget::unlimited();
    let mut compared = 0;
    for (seed, game) in (0u64..).zip(games(&small(5, 4), 31, 5)) {
        play(game, seed, &budget, |game, seat, choice| {
            let view = game.view(Viewer::Seat(seat));
            for card in view.candidates(!seat) {
                let other = view.imagine(BySeat::new_with(|_| Some(card))).expect("a candidate");
                let seen = other.view(Viewer::Seat(seat));
                let chosen = HiddenSolver::new(QUICK, seed + seat as u64).choose(&seen, &budget);
                assert_eq!(chosen.map(|choice| choice.action), choice, "{view} with {card:?}");
                compared += 1;
            }
        });
    }
    assert!(compared > 80, "{compared}");
}

#[test]
fn any_budget_will_do() {
    let stop = Arc::new(AtomicBool::new(true));
    let budgets = [
        Budget::unlimited().with_nodes(0),
        Budget::unlimited().with_nodes(50),
        Budget::unlimited().with_nodes(2_000),
        Budget::unlimited().with_stop(stop),
    ];
    let rules = RuleSet::named("denexa+free-move").expect("a published rule set").shared();
    // A budget that is not small is not spent in vain.
    let game = games(&rules, 44, 1).remove(0);
    let some = Budget::unlimited().with_nodes(200_000);
    let (mut seen, mut asked) = (0, 0);
    let mut mind = HiddenSolver::new(Strength::FULL, 1);
    play(game, 1, &some, |game, seat, _| {
        let choice = mind.choose(&game.view(Viewer::Seat(seat)), &some);
        asked += usize::from(choice.is_some());
        seen += usize::from(choice.is_some_and(|choice| choice.thought.horizon != Some(0)));
    });
    assert!(asked > 4 && seen * 4 >= asked * 3, "{seen} of {asked}");
    let mut chosen = 0;
    for (seed, budget) in (0u64..).zip(&budgets) {
        for game in games(&rules, 40 + seed, 3) {
            play(game, seed, budget, |_, _, choice| chosen += usize::from(choice.is_some()));
        }
    }
    assert!(chosen > 100, "{chosen}");
}

/// What it does depends on what it sees, and not on what it was asked before: it may have played the whole game, have been asked
/// twice, have been stopped, have played the same deal before, or come to the table only now.
#[test]
fn who_comes_late_does_the_same() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let budget = Budget::unlimited().with_nodes(5_000);
    let stopped = budget.clone().with_stop(Arc::new(AtomicBool::new(true)));
    let mut compared = 0;
    let mut known = BySeat::new_with(|seat| HiddenSolver::new(Strength::FULL, seat as u64));
    for (seed, game) in (0u64..).zip(games(&rules, 47, 4)) {
        for _ in 0..2 {
            play(game.clone(), seed, &Budget::unlimited().with_nodes(0), |game, seat, _| {
                let view = game.view(Viewer::Seat(seat));
                if compared % 5 == 4 {
                    known[seat].advise(&view, &stopped);
                }
                let advice = known[seat].advise(&view, &budget);
                if advice.is_some() {
                    assert_eq!(advice, known[seat].advise(&view, &budget), "{view}");
                    assert_eq!(
                        advice,
                        HiddenSolver::new(Strength::FULL, 7).advise(&view, &budget),
                        "{view}"
                    );
                    compared += 1;
                }
            });
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn a_deck_too_large_to_see_through_is_played_too() {
    let rules = RuleSet::named("denexa+pinochle").expect("a published rule set").shared();
    let budget = Budget::unlimited().with_nodes(300);
    let mut chosen = 0;
    for game in games(&rules, 50, 2) {
        play(game, 7, &budget, |_, _, choice| chosen += usize::from(choice.is_some()));
    }
    assert!(chosen > 20, "{chosen}");
}

#[test]
fn the_perfect_player_has_such_a_mind() {
    let budget = Budget::unlimited();
    let game = games(&small(3, 4), 8, 1).remove(0);
    let mut perfect = BuiltIn::Perfect.seeded(3);
    let mut compared = 0;
    play(game, 5, &budget, |game, seat, choice| {
        let view = game.view(Viewer::Seat(seat));
        let turn = Turn { view: &view, standing: Standing::of_one_game(), budget: &budget };
        if choice.is_some() {
            let chosen = perfect.choose(&turn).expect("his turn");
            // Of a stranger the middle level is expected.
            let temperature = Level::new(5).expect("a level").exact_temperature();
            let mut mind = HiddenSolver::new(Strength::FULL, 3);
            mind.expect(temperature);
            assert_eq!(Some(chosen), mind.choose(&view, &budget));
            compared += 1;
        }
    });
    assert!(compared > 3, "{compared}");
}

#[test]
fn where_nothing_is_hidden_the_open_game_is_played() {
    let rules = RuleSet::named("sackson").expect("a published rule set").shared();
    let game = games(&rules, 1, 1).remove(0);
    assert!(!HiddenSolver::is_needed(&game.view(Viewer::Seat(Seat::First))));
    let denexa = games(&small(3, 4), 1, 1).remove(0);
    assert!(HiddenSolver::is_needed(&denexa.view(Viewer::Seat(Seat::First))));
    assert!(!HiddenSolver::is_needed(&denexa.view(Viewer::Seat(Seat::Second))));
    let played = denexa.play_all(&[Action::Decline, Action::Decline]).expect("legal");
    assert!(!HiddenSolver::is_needed(&played.view(Viewer::Seat(Seat::First))));
}

/// Without time to think a mate that comes whatever lies face down is given: only what is proved to bring more is better.
#[test]
fn a_mate_that_is_sure_is_given() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let (mut sure, mut waited) = (0, 0);
    for (seed, game) in (0u64..).zip(games(&rules, 60, 40)) {
        for nodes in [0, 20_000] {
            let budget = Budget::unlimited().with_nodes(nodes);
            play(game.clone(), seed, &Budget::unlimited().with_nodes(0), |game, seat, choice| {
                let view = game.view(Viewer::Seat(seat));
                let mates = |action: &Action| {
                    let cases = match view.candidates(!seat) {
                        none if none.is_empty() => vec![None],
                        cards => cards.into_iter().map(Some).collect(),
                    };
                    let mate = |card: Option<Card>| {
                        let cards = BySeat::new_with(|owner| card.filter(|_| owner != seat));
                        let game = view.imagine(cards)?.play(*action).ok()?;
                        game.position().mate().map(|mate| mate.points())
                    };
                    cases.into_iter().map(mate).min().flatten()
                };
                let Some(most) = view.legal_actions().iter().filter_map(mates).max() else {
                    return;
                };
                if choice.is_none() {
                    return;
                }
                let choice =
                    HiddenSolver::new(Strength::FULL, seed).choose(&view, &budget).expect("needed");
                let given = mates(&choice.action);
                sure += 1;
                if given != Some(most) {
                    assert!(given.is_none(), "{view}: a smaller mate");
                    // Without time to think only what needs none to be proved is better.
                    let sure = choice.thought.guaranteed.map(|sure| sure.at_least);
                    assert!(nodes > 0 || sure > Some(most), "{view}: {choice:?} for {most}");
                    waited += 1;
                }
            });
        }
    }
    assert!(sure > 20 && waited * 2 < sure, "{waited} of {sure}");
}

/// What is called solved is solved, and a budget that is not small is enough to come near to it.
#[test]
fn trees_are_as_large_as_they_can_be_solved() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let budget = Budget::unlimited().with_nodes(200_000);
    let mut gaps = Vec::new();
    for (seed, game) in (0u64..).zip(games(&rules, 70, 6)) {
        play(game, seed, &Budget::unlimited().with_nodes(0), |game, seat, choice| {
            let Some(story) = History::of(&game.view(Viewer::Seat(seat))) else { return };
            if choice.is_none() {
                return;
            }
            let cards = HandCards::new(&rules, story.hands).expect("ten cards at most");
            let mut planner = Planner::new(Arc::new(cards), HiddenSolver::care(Strength::FULL));
            let plan = planner.plan(&story.steps, &story.now, &mut budget.start());
            assert!(plan.horizon != Some(0), "something is seen");
            gaps.push(plan.gap);
        });
    }
    gaps.sort_by(f64::total_cmp);
    let count = gaps.len();
    assert!(count > 40, "{count}");
    assert!(gaps[count / 2] < 1.0 && gaps[count * 9 / 10] < 4.0, "{gaps:?}");
}

/// The foreplacer is taken for a player of the level that the other seems to be, and the reason brackets what is sure.
#[test]
fn what_is_expected_of_the_other_changes_what_is_done() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let budget = Budget::unlimited().with_nodes(20_000);
    let (mut compared, mut differ, mut told) = (0, 0, 0);
    for (seed, game) in (0u64..).zip(games(&rules, 90, 6)) {
        play(game, seed, &Budget::unlimited().with_nodes(0), |game, seat, choice| {
            let view = game.view(Viewer::Seat(seat));
            if choice.is_none() || matches!(game.phase(), Phase::Foreplacing(_)) {
                return;
            }
            let advice = [1, 9].map(|level| {
                let level = Level::new(level).expect("a level");
                let mut mind = HiddenSolver::new(Strength::FULL, seed);
                mind.expect(level.exact_temperature());
                mind.advise(&view, &budget).expect("needed")
            });
            compared += 1;
            differ += usize::from(advice[0].actions != advice[1].actions);
            told += usize::from(advice[0].reason.contains("points are sure"));
        });
    }
    assert!(
        compared > 40 && differ * 5 > compared && told * 10 > compared,
        "{differ} {told} {compared}"
    );
}

/// Behind in the last game of a match a mate that loses it is not given; ahead any mate is.
#[test]
fn a_mate_that_loses_the_match_is_not_given() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let budget = Budget::unlimited().with_nodes(20_000);
    let (mut given, mut kept) = (0, 0);
    for (seed, game) in (0u64..).zip(games(&rules, 60, 30)) {
        play(game, seed, &Budget::unlimited().with_nodes(0), |game, seat, choice| {
            let view = game.view(Viewer::Seat(seat));
            let mate = |action: &Action| {
                let next = game.position().play(*action).ok()?;
                next.mate().map(|mate| mate.points())
            };
            let Some(most) = view.legal_actions().iter().filter_map(mate).max() else { return };
            if choice.is_none() || most >= 100 {
                return;
            }
            for own in [0, -100] {
                let standing = Standing { game: 3, games: 4, own, other: 0 };
                let mut mind = HiddenSolver::new(Strength::FULL, seed);
                mind.play_for(MatchUtility::of(standing, seat, || None));
                let advice = mind.advise(&view, &budget).expect("needed");
                if advice.reason.starts_with("mates") {
                    assert_eq!(own, 0, "{view}");
                    given += 1;
                } else if own < 0 {
                    kept += 1;
                }
            }
        });
    }
    assert!(given > 5 && kept > given, "{given} {kept}");
}

/// In the first game of the last round what the second may bring counts: far behind, the match is still open, and more is ventured.
#[test]
fn the_first_game_of_the_last_round_is_played_for_the_match_too() {
    let rules = RuleSet::named("denexa").expect("a published rule set").shared();
    let budget = Budget::unlimited().with_nodes(20_000);
    let (mut compared, mut differ) = (0, 0);
    for (seed, game) in (0u64..).zip(games(&rules, 64, 2)) {
        play(game, seed, &Budget::unlimited().with_nodes(0), |game, seat, choice| {
            let view = game.view(Viewer::Seat(seat));
            if choice.is_none() || matches!(game.phase(), Phase::Foreplacing(_)) {
                return;
            }
            let [points, match_behind] = [1, 2].map(|index| {
                let mut perfect = BuiltIn::Perfect.seeded(seed);
                let standing = Standing { game: index, games: 4, own: 0, other: 40 };
                let turn = Turn { view: &view, standing, budget: &budget };
                perfect.choose(&turn).expect("his turn").thought
            });
            let is_proved = points.is_proved || points.reason.starts_with("mates");
            assert!(!points.reason.starts_with("for the match"), "{points:?}");
            if !is_proved && !match_behind.is_proved && !match_behind.reason.starts_with("mates") {
                assert!(match_behind.reason.starts_with("for the match, "), "{match_behind:?}");
                compared += 1;
                differ += usize::from(points.expected != match_behind.expected);
            }
        });
    }
    assert!(compared > 5 && differ * 3 > compared, "{differ} of {compared}");
}
