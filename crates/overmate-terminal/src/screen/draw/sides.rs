//! Draws the side columns of the screen: the owners of all cards, the score, the list of moves, and hints.

use overmate_rules::{Action, Card, Match, Phase, Rank, Seat, Seen, Suit, Viewer};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::App;
use super::super::faces::{CHOSEN, FAINT, OTHER, OWN, TITLE};
use super::super::intent::{Intent, LookTarget};
use super::layout::ColumnWidths;
use super::painter::Painter;
use crate::play::hint::{Hint, Row as HintRow};
use crate::play::moment::Moment;
use crate::text::words;

/// Returns the number of rows that the score sheet needs, with its title.
pub(super) fn score_rows(app: &App) -> u16 {
    let games = app.controller.contest().games().len();
    u16::try_from(games).unwrap_or(u16::MAX).saturating_add(2)
}

impl Painter<'_, '_> {
    fn title(&mut self, area: Rect, text: &'static str, rest: Vec<Span<'static>>) {
        let mut spans = vec![Span::styled(text, TITLE), Span::raw("  ")];
        spans.extend(rest);
        self.line(area, 0, Line::from(spans));
    }

    /// Draws a grid of all cards of the deck, by suit and rank, each with a sign for the player who holds it.
    pub(super) fn grid(&mut self, area: Rect) {
        let (app, snapshot) = (self.app, self.snapshot);
        let faces = &app.faces;
        let rules = snapshot.game.rules();
        let deck = rules.deck();
        let widths = ColumnWidths::new(rules, faces);
        let legend = vec![
            faces.mark(true),
            Span::styled(" you ", FAINT),
            faces.mark(false),
            Span::styled(" other", FAINT),
        ];
        self.title(area, "Cards", legend);
        let left = area.x + 2;
        for (column, rank) in (0u16..).zip(0..u8::try_from(deck.ranks().len()).unwrap_or(u8::MAX)) {
            let x = left + column * widths.grid_step;
            let at =
                Rect { x, width: widths.grid_step.min(area.right().saturating_sub(x)), ..area };
            let name = Span::styled(faces.rank(Rank(rank)).to_string(), FAINT);
            self.line(at, 1, Line::from(name));
            for suit in 0..u8::try_from(deck.suits().len()).unwrap_or(u8::MAX) {
                let card = Card { suit: Suit(suit), rank: Rank(rank) };
                let line = self.owners(card);
                self.line(at, 2 + u16::from(suit), line);
            }
        }
        for suit in 0..u8::try_from(deck.suits().len()).unwrap_or(u8::MAX) {
            let sign =
                Span::styled(faces.suit(Suit(suit)).to_string(), faces.suit_style(Suit(suit)));
            self.line(area, 2 + u16::from(suit), Line::from(sign));
        }
    }

