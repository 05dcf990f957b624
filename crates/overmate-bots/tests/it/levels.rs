//! Tests the bots of the strength levels 1 to 9 in all rule sets: legality, mates in one, seeds,
//! budgets and strength.

use std::sync::Arc;

use overmate_bots::{Bot, BuiltIn, Choice, Level, Standing, Turn};
use overmate_rules::{
    Action, BySeat, DealSource as _, Face, Game, Match, Outcome, RuleSet, Seat, SeededDeals, View,
    Viewer,
};
use overmate_solver::{Budget, DealTable, Solver};

use crate::support::sampled;

fn catalogue() -> Vec<Arc<RuleSet>> {
    RuleSet::catalogue().into_iter().map(RuleSet::shared).collect()
}

fn level(number: u8, seed: u64) -> Box<dyn Bot> {
    BuiltIn::Level(Level::new(number).unwrap()).seeded(seed)
}

fn ask(bot: &mut dyn Bot, view: &View, standing: Standing) -> Choice {
    // With a small node limit, games with a Pinochle deck are fast, and every bot still finds a legal action.
    let budget = Budget::unlimited().with_nodes(2_000);
    bot.choose(&Turn::new(view, standing, &budget)).unwrap()
}

/// Plays a game between two bots and checks that each action is legal.
fn play(mut game: Game, bots: &mut BySeat<Box<dyn Bot>>) -> Game {
    while let Some(seat) = game.to_act() {
        let view = game.view(Viewer::Seat(seat));
        let choice = ask(&mut *bots[seat], &view, Standing::of_one_game());
        assert!(
            view.legal_actions().any(|legal| legal == choice.action),
            "{view:?}: {:?}",
            choice.action
        );
        game = game.play(choice.action).unwrap();
    }
    game
}

#[test]
fn every_level_plays_legally_in_every_rule_set() {
    let rule_sets = sampled((0_u8..).zip(catalogue()), 7);
    assert!(rule_sets.len() > 15);
    for (i, rules) in rule_sets {
        let dealt = SeededDeals::new(u64::from(i)).next_deal(&rules);
        // Each rule set is tested with two levels, and each level with many rule sets.
        let mut bots = BySeat { first: level(1 + i % 9, 7), second: level(1 + (i + 4) % 9, 7) };
        let game = play(Game::new(dealt.clone()), &mut bots);
        assert!(game.outcome().is_some());
    }
}

/// Tests that the bot of every strength level gives the best mate in one, or takes an action that
/// certainly scores at least as much.
#[test]
fn no_level_misses_a_mate_in_one() {
    let mut mates = 0;
    for name in ["bga", "sackson", "rael+kings-privilege"] {
        let rules = RuleSet::named(name).unwrap().shared();
        let mut deals = SeededDeals::new(5);
        for player in [2, 5, 9] {
            let dealt = deals.next_deal(&rules);
            let table = DealTable::with_all_cards_open(&dealt).unwrap();
            let mut bots: Vec<Box<dyn Bot>> = (1..=9).map(|number| level(number, 1)).collect();
            let mut game = Game::new(dealt);
            while let Some(seat) = game.to_act() {
                let view = game.view(Viewer::Seat(seat));
                let values = table.action_values(game.position()).unwrap();
                let best = values.iter().map(|(_, value)| value.for_seat(seat)).max().unwrap();
                let is_mate = |action: Action| {
                    let next = game.position().clone().play(action).unwrap();
                    next.mate().map(|mate| mate.points())
                };
                let mate = view.legal_actions().filter_map(is_mate).max();
                let mut next = None;
                for (number, bot) in (1..).zip(&mut bots) {
                    let choice = ask(&mut **bot, &view, Standing::of_one_game());
                    // The actions in the seat *first* are those of the bot of level `player`, and the actions in the seat
                    // *second* are those of the bot of level 1.
                    let plays = if seat == Seat::First { player } else { 1 };
                    next = next.or((number == plays).then_some(choice.action));
                    if mate == Some(best) {
                        assert_eq!(is_mate(choice.action), mate, "level {number}: {view:?}");
                        mates += 1;
                    } else if let Some(mate) = mate {
                        // The value of the bot's action must be at least the points of the best mate in one.
                        let value = values.iter().find(|(a, _)| *a == choice.action).unwrap().1;
                        assert!(value.for_seat(seat) >= mate, "level {number}: {view:?}");
                    }
                }
                game = game.play(next.unwrap()).unwrap();
            }
        }
    }
    assert!(mates > 20, "{mates}");
}

