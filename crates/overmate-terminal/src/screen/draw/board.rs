//! Draws the board: a row for each suit, a column for each rank, the players' names, and the highlighted row and column of a led card.

use overmate_rules::{Action, Card, Foreplaced, Rank, Seat, Suit};
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::CursorTarget;
use super::super::board::{self, Arm, Cross};
use super::super::faces::{CHOSEN, FAINT, TITLE};
use super::super::intent::Intent;
use super::layout::{SUITS, top};
use super::painter::Painter;

/// Minimum width, in characters, of a line that has room for a player's name and the long text `[-] foreplace nothing`.
const WITH_LONG_CHOICE: u16 = 38;

/// Methods that draw the board and the names of the two players.
impl Painter<'_, '_> {
    pub(super) fn board(&mut self, area: Rect, cell: Size) {
        let deck = self.snapshot.game.rules().deck();
        let count = |length: usize| u8::try_from(length).unwrap_or(u8::MAX);
        let (suits, ranks) = (count(deck.suits().len()), count(deck.ranks().len()));
        let cross = board::cross(self.snapshot, self.app.cursor);
        let (heads, rows) = top(area, 1);
        for rank in 0..ranks {
            let x = area.x + SUITS + u16::from(rank) * cell.width;
            let at = Rect { x, width: cell.width, ..heads };
            self.rank(at, Rank(rank), cross.as_ref());
        }
        for suit in 0..suits {
            let y = rows.y + u16::from(suit) * cell.height;
            let row = Rect { y, height: cell.height, ..rows };
            self.suit(Rect { width: SUITS, ..row }, Suit(suit), cross.as_ref());
            for rank in 0..ranks {
                let card = Card { suit: Suit(suit), rank: Rank(rank) };
                if deck.slots_of(card).is_empty() {
                    continue;
                }
                let x = area.x + SUITS + u16::from(rank) * cell.width;
                self.cell(Rect { x, width: cell.width, ..row }, card, cross.as_ref());
            }
        }
    }

    /// Draws the head of a column of the board: the symbol and the card value of the rank. For the rank of a led card that gives mate, the
    /// head is `no` and the symbol.
    fn rank(&mut self, at: Rect, rank: Rank, cross: Option<&Cross>) {
        let (faces, deck) = (&self.app.faces, self.snapshot.game.rules().deck());
        let value = deck.ranks().get(usize::from(rank.0)).map_or(0, |face| face.value);
        let sign = faces.rank(rank);
        let cross = cross.filter(|cross| cross.card.rank == rank);
        let (text, style) = match cross {
            Some(Cross { column: Arm::Empty, .. }) => (format!("no {sign}"), faces.seal()),
            Some(Cross { column: Arm::Answers, .. }) => (format!("{sign} {value}"), faces.cross()),
            Some(Cross { column: Arm::Idle, .. }) | None => (format!("{sign} {value}"), TITLE),
        };
        self.line(at, 0, Line::styled(text, style).centered());
    }

    /// Draws the head of a row of the board: the suit's symbol, with `no` above the symbol if a led card of the suit
    /// gives mate.
    fn suit(&mut self, at: Rect, suit: Suit, cross: Option<&Cross>) {
        let faces = &self.app.faces;
        let sign = faces.suit(suit);
        let middle = (at.height - 1) / 2;
        match cross.filter(|cross| cross.card.suit == suit) {
            Some(Cross { row: Arm::Empty, .. }) => {
                let first = (at.height - 2) / 2;
                let area = Rect { width: 2, ..at };
                self.line(area, first, Line::styled("no", faces.seal()));
                self.line(area, first + 1, Line::styled(format!(" {sign}"), faces.seal()));
            }
            Some(Cross { row: Arm::Answers, .. }) => {
                self.line(at, middle, Line::styled(format!(" {sign}"), faces.cross()));
            }
            Some(Cross { row: Arm::Idle, .. }) | None => {
                let text = Span::styled(format!(" {sign}"), faces.suit_style(suit).patch(TITLE));
                self.line(at, middle, Line::from(text));
            }
        }
    }

    fn cell(&mut self, at: Rect, card: Card, cross: Option<&Cross>) {
        let cell = board::cell(self.snapshot, cross, card, self.app.shows_seals);
        let parts = u16::try_from(cell.lying.len()).unwrap_or(u16::MAX);
        if parts == 0 {
            return self.empty_cell(at, card, cell.foreplaced_by_own, cell.arm);
        }
        for (part, lying) in (0..).zip(cell.lying) {
            let (from, to) = (at.height * part / parts, at.height * (part + 1) / parts);
            let area = Rect { y: at.y + from, height: to - from, ..at };
            self.card(area, card, lying);
        }
    }

