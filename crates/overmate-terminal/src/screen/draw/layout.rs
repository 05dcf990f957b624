//! Computes the screen area of each part of the full-screen display.

use overmate_rules::RuleSet;
use ratatui::layout::{Rect, Size};

use super::super::faces::Faces;

/// Minimum screen size, in characters, for drawing the board of every published rule set. Custom decks may need a larger screen.
const LEAST: Size = Size { width: 60, height: 20 };
/// Maximum size of the whole display, in characters. The parts of a larger drawing would be too far apart to read.
const MOST: Size = Size { width: 132, height: 32 };
/// Minimum screen width, in characters, at which the list of moves has a separate column.
const THREE_COLUMNS: u16 = 100;
/// Minimum size, in characters, of an area in which a card is drawn with a frame. Inside the frame are the two characters of
/// the card, a mark on each side of them, and the mark of a winning answer.
pub(super) const FRAMED: Size = Size { width: 7, height: 3 };
/// Minimum and maximum height of a cell of the board, in screen rows.
const CELL_ROWS: (u16, u16) = (2, 5);
/// Width, in characters, of the suit symbols at the left edge of the board.
pub(super) const SUITS: u16 = 3;
/// Minimum width, in characters, of each panel beside the board.
const SIDE: u16 = 21;
/// Total number of screen rows above and below the cells of the board. Two rows show the players' names, one shows the
/// ranks, and one shows the decision of the player whose turn it is.
const ROWS_BESIDES: u16 = 4;
/// Height, in screen rows, of the area that shows the factor by which a mate multiplies the value of its card.
const MULTIPLIER: u16 = 5;

/// Screen areas of all parts of the full-screen display.
pub(super) struct TableLayout {
    pub(super) header: Rect,
    pub(super) other_name: Rect,
    /// Screen area of the board, with the ranks and all cells.
    pub(super) board: Rect,
    /// Size of each cell of the board, in characters.
    pub(super) cell: Size,
    pub(super) own_name: Rect,
    pub(super) prompt: Rect,
    pub(super) multiplier: Rect,
    /// Screen area of the score sheet, or `None` if the screen has no room for the score sheet. The header always shows the totals.
    pub(super) score: Option<Rect>,
    pub(super) moves: Rect,
    pub(super) message: Rect,
    pub(super) keys: Rect,
}

/// Returns the smallest width, in characters, of a cell of the board.
fn least_cell(faces: &Faces) -> u16 {
    // A cell of the board has room for the two characters of a card and a mark on each side. Identical cards also have a count.
    4 + match faces.copies {
        1 => 0,
        2..=9 => 1,
        _ => 2,
    }
}

fn count(length: usize) -> u16 {
    u16::try_from(length).unwrap_or(u16::MAX)
}

/// Returns the smallest screen size, in characters, at which all parts fit with the deck of `rules`.
pub(super) fn least(rules: &RuleSet, faces: &Faces) -> Size {
    let (suits, ranks) = (count(rules.deck().suits().len()), count(rules.deck().ranks().len()));
    let board = ranks.saturating_mul(least_cell(faces)).saturating_add(SUITS);
    Size {
        width: board.saturating_add(SIDE + 1).max(LEAST.width),
        // Besides the board, the screen needs at least four rows: one for the header, one for the keys, and two for messages.
        height: suits
            .saturating_mul(CELL_ROWS.0)
            .saturating_add(ROWS_BESIDES + 4)
            .max(LEAST.height),
    }
}

/// Returns the screen areas of all parts of the display within `area`, which must be large enough for all parts.
pub(super) fn plan(area: Rect, rules: &RuleSet, faces: &Faces, score_rows: u16) -> TableLayout {
    let least = least(rules, faces);
    let most = Size { width: MOST.width.max(least.width), height: MOST.height.max(least.height) };
    let area = centred(area, most);
    let (suits, ranks) = (count(rules.deck().suits().len()), count(rules.deck().ranks().len()));

    let (header, rest) = top(area, 1);
    let (rest, keys) = bottom(rest, 1);
    let (body, message) = bottom(rest, if area.height >= 28.max(least.height + 1) { 3 } else { 2 });

    let three = area.width >= THREE_COLUMNS.max(least.width + SIDE + 1);
    let columns = if three { 2 } else { 1 };
    let widest = (area.width - columns * (SIDE + 1) - SUITS) / ranks;
    // Narrow cells need few rows, because they have no frame.
    let most_rows = if widest < FRAMED.width { FRAMED.height } else { CELL_ROWS.1 };
    let height = ((body.height - ROWS_BESIDES) / suits).clamp(CELL_ROWS.0, most_rows);
    // On the screen, a cell is about square if its width in characters is about twice its height.
    let cell = Size { width: widest.min(2 * height + 1).max(least_cell(faces)), height };
    let table_width = SUITS + ranks * cell.width;
    let side = ((area.width - table_width) / columns - 1).min(SIDE + 12);
    let (rest, right) = sides(body, side);
    let (moves, table) = if three {
        (Some(Rect { width: side, ..rest }), sides(rest, rest.width - side - 1).1)
    } else {
        (None, rest)
    };

    let (other_name, rest) = top(table, 1);
    let (board, rest) = top(rest, 1 + suits * height);
    let (own_name, prompt) = top(rest, 1);

    let gap = u16::from(area.height >= 24);
    let (multiplier, below) = top(right, MULTIPLIER + gap);
    let wanted = score_rows + gap;
    let least_moves = if three { 0 } else { 5 };
    let (score, below) = if below.height >= wanted + least_moves {
        let (score, below) = top(below, wanted);
        (Some(score), below)
    } else {
        (None, below)
    };
    TableLayout {
        header,
        other_name,
        board,
        cell,
        own_name,
        prompt,
        multiplier,
        score,
        moves: moves.unwrap_or(below),
        message,
        keys,
    }
}

/// Shrinks a screen area around its centre to at most the size `most`.
pub(super) fn centred(area: Rect, most: Size) -> Rect {
    let (width, height) = (area.width.min(most.width), area.height.min(most.height));
    Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    }
}

/// Splits a screen area into its first `height` rows and the remaining rows.
pub(super) fn top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

/// Splits a screen area into its upper rows and its last `height` rows.
pub(super) fn bottom(area: Rect, height: u16) -> (Rect, Rect) {
    top(area, area.height.saturating_sub(height))
}

/// Splits a screen area into its left columns and its last `right` columns, with a gap of one column between both parts.
fn sides(area: Rect, right: u16) -> (Rect, Rect) {
    let right = right.min(area.width);
    let left = (area.width - right).saturating_sub(1);
    (Rect { width: left, ..area }, Rect { x: area.x + area.width - right, width: right, ..area })
}
