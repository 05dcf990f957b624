//! Draws the hands as grids (a row for each suit, a column for each rank), and the moves that each player won.

use overmate_rules::{Action, Card, CardSet, Foreplaced, Rank, Suit};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::Cursor;
use super::super::faces::{CHOSEN, FAINT, TITLE, count_text};
use super::super::intent::Intent;
use super::layout::ColumnWidths;
use super::painter::Painter;

impl Painter<'_, '_> {
    /// Draws the hand of the human (`is_own`) or of the opponent, under the name of its owner.
    pub(super) fn hand(&mut self, area: Rect, is_own: bool) {
        let snapshot = self.snapshot;
        let seat = if is_own { snapshot.own } else { !snapshot.own };
        let hand = snapshot.view.hand(seat);
        let mut title = vec![
            self.app.faces.mark(is_own),
            Span::raw(" "),
            Span::styled(self.name(is_own), TITLE),
        ];
        let what = match snapshot.view.to_act() {
            Some(to_act) if to_act == seat && !is_own && !snapshot.is_past => " is thinking…",
            Some(to_act) if to_act == seat && is_own && !snapshot.is_past => ": your turn",
            _ => "",
        };
        title.push(Span::raw(what));
        self.line(area, 0, Line::from(title));

        let legal = if is_own { snapshot.legal() } else { Vec::new() };
        for row in 1..area.height {
            let Some(suit) = u8::try_from(row - 1).ok().map(Suit) else { break };
            self.suit(area, row, suit, hand, is_own, &legal);
        }
    }

    fn suit(
        &mut self,
        area: Rect,
        row: u16,
        suit: Suit,
        hand: CardSet,
        is_own: bool,
        legal: &[Action],
    ) {
        let faces = &self.app.faces;
        let rules = self.snapshot.game.rules();
        let deck = rules.deck();
        let widths = ColumnWidths::new(rules, faces);
        let sign = Span::styled(faces.suit(suit).to_string(), faces.suit_style(suit));
        self.line(Rect { x: area.x + 1, width: 1, ..area }, row, Line::from(sign));
        for (column, rank) in (0u16..).zip(0..u8::try_from(deck.ranks().len()).unwrap_or(u8::MAX)) {
            let card = Card { suit, rank: Rank(rank) };
            let count = (hand & deck.slots_of(card)).len();
            let at = Rect {
                x: area.x + 3 + column * widths.step,
                y: area.y + row,
                width: widths.cell,
                height: 1,
            };
            if count == 0 || at.right() > area.right() {
                continue;
            }
            self.card(at, card, count, is_own, legal);
        }
    }

    fn card(&mut self, at: Rect, card: Card, count: u32, is_own: bool, legal: &[Action]) {
        let app = self.app;
        let (open, close) = if is_own { marks(legal, card) } else { (' ', self.doubt(card)) };
        let is_idle = is_own && open == ' ' && !legal.is_empty();
        let face = app.faces.span(card);
        let style = if is_idle {
            face.style.patch(FAINT).remove_modifier(TITLE.add_modifier)
        } else {
            face.style
        };
        let text = format!("{open}{}{}{close}", app.faces.card(card), count_text(count));
        let is_chosen = is_own && app.cursor == Cursor::Card(card);
        let style = if is_chosen { style.patch(CHOSEN) } else { style };
        self.frame.render_widget(Span::styled(text, style), at);
        if is_own {
            self.hit(at, Intent::Point(card));
        }
        if is_chosen && app.popup.is_none() {
            self.frame.set_cursor_position(Position { x: at.x + 1, y: at.y });
        }
    }

    /// Returns the sign drawn after a card of the opponent, which is `?` if the card may lie face down and otherwise a blank.
    fn doubt(&self, card: Card) -> char {
        let may_lie = self.snapshot.view.candidates(!self.snapshot.own).contains(&card);
        if may_lie { '?' } else { ' ' }
    }

