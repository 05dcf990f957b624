//! Defines the symbols and colours that the screen uses for cards and for the players who hold the cards. The
//! symbols alone carry the meaning, so that no information is lost without colour. The colours are among the
//! sixteen that every terminal has.

use overmate_rules::{Card, Deck, Rank, RuleSet, Suit, SuitFace};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use crate::charset::Charset;
use crate::text::notation::Notation;

/// Symbol for cards that the human holds. The symbol differs from the opponent's symbol in shape, not in colour alone.
pub(super) const OWN: char = '●';
/// Symbol for cards that the opponent holds.
pub(super) const OTHER: char = '○';

/// Symbols and colours that the screen uses for the cards of one deck.
pub(super) struct Faces {
    /// Notation of cards in all texts on the screen, except in the player's input and in the
    /// record.
    pub(super) notation: Notation,
    suits: Vec<(char, SuitColour)>,
    ranks: Vec<char>,
    /// Maximum number of identical cards in the deck; 1 if all cards differ.
    pub(super) copies: u16,
    has_colour: bool,
}

impl Faces {
    pub(super) fn new(rules: &RuleSet, has_colour: bool, charset: Charset) -> Self {
        let deck = rules.deck();
        let notation = Notation::of_screen(charset);
        let colours = (0..).zip(deck.suits()).map(|(i, face)| colour(i, face));
        let copies = deck.distinct(deck.all()).map(|card| deck.slots_of(card).len());
        let copies = copies.max().and_then(|copies| u16::try_from(copies).ok());
        Self {
            notation,
            suits: notation.suits(deck).into_iter().zip(colours).collect(),
            ranks: notation.ranks(deck),
            copies: copies.unwrap_or(1),
            has_colour,
        }
    }

    /// Returns the notation of a card on the screen in two characters, rank first, such as `K♣` or `♚b`.
    pub(super) fn card(&self, card: Card) -> String {
        [self.rank(card.rank), self.suit(card.suit)].iter().collect()
    }

    /// Returns the character that stands for a rank on the screen.
    pub(super) fn rank(&self, Rank(rank): Rank) -> char {
        self.ranks.get(usize::from(rank)).copied().unwrap_or('?')
    }

    /// Returns the character that stands for a suit on the screen.
    pub(super) fn suit(&self, Suit(suit): Suit) -> char {
        self.suits.get(usize::from(suit)).map_or('?', |(sign, _)| *sign)
    }

    /// Returns the text style of a suit's cards on the background of the terminal.
    pub(super) fn suit_style(&self, suit: Suit) -> Style {
        self.coloured(self.colour(suit).of_terminal)
    }

    fn colour(&self, Suit(suit): Suit) -> SuitColour {
        self.suits.get(usize::from(suit)).map_or(INK, |(_, colour)| *colour)
    }

    /// Returns the style of the surface of a card: light for the human's cards, dark for the opponent's cards. Faded
    /// cards cannot be played now, or cannot answer the lead.
    pub(super) fn card_style(&self, is_own: bool, is_faded: bool) -> Style {
        match (self.has_colour, is_own) {
            (true, true) if is_faded => Style::new().fg(Color::Black).bg(Color::Gray),
            (true, true) => Style::new().fg(Color::Black).bg(Color::White),
            (true, false) => Style::new().fg(Color::Gray).bg(Color::Black),
            (false, true) if is_faded => FAINT,
            (false, true) => Style::new(),
            (false, false) if is_faded => CHOSEN.patch(FAINT),
            (false, false) => CHOSEN,
        }
    }

    /// Returns the style of the rank and suit on a card. The style is added to the style of the card's surface.
    pub(super) fn face_style(&self, suit: Suit, is_own: bool, is_faded: bool) -> Style {
        let weight = if is_faded { Style::new() } else { TITLE };
        let colour = self.colour(suit);
        match (self.has_colour, is_own) {
            (false, _) => weight,
            (true, true) => weight.fg(colour.on_light),
            (true, false) if is_faded => weight.fg(colour.on_dark_faded),
            (true, false) => weight.fg(colour.on_dark),
        }
    }

    /// Returns the style of the edge of a card. The style is added to the style of the card's surface.
    pub(super) fn edge_style(&self, is_own: bool, is_on_cross: bool) -> Style {
        match (is_on_cross, is_own) {
            (true, true) => self.coloured(Color::Red).patch(TITLE),
            (true, false) => self.coloured(Color::LightRed).patch(TITLE),
            (false, _) => self.coloured(Color::DarkGray),
        }
    }

    /// Returns the text style for the heading of a row or column of the board that contains legal answers to the led card.
    pub(super) fn cross(&self) -> Style {
        self.coloured(Color::Red).patch(CHOSEN).patch(TITLE)
    }

    /// Returns the style of the pattern that fills the empty cells in the row and column of a led card.
    pub(super) fn cross_pattern(&self) -> Style {
        self.coloured(Color::Red).patch(if self.has_colour { Style::new() } else { FAINT })
    }

