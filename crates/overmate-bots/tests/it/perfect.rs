//! Tests that the perfect player scores at least the exact values of deals, and tests the exact score distributions of
//! games between bots.

use std::sync::Arc;

use overmate_bots::{Bot, BotSpec, BuiltIn, ExactGames, ExactPlayer, Level, Standing, Turn};
use overmate_rules::{
    BySeat, DealSource as _, Face, Game, Match, Player, RuleSet, Seat, SeededDeals, Viewer,
};
use overmate_solver::{Budget, DealTable};
use test_sample::cases;

use crate::support::sampled;

/// Returns the published rule sets with 20 cards and without face-down cards.
fn open_rule_sets() -> Vec<Arc<RuleSet>> {
    let is_open = |rules: &RuleSet| {
        rules.hand_size() == 10 && rules.foreplacing().is_none_or(|f| f.face == Face::Up)
    };
    RuleSet::catalogue().into_iter().filter(is_open).map(RuleSet::shared).collect()
}

fn bot(name: &str) -> Box<dyn Bot> {
    name.parse::<BuiltIn>().unwrap().seeded(1)
}

/// Plays a match between two bots. Returns player A's points minus player B's points in each round, and the number of games.
fn play(mut state: Match, bots: &mut [Box<dyn Bot>; 2]) -> (Vec<i32>, usize) {
    let budget = Budget::unlimited();
    while let Some(player) = state.to_act() {
        let index = state.current_index();
        let view = state.current().view(Viewer::Seat(Match::seat(index, player)));
        let turn = Turn::new(&view, Standing::of(&state, player), &budget);
        let choice = bots[player as usize].choose(&turn).unwrap();
        assert!(!choice.thought.reason.is_empty());
        state = state.play(choice.action).unwrap();
        if state.games()[index].outcome().is_some() {
            for player in Player::BOTH {
                let seat = Match::seat(index, player);
                bots[player as usize].game_over(&state.games()[index].view(Viewer::Seat(seat)));
            }
        }
    }
    let rounds = state.games().len().div_ceil(2);
    let round = |round| state.round_points(round);
    ((0..rounds).map(round).map(|p| p.a - p.b).collect(), state.games().len())
}

#[test]
fn perfect_loses_no_round_in_any_open_rule_set() {
    let mut games = 0;
    // Every third rule set of `open_rule_sets` is enough to cover all base rule sets, decks and variations. By default the test
    // takes a quarter of these rule sets.
    let rule_sets = sampled((0_u64..).zip(open_rule_sets().into_iter().step_by(3)), 4);
    let expected = 2 * rule_sets.len();
    assert!(expected > 8, "{expected}");
    for (i, rules) in rule_sets {
        let deal = SeededDeals::new(100 + i).next_deal(&rules);
        let state = Match::with_deals(2, vec![deal]).unwrap();
        let other = bot(&format!("level:{}", 1 + i % 9));
        let (rounds, played) = play(state, &mut [bot("perfect"), other]);
        assert!(rounds.iter().all(|lead| *lead >= 0), "{}: {rounds:?}", rules.name());
        games += played;
    }
    assert_eq!(games, expected);
}

#[test]
fn perfect_loses_no_round_of_a_match() {
    let mut leads = 0;
    for (seed, other) in (0..).zip(["level:2", "level:5", "level:8", "perfect"]) {
        let rules = RuleSet::named("sackson").unwrap().shared();
        let state = Match::new(&rules, &mut SeededDeals::new(seed));
        let (rounds, _) = play(state, &mut [bot("perfect"), bot(other)]);
        assert!(rounds.iter().all(|lead| *lead >= 0), "{other}: {rounds:?}");
        assert!(other != "perfect" || rounds == [0, 0], "two perfect players halve each round");
        leads += rounds.iter().sum::<i32>();
    }
    assert!(leads > 100, "{leads}");
}

/// Tests that in every possible game the perfect player scores at least the value of the deal.
#[test]
fn no_possible_game_of_perfect_loses_a_point() {
    let (mut count, mut gained) = (0, 0.0);
    let names = ["bga", "sackson", "rael", "pagat+double+free-move", "sackson+kings-privilege"];
    let names = sampled(names, 3);
    let sets = names.len();
    for name in names {
        let rules = RuleSet::named(name).unwrap().shared();
        let dealt = SeededDeals::new(8).next_deal(&rules);
        let table = DealTable::with_all_cards_open(&dealt).unwrap();
        let value = table.value_for_first(Game::new(dealt.clone()).position()).unwrap().points();
        let games = ExactGames::new(&dealt).unwrap();
        let levels = [1, 4, 7].map(|level| BuiltIn::Level(Level::new(level).unwrap()));
        let others = levels.map(ExactPlayer::BuiltIn).into_iter().chain([ExactPlayer::Random]);
        for other in others {
            for seat in Seat::BOTH {
                let mut seats = BySeat { first: other, second: other };
                seats[seat] = ExactPlayer::BuiltIn(BuiltIn::Perfect);
                let scores = games.scores_for_first(seats);
                let sign = seat.sign_for_first();
                assert!(scores.keys().all(|points| points * sign >= value * sign), "{name}");
                assert!((scores.values().sum::<f64>() - 1.0).abs() < 1e-9);
                gained += scores.iter().map(|(p, o)| f64::from(p * sign) * o).sum::<f64>();
                count += scores.len();
            }
        }
    }
    assert!(count > 60 * sets && gained > 0.0, "{count} {gained}");
}

