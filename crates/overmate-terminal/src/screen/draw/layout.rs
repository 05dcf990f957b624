//! Where everything stands on a screen of a given size.

use overmate_rules::RuleSet;
use ratatui::layout::{Rect, Size};

use super::super::faces::Faces;

/// The smallest screen for the published rule sets; custom decks may need more.
const LEAST: Size = Size { width: 60, height: 20 };
/// A screen is not filled beyond this: eyes have ways to go as well.
const MOST: Size = Size { width: 132, height: 32 };
/// From this width on the moves have a column of their own.
const THREE_COLUMNS: u16 = 100;

/// The rooms of the table.
pub(super) struct TableLayout {
    pub(super) header: Rect,
    pub(super) other_hand: Rect,
    pub(super) other_pile: Rect,
    pub(super) middle: Rect,
    pub(super) own_pile: Rect,
    pub(super) own_hand: Rect,
    pub(super) grid: Rect,
    /// None if there is no room for it; the totals stand in the header anyway.
    pub(super) score: Option<Rect>,
    pub(super) moves: Rect,
    pub(super) message: Rect,
    pub(super) keys: Rect,
}

/// The columns that a hand takes for each rank: a card in its marks, perhaps how many, and a gap.
#[derive(Clone, Copy)]
pub(super) struct ColumnWidths {
    /// A card in its marks.
    pub(super) cell: u16,
    /// From one card to the next.
    pub(super) step: u16,
    /// A cell of the grid with its gap.
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
        // Decks with many ranks stand closer.
        let step = if ranks <= 6 { cell + 1 } else { cell };
        // One sign for each copy, or how many of each owner.
        let grid_step = if faces.copies <= 3 { faces.copies + 1 } else { 2 * count + 2 };
        // No gap is needed behind the last one.
        let hand = ranks.saturating_sub(1).saturating_mul(step).saturating_add(3 + cell);
        let side = ranks.saturating_mul(grid_step).saturating_add(2);
        Self { cell, step, grid_step, hand: hand.max(37), side: side.max(21) }
    }
}

/// The smallest screen on which all of the table can be seen.
pub(super) fn least(rules: &RuleSet, faces: &Faces) -> Size {
    let widths = ColumnWidths::new(rules, faces);
    let suits = u16::try_from(rules.deck().suits().len()).unwrap_or(u16::MAX);
    let width = widths.hand.saturating_add(widths.side).saturating_add(1);
    Size {
        width: width.max(LEAST.width),
        height: suits.saturating_mul(2).saturating_add(12).max(LEAST.height),
    }
}

/// The plan of a screen that is large enough.
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
    // What is left is shared, but the hands need little of it.
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

/// The middle of an area, of at most this size.
pub(super) fn centred(area: Rect, most: Size) -> Rect {
    let (width, height) = (area.width.min(most.width), area.height.min(most.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// The first rows of an area, and the rest.
pub(super) fn top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

/// All but the last rows of an area, and those.
pub(super) fn bottom(area: Rect, height: u16) -> (Rect, Rect) {
    top(area, area.height.saturating_sub(height))
}

/// The left of an area, and so many columns at its right, with a gap between.
fn sides(area: Rect, right: u16) -> (Rect, Rect) {
    let right = right.min(area.width);
    let left = (area.width - right).saturating_sub(1);
    (Rect { width: left, ..area }, Rect { x: area.x + area.width - right, width: right, ..area })
}