    /// Draws the foreplaced card of one player, and the moves that the player won.
    pub(super) fn pile(&mut self, area: Rect, is_own: bool) {
        let snapshot = self.snapshot;
        let seat = if is_own { snapshot.own } else { !snapshot.own };
        if is_own && snapshot.legal().contains(&Action::Decline) {
            return self.decline(area);
        }
        let faces = &self.app.faces;
        let mut groups: Vec<Vec<Span<'_>>> = Vec::new();
        match snapshot.view.foreplaced(seat) {
            Foreplaced::Card(card) => {
                groups.push(vec![Span::raw("("), faces.span(card), Span::raw(")")]);
            }
            Foreplaced::FaceDown => groups.push(vec![Span::raw("(?)")]),
            Foreplaced::Undecided | Foreplaced::Nothing => {}
        }
        for won in snapshot.game.moves().iter().filter(|played| played.winner == Some(seat)) {
            let Some(answer) = won.answer else { continue };
            groups.push(vec![
                Span::styled(format!("{}.", won.number), FAINT),
                faces.span(won.lead),
                faces.span(answer),
            ]);
        }
        let lines = filled(groups, area.width.saturating_sub(3), area.height);
        // Each pile is next to the middle: the human's above their hand, the opponent's below theirs.
        let from = if is_own {
            area.height.saturating_sub(u16::try_from(lines.len()).unwrap_or(0))
        } else {
            0
        };
        let area = Rect { x: area.x + 3, width: area.width.saturating_sub(3), ..area };
        for (row, line) in (from..).zip(lines) {
            self.line(area, row, line);
        }
    }

    /// Draws the choice to foreplace no card.
    fn decline(&mut self, area: Rect) {
        let is_chosen = self.app.cursor == Cursor::Decline;
        let style = if is_chosen { CHOSEN.patch(TITLE) } else { Style::new() };
        let text = self.app.controller.rules().in_own_words("[-] foreplace nothing");
        let at = Rect {
            x: area.x + 3,
            y: area.bottom().saturating_sub(1),
            width: u16::try_from(text.len()).unwrap_or(area.width).min(area.width),
            height: 1,
        };
        self.frame.render_widget(Span::styled(text, style), at);
        self.hit(at, Intent::Act(Action::Decline));
        if is_chosen && self.app.popup.is_none() {
            self.frame.set_cursor_position(Position { x: at.x + 1, y: at.y });
        }
    }
}

/// Returns the signs drawn before and after a card, which tell without colour how the human may play the card.
fn marks(legal: &[Action], card: Card) -> (char, char) {
    let mut ways = legal.iter().filter(|action| action.card() == Some(card));
    match ways.next() {
        None | Some(Action::Decline) => (' ', ' '),
        Some(Action::Foreplace(_)) => ('(', ')'),
        Some(Action::Free(_)) => ('*', '*'),
        Some(Action::Play(_) | Action::Demand(_)) => ('[', ']'),
    }
}

/// Arranges groups of styled texts in at most `height` lines of `width` characters. If there are too many groups, the first
/// ones are left out.
fn filled<'a>(groups: Vec<Vec<Span<'a>>>, width: u16, height: u16) -> Vec<Line<'a>> {
    let room = usize::from(width);
    let mut lines: Vec<Vec<Span<'a>>> = Vec::new();
    let mut used = 0;
    for group in groups {
        let length: usize = group.iter().map(Span::width).sum();
        if lines.is_empty() || used + 1 + length > room {
            lines.push(Vec::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(Span::raw(" "));
                used += 1;
            }
            line.extend(group);
            used += length;
        }
    }
    let over = lines.len().saturating_sub(usize::from(height));
    let mut lines: Vec<Line<'a>> = lines.into_iter().skip(over).map(Line::from).collect();
    if over > 0
        && let Some(first) = lines.first_mut()
    {
        first.spans.insert(0, Span::styled("…", FAINT));
    }
    lines
}
