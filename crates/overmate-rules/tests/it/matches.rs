//! Tests matches: leaders, points, resignation and earlier states.

use overmate_rules::{
    Action, Illegal, Match, MatchFault, Outcome, Player, Position, Seat, SeededDeals,
};

use crate::chance::{Chance, catalogue, rules};

/// Plays a match to its end with random actions.
fn finish(mut contest: Match, chance: &mut Chance) -> Match {
    while contest.to_act().is_some() {
        let action = chance.action(contest.current().position(), 5);
        contest = contest.play(action).unwrap();
    }
    contest
}

#[test]
fn the_leaders_of_four_games_are_a_b_b_a() {
    let mut chance = Chance(41);
    for (name, leaders) in [("sackson", "ABBA"), ("bga+double", "ABBA"), ("rael", "ABBAAB")] {
        for seed in 0..10 {
            let contest = Match::new(&rules(name), &mut SeededDeals::new(seed));
            let contest = finish(contest, &mut chance);
            let mut first = String::new();
            for (index, game) in contest.games().iter().enumerate() {
                let player = Match::player(index, Seat::First);
                first += &player.to_string();
                assert_eq!(Match::player(index, Seat::Second), !player);
                for player in Player::BOTH {
                    assert_eq!(Match::player(index, Match::seat(index, player)), player);
                }
                // Both games of a round have one deal, and the players change seats.
                assert_eq!(game.dealt(), &contest.deals()[index / 2]);
                assert_eq!(game.dealt(), contest.games()[index ^ 1].dealt());
                assert_ne!(Match::seat(index, Player::A), Match::seat(index ^ 1, Player::A));
            }
            assert_eq!(first, leaders, "{name}");
            assert_ne!(contest.deals()[0], contest.deals()[1]);
        }
    }
}

#[test]
fn the_totals_are_the_points_of_the_games() {
    let mut chance = Chance(42);
    let (mut matches, mut drawn) = (0, 0);
    for rules in catalogue() {
        for _ in 0..6 {
            let mut deals = SeededDeals::new(chance.number());
            let contest = finish(Match::new(&rules, &mut deals), &mut chance);
            let mut totals = [0, 0];
            for (index, leader) in "ABBAAB".chars().enumerate().take(contest.games().len()) {
                let game = &contest.games()[index];
                let points = match game.outcome().unwrap() {
                    Outcome::Mate(mate) => {
                        let mut mater = usize::from(leader == 'B');
                        if mate.by == Seat::Second {
                            mater = 1 - mater;
                        }
                        totals[mater] += mate.points();
                        [(mater == 0, mate.points()), (mater == 1, mate.points())]
                            .map(|(is_own, points)| if is_own { points } else { 0 })
                    }
                    _ => [0, 0],
                };
                let told = contest.game_points(index).unwrap();
                assert_eq!([told.a, told.b], points);
            }
            assert_eq!([contest.totals().a, contest.totals().b], totals);
            let rounds = (0..contest.deals().len()).map(|round| contest.round_points(round));
            let sums = rounds.fold([0, 0], |[a, b], points| [a + points.a, b + points.b]);
            assert_eq!(sums, totals);
            let result = contest.result().unwrap();
            assert_eq!(i64::from(result.margin), i64::from(totals[0] - totals[1]).abs());
            let winner = match totals[0] - totals[1] {
                0 => None,
                ahead => Some(if ahead > 0 { Player::A } else { Player::B }),
            };
            assert_eq!((result.winner, result.resigned), (winner, None));
            matches += 1;
            drawn += usize::from(winner.is_none());
        }
    }
    assert_eq!(matches, catalogue().len() * 6);
    assert!(drawn > 0, "some matches end with equal totals");
    let bga = rules("bga");
    let fresh = Match::new(&bga, &mut SeededDeals::new(1));
    assert_eq!(fresh.result(), None);
    assert_eq!(fresh.game_points(0), None);
    assert_eq!(fresh.game_points(7), None);
}

#[test]
fn an_illegal_action_changes_nothing() {
    let mut chance = Chance(43);
    let mut refused = 0;
    for rules in catalogue() {
        let contest = chance.new_match(&rules);
        let action = match contest.current().legal_actions().next() {
            Some(Action::Decline) => {
                Action::Play(contest.current().position().hand_cards(Seat::First)[0])
            }
            _ => Action::Decline,
        };
        let error = contest.clone().play(action).unwrap_err();
        assert_eq!(*error.unchanged, contest);
        assert!(contest.to_act().is_some() || error.illegal == Illegal::GameOver);
        refused += 1;
    }
    assert_eq!(refused, catalogue().len());
}

