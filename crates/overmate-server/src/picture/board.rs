//! Draws the board of a deal as SVG, with the wordmark and a short text beside the board.

use std::fmt::Write as _;

use overmate_rules::{Card, Dealt, Deck, Rank, Suit};

use super::lettering::Lettering;
use super::pips::{DARK_INK, LIGHT_INK, pip};
use super::{HEIGHT, WIDTH};

/// Distance of the board from the edges of the picture, in pixels.
const MARGIN: f64 = 62.0;

/// Gap between two cells of the board, in pixels.
const GAP: f64 = 8.0;

/// Rectangle in the picture, in pixels.
#[derive(Clone, Copy)]
struct Frame {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Draws the board of a deal as SVG, with the wordmark and the given words below the wordmark. The
/// cards of *first* are light.
pub(crate) fn board_with_words(dealt: &Dealt, words: &[&str]) -> String {
    let deck = dealt.rules().deck();
    let (picture_width, picture_height) = (f64::from(WIDTH), f64::from(HEIGHT));
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><path fill="#f4eee1" d="M0 0h{WIDTH}v{HEIGHT}H0z"/><path fill="none" stroke="#857a66" stroke-width="2" d="M24 24h{0}v{1}H24zM30 30h{2}v{3}H30z"/>"##,
        picture_width - 48.0,
        picture_height - 48.0,
        picture_width - 60.0,
        picture_height - 60.0,
    );
    let (suits, ranks) = ((0_u8..).zip(deck.suits()), ranks_with_cards(deck));
    let rows = f64::from(u32::try_from(deck.suits().len()).unwrap_or(1));
    let height = (picture_height - 2.0 * MARGIN - (rows - 1.0) * GAP) / rows;
    let width = height * 0.82;
    for (row, (suit, _)) in (0_u32..).zip(suits) {
        for (column, rank) in (0_u32..).zip(&ranks) {
            let cell = Frame {
                x: MARGIN + f64::from(column) * (width + GAP),
                y: MARGIN + f64::from(row) * (height + GAP),
                width,
                height,
            };
            draw_cell(&mut svg, dealt, Card { suit: Suit(suit), rank: *rank }, cell);
        }
    }
    let columns = f64::from(u32::try_from(ranks.len()).unwrap_or(1));
    let x = MARGIN + columns * (width + GAP) + 32.0;
    let room = picture_width - MARGIN - x;
    Lettering { text: "Overmate", x, y: 290.0, size: 110.0, room, ink: DARK_INK }.draw(&mut svg);
    for (line, text) in (0_u32..).zip(words) {
        let y = 370.0 + 62.0 * f64::from(line);
        let ink = if line == 0 { "#96281b" } else { "#5a5145" };
        Lettering { text, x, y, size: 52.0, room, ink }.draw(&mut svg);
    }
    svg.push_str("</svg>");
    svg
}

/// Returns the ranks of the cards in a deck, from high to low. The double deck lacks the cards of
/// one rank.
fn ranks_with_cards(deck: &Deck) -> Vec<Rank> {
    let all = (0_u8..).zip(deck.ranks()).map(|(rank, _)| Rank(rank));
    all.filter(|rank| !deck.of_rank(*rank).is_empty()).collect()
}

/// Appends the cards in one cell of the board to an SVG drawing. Two identical cards share the
/// cell, with the card of *second* above the card of *first*.
fn draw_cell(svg: &mut String, dealt: &Dealt, card: Card, cell: Frame) {
    let slots = dealt.rules().deck().slots_of(card);
    let owners = [(dealt.hands().second & slots, false), (dealt.hands().first & slots, true)];
    let held = owners.iter().flat_map(|(cards, is_light)| cards.slots().map(|_| *is_light));
    let held: Vec<bool> = held.collect();
    match held[..] {
        [] => {
            let Frame { x, y, width, height } = cell;
            let _ = write!(
                svg,
                r##"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="7" fill="none" stroke="#a39a88" stroke-dasharray="3 5"/>"##
            );
        }
        [is_light] => draw_card(svg, dealt, card, is_light, cell),
        [upper, lower, ..] => {
            let height = (cell.height - 4.0) / 2.0;
            let half = Frame { height, ..cell };
            draw_card(svg, dealt, card, upper, half);
            draw_card(svg, dealt, card, lower, Frame { y: cell.y + height + 4.0, ..half });
        }
    }
}

/// Appends a card to an SVG drawing: a light card for the seat *first*, and a dark card for the seat *second*.
fn draw_card(svg: &mut String, dealt: &Dealt, card: Card, is_light: bool, frame: Frame) {
    let deck = dealt.rules().deck();
    let Frame { x, y, width, height } = frame;
    let (paper, edge) = if is_light { ("#fffdf7", "#8f8267") } else { ("#2e2822", "#2e2822") };
    let suit = deck.suits().get(usize::from(card.suit.0)).and_then(|suit| pip(suit.letter));
    let black = if is_light { DARK_INK } else { LIGHT_INK };
    let ink = suit.map_or(black, |suit| if is_light { suit.on_light } else { suit.on_dark });
    let _ = write!(
        svg,
        r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="7" fill="{paper}" stroke="{edge}" stroke-width="1.5"/>"#
    );
    let letter = deck.ranks().get(usize::from(card.rank.0)).map_or('?', |rank| rank.letter);
    let index = if letter == 'T' { "10".to_owned() } else { letter.to_string() };
    // A card that fills half of a cell is wider than high, and has rank and suit side by side.
    let (size, pip_part) = if height < width { (height * 0.8, 0.7) } else { (height * 0.42, 0.9) };
    let baseline = y + size * 0.92;
    Lettering { text: &index, x: x + 9.0, y: baseline, size, room: width * 0.46, ink: black }
        .draw(svg);
    if let Some(suit) = suit {
        let side = size * pip_part;
        let (left, top) = (x + width - side - 8.0, y + height - side - 8.0);
        let scale = side / 24.0;
        let _ = write!(
            svg,
            r#"<path transform="translate({left:.1} {top:.1}) scale({scale:.3})" fill="{ink}" d="{}"/>"#,
            suit.path
        );
    }
}

#[cfg(test)]
mod tests {
    use overmate_rules::{BASES, Deal, RuleSet};

    use super::*;
    use crate::picture::image_of;

    #[test]
    fn the_board_of_every_deck_shows_each_card_once_in_the_ink_of_its_owner() {
        let doubled = ["sackson+double", "rael+double", "sackson+pinochle"];
        for name in BASES.iter().map(|base| base.name).chain(doubled) {
            let rules = RuleSet::named(name).expect("a rule set").shared();
            let cards = rules.deck().cards().len();
            let dealt = Deal::numbered(&rules, 4_711).expect("a deal");
            let svg = board_with_words(&dealt, &[name]);
            assert_eq!(svg.matches(r##"fill="#fffdf7""##).count(), cards / 2, "{name}");
            assert_eq!(svg.matches(r##"fill="#2e2822""##).count(), cards / 2, "{name}");
        }
    }

    #[test]
    fn a_drawing_becomes_a_png_image_of_the_announced_size() {
        let rules = RuleSet::named("bga").expect("a rule set").shared();
        let dealt = Deal::numbered(&rules, 146_424).expect("a deal");
        let png = image_of(&board_with_words(&dealt, &["Deal 146424"])).expect("a picture");
        assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
        // The first chunk of a PNG file begins with the width and the height.
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("4 bytes"));
        assert_eq!((number(16), number(20)), (WIDTH, HEIGHT));
        assert!(png.len() < 200_000, "{} bytes", png.len());
    }
}