/// Tests that the score distribution of a game stays the same if other games are computed together with the game.
#[test]
fn exact_scores_of_many_games_equal_those_of_single_games() {
    let all = [ExactPlayer::Random].into_iter().chain(BuiltIn::all().map(ExactPlayer::BuiltIn));
    let players: Vec<_> = all.step_by(cases(5, 1)).collect();
    assert_eq!(players.last(), Some(&ExactPlayer::BuiltIn(BuiltIn::Perfect)));
    let pairs = players.iter().flat_map(|first| players.iter().map(move |second| (first, second)));
    let games: Vec<_> = pairs.map(|(&first, &second)| BySeat { first, second }).collect();
    for name in ["bga", "rael"] {
        let rules = RuleSet::named(name).unwrap().shared();
        let exact = ExactGames::new(&SeededDeals::new(9).next_deal(&rules)).unwrap();
        assert!(exact.scores_of_games(&[]).is_empty());
        let together = exact.scores_of_games(&games);
        assert_eq!(together.len(), games.len());
        for (seats, scores) in games.iter().zip(together) {
            let alone = exact.scores_for_first(*seats);
            assert!(scores.keys().eq(alone.keys()), "{seats:?}: {scores:?} {alone:?}");
            let pairs = scores.values().zip(alone.values());
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-12), "{seats:?}");
        }
    }
}

/// Tests that the mean of a computed score distribution is close to the mean score of played games.
#[test]
fn exact_score_distribution_matches_played_games() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let dealt = SeededDeals::new(2).next_deal(&rules);
    let games = ExactGames::new(&dealt).unwrap();
    let level = |number| BuiltIn::Level(Level::new(number).unwrap());
    let seats = BySeat { first: level(5), second: level(4) };
    let scores = games.scores_for_first(seats.map(ExactPlayer::BuiltIn));
    let mean: f64 = scores.iter().map(|(points, odds)| f64::from(*points) * odds).sum();
    let square = |(points, odds): (&i32, &f64)| (f64::from(*points) - mean).powi(2) * odds;
    let deviation = scores.iter().map(square).sum::<f64>().sqrt();
    let (mut sum, count) = (0, cases(15, 60));
    for seed in 0..count {
        let mut game = Game::new(dealt.clone());
        let mut pair = [seats.first.seeded(seed), seats.second.seeded(seed)];
        while let Some(seat) = game.to_act() {
            let view = game.view(Viewer::Seat(seat));
            let budget = Budget::unlimited();
            let turn = Turn::new(&view, Standing::of_one_game(), &budget);
            game = game.play(pair[seat as usize].choose(&turn).unwrap().action).unwrap();
        }
        let points = game.outcome().unwrap().points_for_first();
        assert!(scores.contains_key(&points), "{points}");
        sum += points;
    }
    let played = f64::from(sum) / f64::from(u32::try_from(count).unwrap());
    let error = deviation / f64::from(u32::try_from(count).unwrap()).sqrt();
    assert!((played - mean).abs() < 4.0 * error, "{played} {mean} {error}");
}

/// Tests that the given strength level of the opponent may change the perfect player's action, but not the points that this player expects.
#[test]
fn perfect_accepts_a_given_opponent() {
    let rules = RuleSet::named("bga").unwrap().shared();
    let named = |name: &str| name.parse::<BotSpec>().unwrap();
    for name in ["perfect:vs=1", "perfect:vs=9", "perfect", "level:4"] {
        assert_eq!(named(name).to_string(), name);
        assert_eq!(named(name).seeded(1).name(), name);
    }
    for name in ["perfect:vs=0", "perfect:vs=10", "perfect:vs=", "perfect:3", "level:vs=3"] {
        assert!(name.parse::<BotSpec>().unwrap_err().to_string().contains("perfect:vs=9"));
    }
    let (mut told, mut differ) = (0, 0);
    for seed in 0..6 {
        let game = Game::new(SeededDeals::new(seed).next_deal(&rules));
        let view = game.view(Viewer::Seat(Seat::First));
        let budget = Budget::unlimited();
        let turn = Turn::new(&view, Standing::of_one_game(), &budget);
        let choices = ["perfect:vs=1", "perfect:vs=9"]
            .map(|name| named(name).seeded(1).choose(&turn).unwrap());
        assert_eq!(choices[0].thought.expected, choices[1].thought.expected);
        differ += usize::from(choices[0].action != choices[1].action);
        told += usize::from(choices[0].thought.reason.contains("against level 1"));
    }
    assert!(told > 2 && differ > 0, "{told} {differ}");
}
