//! Tests retrograde analysis against alpha-beta search, and code with vector instructions against portable code.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fastrand::Rng;
use overmate_rules::{Action, CardSet, Deal, Dealt, Game, Outcome, Phase, Position, RuleSet};

use super::bit_windows::BitWindows;
use super::byte_windows::ByteWindows;
use super::cells::{AnswerBits, Cells, ScoreBytes};
use super::hand_sets::HandSets;
use super::spread::Spread;
use super::suit_layers::SuitPlan;
use crate::analysis::solver::Solver;
use crate::budget::Budget;
use crate::deal::action_tree::ActionTree;
use crate::deal::cards::DealCards;
use crate::retrograde::{self, LateValues, Queries};
use crate::search::Search;
use crate::value::ValueForFirst;

#[test]
fn the_estimated_time_of_blocks_is_divided_among_all_threads() {
    let alone = super::points::block_time(1_000_000, 1);
    for threads in [2, 5, 8, 9, 64, 1024] {
        let together = super::points::block_time(1_000_000, threads);
        let sum = together * u32::try_from(threads).unwrap();
        assert!(sum <= alone && sum > alone * 9 / 10, "{threads} {together:?} {alone:?}");
    }
}

/// Returns a random game that has been played until each hand has at most `most` cards. Most mates
/// and free moves are avoided, and half of the games have no foreplaced card.
fn late_game(random: &mut Rng, rules: &Arc<RuleSet>, most: u32) -> Game {
    let number = random.u64(..Dealt::count(rules));
    let mut game = Game::new(Deal::numbered(rules, number).unwrap());
    let held = |game: &Game| game.position().hands().map(CardSet::len);
    while game.outcome().is_none() && held(&game).first.max(held(&game).second) > most {
        let legal: Vec<_> = game.position().legal_actions().collect();
        if legal[0] == Action::Decline && random.bool() {
            game = game.play(Action::Decline).unwrap();
            continue;
        }
        let any = (0..200).find_map(|_| {
            let next = game.clone().play(legal[random.usize(..legal.len())]).unwrap();
            let mate = matches!(next.outcome(), Some(Outcome::Mate(_)));
            (!mate && !next.position().free_move_used()).then_some(next)
        });
        game = any.unwrap_or_else(|| game.play(legal[0]).unwrap());
    }
    game
}

/// Returns the action tree after each legal action of a position.
fn trees_after(position: &Position) -> Vec<ActionTree> {
    let after = position.legal_actions().map(|action| position.clone().play(action).unwrap());
    after.map(|after| ActionTree::of(&after)).collect()
}

#[test]
fn retrograde_analysis_equals_the_search() {
    let mut random = Rng::with_seed(7);
    let (mut compared, mut free, mut unequal) = (0, 0, 0);
    for name in [
        "bga+pinochle",
        "bga+pinochle+kings-privilege",
        "sackson+pinochle+free-move",
        "pagat+pinochle+free-move+figure-privilege",
        "rael+pinochle",
        "denexa+pinochle",
    ] {
        let rules = RuleSet::named(name).unwrap().shared();
        for most in [3, 6, 9, 11] {
            for _ in 0..6 {
                let game = late_game(&mut random, &rules, most);
                let position = game.position();
                if !matches!(position.phase(), Phase::Lead(_)) {
                    continue;
                }
                let tree = ActionTree::of(position);
                let leads = ActionTree::leads_of([&tree]);
                let points = |threads: usize| {
                    let mut meter = Budget::unlimited().with_threads(threads).start();
                    retrograde::points_for_first(
                        &rules,
                        position.hands(),
                        &leads,
                        &mut None,
                        &mut meter,
                    )
                    .unwrap()
                };
                assert_eq!(points(1), points(3));
                let points = points(1);
                let mut points = points.into_iter();
                let points = tree.points_for_first(&mut |_| points.next().unwrap());
                let searched = Search::new(position, None).value(
                    position,
                    None,
                    &mut Budget::unlimited().start(),
                );
                assert_eq!(
                    searched.exact().map(ValueForFirst::points),
                    Some(points),
                    "{position:?}"
                );
                compared += 1;
                free += u32::from(leads.iter().any(|lead| lead.free));
                unequal += u32::from(position.sole_foreplacer().is_some());
            }
        }
    }
    assert!(compared > 100 && free > 20 && unequal > 20, "{compared} {free} {unequal}");
}

