//! Compares computations on the graph of a deal's positions with plain recursion over positions of the rules crate.

use std::collections::BTreeMap;

use overmate_rules::{
    Action, BySeat, DealSource as _, Game, Phase, Position, RuleSet, Seat, SeededDeals, Viewer,
};
use overmate_solver::for_bots::Meter;
use overmate_solver::graph::LeadGraph;
use overmate_solver::{Budget, Solver};

use crate::bot::Standing;
use crate::model::best_response::BestResponse;
use crate::model::decision::assess_by_search;
use crate::model::horizon_tables::HorizonTables;
use crate::model::moves::Moves;
use crate::model::objective::Objective;
use crate::model::parameters::Level;
use crate::model::player::{ActionChooser, PlayerModel};
use crate::model::score_distribution::ScoreDistribution;
use crate::model::scores::{Policy, scores_of_best_response, scores_of_game};
use crate::model::searched_advice::searched_advice;
use crate::model::softmax::Distribution;

const RULES: [&str; 5] =
    ["bga", "sackson", "rael+kings-privilege", "pagat+double+free-move", "denexa+figure-privilege"];

struct Deal {
    game: Game,
    tables: HorizonTables,
}

fn deal(name: &str, seed: u64) -> Deal {
    let rules = RuleSet::named(name).expect("the catalogue has the rule set").shared();
    let game = Game::new(SeededDeals::new(seed).next_deal(&rules));
    let graph = LeadGraph::of_deal(game.dealt());
    Deal { tables: HorizonTables::new(graph), game }
}

fn unlimited() -> Meter {
    Budget::unlimited().start()
}

fn level(number: u8, rules: &RuleSet) -> PlayerModel {
    PlayerModel::Level(Level::new(number).expect("a level").parameters(rules))
}

/// Plays random actions until a player must lead and each hand has at most `most` cards. Returns
/// `None` if the game ends earlier.
fn play_down(game: &Game, most: u32, mut chance: u64) -> Option<Game> {
    let mut game = game.clone();
    loop {
        let hands = game.position().hands();
        let leads = game.position().lead().is_none() && game.position().moves() > 0;
        if leads && hands.first.len().max(hands.second.len()) <= most {
            return game.outcome().is_none().then_some(game);
        }
        let legal: Vec<_> = game.legal_actions().collect();
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let place = usize::try_from(chance >> 33).expect("31 bits") % legal.len().max(1);
        game = game.play(*legal.get(place)?).expect("it is legal");
    }
}

/// Returns the probability with which the bot of a strength level takes each action of a position,
/// computed from the value tables.
fn distribution(
    model: PlayerModel,
    tables: &HorizonTables,
    position: &Position,
    seat: Seat,
) -> Distribution<Action> {
    match model {
        PlayerModel::Level(parameters) => tables
            .action_distribution(parameters, position, seat)
            .expect("the position is in the tables"),
        PlayerModel::Random => unreachable!("the tests compare levels"),
    }
}

/// Returns the actions with a positive probability, each with this probability.
fn chosen(actions: impl Iterator<Item = Action>, shares: &[f64]) -> Vec<(Action, f64)> {
    actions.zip(shares.iter().copied()).filter(|(_, share)| *share > 0.0).collect()
}

