//! Tests the marks on the board (mates, answers and crosses) against the rules, by playing every
//! action.

use overmate_rules::{Action, Card, Foreplaced, Game, Outcome, Phase, RuleSet};
use ratatui::style::{Color, Modifier};

use super::TestTable;
use crate::charset::Charset;
use crate::screen::app::{CursorTarget, ShownMoment};
use crate::screen::board::{self, Arm, Effect, Lying};

/// Returns the cards of one player in the board cell of `card`: of the human if `is_own` is true, otherwise of the
/// opponent. The cursor is at the card `cursor`.
fn lying(snapshot: &ShownMoment, cursor: Card, card: Card, is_own: bool) -> Option<Lying> {
    let cross = board::cross(snapshot, CursorTarget::Card(cursor));
    let cell = board::cell(snapshot, cross.as_ref(), card, true);
    cell.lying.into_iter().find(|lying| lying.is_own == is_own)
}

/// Checks which cards the board marks as mates, winning answers and losing answers while the human is to lead. The check plays every lead
/// and then every answer.
fn check_leads(snapshot: &ShownMoment) -> (usize, usize) {
    let (mut mates, mut answers) = (0, 0);
    for action in snapshot.legal() {
        let Action::Play(card) = action else { continue };
        let led = snapshot.game.clone().play(action).unwrap();
        let demanded = snapshot.game.clone().play(Action::Demand(card)).ok();
        let points = |game: Option<&Game>| match game.and_then(Game::outcome) {
            Some(Outcome::Mate(mate)) => Some(mate.points()),
            _ => None,
        };
        let in_sight = points(Some(&led)).or(points(demanded.as_ref()));
        let shown = lying(snapshot, card, card, true).unwrap();
        assert_eq!(shown.effect, in_sight.map(Effect::Mate), "{card:?}");
        assert!(!shown.is_faded);
        mates += usize::from(in_sight.is_some());

        let cross = board::cross(snapshot, CursorTarget::Card(card)).unwrap();
        let is_mate = points(Some(&led)).is_some();
        assert_eq!([cross.row, cross.column] == [Arm::Empty; 2], is_mate);
        let legal: Vec<Action> =
            if is_mate { Vec::new() } else { led.position().legal_actions().collect() };
        let deck = snapshot.game.rules().deck();
        for other in deck.distinct(snapshot.view.hand(!snapshot.own)) {
            let shown = lying(snapshot, card, other, false).unwrap();
            let answer = legal.iter().find(|answer| answer.card() == Some(other));
            let wins = answer.map(|answer| {
                let after = led.clone().play(*answer).unwrap();
                after.moves().last().unwrap().winner == Some(!snapshot.own)
            });
            let effect = wins.map(|wins| if wins { Effect::Wins } else { Effect::Loses });
            assert_eq!(shown.effect, effect, "{card:?} {other:?}");
            let on_cross = other.suit == card.suit || other.rank == card.rank;
            assert_eq!(shown.is_faded, answer.is_none() && on_cross);
            answers += usize::from(answer.is_some());
        }
    }
    (mates, answers)
}

/// Checks the marks of winning and losing answers on the board while the human is to answer a lead.
fn check_answers(snapshot: &ShownMoment) -> usize {
    let legal = snapshot.legal();
    let deck = snapshot.game.rules().deck();
    let cards = deck.distinct(snapshot.view.hand(snapshot.own));
    let checked = cards.map(|card| {
        let shown = lying(snapshot, card, card, true).unwrap();
        let answer = legal.iter().find(|answer| answer.card() == Some(card));
        let wins = answer.map(|answer| {
            let after = snapshot.game.clone().play(*answer).unwrap();
            after.moves().last().unwrap().winner == Some(snapshot.own)
        });
        let effect = wins.map(|wins| if wins { Effect::Wins } else { Effect::Loses });
        assert_eq!(shown.effect, effect, "{card:?}");
        assert_eq!(shown.is_faded, answer.is_none(), "{card:?}");
        1
    });
    checked.sum()
}

#[test]
fn mates_and_answers_on_the_board_are_those_of_the_rules() {
    let (mut mates, mut answers, mut own_answers) = (0, 0, 0);
    for rules in [
        "bga",
        "sackson+double+free-move",
        "pagat+kings-privilege+free-move",
        "rael+kings-privilege",
        "bga+pinochle",
    ] {
        for deal in [20_010, 77] {
            let mut table = TestTable::new(rules, [deal, 5], true);
            for turn in 0..30 {
                if table.app.popup.is_some() {
                    break;
                }
                let snapshot = table.app.snapshot();
                match snapshot.view.phase() {
                    Phase::Lead(_) => {
                        let (more, others) = check_leads(&snapshot);
                        mates += more;
                        answers += others;
                    }
                    Phase::Follow(_) => own_answers += check_answers(&snapshot),
                    Phase::Foreplacing(_) | Phase::Over => {}
                }
                let legal = snapshot.legal();
                let action = legal[(turn * 7 + 3) % legal.len()];
                table.types(&snapshot.game.rules().action_text(action).to_string());
            }
        }
    }
    assert!(mates > 10 && answers > 100 && own_answers > 100, "{mates} {answers} {own_answers}");
}

#[test]
fn a_foreplaced_card_lies_in_its_place_until_it_returns() {
    let table = TestTable::after("sackson", 20_010, "(Tc) (Qh)", Charset::Utf8);
    let snapshot = table.app.snapshot();
    for (seat, is_own) in [(snapshot.own, true), (!snapshot.own, false)] {
        let Foreplaced::Card(card) = snapshot.view.foreplaced(seat) else { panic!("foreplaced") };
        let cell = board::cell(&snapshot, None, card, true);
        assert_eq!((cell.foreplaced_by_own, cell.lying.len()), (Some(is_own), 0));
        let mark = if is_own { '●' } else { '○' };
        table.shows(&[&format!("{mark}({})", table.app.faces.card(card))]);
    }
}

#[test]
fn the_points_of_mates_in_sight_can_be_hidden() {
    let mut table = TestTable::after("sackson", 20_010, "(Tc) (Qh) As 7s Ah 7h", Charset::Utf8);
    table.shows(&["mate 16"]);
    table.keys("m");
    assert!(!table.shown().contains("mate 16"), "{}", table.shown());
    table.keys("m");
    table.shows(&["mate 16"]);
}

#[test]
fn cards_of_both_players_differ_without_colour() {
    for has_colour in [true, false] {
        let table = TestTable::new("bga", [20_010, 77], has_colour);
        let snapshot = table.app.snapshot();
        let deck = RuleSet::named("bga").unwrap();
        let mut checked = 0;
        for cell in table.buffer().content() {
            let (own, other) = (cell.symbol() == "╭", cell.symbol() == "╔");
            let dark = cell.modifier.contains(Modifier::REVERSED);
            match (has_colour, own, other) {
                (true, true, _) => assert_eq!(cell.bg, Color::White),
                (true, _, true) => assert_eq!(cell.bg, Color::Black),
                (false, true, _) => assert!(!dark),
                (false, _, true) => assert!(dark),
                (_, false, false) => continue,
            }
            checked += 1;
        }
        // The test has checked the background of 19 of the 20 cards on the screen. The card under the cursor is left out, because its edge
        // is drawn with other characters.
        let held = snapshot.view.hand(snapshot.own).len() + snapshot.view.hand(!snapshot.own).len();
        assert_eq!((held, checked), (u32::try_from(deck.deck().cards().len()).unwrap(), 19));
    }
}