#[test]
fn queries_agree_with_the_points_of_an_analysis_by_blocks() {
    let mut random = Rng::with_seed(12);
    let (mut compared, mut yes) = (0, 0);
    for name in ["bga+pinochle", "sackson+pinochle+no-foreplacing", "rael+pinochle+no-foreplacing"]
    {
        let rules = RuleSet::named(name).unwrap().shared();
        for most in [1, 2, 4, 7, 10, 12, 13, 14] {
            for _ in 0..4 {
                let game = late_game(&mut random, &rules, most);
                let position = game.position();
                if game.outcome().is_some() {
                    continue;
                }
                let leads = ActionTree::leads_of(&trees_after(position));
                let hands = position.hands();
                let meter = || Budget::unlimited().with_threads(2).start();
                let points =
                    retrograde::points::by_blocks(&rules, hands, &leads, &mut None, &mut meter());
                let cards = DealCards::of_hands(&rules, hands);
                let wanted = super::points::wanted(&rules, &cards, &leads).unwrap();
                let plan = SuitPlan::new(&rules, &cards, &wanted, AnswerBits::POSITIONS_A_BYTE);
                assert_eq!(points.is_some(), plan.is_some());
                let (Some(points), Some(plan)) = (points, plan) else { continue };
                let mut asked = points.clone();
                asked.extend([0, 1]);
                asked.sort_unstable();
                asked.dedup();
                asked.extend(asked.clone().into_iter().map(|asked| asked + 1));
                let mut workspace = plan.workspace().unwrap();
                for asked in asked {
                    let answers =
                        plan.first_gets(asked, &wanted, &mut workspace, &meter()).unwrap();
                    let expected: Vec<bool> =
                        points.iter().map(|points| *points >= asked).collect();
                    assert_eq!(answers, expected, "{asked} {position:?}");
                    compared += answers.len();
                    yes += answers.iter().filter(|answer| **answer).count();
                }
            }
        }
    }
    assert!(compared > 2_000 && yes > 800, "{compared} {yes}");
}

