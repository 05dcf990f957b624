//! Draws the columns beside the board: the score and the list of moves.

use overmate_rules::{Action, BySeat, Match, Phase, Seat, Seen, Viewer};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::app::App;
use super::super::faces::{CHOSEN, FAINT, OTHER, OWN, TITLE};
use super::super::intent::{Intent, LookTarget};
use super::painter::Painter;
use crate::play::moment::Moment;
use crate::text::words;

/// Returns the number of screen rows that the score sheet and its title need.
pub(super) fn score_rows(app: &App) -> u16 {
    let games = app.controller.played_match().games().len();
    u16::try_from(games).unwrap_or(u16::MAX).saturating_add(2)
}

impl Painter<'_, '_> {
    fn title(&mut self, area: Rect, text: &'static str, rest: Vec<Span<'static>>) {
        let mut spans = vec![Span::styled(text, TITLE), Span::raw("  ")];
        spans.extend(rest);
        self.line(area, 0, Line::from(spans));
    }

    /// Draws the points of each game of the match, and the total of each player.
    pub(super) fn score(&mut self, area: Rect) {
        let session = self.app.controller.session();
        let contest = session.played_match();
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

    /// Draws the list of all moves of the shown game, even if the screen shows an earlier moment of the game.
    pub(super) fn moves(&mut self, area: Rect) {
        let rows = rows(self.app, self.snapshot.moment.game);
        let at = self.snapshot.moment.after;
        let room = usize::from(area.height.saturating_sub(1));
        let current = rows.iter().position(|row| row.cells.iter().any(|cell| cell.after == at));
        // The list of moves is scrolled to its end, unless the player looks back at an earlier moment of the match. Then the list is
        // scrolled so that the row of that moment is near the middle.
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
            let label = Span::styled(format!("{:>3}", shown.label), FAINT);
            self.line(area, row, Line::from(label));
            let mut x = area.x + 4;
            for cell in shown.cells {
                let is_here = self.snapshot.is_past && cell.after == at;
                let style = match (is_here, cell.is_beaten) {
                    (true, _) => CHOSEN,
                    (false, true) => FAINT,
                    (false, false) => Style::new(),
                };
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
}

/// Minimum width, in characters, of an action and the symbol of its player in the list of moves.
const CELL: u16 = 6;

/// Row of the list of moves. The row has the actions of one move with the factor of a mate, or the foreplaced cards with the
/// label `f`.
struct MoveRow {
    number: u8,
    label: String,
    cells: Vec<MoveCell>,
}

/// Action in the list of moves, with the player who acted.
struct MoveCell {
    is_own: bool,
    spans: Vec<Span<'static>>,
    /// Whether the card of the action lost the move to the opponent's card.
    is_beaten: bool,
    /// Number of actions played in the game up to and including this action.
    after: usize,
}

/// Returns the rows for a game in the list of moves. `(?)` stands for a card that the opponent set aside face down
/// (foreplaced).
fn rows(app: &App, index: usize) -> Vec<MoveRow> {
    let session = app.controller.session();
    let game = session.game(index);
    let own = session.seat(index);
    let view = game.view(Viewer::Seat(own));
    let mut rows: Vec<MoveRow> = Vec::new();
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
        // Row 0 of the list of moves holds the foreplacing actions of both players.
        let (number, label) = match before.phase() {
            Phase::Foreplacing(_) => (0, "f".to_owned()),
            Phase::Lead(_) | Phase::Follow(_) | Phase::Over => {
                let position = before.position();
                let number = position.moves() + 1;
                let card = game.rules().deck().card_at(0);
                let foreplaced = BySeat::new_with(|seat| position.foreplaced(seat).is_card());
                let mate = game.rules().mate(position.leader(), card, number, foreplaced);
                (number, format!("×{}", mate.factor()))
            }
        };
        let played = game.moves().into_iter().find(|played| played.number == number);
        let winner = played.and_then(|played| played.winner);
        let is_beaten = winner.is_some_and(|winner| winner != seat);
        let cell = MoveCell { is_own: seat == own, spans, is_beaten, after: done + 1 };
        match rows.last_mut() {
            Some(row) if row.number == number => row.cells.push(cell),
            _ => rows.push(MoveRow { number, label, cells: vec![cell] }),
        }
    }
    rows
}

/// Returns an action as styled text, in which each card is two characters: rank and suit. The characters have the colour of the suit.
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