    /// Returns the signs for the players who hold the identical copies of a card.
    fn owners(&self, card: Card) -> Line<'static> {
        let (faces, snapshot) = (&self.app.faces, self.snapshot);
        let deck = snapshot.game.rules().deck();
        let copies = deck.slots_of(card);
        let own = (copies & snapshot.view.hand(snapshot.own)).len();
        let other = (copies & snapshot.view.hand(!snapshot.own)).len();
        if copies.is_empty() {
            return Line::default();
        }
        if faces.copies > 3 {
            return Line::from(vec![
                Span::styled(own.to_string(), faces.owner_style(true)),
                Span::raw("/"),
                Span::styled(other.to_string(), faces.owner_style(false)),
            ]);
        }
        let gone = copies.len().saturating_sub(own + other);
        let times = |sign: char, count: u32| sign.to_string().repeat(count as usize);
        Line::from(vec![
            Span::styled(times(OWN, own), faces.owner_style(true)),
            Span::styled(times(OTHER, other), faces.owner_style(false)),
            Span::styled(times('·', gone), FAINT),
        ])
    }

    /// Draws the points of each game of the match, and the total of each player.
    pub(super) fn score(&mut self, area: Rect) {
        let session = self.app.controller.session();
        let contest = session.contest();
        let row = |name: String, own: String, other: String| format!("{name:<8}{own:>5}{other:>7}");
        let head = row("Score".to_owned(), "You".to_owned(), "Other".to_owned());
        self.line(area, 0, Line::styled(head, TITLE));
        let games = contest.games().len();
        for index in 0..games {
            let points = contest.game_points(index);
            let cell =
                |player| points.map_or("…".to_owned(), |points| points[player].to_string());
            let leads = Match::player(index, Seat::First) == session.human();
            let mark = if leads { OWN } else { OTHER };
            let text = row(
                format!("game {} {mark}", index + 1),
                cell(session.human()),
                cell(!session.human()),
            );
            let at = u16::try_from(index + 1).unwrap_or(u16::MAX);
            self.line(area, at, Line::from(text));
            if at < area.height {
                let place = Moment { game: index, after: usize::MAX };
                let at = Rect { y: area.y + at, height: 1, ..area };
                self.hit(at, Intent::Look(LookTarget::To(place)));
            }
        }
        let totals = contest.totals();
        let (own, other) = (totals[session.human()], totals[!session.human()]);
        let text = row("total".to_owned(), own.to_string(), other.to_string());
        let at = u16::try_from(games + 1).unwrap_or(u16::MAX);
        self.line(area, at, Line::styled(text, TITLE));
    }

    /// Draws the list of moves of the shown game, including moves played after the shown moment.
    pub(super) fn moves(&mut self, area: Rect) {
        let rows = rows(self.app, self.snapshot.moment.game);
        let at = self.snapshot.moment.after;
        let room = usize::from(area.height.saturating_sub(1));
        let current = rows.iter().position(|row| row.cells.iter().any(|cell| cell.after == at));
        // In the present the end of the list is shown; looking back, the shown moment is in the middle.
        let last = rows.len().saturating_sub(room);
        let from = match current {
            Some(row) if self.snapshot.is_past => row.saturating_sub(room / 2).min(last),
            _ if self.snapshot.is_past => 0,
            _ => last,
        };
        let place = if self.snapshot.is_past {
            format!("game {}", self.snapshot.moment.game + 1)
        } else {
            String::new()
        };
        self.title(area, "Moves", vec![Span::styled(place, FAINT)]);
        if rows.is_empty() {
            self.line(area, 1, Line::styled("none yet", FAINT));
        }
        for (row, shown) in (1u16..).zip(rows.into_iter().skip(from).take(room)) {
            self.line(area, row, Line::styled(format!("{:>2}", shown.number), FAINT));
            let mut x = area.x + 3;
            for cell in shown.cells {
                let is_here = self.snapshot.is_past && cell.after == at;
                let style = if is_here { CHOSEN } else { Style::new() };
                let mut spans = vec![self.app.faces.mark(cell.is_own)];
                spans.extend(cell.spans);
                let line = Line::from(spans).patch_style(style);
                let width = u16::try_from(line.width()).unwrap_or(u16::MAX);
                let at = Rect {
                    x,
                    y: area.y + row,
                    width: width.min(area.right().saturating_sub(x)),
                    height: 1,
                };
                self.frame.render_widget(line, at);
                let place = Moment { game: self.snapshot.moment.game, after: cell.after };
                self.hit(at, Intent::Look(LookTarget::To(place)));
                x = (x + width.max(CELL) + 1).min(area.right());
            }
        }
    }

    /// Draws the hint as a list of legal actions with their values, the best action first.
    pub(super) fn hint(&mut self, area: Rect) {
        let Some(hint) = &self.app.hint else {
            self.title(area, "Hint", Vec::new());
            self.line(area, 1, Line::styled("working it out…", FAINT));
            return;
        };
        let unit = match hint {
            Hint::Hidden(_) => "expected",
            Hint::Estimated { .. } => "estimates",
            Hint::Values(_) if hint.has_possible_worlds() => "worst to best",
            Hint::Values(_) => "points for you",
        };
        self.title(area, "Hint", vec![Span::styled(unit, FAINT)]);
        let rows = hint.rows(self.snapshot.own);
        let cells: Vec<Line<'static>> = rows.into_iter().map(|row| self.valued(row)).collect();
        let room = usize::from(area.height.saturating_sub(1)).max(1);
        let width = cells.iter().map(Line::width).max().unwrap_or(0);
        let step = u16::try_from(width + 2).unwrap_or(u16::MAX);
        for (index, cell) in cells.into_iter().enumerate() {
            let column = u16::try_from(index / room).unwrap_or(u16::MAX);
            let x = area.x.saturating_add(column.saturating_mul(step));
            if x >= area.right() {
                break;
            }
            let row = u16::try_from(index % room + 1).unwrap_or(u16::MAX);
            self.line(Rect { x, width: area.right() - x, ..area }, row, cell);
        }
    }

    fn valued(&self, row: HintRow) -> Line<'static> {
        let value = match &self.app.hint {
            Some(Hint::Hidden(_)) => format!("{:>6} {:>4}", row.worth, row.more.replace(' ', "")),
            Some(Hint::Estimated { .. }) => row.worth,
            _ if row.more.is_empty() || row.more == row.worth => row.worth,
            _ => format!("{}…{}", row.worth, row.more),
        };
        let mut spans = vec![Span::raw(if row.is_choice { "▸" } else { " " })];
        let length: usize = {
            let text = action_spans(self.app, row.action);
            let length = text.iter().map(Span::width).sum();
            spans.extend(text);
            length
        };
        spans.push(Span::raw(format!("{}{value:>5}", " ".repeat(4usize.saturating_sub(length)))));
        Line::from(spans)
    }
}

