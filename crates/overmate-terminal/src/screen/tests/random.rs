//! Tests that random keys and clicks never cause a panic, an illegal action, or an action while the screen shows an earlier moment.

use overmate_rules::{Match, Record};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

use super::TestTable;

/// Linear congruential random number generator for keys and clicks.
struct InputDice(u64);

impl InputDice {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn below_u16(&mut self, end: u16) -> u16 {
        u16::try_from(self.below(usize::from(end))).unwrap()
    }
}

const CODES: [KeyCode; 17] = [
    KeyCode::Enter,
    KeyCode::Enter,
    KeyCode::Enter,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Esc,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::Tab,
    KeyCode::BackTab,
    KeyCode::Backspace,
    KeyCode::F(1),
    KeyCode::Delete,
];
const LETTERS: &str = "hjkl -!*:/?uiwsor[],.RTcKsAh()yzé♣";
const KINDS: [MouseEventKind; 5] = [
    MouseEventKind::Down(MouseButton::Left),
    MouseEventKind::Down(MouseButton::Left),
    MouseEventKind::Down(MouseButton::Right),
    MouseEventKind::ScrollUp,
    MouseEventKind::ScrollDown,
];

fn any_event(dice: &mut InputDice, width: u16, height: u16) -> Event {
    let modifiers = KeyModifiers::NONE;
    match dice.below(4) {
        0 => {
            let (column, row) = (dice.below_u16(width + 2), dice.below_u16(height + 2));
            let kind = KINDS[dice.below(KINDS.len())];
            Event::Mouse(MouseEvent { kind, column, row, modifiers })
        }
        1 => {
            let letters: Vec<char> = LETTERS.chars().collect();
            let letter = letters[dice.below(letters.len())];
            Event::Key(KeyEvent::new(KeyCode::Char(letter), modifiers))
        }
        _ => Event::Key(KeyEvent::new(CODES[dice.below(CODES.len())], modifiers)),
    }
}

/// Returns the number of actions played in a match so far.
fn length(contest: &Match) -> usize {
    contest.games().iter().map(|game| game.actions().len()).sum()
}

#[test]
fn random_keys_and_clicks_keep_the_match_consistent() {
    let (mut played, mut looked_back, mut matches_over) = (0, 0, 0);
    for (number, rules) in
        ["sackson+free-move", "denexa", "rael+double+kings-privilege", "bga+kings-privilege"]
            .into_iter()
            .enumerate()
    {
        let mut dice = InputDice(number as u64 + 1);
        let mut table = TestTable::new(rules, [20_010, 77], number % 2 == 0);
        let (mut width, mut height) = (80, 24);
        for _ in 0..2_500 {
            if dice.below(60) == 0 {
                (width, height) = (dice.below_u16(150) + 1, dice.below_u16(50) + 1);
                table.resize(width, height);
            }
            let before = table.app.controller.session().record().clone();
            let was_past = table.app.past.is_some() && table.app.popup.is_none();
            let event = any_event(&mut dice, width, height);
            if let Some(intent) = super::input::read(&event, table.app.focus(), &table.hits) {
                table.app.follow(intent).unwrap();
                let after = table.app.controller.session().record().clone();
                let grown = length(after.played_match()) > length(before.played_match());
                assert!(!(was_past && grown), "{rules}: {intent:?} played from the past");
                looked_back += usize::from(was_past);
                played += usize::from(grown);
            }
            table.settle(|legal| dice.below(legal.len()));
            // The saved file equals the record of the match.
            if let Some(kept) = table.kept() {
                assert_eq!(kept, table.app.controller.session().record().to_string());
            }
            if table.app.controller.to_act().is_none() {
                matches_over += 1;
                table = TestTable::new(rules, [5, 9 + matches_over], true);
                table.resize(width, height);
            }
        }
        let text = table.app.controller.session().record().to_string();
        assert_eq!(&Record::read(&text).unwrap(), table.app.controller.session().record());
    }
    assert!(
        played > 50 && looked_back > 100 && matches_over > 0,
        "{played} {looked_back} {matches_over}"
    );
}
