//! Shows the review of a finished game: how many points each action lost compared with best play.

use overmate_rules::{Face, Game, Phase, Seat};
use overmate_solver::{Review, ReviewedAction};
use ratatui::text::{Line, Span};

use super::app::App;
use super::faces::FAINT;
use crate::text::words;

/// Returns the review of a game as text, with the points lost by each player and one line for each action.
pub(super) fn text(app: &App, game: usize) -> Vec<Line<'static>> {
    let Some(review) = app.review_of(game) else {
        return vec![Line::from("Working it out…")];
    };
    let mut lines = sum(app, game);
    let rules = app.controller.rules();
    if rules.foreplacing().is_some_and(|f| f.face == Face::Down) {
        let note =
            "These are values with open cards: a card face down was not known to its opponent.";
        lines.push(Line::styled(note, FAINT));
    }
    if app.controller.session().has_deal_in_play(game) {
        let note = "This deal is still in play, so the record marks this review as a hint.";
        lines.push(Line::styled(note, FAINT));
    }
    lines.push(Line::styled("Values are your points with best play from there on.", FAINT));
    lines.push(Line::default());
    lines.extend(review.actions.iter().enumerate().map(|(done, reviewed)| {
        let before = app.controller.session().game(game).after(done);
        line(app, game, &before, reviewed)
    }));
    lines
}

fn line(app: &App, game: usize, before: &Game, reviewed: &ReviewedAction) -> Line<'static> {
    let rules = app.controller.rules();
    let own = app.controller.session().seat(game);
    let number = match before.phase() {
        Phase::Foreplacing(_) => String::new(),
        Phase::Lead(_) | Phase::Follow(_) | Phase::Over => {
            (before.position().moves() + 1).to_string()
        }
    };
    let after = before.clone().play(reviewed.action).ok();
    let mark = words::mark(after.and_then(|after| after.outcome()).as_ref());
    let action = format!("{}{mark}", rules.action_text(reviewed.action));
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
                reviewed.best.iter().map(|best| rules.action_text(*best).to_string()).collect();
            spans.push(Span::raw(format!("; best: {}", best.join(" "))));
        }
        None => spans.push(Span::styled("not proved", FAINT)),
    }
    Line::from(spans)
}

/// Returns lines of text on the points that each player lost in a game, or no lines while the review is unknown.
pub(super) fn sum(app: &App, game: usize) -> Vec<Line<'static>> {
    let Some(review) = app.review_of(game) else { return Vec::new() };
    let own = app.controller.session().seat(game);
    let doubt = match review.actions.iter().filter(|action| action.lost.is_none()).count() {
        0 => String::new(),
        open => format!(" What {} lost is not proved.", words::counted(open as u64, "action")),
    };
    let text = format!(
        "In this game you lost {} to best play, Overmate {}.{doubt}",
        words::points(lost(review, own)),
        lost(review, !own)
    );
    vec![Line::from(text)]
}

fn lost(review: &Review, seat: Seat) -> u32 {
    let own = review.actions.iter().filter(|action| action.seat == seat);
    own.filter_map(|action| action.lost).sum()
}
