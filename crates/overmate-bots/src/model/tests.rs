//! What is worked out on the graph of a deal, against plain recursion over positions by the rules crate.

use std::collections::BTreeMap;

use overmate_rules::{Action, BySeat, DealSource as _, Game, Position, RuleSet, Seat, SeededDeals};
use overmate_solver::LeadGraph;

use crate::bot::Standing;
use crate::level::bot::Level;
use crate::model::best_response::Reply;
use crate::model::game::{Follower, Known, Spread};
use crate::model::horizon_tables::{Odds, Sights};
use crate::model::objective::{Aim, played_for_points};
use crate::model::player::Model;

const RULES: [&str; 5] =
    ["bga", "sackson", "rael+kings-privilege", "pagat+double+free-move", "denexa+figure-privilege"];

struct Deal {
    game: Game,
    sights: Sights,
}

fn deal(name: &str, seed: u64) -> Deal {
    let rules = RuleSet::named(name).expect("it is of the catalogue").shared();
    let game = Game::new(SeededDeals::new(seed).next_deal(&rules));
    let graph = LeadGraph::of_deal(&game.dealt());
    let horizons: Vec<u8> = Level::all().map(|level| level.manner().horizon).collect();
    Deal { sights: Sights::new(graph, &horizons), game }
}

fn level(number: u8) -> Model {
    Model::Level(Level::new(number).expect("a level").manner())
}

/// Plays any actions until nobody holds more than so many cards, and on to the next lead; the game goes on.
fn play_down(game: &Game, most: u32, mut chance: u64) -> Option<Game> {
    let mut game = game.clone();
    loop {
        let hands = game.position().hands();
        let leads = game.position().lead().is_none() && game.position().moves() > 0;
        if leads && hands.first.len().max(hands.second.len()) <= most {
            return game.outcome().is_none().then_some(game);
        }
        let legal = game.legal_actions();
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let place = usize::try_from(chance >> 33).expect("31 bits") % legal.len().max(1);
        game = game.play(*legal.get(place)?).expect("it is legal");
    }
}

fn odds(model: Model, sights: &Sights, position: &Position, seat: Seat) -> Odds<Action> {
    match model {
        Model::Level(manner) => sights.action_odds(manner, position, seat).expect("of this deal"),
        Model::Random => unreachable!("levels are compared here"),
    }
}