    /// Returns the style of the most important marks, such as the points of a mate or the best action of a hint.
    pub(super) fn seal(&self) -> Style {
        if self.has_colour { TITLE.fg(Color::White).bg(Color::Red) } else { TITLE.patch(CHOSEN) }
    }

    /// Returns the notation of a card as text in the colour of the card's suit.
    pub(super) fn span(&self, card: Card) -> Span<'static> {
        Span::styled(self.card(card), self.suit_style(card.suit).add_modifier(Modifier::BOLD))
    }

    /// Returns the symbol for cards that the human (`is_own`) or the opponent holds, in the colour of that player.
    pub(super) fn mark(&self, is_own: bool) -> Span<'static> {
        Span::styled(if is_own { OWN } else { OTHER }.to_string(), self.owner_style(is_own))
    }

    /// Returns the text style of the symbol for cards of the human (`is_own`) or of the opponent.
    pub(super) fn owner_style(&self, is_own: bool) -> Style {
        self.coloured(if is_own { Color::Cyan } else { Color::Magenta })
    }

    /// Returns the text style of error messages and of messages about refused actions.
    pub(super) fn warning(&self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// Returns the text style of highlighted text.
    pub(super) fn notable(&self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    fn coloured(&self, colour: Color) -> Style {
        if self.has_colour && colour != Color::Reset {
            Style::new().fg(colour)
        } else {
            Style::new()
        }
    }
}

/// Text style of titles on the screen.
pub(super) const TITLE: Style = Style::new().add_modifier(Modifier::BOLD);
/// Text style of less important text on the screen.
pub(super) const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
/// Text style of the selected card or choice.
pub(super) const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Returns a number of identical cards as a superscript, such as `²`, or an empty string for one card.
pub(super) fn count_text(count: u32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if count == 1 {
        return String::new();
    }
    let digit = |c: char| c.to_digit(10).and_then(|d| DIGITS.get(d as usize).copied());
    count.to_string().chars().filter_map(digit).collect()
}

/// Returns the name of a card in words, such as `king of clubs`.
pub(super) fn full_name(deck: &Deck, card: Card) -> String {
    format!("{} of {}", deck.rank_name(card.rank), deck.suit_name(card.suit))
}

/// Colours of a suit's cards, one colour for each kind of background.
#[derive(Clone, Copy)]
struct SuitColour {
    of_terminal: Color,
    on_light: Color,
    on_dark: Color,
    on_dark_faded: Color,
}

/// Colours of cards of a black suit.
const INK: SuitColour = SuitColour {
    of_terminal: Color::Reset,
    on_light: Color::Black,
    on_dark: Color::White,
    on_dark_faded: Color::Gray,
};

/// Colours of cards of a red suit.
const RED: SuitColour = SuitColour {
    of_terminal: Color::Red,
    on_light: Color::Red,
    on_dark: Color::LightRed,
    on_dark_faded: Color::Red,
};

/// Colours of cards of a blue suit.
const BLUE: SuitColour = SuitColour {
    of_terminal: Color::LightBlue,
    on_light: Color::Blue,
    on_dark: Color::LightBlue,
    on_dark_faded: Color::LightBlue,
};

/// Colours of cards of a green suit.
const GREEN: SuitColour = SuitColour {
    of_terminal: Color::Green,
    on_light: Color::Green,
    on_dark: Color::LightGreen,
    on_dark_faded: Color::Green,
};

/// Colours of a yellow suit, which is drawn in black on light cards, because yellow text is hard to read on a light card.
const YELLOW: SuitColour = SuitColour {
    of_terminal: Color::Yellow,
    on_light: Color::Black,
    on_dark: Color::LightYellow,
    on_dark_faded: Color::Yellow,
};

/// Returns the colours for the cards of a suit, chosen by the suit's name or symbol, or else by its index.
fn colour(index: usize, face: &SuitFace) -> SuitColour {
    match (face.name.as_str(), face.symbol) {
        ("blue", _) => BLUE,
        ("green", _) => GREEN,
        ("yellow", _) => YELLOW,
        ("red", _) | (_, Some('♥' | '♦')) => RED,
        (_, Some('♣' | '♠')) => INK,
        _ => [GREEN, INK, RED, BLUE, YELLOW][index % 5],
    }
}

/// Box-drawing characters for the edge of a card.
pub(super) struct FrameSigns {
    pub(super) upper: [char; 2],
    pub(super) lower: [char; 2],
    pub(super) across: char,
    pub(super) down: char,
}

/// Returns the box-drawing characters for the edge of a card. The edges of both players differ in shape, not in
/// colour alone. The edge of a lifted card (the human's card under the cursor) is heavy.
pub(super) fn signs_of_frame(is_own: bool, is_lifted: bool) -> FrameSigns {
    match (is_own, is_lifted) {
        (true, true) => {
            FrameSigns { upper: ['┏', '┓'], lower: ['┗', '┛'], across: '━', down: '┃' }
        }
        (true, false) => {
            FrameSigns { upper: ['╭', '╮'], lower: ['╰', '╯'], across: '─', down: '│' }
        }
        (false, _) => {
            FrameSigns { upper: ['╔', '╗'], lower: ['╚', '╝'], across: '═', down: '║' }
        }
    }
}