    /// Draws a cell of the board whose cards have all been played or foreplaced. The symbols of the cell's card stand on
    /// top of the pattern that marks a led card's row and column.
    fn empty_cell(
        &mut self,
        at: Rect,
        card: Card,
        foreplaced_by_own: Option<bool>,
        arm: Option<Arm>,
    ) {
        let faces = &self.app.faces;
        let pattern = match arm {
            Some(Arm::Answers | Arm::Empty) => Some("░"),
            Some(Arm::Idle) => Some("·"),
            None => None,
        };
        if let Some(pattern) = pattern {
            for row in 0..at.height {
                let text = pattern.repeat(usize::from(at.width));
                self.line(at, row, Line::styled(text, faces.cross_pattern()));
            }
        }
        let spans = match foreplaced_by_own {
            Some(is_own) => vec![
                faces.mark(is_own),
                Span::styled(format!("({})", faces.card(card)), faces.suit_style(card.suit)),
            ],
            None => vec![Span::styled(format!(" {} ", faces.card(card)), FAINT)],
        };
        let line = Line::from(spans);
        let width = u16::try_from(line.width()).unwrap_or(u16::MAX).min(at.width);
        let x = at.x + (at.width - width) / 2;
        self.line(Rect { x, width, ..at }, (at.height - 1) / 2, line);
    }

    /// Draws the line of a player: the name, a note if it is the player's turn, the foreplaced card, and the choice to
    /// foreplace nothing. The player is the human if `is_own` is set, otherwise the opponent.
    pub(super) fn player(&mut self, area: Rect, is_own: bool) {
        let snapshot = self.snapshot;
        let seat = if is_own { snapshot.own } else { !snapshot.own };
        let state = match snapshot.view.to_act() {
            Some(to_act) if to_act == seat && !is_own && !snapshot.is_past => " is thinking…",
            Some(to_act) if to_act == seat && is_own && !snapshot.is_past => ": your turn",
            _ => "",
        };
        let mut spans = vec![
            self.app.faces.mark(is_own),
            Span::raw(" "),
            Span::styled(self.name(is_own), TITLE),
            Span::raw(state),
        ];
        spans.extend(self.foreplaced(seat));
        self.line(area, 0, Line::from(spans));
        if is_own && snapshot.legal().contains(&Action::Decline) {
            self.decline(area);
        }
    }

    /// Returns a seat's foreplaced card (the card set aside) in parentheses, or `(?)` for a face-down card.
    fn foreplaced(&self, seat: Seat) -> Vec<Span<'static>> {
        match self.snapshot.view.foreplaced(seat) {
            Foreplaced::Card(card) => {
                vec![Span::raw(" ("), self.app.faces.span(card), Span::raw(")")]
            }
            Foreplaced::FaceDown => vec![Span::raw(" (?)")],
            Foreplaced::Undecided | Foreplaced::Nothing => Vec::new(),
        }
    }

    /// Draws the choice to foreplace nothing at the right edge of a screen area. Also draws the value of this choice if a hint is
    /// shown.
    fn decline(&mut self, area: Rect) {
        let is_chosen = self.app.cursor == CursorTarget::Decline;
        let style = if is_chosen { CHOSEN.patch(TITLE) } else { Style::new() };
        let text = match self.hint_for(Action::Decline) {
            Some(value) => format!("[-] nothing {value}"),
            None if area.width < WITH_LONG_CHOICE => "[-] nothing".to_owned(),
            None => self.app.controller.rules().in_own_words("[-] foreplace nothing"),
        };
        let width = u16::try_from(text.chars().count()).unwrap_or(area.width).min(area.width);
        let at = Rect { x: area.right() - width, width, height: 1, ..area };
        self.frame.render_widget(Span::styled(text, style), at);
        self.hit(at, Intent::Act(Action::Decline));
        if is_chosen && self.app.popup.is_none() {
            self.frame.set_cursor_position(at.as_position());
        }
    }

    /// Returns the value of an action in the shown hint, with a star if the hint recommends the action.
    pub(super) fn hint_for(&self, action: Action) -> Option<String> {
        let hint = self.app.hint.as_ref()?;
        let row = hint.rows(self.snapshot.own).into_iter().find(|row| row.action == action)?;
        Some(format!("{}{}", row.worth, if row.is_choice { "★" } else { "" }))
    }
}