#[test]
fn level_model_on_the_graph_equals_the_play_from_a_view() {
    let mut compared = 0;
    for (name, seed) in RULES.iter().zip(1..) {
        let Deal { game, tables } = deal(name, seed);
        for (most, chance) in (2..=9).zip(seed * 100..) {
            let Some(game) = play_down(&game, most, chance) else { continue };
            let (position, graph) = (game.position(), tables.graph());
            let (Some(node), Some(seat)) = (graph.node(position), position.to_act()) else {
                continue;
            };
            for number in 1..=9 {
                let model = level(number, game.rules());
                let chooser = ActionChooser::new(model);
                let (mut moves, mut shares) = (Moves::default(), Vec::new());
                moves.fill(&tables, node, chooser.depths());
                chooser.share_leads(&moves, &mut shares);
                let leads = moves.leads.iter().map(|lead| graph.lead_action(node, lead.lead));
                let leads = chosen(leads, &shares);
                let expected = distribution(model, &tables, position, seat);
                assert_eq!(
                    leads,
                    expected.into_iter().collect::<Vec<_>>(),
                    "{game} level {number}"
                );
                for lead in &moves.leads {
                    let action = graph.lead_action(node, lead.lead);
                    let led = position.clone().play(action).expect("it is legal");
                    if led.outcome().is_some() || leads.iter().all(|(lead, _)| *lead != action) {
                        continue;
                    }
                    chooser.share_answers(moves.answers_to(lead), &mut shares);
                    let answers = graph.answers(node, lead.lead);
                    let answers = answers.map(|answer| graph.answer_action(node, answer));
                    let expected = distribution(model, &tables, &led, !seat);
                    assert_eq!(
                        chosen(answers, &shares),
                        expected.into_iter().collect::<Vec<_>>(),
                        "{game} level {number}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Tests that searches of one or two moves find the same points as the value tables. This also holds if one hand has two cards and the
/// other hand has one card.
#[test]
fn searched_points_equal_the_points_of_tables() {
    let mut compared = 0;
    for (name, seed) in RULES.iter().zip(31..) {
        let Deal { game: start, tables: filled } = deal(name, seed);
        let starts = [start.clone()].into_iter();
        let later = (2..=9).zip(seed * 100..);
        let later = later.filter_map(|(most, chance)| play_down(&start, most, chance));
        for game in starts.chain(later) {
            let position = game.position();
            let seat = position.to_act().expect("the game goes on");
            for horizon in 1..=2 {
                let ahead = horizon - u8::from(!matches!(position.phase(), Phase::Foreplacing(_)));
                let searched = HorizonTables::new(filled.graph().clone());
                let searched = searched.action_points(horizon, position, seat);
                for (action, points) in searched.expect("the position is in the graph") {
                    let next = position.clone().play(action).expect("it is legal");
                    let expected = filled
                        .graph()
                        .value_for_first(&next, &mut |node| filled.points_for_first(ahead, node));
                    let expected = expected.map(|points| points * seat.sign_for_first());
                    assert_eq!(Some(points), expected, "{game} {horizon} {action:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Computes, by plain recursion, the probability of each final score from a position onward, and adds the probabilities to `into`.
fn add_scores(
    position: &Position,
    share: f64,
    tables: &HorizonTables,
    models: BySeat<PlayerModel>,
    into: &mut BTreeMap<i32, f64>,
) {
    if let Some(outcome) = position.outcome() {
        *into.entry(outcome.points_for_first()).or_default() += share;
        return;
    }
    let seat = position.to_act().expect("the game goes on");
    for (action, probability) in distribution(models[seat], tables, position, seat) {
        let next = position.clone().play(action).expect("it is legal");
        add_scores(&next, share * probability, tables, models, into);
    }
}

fn assert_same(a: &BTreeMap<i32, f64>, b: &BTreeMap<i32, f64>) {
    let scores = a.keys().chain(b.keys());
    for score in scores {
        let of = |scores: &BTreeMap<i32, f64>| scores.get(score).copied().unwrap_or_default();
        assert!((of(a) - of(b)).abs() < 1e-9, "{score}: {a:?} {b:?}");
    }
}

#[test]
fn score_distribution_equals_plain_recursion() {
    let mut compared = 0;
    for (name, seed) in RULES.iter().zip(11..) {
        let Deal { game, tables } = deal(name, seed);
        for (most, chance) in [3_u8, 4, 5, 6].into_iter().zip(seed * 100..) {
            let number = 1 + most;
            let most = u32::from(most);
            let Some(game) = play_down(&game, most, chance) else { continue };
            if tables.graph().node(game.position()).is_none() {
                continue;
            }
            let models =
                BySeat { first: level(number, game.rules()), second: level(3, game.rules()) };
            let players = models.map(Policy::of_model);
            let found =
                scores_of_game(&tables, game.position(), players, &mut unlimited()).unwrap();
            let mut expected = BTreeMap::new();
            add_scores(game.position(), 1.0, &tables, models, &mut expected);
            assert_same(&found.iter().copied().collect(), &expected);
            assert!((found.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared}");
}

/// Returns the value of a position under the best response to a model of the opponent, computed by
/// plain recursion over the rules crate.
fn value(
    position: &Position,
    seat: Seat,
    tables: &HorizonTables,
    model: PlayerModel,
    objective: &Objective,
    exact: &mut impl FnMut(&Position) -> i32,
) -> f64 {
    if let Some(outcome) = position.outcome() {
        return objective.value(outcome.points_for_first() * seat.sign_for_first());
    }
    if position.to_act() != Some(seat) {
        let actions = distribution(model, tables, position, !seat).into_iter();
        return actions
            .map(|(action, share)| {
                let next = position.clone().play(action).expect("it is legal");
                share * value(&next, seat, tables, model, objective, exact)
            })
            .sum();
    }
    let next = position.legal_actions();
    let next: Vec<Position> =
        next.map(|a| position.clone().play(a).expect("it is legal")).collect();
    let values: Vec<i32> = next.iter().map(|n| exact(n) * seat.sign_for_first()).collect();
    let best = values.iter().max().copied();
    let kept = next
        .iter()
        .zip(&values)
        .filter(|(_, v)| objective.may_concede_points() || Some(**v) == best);
    let kept: Vec<&Position> = kept.map(|(next, _)| next).collect();
    let values = kept.into_iter().map(|next| value(next, seat, tables, model, objective, exact));
    values.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn best_response_value_equals_plain_recursion() {
    let objectives = [
        Objective::Points,
        Objective::Match { lead: 0, later: vec![(0, 1.0)], is_lost: false },
        Objective::Match { lead: -30, later: vec![(-7, 0.5), (20, 0.5)], is_lost: true },
    ];
    let mut compared = 0;
    for (name, seed) in RULES.iter().zip(21..) {
        let Deal { game, tables } = deal(name, seed);
        let mut solver = Solver::new();
        let mut exact = |position: &Position| {
            let value = solver.value(position, &Budget::unlimited());
            value.exact().expect("few cards").points()
        };
        for (most, chance) in [3, 4, 5].into_iter().zip(seed * 100..) {
            let Some(game) = play_down(&game, most, chance) else { continue };
            let position = game.position();
            for seat in Seat::BOTH {
                for objective in &objectives {
                    let model = level(2, game.rules());
                    let mut response = BestResponse::new(&tables, seat, model, objective.clone());
                    let found = response.value_of_position(position);
                    let expected = value(position, seat, &tables, model, objective, &mut exact);
                    assert!((found - expected).abs() < 1e-9, "{game} {seat} {objective:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 60, "{compared}");
}

/// Tests that a best response that ends early leaves only right values behind, and that its score distribution is missing or right.
#[test]
fn interrupted_best_response_keeps_only_complete_values() {
    let (mut stopped, mut missing, mut kept) = (0, 0, 0);
    for (name, seed) in RULES.iter().zip(41..) {
        let Deal { game, tables } = deal(name, seed);
        let Some(game) = play_down(&game, 5, seed) else { continue };
        let (position, model) = (game.position(), level(2, game.rules()));
        for seat in Seat::BOTH {
            let objective =
                Objective::Match { lead: -30, later: vec![(-7, 0.5), (20, 0.5)], is_lost: true };
            let new = || BestResponse::new(&tables, seat, model, objective.clone());
            let expected = new().value_of_position(position);
            let scores =
                |meter: &mut Meter| scores_of_best_response(&tables, position, seat, model, meter);
            let expected_scores = scores(&mut unlimited());
            for nodes in [0, 1, 3, 10, 30, 100] {
                let meter = || Budget::unlimited().with_nodes(nodes).start();
                let mut response = new().within(meter());
                response.value_of_position(position);
                stopped += usize::from(response.is_stopped());
                let values = response.into_values();
                kept += values.len();
                let found = new().with_values(values).value_of_position(position);
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{game} {seat} {nodes}: {found} {expected}"
                );
                let found = scores(&mut meter());
                missing += usize::from(found.is_none());
                assert!(found.is_none() || found == expected_scores, "{game} {seat} {nodes}");
            }
        }
    }
    assert!(stopped > 20 && missing > 20 && kept > 100, "{stopped} {missing} {kept}");
}

/// Returns a player's probability of winning a match, given the score distribution of the last game and the points by
/// which the player is ahead before this game. `sign` is 1 for a player in seat *first* and -1 for a player in seat *second*. A
/// drawn match counts half.
fn win_probability(scores: &ScoreDistribution, lead: i32, sign: i32) -> f64 {
    let of = |(points, share): &(i32, f64)| match (lead + points * sign).signum() {
        1 => *share,
        0 => share / 2.0,
        _ => 0.0,
    };
    scores.iter().map(of).sum()
}

/// Tests that maximising a bot's probability of winning the match never lowers this probability, compared with
/// maximising points. Points are conceded only where best play loses the match.
#[test]
fn last_game_of_a_match_is_played_for_the_match() {
    let mut better: BTreeMap<bool, usize> = BTreeMap::new();
    let mut games = 0;
    for seed in 0..6 {
        let Deal { game, tables } = deal(["bga", "sackson"][usize::from(seed % 2 == 1)], seed);
        let start = game.position();
        let value = tables.exact_points_for_first(start).expect("the deal starts in the tables");
        for (seat, by) in
            [(Seat::First, 0), (Seat::Second, 0), (Seat::First, -25), (Seat::Second, -40)]
        {
            let sign = seat.sign_for_first();
            let lead = by - value * sign;
            let standing = Standing { game: 3, games: 4, own: 100 + lead, other: 100 };
            let model = level(5, game.rules());
            let no_second_game = || unreachable!("no game follows the last game");
            let objective = Objective::of(standing, &tables, start, start, seat, no_second_game);
            assert_eq!(objective.may_concede_points(), by < 0, "{lead} {value}");
            let scores = |objective: Objective| {
                let response = BestResponse::new(&tables, seat, model, objective);
                let mut players = BySeat::new_with(|_| Policy::of_model(model));
                players[seat] = Policy::BestResponse(response);
                scores_of_game(&tables, start, players, &mut unlimited()).unwrap()
            };
            let (for_match, for_points) = (scores(objective), scores(Objective::Points));
            let least = for_match.iter().map(|(points, _)| points * sign).min();
            assert!(by < 0 || least >= Some(value * sign), "{least:?} {value}");
            let (won, else_won) =
                (win_probability(&for_match, lead, sign), win_probability(&for_points, lead, sign));
            assert!(won >= else_won - 1e-4, "{won} {else_won}");
            *better.entry(by < 0).or_default() += usize::from(won > else_won + 0.01);
            games += 1;
        }
    }
    assert_eq!(games, 24);
    assert!(better.values().all(|count| *count > 0), "{better:?}");
}

/// Tests that a bot plays for points in the first round of a match, and to win the match in the first game of the last round.
#[test]
fn first_game_of_the_last_round_is_played_for_the_match() {
    let Deal { game, tables } = deal("bga", 3);
    let start = game.position();
    let model = level(4, game.rules());
    let objective = |game, lead| {
        let standing = Standing { game, games: 4, own: lead, other: 0 };
        let second =
            || scores_of_best_response(&tables, start, Seat::Second, model, &mut unlimited());
        Objective::of(standing, &tables, start, start, Seat::First, second)
    };
    assert_eq!(objective(0, 50), Objective::Points);
    assert_eq!(objective(1, 50), Objective::Points);
    let Objective::Match { lead, later, is_lost } = objective(2, 50) else {
        panic!("the last round")
    };
    assert_eq!((lead, is_lost), (50, false));
    assert!(
        later.len() > 1 && (later.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9
    );
    // Under best play, a player's points in the two games of a round sum to 0. A player who is behind before the last round then loses.
    assert!(!objective(2, 0).may_concede_points() && objective(2, -1).may_concede_points());
}

/// Tests that advice on a whole Pinochle hand looks as many moves ahead as a depth search with all of the nodes: no node goes into proofs,
/// which cannot succeed.
#[test]
fn advice_on_a_hand_too_large_for_proofs_spends_all_nodes_on_the_depth_search() {
    let rules = RuleSet::named("bga+pinochle").expect("the catalogue has the rule set").shared();
    let margin = Level::HIGHEST.parameters(&rules).margin_over(1);
    let mut deeper = 0;
    for seed in 0..6 {
        let game = Game::new(SeededDeals::new(seed).next_deal(&rules));
        let seat = game.to_act().expect("the game begins");
        for nodes in [2_000, 6_000, 20_000] {
            let meter = |nodes| Budget::unlimited().with_nodes(nodes).start();
            let horizon = |nodes| {
                assess_by_search(&game, seat, rules.hand_size(), margin, &mut meter(nodes)).horizon
            };
            let view = game.view(Viewer::Seat(seat));
            let advice = searched_advice(&mut Solver::new(), &view, false, &mut meter(nodes));
            let found = advice.and_then(|advice| advice.horizon);
            assert_eq!(found, Some(horizon(nodes)), "{seed} {nodes}");
            deeper += usize::from(horizon(nodes) > horizon(nodes / 2));
        }
    }
    assert!(deeper > 2, "{deeper}");
}