#[test]
fn a_level_on_the_graph_plays_as_it_does_from_a_view() {
    let mut compared = 0;
    for (name, seed) in RULES.iter().zip(1..) {
        let Deal { game, sights } = deal(name, seed);
        for (most, chance) in (2..=9).zip(seed * 100..) {
            let Some(game) = play_down(&game, most, chance) else { continue };
            let (position, graph) = (game.position(), sights.graph());
            let (Some(node), Some(seat)) = (graph.node(position), position.to_act()) else {
                continue;
            };
            for number in 1..=9 {
                let model = level(number);
                let mut leads = Vec::new();
                model.lead_odds(&sights, node, &mut leads);
                let named: Odds<Action> = leads
                    .iter()
                    .map(|(lead, odds)| (graph.lead_action(node, *lead), *odds))
                    .collect();
                assert_eq!(named, odds(model, &sights, position, seat), "{game} level {number}");
                for (lead, _) in leads {
                    let led = position.play(graph.lead_action(node, lead)).expect("it is legal");
                    if led.outcome().is_some() {
                        continue;
                    }
                    let mut answers = Vec::new();
                    model.answer_odds(&sights, node, lead, &mut answers);
                    let named: Odds<Action> = answers
                        .into_iter()
                        .map(|(answer, odds)| (graph.answer_action(node, answer), odds))
                        .collect();
                    assert_eq!(named, odds(model, &sights, &led, !seat), "{game} level {number}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// How likely each score is, by the rules alone.
fn spread(
    position: &Position,
    share: f64,
    sights: &Sights,
    models: BySeat<Model>,
    into: &mut Spread,
) {
    if let Some(outcome) = position.outcome() {
        *into.entry(outcome.points_for_first()).or_default() += share;
        return;
    }
    let seat = position.to_act().expect("the game goes on");
    for (action, odds) in odds(models[seat], sights, position, seat) {
        let next = position.play(action).expect("it is legal");
        spread(&next, share * odds, sights, models, into);
    }
}

fn assert_same(a: &Spread, b: &Spread) {
    let scores = a.keys().chain(b.keys());
    for score in scores {
        let of = |spread: &Spread| spread.get(score).copied().unwrap_or_default();
        assert!((of(a) - of(b)).abs() < 1e-9, "{score}: {a:?} {b:?}");
    }
}

#[test]
fn scores_are_as_likely_as_play_makes_them() {
    let mut compared = 0;
    for (name, seed) in RULES.iter().zip(11..) {
        let Deal { game, sights } = deal(name, seed);
        let mut follower = Follower::default();
        for (most, chance) in [3_u8, 4, 5, 6].into_iter().zip(seed * 100..) {
            let number = 1 + most;
            let most = u32::from(most);
            let Some(game) = play_down(&game, most, chance) else { continue };
            if sights.graph().node(game.position()).is_none() {
                continue;
            }
            let models = BySeat { first: level(number), second: level(3) };
            let mut players = models.map(Known::Model);
            let found = follower.follow(&sights, game.position(), &mut players);
            let mut expected = Spread::new();
            spread(game.position(), 1.0, &sights, models, &mut expected);
            assert_same(&found, &expected);
            assert!((found.values().sum::<f64>() - 1.0).abs() < 1e-9);
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared}");
}

/// What a position is worth to a seat that plays best against a model, by the rules alone.
fn worth(
    position: &Position,
    seat: Seat,
    sights: &Sights,
    model: Model,
    aim: &Aim,
    exact: &mut impl FnMut(&Position) -> i32,
) -> f64 {
    if let Some(outcome) = position.outcome() {
        return aim.worth(outcome.points_for_first() * seat.sign_for_first());
    }
    if position.to_act() != Some(seat) {
        let odds = odds(model, sights, position, !seat).into_iter();
        return odds
            .map(|(action, odds)| {
                let next = position.play(action).expect("it is legal");
                odds * worth(&next, seat, sights, model, aim, exact)
            })
            .sum();
    }
    let next = position.legal_actions().into_iter();
    let next: Vec<Position> = next.map(|a| position.play(a).expect("it is legal")).collect();
    let values: Vec<i32> = next.iter().map(|n| exact(n) * seat.sign_for_first()).collect();
    let best = values.iter().max().copied();
    let kept = next.iter().zip(&values).filter(|(_, v)| aim.may_give() || Some(**v) == best);
    let kept: Vec<&Position> = kept.map(|(next, _)| next).collect();
    let worths = kept.into_iter().map(|next| worth(next, seat, sights, model, aim, exact));
    worths.fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn the_best_reply_is_the_best_of_all_replies() {
    let aims = [
        Aim::Points,
        Aim::Match { lead: 0, after: Spread::from([(0, 1.0)]), is_lost: false },
        Aim::Match { lead: -30, after: Spread::from([(-7, 0.5), (20, 0.5)]), is_lost: true },
    ];
    let mut compared = 0;
    for (name, seed) in RULES.iter().zip(21..) {
        let Deal { game, sights } = deal(name, seed);
        let mut solver = overmate_solver::Solver::new();
        let mut exact = |position: &Position| {
            let value = solver.value(position, &overmate_solver::Budget::unlimited());
            value.exact().expect("few cards").points()
        };
        for (most, chance) in [3, 4, 5].into_iter().zip(seed * 100..) {
            let Some(game) = play_down(&game, most, chance) else { continue };
            let position = game.position();
            for seat in Seat::BOTH {
                for aim in &aims {
                    let model = level(2);
                    let mut reply = Reply::new(&sights, seat, model, aim.clone());
                    let found = reply.position(position);
                    let expected = worth(position, seat, &sights, model, aim, &mut exact);
                    assert!((found - expected).abs() < 1e-9, "{game} {seat} {aim:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 60, "{compared}");
}

/// The chance to win the match, draws counted half.
fn result(spread: &Spread, lead: i32, sign: i32) -> f64 {
    let of = |(points, odds): (&i32, &f64)| match (lead + points * sign).signum() {
        1 => *odds,
        0 => odds / 2.0,
        _ => 0.0,
    };
    spread.iter().map(of).sum()
}

/// In the last game the aim is the match: never worse for it than playing for points, and sometimes better. Points are
/// given up only where the match is lost against best play.
#[test]
fn the_last_game_is_played_for_the_match() {
    let mut better: BTreeMap<bool, usize> = BTreeMap::new();
    let mut games = 0;
    for seed in 0..6 {
        let Deal { game, sights } = deal(["bga", "sackson"][usize::from(seed % 2 == 1)], seed);
        let start = game.position();
        let exact = sights.exact();
        let value = sights.graph().value_for_first(start, &mut |node| exact.get(node));
        let value = value.expect("of this deal");
        for (seat, by) in
            [(Seat::First, 0), (Seat::Second, 0), (Seat::First, -25), (Seat::Second, -40)]
        {
            let sign = seat.sign_for_first();
            let lead = by - value * sign;
            let standing = Standing { game: 3, games: 4, own: 100 + lead, other: 100 };
            let model = level(5);
            let never = || unreachable!("it is the last game");
            let aim = Aim::of(standing, &sights, start, start, seat, never);
            assert_eq!(aim.may_give(), by < 0, "{lead} {value}");
            let follow = |aim: Aim| {
                let mut reply = Reply::new(&sights, seat, model, aim);
                let mut players = BySeat::new_with(|_| Known::Model(model));
                players[seat] = Known::Reply(&mut reply);
                Follower::default().follow(&sights, start, &mut players)
            };
            let (for_match, for_points) = (follow(aim), follow(Aim::Points));
            let least = for_match.keys().map(|points| points * sign).min();
            assert!(by < 0 || least >= Some(value * sign), "{least:?} {value}");
            let (won, else_won) = (result(&for_match, lead, sign), result(&for_points, lead, sign));
            assert!(won >= else_won - 1e-4, "{won} {else_won}");
            *better.entry(by < 0).or_default() += usize::from(won > else_won + 0.01);
            games += 1;
        }
    }
    assert_eq!(games, 24);
    assert!(better.values().all(|count| *count > 0), "{better:?}");
}

/// In the first game of the last round the second one counts too; earlier games are played for points.
#[test]
fn a_round_is_thought_of_as_a_whole() {
    let Deal { game, sights } = deal("bga", 3);
    let start = game.position();
    let aim = |game, lead| {
        let standing = Standing { game, games: 4, own: lead, other: 0 };
        let second = || played_for_points(&sights, start, Seat::Second, level(4));
        Aim::of(standing, &sights, start, start, Seat::First, second)
    };
    assert_eq!(aim(0, 50), Aim::Points);
    assert_eq!(aim(1, 50), Aim::Points);
    let Aim::Match { lead, after, is_lost } = aim(2, 50) else { panic!("the last round") };
    assert_eq!((lead, is_lost), (50, false));
    assert!(after.len() > 1 && (after.values().sum::<f64>() - 1.0).abs() < 1e-9);
    // Level after best play by both, so what is behind stays behind.
    assert!(!aim(2, 0).may_give() && aim(2, -1).may_give());
}
