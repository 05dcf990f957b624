//! Tests that every published rule set can be drawn on screens from tiny to huge without a panic or a missing part.

use overmate_rules::{Action, Deal, Match, Phase, RuleSet};
use ratatui::crossterm::event::KeyCode;
use ratatui::style::Color;

use super::TestTable;
use crate::charset::Charset;
use crate::screen::app::CursorTarget;
use crate::screen::faces::count_text;

/// Screen sizes in columns and rows, from the smallest supported screen to a very large screen.
const SIZES: [(u16, u16); 4] = [(60, 20), (80, 24), (100, 30), (200, 60)];

#[test]
fn every_rule_set_is_fully_visible_on_every_screen_size() {
    let mut checked = 0;
    for (number, rules) in RuleSet::catalogue().iter().enumerate() {
        let name = rules.name();
        let mut table = TestTable::new(name, [20_010, 77], true);
        for turn in 0..3 {
            // The test checks the first turn of each rule set on all screen sizes, and each later turn on one screen size.
            for (index, (width, height)) in SIZES.into_iter().enumerate() {
                if turn == 0 || index == (number + turn) % SIZES.len() {
                    table.resize(width, height);
                    check(&table, name);
                    checked += 1;
                }
            }
            let legal = table.legal();
            let action = legal[turn * 5 % legal.len()];
            let text = table.app.controller.rules().action_text(action).to_string();
            table.types(&text);
        }
    }
    assert_eq!(checked, RuleSet::catalogue().len() * (SIZES.len() + 2));
}

/// Checks that the screen shows all information that the human needs for the next decision.
fn check(table: &TestTable, name: &str) {
    let shown = table.shown();
    let snapshot = table.app.snapshot();
    let rules = snapshot.game.rules();
    let deck = rules.deck();
    let mut wanted = vec![
        "Game 1 of 4".to_owned(),
        "You 0 · Overmate 0".to_owned(),
        "Overmate, perfect".to_owned(),
        "? help".to_owned(),
        "q leave".to_owned(),
        "Moves".to_owned(),
        "total".to_owned(),
    ];
    let number = snapshot.view.moves() + 1;
    match (snapshot.view.phase(), snapshot.view.lead()) {
        (Phase::Foreplacing(_), _) => {
            wanted.push(table.app.controller.rules().in_own_words("Foreplace a card"));
        }
        (Phase::Lead(_), _) => wanted.push(format!("Move {number}: you lead")),
        (Phase::Follow(_), Some(lead)) => {
            let demand = if lead.demanded { "!" } else { "" };
            let card = table.app.faces.card(lead.card);
            wanted.push(format!("Move {number}: Overmate leads {card}{demand}"));
        }
        _ => {}
    }
    wanted.push("a mate".to_owned());
    if table.app.controller.session().can_undo() {
        wanted.push("u undo".to_owned());
    }
    if table.app.controller.is_humans_turn() {
        wanted.push("● You: your turn".to_owned());
        wanted.push("Enter play".to_owned());
    }
    let faces = &table.app.faces;
    for seat in [snapshot.own, !snapshot.own] {
        let hand = snapshot.view.hand(seat);
        for card in deck.distinct(hand) {
            let count = count_text((hand & deck.slots_of(card)).len());
            wanted.push(format!("{}{count}", faces.card(card)));
        }
    }
    for action in snapshot.legal() {
        let Some(card) = action.card() else {
            wanted.push("[-] ".to_owned());
            continue;
        };
        let count = count_text((snapshot.view.hand(snapshot.own) & deck.slots_of(card)).len());
        let face = format!("{}{count}", faces.card(card));
        let plain = Action::Play(card);
        let is_chosen = table.app.cursor == CursorTarget::Card(card);
        wanted.push(match action {
            _ if is_chosen => format!("▸{face}◂"),
            Action::Foreplace(_) => format!("({face})"),
            Action::Free(_) if !snapshot.legal().contains(&plain) => format!("*{face}*"),
            _ => format!("[{face}]"),
        });
    }
    for text in wanted {
        assert!(shown.contains(&text), "{name}: `{text}` is not in\n{shown}");
    }
    // The screen shows every card of the deck, including the cards that no player holds any more.
    for card in deck.distinct(deck.all()) {
        assert!(shown.contains(&faces.card(card)), "{name}: {card:?} has no place in\n{shown}");
    }
    // The screen uses only the sixteen colours that every terminal has.
    let strange = |colour: Color| matches!(colour, Color::Rgb(..) | Color::Indexed(_));
    assert!(!table.buffer().content().iter().any(|cell| strange(cell.fg) || strange(cell.bg)));
}

