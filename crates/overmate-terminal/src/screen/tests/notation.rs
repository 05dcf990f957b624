//! Tests that all texts on the screen name cards in the same notation as the board.

use overmate_rules::{Deck, RuleSet};
use ratatui::crossterm::event::KeyCode;

use super::TestTable;
use crate::charset::Charset;
use crate::screen::help;
use crate::screen::popup::PopupKind;

/// Returns all card names in letters, such as `Kc`, that occur as words in a text.
fn cards_in_letters(deck: &Deck, text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let letters: Vec<_> =
        deck.cards().iter().map(|card| deck.card_text(*card).to_string()).collect();
    words.filter(|word| letters.iter().any(|card| card == word)).map(str::to_owned).collect()
}

/// Plays a match with key presses, opens every popup on the way, and calls `check` for each screen.
fn visit(rules: &str, charset: Charset, mut check: impl FnMut(&TestTable, &str)) {
    let mut table = TestTable::after(rules, 20_010, "", charset);
    table.resize(100, 50);
    for turn in 0..12 {
        for key in ["", "i", "w", "s", "r", "m", "["] {
            table.keys(key);
            check(&table, key);
            if table.app.controller.to_act().is_some() {
                table.key(KeyCode::Esc);
            }
        }
        // The cursor visits each card of the hand, so that the screen also shows why some cards cannot be played.
        for _ in 0..10 {
            table.key(KeyCode::Right);
            check(&table, "Right");
        }
        let card = table.app.controller.rules().deck().cards()[turn];
        let card = table.card_text(card);
        table.types(&card);
        check(&table, "typed");
        table.key(KeyCode::Esc);
        if let Some(action) = table.legal().first().copied() {
            let action = table.app.controller.rules().action_text(action).to_string();
            table.types(&action);
            check(&table, "act");
        }
    }
}

#[test]
fn all_texts_of_a_screen_with_symbols_name_cards_by_symbols() {
    for name in ["sackson+free-move", "denexa", "rael", "bga+kings-privilege", "pagat"] {
        let rules = RuleSet::named(name).unwrap();
        let (mut screens, mut sentences) = (0, 0);
        visit(name, Charset::Utf8, |table, key| {
            let popup = table.app.popup.as_ref().map(|popup| &popup.kind);
            if matches!(popup, Some(PopupKind::Typing { .. })) {
                return;
            }
            let shown = table.shown();
            assert_eq!(
                cards_in_letters(rules.deck(), &shown),
                Vec::<String>::new(),
                "{name}, {key}:\n{shown}"
            );
            screens += 1;
            sentences += usize::from(shown.contains("Overmate would play"));
            sentences += usize::from(shown.contains("Overmate played"));
            sentences += usize::from(shown.contains("Not legal: you do not hold"));
        });
        assert!(screens > 100 && sentences > 5, "{name}: {screens} {sentences}");
    }
}

#[test]
fn all_texts_of_a_screen_in_ascii_name_cards_by_letters() {
    for name in ["sackson+free-move", "rael"] {
        let rules = RuleSet::named(name).unwrap();
        let (mut screens, mut sentences) = (0, 0);
        visit(name, Charset::Ascii, |table, key| {
            let shown = table.shown();
            assert!(shown.is_ascii(), "{name}, {key}:\n{shown}");
            screens += 1;
            sentences += usize::from(cards_in_letters(rules.deck(), &shown).len() > 20);
        });
        assert!(screens > 100 && sentences > 20, "{name}: {screens} {sentences}");
    }
}

#[test]
fn the_help_names_a_card_of_the_deck_and_the_privilege() {
    let help = |rules: &str| {
        let table = TestTable::new(rules, [20_010, 77], true);
        let lines = help::text(&table.app);
        lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let rael = help("rael+kings-privilege");
    assert!(rael.contains("such as Qb"), "{rael}");
    assert!(rael.contains("A player who leads a king may demand"), "{rael}");
    let bga = help("bga+kings-privilege");
    assert!(bga.contains("such as Tc"), "{bga}");
    assert!(bga.contains("A lead of a king must be answered in rank first"), "{bga}");
    assert!(!help("bga").contains("A lead of a king"));
}
