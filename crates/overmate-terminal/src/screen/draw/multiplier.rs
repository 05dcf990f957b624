//! Draws in large digits the factor by which a mate in the current move multiplies the value of its card.

use overmate_rules::{Mate, Outcome, Phase, Seat};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::app::{CursorTarget, ShownMoment};
use super::super::board::foreplaced;
use super::super::faces::FAINT;
use super::painter::Painter;
use crate::text::words;

impl Painter<'_, '_> {
    /// Draws the factor by which a mate of the leader would multiply the value of the mating card, with the calculation
    /// of the factor. Also draws the factor for a mate of the other player if the two factors differ.
    pub(super) fn multiplier(&mut self, area: Rect) {
        let snapshot = self.snapshot;
        let leader = snapshot.view.leader();
        let Some(mate) = mate_now(snapshot, self.app.cursor, leader) else { return };
        let style = self.app.faces.notable();
        let figure = figure(mate.factor());
        let width = figure[0].chars().count();
        for (row, line) in (0..).zip(figure) {
            self.line(area, row, Line::from(Span::styled(line, style)));
        }
        let width = u16::try_from(width + 2).unwrap_or(area.width).min(area.width);
        let beside = Rect { x: area.x + width, width: area.width - width, ..area };
        let owner = |seat| if seat == snapshot.own { "Yours" } else { "Opponent's" };
        let other = mate_now(snapshot, self.app.cursor, !leader).map(|mate| mate.factor());
        let other = other.filter(|other| *other != mate.factor());
        for (row, text) in (0..).zip(["a mate", "counts"]) {
            self.line(beside, row, Line::styled(text, FAINT));
        }
        self.line(area, 3, Line::from(snapshot.game.rules().in_own_words(&sum(mate))));
        if let Some(other) = other {
            let text = format!("{} × {other}", owner(!leader));
            self.line(beside, 2, Line::styled(owner(leader).to_lowercase(), FAINT));
            self.line(area, 4, Line::styled(text, FAINT));
        }
        if let Some(Outcome::Mate(mate)) = snapshot.game.outcome() {
            self.line(area, 4, Line::from(Span::styled(words::sum(&mate), self.app.faces.seal())));
        }
    }
}

/// Returns the mate that a seat could give in the current move, or `None` after a draw, when no move remains to be played.
/// While the human chooses a card to foreplace, the card under the cursor counts as foreplaced.
fn mate_now(snapshot: &ShownMoment, cursor: CursorTarget, by: Seat) -> Option<Mate> {
    let view = &snapshot.view;
    let rules = view.rules();
    let mut foreplaced = foreplaced(snapshot);
    match view.phase() {
        Phase::Foreplacing(seat) if seat == snapshot.own && !snapshot.is_past => {
            foreplaced[seat] = matches!(cursor, CursorTarget::Card(_));
        }
        Phase::Over if matches!(snapshot.game.outcome(), Some(Outcome::Draw)) => return None,
        Phase::Foreplacing(_) | Phase::Lead(_) | Phase::Follow(_) | Phase::Over => {}
    }
    // The mate is computed for the first card of the deck. Any other card would do, because the factor that multiplies the card's value
    // does not depend on the card.
    let card = *rules.deck().cards().first()?;
    Some(rules.mate(by, card, view.moves() + 1, foreplaced))
}

/// Formats the computation of the factor that multiplies the value of the mating card, such as `4 + 1, foreplaced` or
/// `move 4`.
fn sum(mate: Mate) -> String {
    let bonus = mate.counts_as - mate.move_number;
    match (bonus, mate.overmate) {
        (0, false) => format!("move {}", mate.move_number),
        (0, true) => format!("{} × 2, overmate", mate.move_number),
        (_, false) => format!("{} + {bonus}, foreplaced", mate.move_number),
        (_, true) => format!("({}+{bonus}) × 2, overmate", mate.move_number),
    }
}

/// Shapes of the ten digits, three rows high and three columns wide, like seven-segment displays.
const DIGITS: [[&str; 3]; 10] = [
    ["┏━┓", "┃ ┃", "┗━┛"],
    ["  ╻", "  ┃", "  ╹"],
    ["╺━┓", "┏━┛", "┗━╸"],
    ["╺━┓", "╺━┫", "╺━┛"],
    ["╻ ╻", "┗━┫", "  ╹"],
    ["┏━╸", "┗━┓", "╺━┛"],
    ["┏━╸", "┣━┓", "┗━┛"],
    ["╺━┓", "  ┃", "  ╹"],
    ["┏━┓", "┣━┫", "┗━┛"],
    ["┏━┓", "┗━┫", "╺━┛"],
];
/// Multiplication sign, drawn as large as a digit.
const TIMES: [&str; 3] = ["╲ ╱", " ╳ ", "╱ ╲"];

/// Formats a factor with a multiplication sign in front, as large characters three rows high.
fn figure(factor: u16) -> [String; 3] {
    let digits = factor.to_string();
    let digits =
        digits.bytes().filter_map(|digit| DIGITS.get(usize::from(digit.wrapping_sub(b'0'))));
    let signs: Vec<&[&str; 3]> = [&TIMES].into_iter().chain(digits).collect();
    [0, 1, 2].map(|row| signs.iter().map(|sign| sign[row]).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use overmate_rules::{BySeat, RuleSet};

    use super::*;

    #[test]
    fn the_sum_explains_the_factor() {
        let both = BySeat { first: true, second: true };
        let sole = BySeat { first: true, second: false };
        let none = BySeat { first: false, second: false };
        for (rules, by, number, foreplaced, factor, told) in [
            ("bga", Seat::First, 4, none, 4, "move 4"),
            ("sackson", Seat::First, 4, sole, 5, "4 + 1, foreplaced"),
            ("sackson", Seat::Second, 4, both, 5, "4 + 1, foreplaced"),
            ("sackson", Seat::First, 10, sole, 22, "(10+1) × 2, overmate"),
            ("sackson", Seat::Second, 10, sole, 20, "10 × 2, overmate"),
            ("pagat", Seat::Second, 10, sole, 10, "move 10"),
            ("rael", Seat::First, 4, sole, 8, "4 × 2, overmate"),
        ] {
            let rules = RuleSet::named(rules).unwrap();
            let mate = rules.mate(by, rules.deck().card_at(0), number, foreplaced);
            assert_eq!((mate.factor(), sum(mate).as_str()), (factor, told));
        }
    }

    #[test]
    fn a_figure_has_three_rows_of_equal_width() {
        for factor in [1, 20, 357, 4689] {
            let widths = figure(factor).map(|row| row.chars().count());
            assert_eq!(widths, [3 + 4 * factor.to_string().len(); 3]);
        }
    }
}
