//! Computes the screen area of each part of the display from the size of the screen.

use overmate_rules::RuleSet;
use ratatui::layout::{Rect, Size};

use super::super::faces::Faces;

/// Smallest screen, in characters, on which all published rule sets fit; custom decks may need a larger screen.
const LEAST: Size = Size { width: 60, height: 20 };
/// Largest area used for drawing, in characters, because the parts of a larger drawing would be too far apart to read.
const MOST: Size = Size { width: 132, height: 32 };
/// Smallest screen width, in characters, at which the list of moves gets a column of its own.
const THREE_COLUMNS: u16 = 100;

/// Screen areas of all parts of the drawing.
pub(super) struct TableLayout {
    pub(super) header: Rect,
    pub(super) other_hand: Rect,
    pub(super) other_pile: Rect,
    pub(super) middle: Rect,
    pub(super) own_pile: Rect,
    pub(super) own_hand: Rect,
    pub(super) grid: Rect,
    /// Area of the score sheet, or `None` if the screen has no room for the score sheet. The header always shows the totals.
    pub(super) score: Option<Rect>,
    pub(super) moves: Rect,
    pub(super) message: Rect,
    pub(super) keys: Rect,
}

/// Widths of the parts of the display that depend on the deck, in characters.
#[derive(Clone, Copy)]
pub(super) struct ColumnWidths {
    /// Width, in characters, of a card in a hand with the signs around it.
    pub(super) cell: u16,
    /// Distance, in characters, between the left edges of two neighbouring cards in a hand.
    pub(super) step: u16,
    /// Distance, in characters, between neighbouring columns of the grid that shows the owners of all cards.
    pub(super) grid_step: u16,
    hand: u16,
    side: u16,
}

impl ColumnWidths {
    pub(super) fn new(rules: &RuleSet, faces: &Faces) -> Self {
        let ranks = u16::try_from(rules.deck().ranks().len()).unwrap_or(u16::MAX);
        let count = match faces.copies {
            1 => 0,
            2..=9 => 1,
            _ => 2,
        };
        let cell = 4 + count;
        // Decks with many ranks get no gap between cards.
        let step = if ranks <= 6 { cell + 1 } else { cell };
        // A cell has a sign for each copy of its card, or the number of copies of each owner.
        let grid_step = if faces.copies <= 3 { faces.copies + 1 } else { 2 * count + 2 };
        // The last card needs no gap after it.
        let hand = ranks.saturating_sub(1).saturating_mul(step).saturating_add(3 + cell);
        let side = ranks.saturating_mul(grid_step).saturating_add(2);
        Self { cell, step, grid_step, hand: hand.max(37), side: side.max(21) }
    }
}

/// Returns the smallest screen size, in characters, at which all parts fit with the deck of `rules`.
pub(super) fn least(rules: &RuleSet, faces: &Faces) -> Size {
    let widths = ColumnWidths::new(rules, faces);
    let suits = u16::try_from(rules.deck().suits().len()).unwrap_or(u16::MAX);
    let width = widths.hand.saturating_add(widths.side).saturating_add(1);
    Size {
        width: width.max(LEAST.width),
        height: suits.saturating_mul(2).saturating_add(12).max(LEAST.height),
    }
}

/// Returns the screen areas of all parts of the display within `area`, which must be large enough for all parts.
pub(super) fn plan(area: Rect, rules: &RuleSet, faces: &Faces, score_rows: u16) -> TableLayout {
    let widths = ColumnWidths::new(rules, faces);
    let least = least(rules, faces);
    let most = Size { width: MOST.width.max(least.width), height: MOST.height.max(least.height) };
    let area = centred(area, most);
    let suits = u16::try_from(rules.deck().suits().len()).unwrap_or(u16::MAX);

    let message_height = if area.height >= 24 { 3 } else { 2 };
    let (header, rest) = top(area, 1);
    let (rest, keys) = bottom(rest, 1);
    let (body, message) = bottom(rest, message_height);

    let three = area.width >= THREE_COLUMNS.max(widths.hand + 2 * widths.side + 4);
    // The side columns share the spare width, up to 12 characters each.
    let columns = if three { 2 } else { 1 };
    let spare = area.width - widths.hand - columns * (widths.side + 1);
    let side = widths.side + (spare / 2 / columns).min(12);
    let (table, right) = sides(body, columns * (side + 1) - 1);

    let spare = table.height.saturating_sub(2 * (suits + 1) + 5);
    let pile = 1 + (spare / 5).min(2);
    let (other_hand, rest) = top(table, suits + 1);
    let (other_pile, rest) = top(rest, pile);
    let (rest, own_hand) = bottom(rest, suits + 1);
    let (middle, own_pile) = bottom(rest, pile);

    let (first, moves) = if three { sides(right, side) } else { (right, right) };
    let gap = u16::from(area.height >= 24);
    let (grid, below) = top(first, suits + 2 + gap);
    let wanted = score_rows + 1 + gap;
    let least_moves = if three { 0 } else { 5 };
    let (score, below) = if below.height >= wanted + least_moves {
        let (score, below) = top(below, wanted);
        (Some(score), below)
    } else {
        (None, below)
    };
    let moves = if three { moves } else { below };
    TableLayout {
        header,
        other_hand,
        other_pile,
        middle,
        own_pile,
        own_hand,
        grid,
        score,
        moves,
        message,
        keys,
    }
}

/// Returns a rectangle in the centre of `area`, with the size of `area` but no larger than `most`.
pub(super) fn centred(area: Rect, most: Size) -> Rect {
    let (width, height) = (area.width.min(most.width), area.height.min(most.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// Splits an area into its first `height` rows and the rows below them.
pub(super) fn top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

/// Splits an area into its upper rows and its last `height` rows.
pub(super) fn bottom(area: Rect, height: u16) -> (Rect, Rect) {
    top(area, area.height.saturating_sub(height))
}

/// Splits an area into its left columns and its last `right` columns, with a gap of one column between them.
fn sides(area: Rect, right: u16) -> (Rect, Rect) {
    let right = right.min(area.width);
    let left = (area.width - right).saturating_sub(1);
    (Rect { width: left, ..area }, Rect { x: area.x + area.width - right, width: right, ..area })
}
