//! Tests that the view of a game shows all public facts, and no fact that reveals a hidden card.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use overmate_rules::{
    Action, BySeat, Card, Face, Foreplaced, Game, Outcome, RuleSet, Seat, Seen, View, Viewer,
};

use crate::chance::{Chance, catalogue, rules};

const VIEWERS: [Viewer; 3] =
    [Viewer::Seat(Seat::First), Viewer::Seat(Seat::Second), Viewer::Spectator];

fn is_face_down(rules: &RuleSet) -> bool {
    rules.foreplacing().is_some_and(|foreplacing| foreplacing.face == Face::Down)
}

/// Returns the rule sets in which foreplaced cards lie face down.
fn face_down() -> Vec<Arc<RuleSet>> {
    let sets: Vec<_> = catalogue().into_iter().filter(|rules| is_face_down(rules)).collect();
    assert!(!sets.is_empty());
    sets
}

/// Returns a random finished game, with at least one foreplaced card if the rule set has foreplacing.
fn game_with_foreplacing(chance: &mut Chance, rules: &Arc<RuleSet>) -> Game {
    loop {
        let game = chance.game(rules, 25);
        let first_two = game.actions().iter().take(2);
        if rules.foreplacing().is_none()
            || first_two.clone().any(|action| matches!(action, Action::Foreplace(_)))
        {
            return game;
        }
    }
}

/// Returns a text with all facts that a view of a game shows to a player or spectator.
fn all_that_can_be_told(view: &View) -> String {
    let of_seats = Seat::BOTH.map(|seat| {
        let hidden = (view.hides_card(seat), view.foreplaced(seat), view.candidates(seat));
        (view.hand(seat), hidden)
    });
    format!(
        "{view}\n{view:?}\n{of_seats:?}\n{:?} {:?} {:?} {:?} {:?} {} {} {:?} {:?} {:?} {:?}",
        view.actions(),
        view.outcome(),
        view.phase(),
        view.leader(),
        view.lead(),
        view.moves(),
        view.free_move_used(),
        view.legal_actions(),
        view.dealt(),
        view.to_act(),
        view.viewer(),
    )
}

/// Returns the game with `card` in place of a seat's face-down card. Returns `None` if a later action would then be illegal, or the game
/// would be over.
fn with_hidden(game: &Game, seat: Seat, card: Card) -> Option<Game> {
    let mut actions = game.actions().to_vec();
    let choice = usize::from(seat == Seat::Second);
    actions[choice] = Action::Foreplace(card);
    let other = Game::new(game.dealt().clone()).play_all(&actions).ok()?;
    other.outcome().is_none().then_some(other)
}

