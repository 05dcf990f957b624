//! Shows the review of a finished game: how many points each action lost compared with best play.

use overmate_rules::{Game, Seat};
use overmate_solver::ReviewedAction;
use ratatui::text::{Line, Span};

use super::app::App;
use super::faces::FAINT;
use crate::play::reviewed;
use crate::text::review::{move_number, played};
use crate::text::words;

/// Returns the review of a game as text: the points that each player lost, the reasons, and one line for each action.
pub(super) fn text(app: &App, game: usize) -> Vec<Line<'static>> {
    let Some(review) = app.review_of(game) else {
        return vec![Line::from("Working it out…")];
    };
    let session = app.controller.session();
    let mut lines = sum(app, game);
    lines.extend(
        reviewed::sentences(session, game, review, app.faces.notation).into_iter().map(Line::from),
    );
    lines.push(Line::default());
    let notes = reviewed::notes(session, game);
    lines.extend(notes.into_iter().map(|note| Line::styled(note, FAINT)));
    lines.push(Line::styled("Values are your points with best play from there on.", FAINT));
    lines.push(Line::default());
    lines.extend(
        played(session.record(), game, &review.actions).into_iter().map(|(done, reviewed)| {
            line(app, session.game(game), session.seat(game), done, reviewed)
        }),
    );
    lines
}

fn line(
    app: &App,
    game: &Game,
    own: Seat,
    done: usize,
    reviewed: &ReviewedAction,
) -> Line<'static> {
    let rules = game.rules();
    let number = move_number(game, done).map_or_else(String::new, |number| number.to_string());
    let mark = words::mark(game.after(done + 1).outcome().as_ref());
    let action = format!("{}{mark}", app.faces.notation.action(rules, reviewed.action));
    let mut spans = vec![
        Span::raw(format!("{number:>2} ")),
        app.faces.mark(reviewed.seat == own),
        Span::raw(format!(" {action:<5}")),
        Span::raw(format!("{:>5}  ", words::signed(&reviewed.after, own))),
    ];
    match reviewed.lost {
        Some(0) => {}
        Some(lost) => {
            spans.push(Span::styled(format!("lost {lost}"), app.faces.notable()));
            let best: Vec<String> =
                reviewed.best.iter().map(|best| app.faces.notation.action(rules, *best)).collect();
            spans.push(Span::raw(format!("; best: {}", best.join(" "))));
        }
        None => spans.push(Span::styled("not proved", FAINT)),
    }
    Line::from(spans)
}

/// Returns lines of text on the points that each player lost in a game, or no lines while the review is unknown.
pub(super) fn sum(app: &App, game: usize) -> Vec<Line<'static>> {
    let Some(review) = app.review_of(game) else { return Vec::new() };
    vec![Line::from(reviewed::sum(app.controller.session(), game, review))]
}