#[test]
fn popups_fit_on_all_screens() {
    let mut seen = 0;
    for name in ["sackson", "rael+kings-privilege+free-move", "denexa+pinochle"] {
        let mut table = TestTable::new(name, [20_010, 77], true);
        for (width, height) in SIZES {
            table.resize(width, height);
            for (key, title, text) in [
                ('?', "Help", "arrows"),
                ('s', "Score sheet", "total"),
                ('o', "Record of the match", "[Rules"),
                ('R', "Give up?", "Give up the match"),
                ('w', "Why Overmate did that", "Overmate has not done anything yet."),
                (':', "Type an action", "> "),
            ] {
                table.keys(&key.to_string());
                table.shows(&[title, text]);
                if key == '?' {
                    table.key(KeyCode::End);
                    table.shows(&["Other opponents: ", "Close"]);
                }
                table.key(KeyCode::Esc);
                assert!(!table.shown().contains(title), "{}", table.shown());
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 72);
}

#[test]
fn a_screen_that_is_too_small_names_the_needed_size() {
    let mut table = TestTable::new("sackson", [1, 2], true);
    let before = table.actions();
    for (width, height) in [(59, 20), (60, 19), (30, 10), (25, 8)] {
        table.resize(width, height);
        table.shows(&["needs 60 × 20", &format!("here are {width} × {height}")]);
    }
    for width in 1..70 {
        for height in [1, 2, 3, 5, 8, 13, 19, 20, 21] {
            table.resize(width, height);
        }
    }
    table.resize(30, 10);
    table.key(KeyCode::Enter);
    table.keys("-:u");
    assert_eq!(table.actions(), before);
    assert!(table.app.popup.is_none());
    table.keys("q");
    assert!(table.app.leaving.is_some());
}

#[test]
fn colour_can_be_turned_off() {
    for has_colour in [true, false] {
        let mut table = TestTable::new("sackson+free-move", [20_010, 77], has_colour);
        let mut coloured = 0;
        for keys in ["", "?", "-", "i", "[[", "R"] {
            table.keys(keys);
            let cells = table.buffer().content();
            coloured += cells
                .iter()
                .filter(|cell| (cell.fg, cell.bg) != (Color::Reset, Color::Reset))
                .count();
            table.key(KeyCode::Esc);
        }
        assert_eq!(coloured > 0, has_colour);
    }
}

#[test]
fn a_terminal_without_utf_8_gets_ascii_only() {
    let mut drawn = 0;
    for rules in RuleSet::catalogue() {
        let rules = rules.clone().shared();
        let deals = [20_010, 77].map(|number| Deal::numbered(&rules, number).unwrap());
        let contest = Match::with_deals(4, deals.to_vec()).unwrap();
        let mut table = TestTable::with_charset(contest, false, Charset::Ascii);
        for keys in ["", "?", "i", "-", "\r", "\r", "[", "r", "R"] {
            table.keys(keys);
            let shown = table.shown();
            assert!(shown.is_ascii(), "{}: {shown}", rules.name());
            drawn += 1;
            table.key(KeyCode::Esc);
        }
        let deck = rules.deck();
        let card = deck.distinct(table.app.snapshot().view.hand(table.app.snapshot().own)).next();
        table.shows(&[&deck.card_text(card.unwrap()).to_string()]);
    }
    assert_eq!(drawn, 9 * RuleSet::catalogue().len());
}