/// Tests that several bots give a mate that works against each possible face-down card of the opponent, or take an action that scores at
/// least as much. The bots are those of the levels 1, 4 and 9, and the perfect player.
#[test]
fn no_level_misses_a_mate_in_all_possible_worlds() {
    let mut mates = 0;
    for (name, deals) in [("denexa", 12), ("denexa+pinochle", 1)] {
        let rules = RuleSet::named(name).unwrap().shared();
        let mut source = SeededDeals::new(6);
        let mut state = 1_u64;
        for _ in 0..deals {
            let mut bots: Vec<Box<dyn Bot>> = [1, 4, 9].map(|number| level(number, 1)).into();
            bots.push("perfect".parse::<BuiltIn>().unwrap().seeded(1));
            let mut game = Game::new(source.next_deal(&rules));
            while let Some(seat) = game.to_act() {
                let view = game.view(Viewer::Seat(seat));
                let cases: Vec<Game> = match &view.candidates(!seat)[..] {
                    [] => vec![view.imagine(BySeat::default()).unwrap()],
                    cards => (cards.iter())
                        .map(|card| {
                            view.imagine(BySeat::new_with(|s| (s != seat).then_some(*card)))
                        })
                        .map(Option::unwrap)
                        .collect(),
                };
                let mate = |action: &Action| {
                    let after = cases
                        .iter()
                        .map(|game| game.position().clone().play(*action).unwrap().mate());
                    after.map(|mate| mate.map(|mate| mate.points())).min().flatten()
                };
                let legal: Vec<_> = view.legal_actions().collect();
                let most = legal.iter().filter_map(mate).max();
                for bot in bots.iter_mut().filter(|_| most.is_some() && cases.len() > 1) {
                    let choice = ask(&mut **bot, &view, Standing::of_one_game());
                    mates += 1;
                    if mate(&choice.action) != most {
                        assert_eq!(mate(&choice.action), None, "{}: {view:?}", bot.name());
                        let sure = cases.iter().map(|game| {
                            let after = game.position().clone().play(choice.action).unwrap();
                            Solver::new().value(&after, &Budget::unlimited()).lower_bound_for(seat)
                        });
                        assert!(sure.min() >= most, "{}: {view:?}: {choice:?}", bot.name());
                    }
                }
                // The test plays random actions that neither decline to foreplace nor give mate. The game then often reaches positions in
                // which a lead gives mate for each possible face-down card.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let goes_on = |action: &&Action| {
                    **action != Action::Decline
                        && game.position().clone().play(**action).unwrap().mate().is_none()
                };
                let going: Vec<&Action> = legal.iter().filter(goes_on).collect();
                let Some(at) = (state >> 33).checked_rem(going.len() as u64) else { break };
                game = game.play(*going[usize::try_from(at).unwrap()]).unwrap();
            }
        }
    }
    assert!(mates > 40, "{mates}");
}

#[test]
fn a_seed_always_plays_the_same_games() {
    let mut games = std::collections::BTreeSet::new();
    for name in ["sackson", "denexa", "bga+pinochle"] {
        let rules = RuleSet::named(name).unwrap().shared();
        let dealt = SeededDeals::new(9).next_deal(&rules);
        for seed in 0..4 {
            let once = || {
                let mut bots = BySeat { first: level(2, seed), second: level(1, seed) };
                play(Game::new(dealt.clone()), &mut bots).to_string()
            };
            let game = once();
            assert_eq!(once(), game);
            games.insert(game);
        }
    }
    assert!(games.len() > 6, "seeds differ: {games:?}");
}

