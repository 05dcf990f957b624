//! Tests random games of all rule sets against the naive implementation and invariants.

use std::collections::BTreeSet;

use overmate_rules::{
    Action, Deal, Dealt, Foreplaced, Game, Illegal, Move, Outcome, Phase, Position, RuleSet, Seat,
};

use crate::chance::{Chance, catalogue, conceivable};
use crate::model::Model;

const GAMES: u64 = 60;

fn texts(rules: &RuleSet, actions: &[Action]) -> Vec<String> {
    actions.iter().map(|action| rules.action_text(*action).to_string()).collect()
}

#[test]
fn random_games_agree_with_the_naive_implementation() {
    let mut chance = Chance(1);
    let (mut games, mut positions, mut mates, mut overmates, mut draws) = (0, 0, 0, 0, 0);
    for rules in catalogue() {
        for _ in 0..GAMES {
            let number = chance.number() % Dealt::count(&rules);
            let mut game = Game::new(Deal::numbered(&rules, number).unwrap());
            let mut model = Model::new(rules.name(), number);
            let patience = chance.below(25);
            loop {
                positions += 1;
                let context = || format!("{} {number}: {game}", rules.name());
                let mut legal = texts(&rules, &game.legal_actions().collect::<Vec<_>>());
                let count = legal.len();
                legal.sort();
                legal.dedup();
                assert_eq!(legal.len(), count, "each legal action is listed once: {}", context());
                assert_eq!(legal, model.legal(), "{}", context());
                let points = game.outcome().map(|outcome| outcome.points_for_first());
                assert_eq!(points, model.points(), "{}", context());
                assert_eq!(game.outcome().is_some(), game.to_act().is_none(), "{}", context());
                if points.is_some() {
                    break;
                }
                let action = chance.action(game.position(), patience);
                model.play(&rules.action_text(action).to_string());
                game = game.play(action).unwrap();
            }
            match game.outcome().unwrap() {
                Outcome::Mate(mate) => {
                    mates += 1;
                    overmates += usize::from(mate.overmate);
                }
                _ => draws += 1,
            }
            games += 1;
        }
    }
    assert_eq!(games, catalogue().len() as u64 * GAMES);
    assert!(positions > 150_000, "{positions} positions");
    assert!(mates > 4000 && overmates > 30 && draws > 200, "{mates}, {overmates}, {draws}");
}

#[test]
fn check_and_play_accept_the_legal_actions_and_nothing_else() {
    let mut chance = Chance(2);
    let (mut legal_ones, mut refused) = (0, 0);
    for rules in catalogue() {
        let all = conceivable(&rules);
        for _ in 0..4 {
            let mut game = Game::new(chance.deal(&rules));
            loop {
                let legal: BTreeSet<Action> = game.legal_actions().collect();
                for &action in &all {
                    let is_legal = legal.contains(&action);
                    assert_eq!(game.check(action).is_ok(), is_legal, "{game}: {action:?}");
                    assert_eq!(game.position().clone().play(action).is_ok(), is_legal);
                    if is_legal {
                        legal_ones += 1;
                    } else {
                        refused += 1;
                        let error = game.clone().play(action).unwrap_err();
                        assert_eq!(*error.unchanged, game, "unchanged after {action:?}");
                        assert_eq!(Err(&error.illegal), game.check(action).as_ref());
                        assert!(!error.illegal.to_string().is_empty());
                    }
                }
                if game.outcome().is_some() {
                    break;
                }
                let action = chance.action(game.position(), 10);
                game = game.play(action).unwrap();
            }
            assert_eq!(game.check(Action::Decline), Err(Illegal::GameOver));
        }
    }
    assert!(legal_ones > 30_000 && refused > 500_000, "{legal_ones} and {refused}");
}

#[test]
fn replaying_the_actions_of_a_game_gives_an_equal_game() {
    let mut chance = Chance(3);
    let mut prefixes = 0;
    for rules in catalogue() {
        for _ in 0..4 {
            let patience = chance.below(20);
            let game = chance.game(&rules, patience);
            let mut replay = Game::new(game.dealt().clone());
            for keep in 0..=game.actions().len() {
                assert_eq!(game.after(keep), replay);
                let text = replay.to_string();
                assert_eq!(rules.read_actions(&text).unwrap(), replay.actions(), "{text}");
                let seat = chance.of(&Seat::BOTH);
                match replay.clone().resign(seat) {
                    Ok(given_up) => {
                        assert_eq!(given_up.outcome(), Some(Outcome::Resigned { by: seat }));
                        assert_eq!(given_up.outcome().unwrap().winner(), Some(!seat));
                        assert_eq!(given_up.outcome().unwrap().points_for_first(), 0);
                        assert_eq!(given_up.legal_actions().next(), None);
                        assert_eq!(given_up.check(Action::Decline), Err(Illegal::GameOver));
                        assert_eq!(given_up.after(keep), replay, "the resignation is taken back");
                        assert_eq!(given_up.position(), replay.position());
                    }
                    Err(error) => {
                        assert_eq!(*error.unchanged, game, "a finished game stays finished");
                    }
                }
                if let Some(&action) = game.actions().get(keep) {
                    replay = replay.play(action).unwrap();
                }
                prefixes += 1;
            }
            assert_eq!(game.after(usize::MAX), game);
        }
    }
    assert!(prefixes > 10_000, "{prefixes} prefixes");
}