/// Largest width, in characters, of an action in the list of moves, with the sign of the player who acted.
const CELL: u16 = 6;

/// Row of the list of moves: the number of a move, and its actions.
struct Row {
    number: String,
    cells: Vec<Cell>,
}

/// Action in the list of moves, with the player who acted.
struct Cell {
    is_own: bool,
    spans: Vec<Span<'static>>,
    /// Number of actions played in the game up to and including this action.
    after: usize,
}

/// Returns the rows of the list of moves of a game, with `(?)` for a card that the opponent foreplaced face down.
fn rows(app: &App, index: usize) -> Vec<Row> {
    let session = app.controller.session();
    let game = session.game(index);
    let own = session.seat(index);
    let view = game.view(Viewer::Seat(own));
    let mut rows: Vec<Row> = Vec::new();
    for (done, seen) in view.actions().iter().enumerate() {
        let before = game.after(done);
        let Some(seat) = before.to_act() else { break };
        let mut spans = match seen {
            Seen::FaceDown => vec![Span::raw("(?)")],
            Seen::Action(action) => action_spans(app, *action),
        };
        let mark = words::mark(game.after(done + 1).outcome().as_ref());
        if !mark.is_empty() {
            spans.push(Span::styled(mark, app.faces.notable()));
        }
        let cell = Cell { is_own: seat == own, spans, after: done + 1 };
        let number = match before.phase() {
            Phase::Foreplacing(_) => "f".to_owned(),
            Phase::Lead(_) | Phase::Follow(_) | Phase::Over => {
                (before.position().moves() + 1).to_string()
            }
        };
        match rows.last_mut() {
            Some(row) if row.number == number => row.cells.push(cell),
            _ => rows.push(Row { number, cells: vec![cell] }),
        }
    }
    rows
}

/// Returns an action as styled text in the signs of the cards.
fn action_spans(app: &App, action: Action) -> Vec<Span<'static>> {
    let face = |card| app.faces.span(card);
    match action {
        Action::Decline => vec![Span::raw("-")],
        Action::Foreplace(card) => vec![Span::raw("("), face(card), Span::raw(")")],
        Action::Play(card) => vec![face(card)],
        Action::Demand(card) => vec![face(card), Span::raw("!")],
        Action::Free(card) => vec![face(card), Span::raw("*")],
    }
}