#[test]
fn a_player_who_resigns_loses_whatever_the_points_are() {
    let mut chance = Chance(44);
    let (mut given_up, mut while_ahead) = (0, 0);
    for rules in catalogue() {
        for player in Player::BOTH {
            let mut contest = Match::new(&rules, &mut SeededDeals::new(chance.number()));
            for _ in 0..chance.below(60) {
                if contest.to_act().is_some() {
                    let action = chance.action(contest.current().position(), 3);
                    contest = contest.play(action).unwrap();
                }
            }
            let over = contest.to_act().is_none();
            let totals = contest.totals();
            let begun = contest.games().len();
            match contest.clone().resign(player) {
                Err(error) => {
                    assert!(over, "{:?}", error.illegal);
                    assert_eq!(*error.unchanged, contest);
                }
                Ok(resigned) => {
                    let result = resigned.result().unwrap();
                    assert_eq!((result.winner, result.resigned), (Some(!player), Some(player)));
                    assert_eq!(resigned.totals(), totals, "a resignation scores no points");
                    assert_eq!(result.margin, totals.a.abs_diff(totals.b));
                    assert_eq!((resigned.to_act(), resigned.games().len()), (None, begun));
                    assert!(resigned.clone().resign(!player).is_err());
                    let last = resigned.current().actions().len();
                    assert_eq!(
                        resigned.after(begun - 1, last),
                        Some(contest),
                        "the resignation is taken back"
                    );
                    given_up += 1;
                    let mine =
                        if player == Player::A { totals.a - totals.b } else { totals.b - totals.a };
                    while_ahead += usize::from(mine > 0);
                }
            }
        }
    }
    assert!(given_up > 200 && while_ahead > 30, "{given_up}, {while_ahead}");
}

#[test]
fn after_returns_every_earlier_state_of_a_match() {
    let mut chance = Chance(45);
    let mut points = 0;
    for rules in catalogue() {
        let contest = chance.new_match(&rules);
        let deals = contest.deals().to_vec();
        let mut replay = Match::with_deals(contest.length(), deals).unwrap();
        for (index, game) in contest.games().iter().enumerate() {
            for keep in 0..=game.actions().len() {
                let earlier = contest.after(index, keep).unwrap();
                assert_eq!(earlier, replay, "{index}, {keep}");
                points += 1;
                if let Some(&action) = game.actions().get(keep) {
                    replay = replay.play(action).unwrap();
                }
            }
            assert_eq!(contest.after(index, game.actions().len() + 1), None);
        }
        assert_eq!(contest.after(contest.games().len(), 0), None);
    }
    assert!(points > 3000, "{points} points");
}

#[test]
fn a_single_game_is_a_match_of_one_game() {
    let mut chance = Chance(46);
    for rules in catalogue() {
        let game = chance.game(&rules, 3);
        let contest = Match::of_one_game(game.dealt().clone());
        assert_eq!(contest.length(), 1);
        let contest = game.actions().iter().fold(contest, |m, action| m.play(*action).unwrap());
        assert_eq!(contest.current(), &game);
        let position: &Position = contest.current().position();
        assert_eq!(contest.result().is_some(), position.outcome().is_some());
        assert_eq!(contest.games().len(), 1);
    }
}

#[test]
fn a_match_needs_one_deal_of_one_rule_set_for_each_round() {
    let deal = Chance(1).deal(&rules("bga"));
    assert_eq!(Match::with_deals(0, vec![]).unwrap_err(), MatchFault::NoGames);
    let fault = Match::with_deals(3, vec![deal.clone()]).unwrap_err();
    assert_eq!(fault, MatchFault::DealCount { expected: 2, found: 1 });
    let fault = Match::with_deals(201, vec![deal.clone(); 101]).unwrap_err();
    assert_eq!(fault.to_string(), "a match has at most 200 games, not 201: play several matches");
    let pinochle = Chance(1).deal(&rules("sackson+pinochle"));
    let fault = Match::with_deals(4, vec![deal, pinochle]).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "a match needs deals of a single rule set, but deals of `bga` and of `sackson+pinochle` were given: give deals of one rule set"
    );
}