#[test]
fn queries_without_a_limit_find_the_values_of_all_actions() {
    let mut random = Rng::with_seed(13);
    let mut compared = 0;
    for name in ["bga+pinochle", "rael+pinochle+no-foreplacing"] {
        let rules = RuleSet::named(name).unwrap().shared();
        for most in [3, 8, 12, 13] {
            for _ in 0..5 {
                let game = late_game(&mut random, &rules, most);
                let position = game.position();
                let Some(seat) = game.to_act() else { continue };
                let trees = trees_after(position);
                let mut meter = Budget::unlimited().start();
                let values: Vec<i32> = trees
                    .iter()
                    .map(|tree| {
                        let leads = ActionTree::leads_of([tree]);
                        let hands = position.hands();
                        let points = retrograde::points_for_first(
                            &rules, hands, &leads, &mut None, &mut meter,
                        );
                        let mut points = points.unwrap_or_default().into_iter();
                        tree.points_for_first(&mut |_| points.next().unwrap())
                    })
                    .collect();
                // Without a lead position in the trees there is nothing to ask.
                let queries = Queries::new(&rules, position.hands(), seat, trees);
                let Some(mut queries) = queries else { continue };
                let proved = queries.values(&mut meter);
                assert_eq!(proved.len(), values.len());
                for (proved, value) in proved.iter().zip(&values) {
                    let proved = proved.exact().map(ValueForFirst::points);
                    assert_eq!(proved, Some(*value), "{position:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn analyses_with_memory_for_queries_alone_are_the_same() {
    let mut random = Rng::with_seed(15);
    let mut compared = 0;
    let rules = RuleSet::named("bga+pinochle").unwrap().shared();
    for most in [12, 13, 14] {
        for _ in 0..3 {
            let game = late_game(&mut random, &rules, most);
            let position = game.position();
            let Some(seat) = game.to_act() else { continue };
            let trees = trees_after(position);
            let leads = ActionTree::leads_of(&trees);
            let hands = position.hands();
            let cards = DealCards::of_hands(&rules, hands);
            let wanted = super::points::wanted(&rules, &cards, &leads).unwrap();
            let bytes = SuitPlan::new(&rules, &cards, &wanted, ScoreBytes::POSITIONS_A_BYTE);
            let queries = Queries::new(&rules, hands, seat, trees);
            let (Some(bytes), Some(queries)) = (bytes, queries) else { continue };
            let limited = Budget::unlimited().with_memory(bytes.bytes() - 1);
            assert!(queries.is_affordable(&limited.start()), "{position:?}");
            let analyse = |budget| Solver::new().analyse(&game, &budget);
            assert_eq!(analyse(limited.clone()), analyse(Budget::unlimited()), "{position:?}");
            let value = |budget| Solver::new().value(position, &budget);
            assert_eq!(value(limited), value(Budget::unlimited()), "{position:?}");
            compared += 1;
        }
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn an_analysis_by_blocks_equals_an_analysis_of_all_pairs_of_hands() {
    let mut random = Rng::with_seed(11);
    let (mut compared, mut nonzero) = (0, 0);
    for name in ["bga+pinochle", "sackson+pinochle+no-foreplacing", "rael+pinochle+no-foreplacing"]
    {
        let rules = RuleSet::named(name).unwrap().shared();
        for most in [1, 2, 4, 7, 10, 12, 13] {
            for _ in 0..8 {
                let game = late_game(&mut random, &rules, most);
                let position = game.position();
                if game.outcome().is_some() {
                    continue;
                }
                let leads = ActionTree::leads_of(&trees_after(position));
                let meter = || Budget::unlimited().with_threads(2).start();
                let hands = position.hands();
                let blocks =
                    retrograde::points::by_blocks(&rules, hands, &leads, &mut None, &mut meter());
                let pairs = retrograde::points::by_hands(&rules, hands, &leads, &mut meter());
                if let Some(blocks) = blocks {
                    assert_eq!(Some(&blocks), pairs.as_ref(), "{position:?}");
                    compared += blocks.len();
                    nonzero += blocks.iter().filter(|points| **points != 0).count();
                }
            }
        }
    }
    assert!(compared > 600 && nonzero > 200, "{compared} {nonzero}");
}

#[test]
fn kept_values_equal_those_of_a_new_analysis() {
    let mut random = Rng::with_seed(13);
    let (mut compared, mut nonzero) = (0, 0);
    // The values are kept from deal to deal, and from rule set to rule set.
    let mut kept = None;
    for round in 0..12 {
        let name = ["bga+pinochle", "sackson+pinochle+no-foreplacing"][round % 2];
        let rules = RuleSet::named(name).unwrap().shared();
        let mut game = late_game(&mut random, &rules, 12);
        while game.outcome().is_none() {
            let leads = ActionTree::leads_of(&trees_after(game.position()));
            let hands = game.position().hands();
            let points = |kept: &mut Option<LateValues>| {
                let mut meter = Budget::unlimited().start();
                let points = retrograde::points::by_blocks(&rules, hands, &leads, kept, &mut meter);
                (points, meter.spent())
            };
            assert_eq!(points(&mut kept), points(&mut None), "{game:?}");
            let (points, _) = points(&mut kept);
            compared += points.iter().flatten().count();
            nonzero += points.iter().flatten().filter(|points| **points != 0).count();
            let legal: Vec<_> = game.legal_actions().collect();
            game = game.play(legal[random.usize(..legal.len())]).unwrap();
        }
    }
    assert!(compared > 500 && nonzero > 100, "{compared} {nonzero}");
}

#[test]
fn an_analysis_beyond_the_budget_does_not_start() {
    let rules = RuleSet::named("bga+pinochle").unwrap().shared();
    let game = late_game(&mut Rng::with_seed(9), &rules, 13);
    let leads = ActionTree::leads_of([&ActionTree::of(game.position())]);
    let spent = |budget: Budget| {
        let mut meter = budget.start();
        let found = retrograde::points_for_first(
            &rules,
            game.position().hands(),
            &leads,
            &mut None,
            &mut meter,
        );
        (found.is_some(), meter.spent())
    };
    let (found, nodes) = spent(Budget::unlimited());
    assert!(found && nodes > 1_000, "{nodes}");
    assert_eq!(spent(Budget::unlimited().with_nodes(nodes)), (true, nodes));
    assert_eq!(spent(Budget::unlimited().with_nodes(nodes - 1)), (false, 0));
    assert_eq!(spent(Budget::unlimited().with_memory(10_000)), (false, 0));
    assert_eq!(spent(Budget::unlimited().with_time(Duration::ZERO)), (false, 0));
    let stop = Arc::new(AtomicBool::new(true));
    assert_eq!(spent(Budget::unlimited().with_stop(stop)), (false, 0));
}

#[test]
fn permutations_move_the_same_values_as_single_moves() {
    let mut random = Rng::with_seed(8);
    let rules = RuleSet::named("bga+pinochle").unwrap().shared();
    let (mut compared, mut raised) = (0, 0);
    for number in [1, 1 << 40, 1 << 44] {
        let dealt = Deal::numbered(&rules, number % Dealt::count(&rules)).unwrap();
        let cards: Vec<_> = rules.deck().cards_of(dealt.hands().first).take(11).collect();
        let hand = HandSets::new(&cards);
        for size in 1..=11 {
            for kind in 0..hand.kinds.len() {
                let spread = Spread::new(&hand, size, kind);
                let mut lanes = |size: usize| -> Vec<u8> {
                    let len = hand.sets(size).len().next_multiple_of(64);
                    (0..len).map(|_| random.u8(1..=254)).collect()
                };
                let row = lanes(size);
                let sources = [lanes(size - 1), lanes(size - 1), lanes(size - 1)];
                let sources: Vec<&[u8]> = sources.iter().map(Vec::as_slice).collect();
                let mut expected = row.clone();
                let kind = &hand.kinds[kind];
                for (code, &set) in expected.iter_mut().zip(hand.sets(size)) {
                    if HandSets::holds(set, kind) {
                        let without = hand.number(HandSets::without(set, kind));
                        let least = sources.iter().map(|source| source[without]).min().unwrap();
                        *code = (*code).max(least.min(200));
                    }
                }
                let (mut fast, mut plain) = (row.clone(), row.clone());
                spread.put(&mut fast, &sources, 200, &mut Vec::new());
                spread.put_by_runs(&mut plain, &sources, 200, &mut Vec::new());
                assert_eq!(fast, expected);
                assert_eq!(plain, expected);
                compared += 1;
                raised += fast.iter().zip(&row).filter(|(now, before)| now > before).count();
            }
        }
    }
    assert!(compared > 200 && raised > 1_000, "{compared} {raised}");
}

/// Runs of a permutation, each with an offset in the target, an offset in the source and a length.
type Runs = Vec<(usize, usize, usize)>;

/// Returns at most `most` random runs of a permutation, and three random pairs of offsets at which the permutation is applied. The first
/// run begins before the place `begin`. A run is at most `longest` places long, and a gap between two runs is shorter than `gap` places.
fn random_runs(
    random: &mut Rng,
    (begin, most): (usize, usize),
    (longest, gap): (usize, usize),
) -> (Runs, Vec<(usize, usize)>) {
    let mut runs = Vec::new();
    let (mut to, mut from) = (random.usize(..begin), random.usize(..begin));
    for _ in 0..=random.usize(..most) {
        let longest = [longest, 4, 4, 4][random.usize(..4)];
        let len = random.usize(1..=longest);
        runs.push((to, from, len));
        to += len + random.usize(..gap);
        from += len + random.usize(..gap);
    }
    (runs, (0..3).map(|i| (i * random.usize(..9), i * random.usize(..9))).collect())
}

#[test]
fn windows_of_bytes_move_the_same_bytes_as_single_moves() {
    let mut random = Rng::with_seed(12);
    let (mut compared, mut lowered) = (0, 0);
    for _ in 0..500 {
        let (runs, starts) = random_runs(&mut random, (3, 20), (40, 20));
        // Both slices, `target` and `source`, end at the last byte that the permutation moves. The last window of 16 bytes may therefore
        // reach past both ends.
        let &(to, from, len) = runs.last().unwrap();
        let most = |of: fn(&(usize, usize)) -> usize| starts.iter().map(of).max().unwrap();
        let mut bytes = |len: usize| -> Vec<u8> { (0..len).map(|_| random.u8(..)).collect() };
        let target = bytes(to + len + most(|start| start.0));
        let source = bytes(from + len + most(|start| start.1));
        let flip = [0, u8::MAX][runs.len() % 2];
        let mut expected = target.clone();
        for (to, from) in &starts {
            for &(target, source_at, len) in &runs {
                for i in 0..len {
                    let byte = &mut expected[to + target + i];
                    *byte = (*byte).min(source[from + source_at + i] ^ flip);
                }
            }
        }
        let windows = ByteWindows::new(runs.into_iter());
        let (mut fast, mut plain) = (target.clone(), target.clone());
        windows.lower::<ScoreBytes<'_>>(&mut fast, &source, starts.iter().copied(), flip);
        windows.lower_bytes::<ScoreBytes<'_>>(&mut plain, &source, starts.into_iter(), flip);
        assert_eq!(fast, expected);
        assert_eq!(plain, expected);
        compared += 1;
        lowered += fast.iter().zip(&target).filter(|(now, before)| now < before).count();
    }
    assert!(compared == 500 && lowered > 10_000, "{compared} {lowered}");
}

#[test]
fn windows_of_bits_move_the_same_bits_as_single_moves() {
    let mut random = Rng::with_seed(14);
    let (mut compared, mut cleared) = (0, 0);
    for _ in 0..500 {
        let (runs, starts) = random_runs(&mut random, (9, 40), (90, 30));
        // The source ends at the last byte that the permutation moves, and the target seven bytes later.
        let &(to, from, len) = runs.last().unwrap();
        let most = |of: fn(&(usize, usize)) -> usize| starts.iter().map(of).max().unwrap();
        let mut bytes = |len: usize| -> Vec<u8> { (0..len).map(|_| random.u8(..)).collect() };
        let target = bytes((to + len).div_ceil(8) + most(|start| start.0) + 7);
        let source = bytes((from + len).div_ceil(8) + most(|start| start.1));
        let flip = [0, u8::MAX][runs.len() % 2];
        let mut expected = target.clone();
        for (to, from) in &starts {
            for &(target, source_at, len) in &runs {
                for i in 0..len {
                    let (to, from) = (to * 8 + target + i, from * 8 + source_at + i);
                    let bit = (source[from / 8] ^ flip) >> (from % 8) & 1;
                    expected[to / 8] &= !(1 << (to % 8)) | bit << (to % 8);
                }
            }
        }
        let windows = BitWindows::new(runs.into_iter());
        let (mut fast, mut plain) = (target.clone(), target.clone());
        windows.lower(&mut fast, &source, starts.iter().copied(), flip);
        windows.lower_bits(&mut plain, &source, starts.into_iter(), flip);
        assert_eq!(fast, expected);
        assert_eq!(plain, expected);
        compared += 1;
        cleared += fast.iter().zip(&target).filter(|(now, before)| now < before).count();
    }
    assert!(compared == 500 && cleared > 3_000, "{compared} {cleared}");
}