#[test]
fn games_that_differ_in_a_hidden_card_look_the_same_to_all_others() {
    let mut chance = Chance(21);
    let hasher = RandomState::new();
    let (mut pairs, mut excluded) = (0, 0);
    for rules in face_down() {
        // After every action, the test puts each other card of the dealt hand in place of the face-down card. With 24 cards in a hand, a
        // game takes much longer, so that the test plays fewer games.
        let games = if rules.hand_size() == 24 { 1 } else { 6 };
        for _ in 0..games {
            let end = game_with_foreplacing(&mut chance, &rules);
            for keep in 1..end.actions().len() {
                let game = end.after(keep);
                for seat in Seat::BOTH {
                    let Foreplaced::Card(own) = game.position().foreplaced(seat) else { continue };
                    let dealt = game.dealt().hands()[seat];
                    let others = rules.deck().distinct(dealt).filter(|card| *card != own);
                    let others: Vec<_> =
                        others.map(|card| (card, with_hidden(&game, seat, card))).collect();
                    for viewer in VIEWERS {
                        let view = game.view(viewer);
                        if viewer == Viewer::Seat(seat) {
                            let others = others.iter().filter_map(|(_, other)| other.as_ref());
                            assert!(others.map(|o| o.view(viewer)).all(|other| other != view));
                            continue;
                        }
                        let (hash, told) = (hasher.hash_one(&view), all_that_can_be_told(&view));
                        let candidates = view.candidates(seat);
                        assert!(candidates.contains(&own), "{game}: {own:?}");
                        for (card, other) in &others {
                            // The candidates for a seat's face-down card include no card that contradicts a later action. With such a card,
                            // a later action would have been illegal, or the game would be over.
                            assert_eq!(candidates.contains(card), other.is_some(), "{game}");
                            let Some(other) = other else {
                                excluded += 1;
                                continue;
                            };
                            let other = other.view(viewer);
                            assert_eq!(view, other);
                            assert_eq!(hasher.hash_one(&other), hash);
                            assert_eq!(all_that_can_be_told(&other), told);
                            pairs += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(pairs > 4000 && excluded > 4000, "{pairs} pairs, {excluded} excluded");
}

#[test]
fn views_of_other_players_do_not_contain_the_hidden_card() {
    let mut chance = Chance(22);
    let (mut views, mut hidden) = (0, 0);
    for rules in catalogue() {
        for _ in 0..3 {
            let end = game_with_foreplacing(&mut chance, &rules);
            for keep in 0..=end.actions().len() {
                let game = end.after(keep);
                for viewer in VIEWERS {
                    let view = game.view(viewer);
                    check_view(&game, &view);
                    views += 1;
                    for seat in Seat::BOTH {
                        hidden += usize::from(view.hides_card(seat));
                    }
                }
            }
        }
    }
    assert!(views > 20_000 && hidden > 1000, "{views} views, {hidden} cards hidden");
}

/// Checks that the view of a game agrees with the game except for the hidden card.
fn check_view(game: &Game, view: &View) {
    let (rules, position) = (game.rules(), game.position());
    let going_on = game.outcome().is_none();
    for seat in Seat::BOTH {
        let lies_there = position.foreplaced(seat);
        let hides = is_face_down(rules)
            && going_on
            && matches!(lies_there, Foreplaced::Card(_))
            && view.viewer() != Viewer::Seat(seat);
        assert_eq!(view.hides_card(seat), hides, "{view:?}");
        if hides {
            assert_eq!(view.foreplaced(seat), Foreplaced::FaceDown);
            assert_eq!(view.hand(seat).len(), position.hand(seat).len() + 1, "{view:?}");
            let Foreplaced::Card(own) = lies_there else { panic!("{lies_there:?}") };
            let mut cards = position.hand_cards(seat);
            cards.push(own);
            cards.sort();
            assert_eq!(rules.deck().cards_of(view.hand(seat)).collect::<Vec<_>>(), cards);
        } else {
            assert_eq!(view.foreplaced(seat), lies_there, "{view:?}");
            // Identical cards may have other indices in the view than in the game, so the test compares the cards without their indices.
            let cards: Vec<Card> = rules.deck().cards_of(view.hand(seat)).collect();
            assert_eq!(cards, position.hand_cards(seat), "{view:?}");
            assert_eq!(view.candidates(seat), [], "{view:?}");
        }
    }
    let masked = |(i, action): (usize, &Action)| match action {
        Action::Foreplace(_) if view.hides_card(Seat::BOTH[i]) => Seen::FaceDown,
        action => Seen::Action(*action),
    };
    let seen: Vec<Seen> = game.actions().iter().enumerate().map(masked).collect();
    assert_eq!(view.actions(), seen);
    let text = view.to_string();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(words.len(), seen.len());
    for (word, seen) in words.iter().zip(&seen) {
        let expected = match seen {
            Seen::FaceDown => "(?)".to_owned(),
            Seen::Action(action) => rules.action_text(*action).to_string(),
        };
        assert_eq!(*word, expected);
    }
    assert_eq!(
        (view.phase(), view.to_act(), view.outcome()),
        (game.phase(), game.to_act(), game.outcome())
    );
    assert_eq!((view.leader(), view.lead()), (position.leader(), position.lead()));
    assert_eq!(
        (view.moves(), view.free_move_used()),
        (position.moves(), position.free_move_used())
    );
    assert_eq!(view.dealt(), game.dealt());
    let is_to_act = game.to_act().map(Viewer::Seat) == Some(view.viewer());
    let legal = if is_to_act { game.legal_actions().collect() } else { Vec::new() };
    assert_eq!(view.legal_actions().collect::<Vec<_>>(), legal, "{view:?}");
}

#[test]
fn the_candidates_are_the_cards_that_make_all_seen_actions_legal() {
    let mut chance = Chance(23);
    let (mut compared, mut excluding) = (0, 0);
    for rules in face_down() {
        for _ in 0..2 {
            let end = game_with_foreplacing(&mut chance, &rules);
            for keep in 1..end.actions().len() {
                let game = end.after(keep);
                for viewer in VIEWERS {
                    let view = game.view(viewer);
                    let of = |seat: Seat| -> Vec<Option<Card>> {
                        let dealt = rules.deck().distinct(game.dealt().hands()[seat]);
                        if view.hides_card(seat) { dealt.map(Some).collect() } else { vec![None] }
                    };
                    let mut possible: BySeat<Vec<Card>> = BySeat::default();
                    for &first in &of(Seat::First) {
                        for &second in &of(Seat::Second) {
                            let Some(imagined) = view.imagine(BySeat { first, second }) else {
                                continue;
                            };
                            assert_eq!(
                                imagined.view(viewer),
                                view,
                                "the imagined game has the same view"
                            );
                            possible.first.extend(first);
                            possible.second.extend(second);
                        }
                    }
                    for seat in Seat::BOTH {
                        possible[seat].sort();
                        possible[seat].dedup();
                        assert_eq!(view.candidates(seat), possible[seat], "{view:?}");
                        compared += 1;
                        let dealt = rules.deck().distinct(game.dealt().hands()[seat]).count();
                        excluding +=
                            usize::from(view.hides_card(seat) && possible[seat].len() < dealt);
                    }
                }
            }
        }
    }
    assert!(compared > 2000 && excluding > 500, "{compared}, {excluding} excluding");
}

#[test]
fn the_end_of_a_game_shows_all_cards() {
    let mut chance = Chance(24);
    let (mut ended, mut given_up) = (0, 0);
    for rules in face_down() {
        for _ in 0..10 {
            let end = game_with_foreplacing(&mut chance, &rules);
            let keep = chance.below(end.actions().len());
            let resigned = end.after(keep).resign(chance.of(&Seat::BOTH)).unwrap();
            given_up += usize::from(matches!(resigned.outcome(), Some(Outcome::Resigned { .. })));
            for game in [&end, &resigned] {
                for viewer in VIEWERS {
                    let view = game.view(viewer);
                    check_view(game, &view);
                    assert!(!view.actions().contains(&Seen::FaceDown), "{view:?}");
                    let nothing_hidden = BySeat { first: None, second: None };
                    assert_eq!(view.imagine(nothing_hidden).as_ref(), Some(game), "{view:?}");
                    ended += 1;
                }
            }
        }
    }
    assert_eq!((ended, given_up), (face_down().len() * 10 * 6, face_down().len() * 10));
}

#[test]
fn the_opponent_knows_the_listed_candidates_in_a_worked_game() {
    // First foreplaces their only club face down, and cannot follow when clubs are led.
    let rules = rules("denexa");
    let deal = rules.read_deal("7c ThKhQh7h AdTdKdQd7d / AcTcKcQc AsTsKsQs7s Ah").unwrap();
    let mut game = Game::new(deal.validate(&rules).unwrap());
    let mut steps = Vec::new();
    for action in ["(7c)", "-", "Kd", "Kc", "Tc", "Th"] {
        game = game.play(rules.read_action(action).unwrap()).unwrap();
        let view = game.view(Viewer::Seat(Seat::Second));
        let candidates = view.candidates(Seat::First).into_iter();
        let texts: Vec<String> =
            candidates.map(|card| rules.deck().card_text(card).to_string()).collect();
        steps.push(format!("{view}: {}", texts.join(" ")));
    }
    assert_eq!(
        steps,
        [
            "(?): 7c Th Kh Qh 7h Ad Td Kd Qd 7d",
            "(?) -: 7c Th Kh Qh 7h Ad Td Kd Qd 7d",
            "(?) - Kd: 7c Th Kh Qh 7h Ad Td Qd 7d",
            "(?) - Kd Kc: 7c Th Kh Qh 7h Ad Td Qd 7d",
            "(?) - Kd Kc Tc: 7c Th Kh Qh 7h Ad Td Qd 7d",
            "(?) - Kd Kc Tc Th: 7c",
        ]
        .map(str::to_owned)
    );
    let spectator = game.view(Viewer::Spectator);
    assert_eq!(format!("{spectator:?}"), "View(denexa, Spectator: (?) - Kd Kc Tc Th)");
    assert_eq!(spectator.legal_actions().next(), None);
    assert!(
        game.position().to_string().contains("(7c)"),
        "the position of the game holds the hidden card"
    );
}