#[test]
fn games_have_at_most_the_allowed_moves_and_list_them() {
    let mut chance = Chance(4);
    let (mut games, mut repeated, mut shortened) = (0, 0, 0);
    for rules in catalogue() {
        let h = usize::from(rules.hand_size());
        for _ in 0..40 {
            let game = chance.game(&rules, 30);
            let position = game.position();
            let chosen =
                game.actions().iter().filter(|a| matches!(a, Action::Foreplace(_))).count();
            let choices = if rules.foreplacing().is_some() { 2 } else { 0 };
            let moves = game.moves();
            check_moves(&game, &moves, choices);
            let last = if chosen == 2 { h - 1 } else { h };
            assert!(moves.len() <= last, "{game}");
            assert_eq!(usize::from(position.last_move()), last);
            if position.outcome() == Some(Outcome::Draw) {
                assert_eq!(moves.len(), last, "a draw is a game of full length: {game}");
                shortened += usize::from(chosen == 2);
            }
            if chosen == 1 && moves.len() == h {
                check_repeated(&game, &moves);
                repeated += 1;
            }
            games += 1;
        }
    }
    assert_eq!(games, catalogue().len() * 40);
    assert!(repeated > 100 && shortened > 100, "{repeated} and {shortened}");
}

/// Checks that a game's list of moves contains all leads and answers in order. Also checks that the winner of each move is the leader of
/// the next move.
fn check_moves(game: &Game, moves: &[Move], choices: usize) {
    let mut actions = Vec::new();
    let mut leader = Seat::First;
    for (number, one) in (1..).zip(moves) {
        assert_eq!((one.number, one.leader), (number, leader), "{game}");
        actions.push(if one.demanded { Action::Demand(one.lead) } else { Action::Play(one.lead) });
        if let Some(card) = one.answer {
            actions.push(if one.free { Action::Free(card) } else { Action::Play(card) });
            leader = if one.lead.wins_over(card) { leader } else { !leader };
            assert_eq!(one.winner, Some(leader), "{game}");
        } else {
            assert_eq!(usize::from(number), moves.len(), "{game}");
            assert_eq!((one.winner, one.free), (None, false), "{game}");
        }
    }
    assert_eq!(&game.actions()[choices..], actions, "{game}");
}

/// Checks that a sole foreplacer (the only player who has foreplaced) plays the same card in each of the last two moves. If the opponent
/// gives mate in the last move, checks that this card could not answer the lead.
fn check_repeated(game: &Game, moves: &[Move]) {
    let owner = game.position().sole_foreplacer().unwrap();
    let played = |one: &Move| if one.leader == owner { Some(one.lead) } else { one.answer };
    let [.., before, last] = moves else { panic!("{game}") };
    let card = played(before).expect("move h-1 was answered");
    if let Some(again) = played(last) {
        assert_eq!(again, card, "{game}");
    } else {
        let Some(Outcome::Mate(mate)) = game.outcome() else { panic!("{game}") };
        assert_eq!(mate.by, !owner, "{game}");
        assert!(mate.card.suit != card.suit && mate.card.rank != card.rank, "{game}");
    }
}

#[test]
fn the_points_change_their_sign_when_the_hands_are_exchanged() {
    // The same actions are played twice on one deal, with exchanged seats, so the points of A in the first game are
    // the points of B in the second game.
    let mut chance = Chance(5);
    let mut rounds = 0;
    for rules in catalogue() {
        for _ in 0..10 {
            let game = chance.game(&rules, 5);
            let mut contest =
                overmate_rules::Match::with_deals(2, vec![game.dealt().clone()]).unwrap();
            for _ in 0..2 {
                for &action in game.actions() {
                    contest = contest.play(action).unwrap();
                }
            }
            let points = game.outcome().unwrap().points_for_first();
            let [one, two] = [0, 1].map(|index| contest.game_points(index).unwrap());
            assert_eq!((one.a - one.b, two.a - two.b), (points, -points), "{game}");
            assert!(one.a >= 0 && one.b >= 0 && one.a * one.b == 0);
            let result = contest.result().unwrap();
            assert_eq!((result.winner, result.margin), (None, 0), "{game}");
            rounds += 1;
        }
    }
    assert_eq!(rounds, 10 * catalogue().len());
}

#[test]
fn identical_cards_are_one_action_and_one_position() {
    // The test lists the cards of each hand in another order, and expects the same deal with the same number. Identical cards in a hand
    // count as one legal action.
    let mut chance = Chance(6);
    let mut same = 0;
    for rules in catalogue().into_iter().filter(|rules| !rules.deck().all_distinct()) {
        for _ in 0..20 {
            let dealt = chance.deal(&rules);
            let cards = |seat| rules.deck().cards_of(dealt.hands()[seat]).collect::<Vec<_>>();
            let mut deal = Deal { first: cards(Seat::First), second: cards(Seat::Second) };
            deal.first.reverse();
            let rotation = chance.below(deal.second.len());
            deal.second.rotate_left(rotation);
            let again = deal.validate(&rules).unwrap();
            assert_eq!(again, dealt);
            assert_eq!(again.number(), dealt.number());
            let start = Position::start(&again);
            let mut distinct = start.hand_cards(Seat::First);
            distinct.dedup();
            let choices = usize::from(start.foreplaced(Seat::First) == Foreplaced::Undecided);
            let leads = start.legal_actions().len();
            let demands = distinct.iter().filter(|card| rules.may_demand(**card)).count();
            let leading = matches!(start.phase(), Phase::Lead(_));
            let expected = distinct.len() + if leading { demands } else { choices };
            assert_eq!(leads, expected, "{start}");
            same += 1;
        }
    }
    let doubled = catalogue().iter().filter(|rules| !rules.deck().all_distinct()).count();
    assert_eq!(same, 20 * doubled);
    assert!(doubled > 0);
}