#[test]
fn a_face_down_card_does_not_change_the_choice() {
    let mut compared = 0;
    let hides = |rules: &Arc<RuleSet>| rules.foreplacing().is_some_and(|f| f.face == Face::Down);
    for rules in sampled(catalogue().into_iter().filter(hides), 4) {
        let dealt = SeededDeals::new(11).next_deal(&rules);
        let start = Game::new(dealt);
        let mut seen: Option<(View, Action)> = None;
        for action in start.legal_actions() {
            if action == Action::Decline {
                continue;
            }
            let view = start.clone().play(action).unwrap().view(Viewer::Seat(Seat::Second));
            let choice = ask(&mut *level(4, 1), &view, Standing::of_one_game());
            match &seen {
                None => seen = Some((view, choice.action)),
                Some((known, action)) => {
                    assert_eq!((known, action), (&view, &choice.action));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 25, "{compared}");
}

#[test]
fn the_chances_of_a_level_are_the_frequencies_of_its_choices() {
    const SEEDS: u32 = 200;
    let budget = Budget::unlimited();
    let mut mixed = 0;
    for name in ["bga", "denexa"] {
        let rules = RuleSet::named(name).unwrap().shared();
        let mut game = Game::new(SeededDeals::new(5).next_deal(&rules));
        while let Some(seat) = game.to_act().filter(|_| game.actions().len() < 6) {
            let view = game.view(Viewer::Seat(seat));
            let turn = Turn::new(&view, Standing::of_one_game(), &budget);
            let chances = level(3, 0).chances(&turn).unwrap();
            let total: f64 = chances.iter().map(|(_, chance)| chance).sum();
            assert!((total - 1.0).abs() < 1e-9, "{view}: {total}");
            let tables = Arc::default();
            let chosen: Vec<Action> = (0..SEEDS)
                .map(|seed| {
                    let bot = BuiltIn::Level(Level::new(3).unwrap());
                    bot.seeded_with(seed.into(), &tables).choose(&turn).unwrap().action
                })
                .collect();
            for action in view.legal_actions() {
                let chance = chances.iter().find(|(other, _)| *other == action);
                let chance = chance.map_or(0.0, |(_, chance)| *chance);
                let count = chosen.iter().filter(|other| **other == action).count();
                let share = f64::from(u32::try_from(count).unwrap()) / f64::from(SEEDS);
                let spread = (chance * (1.0 - chance) / f64::from(SEEDS)).sqrt();
                assert!((share - chance).abs() <= 4.5 * spread + 1e-9, "{view}: {share} {chance}");
                mixed += usize::from((0.01..0.99).contains(&chance));
            }
            let other = game.view(Viewer::Seat(!seat));
            let turn = Turn::new(&other, Standing::of_one_game(), &budget);
            assert_eq!(level(3, 0).chances(&turn), None);
            game = game.play(chosen[0]).unwrap();
        }
    }
    assert!(mixed > 20, "{mixed}");
}

#[test]
fn a_stopped_level_searches_less() {
    use std::sync::atomic::AtomicBool;
    let rules = RuleSet::named("sackson+pinochle").unwrap().shared();
    let game = Game::new(SeededDeals::new(1).next_deal(&rules));
    let view = game.view(Viewer::Seat(Seat::First));
    let ask = |budget: &Budget| {
        let turn = Turn::new(&view, Standing::of_one_game(), budget);
        level(9, 1).choose(&turn).unwrap()
    };
    let stopped = ask(&Budget::unlimited().with_stop(Arc::new(AtomicBool::new(true))));
    assert!(view.legal_actions().any(|legal| legal == stopped.action));
    let free = ask(&Budget::unlimited());
    assert!(free.thought.horizon > stopped.thought.horizon);
}

/// Tests that the bot of level 7 outscores the bot of level 2 by more than 400 points in 20 matches.
#[test]
fn a_high_level_beats_a_low_one() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let mut points = 0;
    for seed in 0..20 {
        let mut state = Match::new(&rules, &mut SeededDeals::new(seed));
        let mut bots = [level(7, seed), level(2, seed)];
        while let Some(player) = state.to_act() {
            let seat = Match::seat(state.current_index(), player);
            let view = state.current().view(Viewer::Seat(seat));
            let standing = Standing::of(&state, player);
            let choice = ask(&mut *bots[player as usize], &view, standing);
            state = state.play(choice.action).unwrap();
        }
        assert!(!matches!(state.current().outcome(), Some(Outcome::Resigned { .. })));
        points += state.totals().a - state.totals().b;
    }
    assert!(points > 400, "{points}");
}
