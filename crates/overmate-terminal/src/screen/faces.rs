//! Defines the signs and colours that the screen uses for cards and for the players who hold them. The signs carry the meaning; the colours are among
//! the sixteen that every terminal has.

use overmate_rules::{Card, Deck, Rank, RuleSet, Suit, SuitFace};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

use crate::charset::Charset;

/// Sign for cards that the human holds. The mark differs from the opponent's mark in shape, not in colour alone.
pub(super) const OWN: char = '●';
/// Sign for cards that the opponent holds.
pub(super) const OTHER: char = '○';

/// Signs and colours that the screen uses for the cards of one deck.
pub(super) struct Faces {
    suits: Vec<(char, Color)>,
    ranks: Vec<char>,
    /// Largest number of identical cards in the deck; 1 if all cards differ.
    pub(super) copies: u16,
    has_colour: bool,
}

impl Faces {
    pub(super) fn new(rules: &RuleSet, has_colour: bool, charset: Charset) -> Self {
        let deck = rules.deck();
        let has_symbols = charset == Charset::Utf8;
        let sign = |face: &SuitFace| if has_symbols { sign(face) } else { face.letter };
        let suits = (0..).zip(deck.suits()).map(|(i, face)| (sign(face), colour(i, face)));
        let pieces = has_symbols && deck.suits().iter().all(|face| face.symbol.is_none());
        let ranks = deck.ranks().iter().map(|face| {
            let piece = if pieces { piece(&face.name) } else { None };
            piece.unwrap_or(face.letter)
        });
        let copies = deck.distinct(deck.all()).map(|card| deck.slots_of(card).len());
        let copies = copies.max().and_then(|copies| u16::try_from(copies).ok());
        Self {
            suits: suits.collect(),
            ranks: ranks.collect(),
            copies: copies.unwrap_or(1),
            has_colour,
        }
    }

    /// Returns a card in two characters, rank first, such as `K♣` or `♚b`.
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

    /// Returns the colour and text style of a suit's cards.
    pub(super) fn suit_style(&self, Suit(suit): Suit) -> Style {
        let colour = self.suits.get(usize::from(suit)).map_or(Color::Reset, |(_, colour)| *colour);
        self.coloured(colour)
    }

    /// Returns a card as text in the colour of its suit.
    pub(super) fn span(&self, card: Card) -> Span<'static> {
        Span::styled(self.card(card), self.suit_style(card.suit).add_modifier(Modifier::BOLD))
    }

    /// Returns the sign for cards that the human (`is_own`) or the opponent holds, in the colour of that player.
    pub(super) fn mark(&self, is_own: bool) -> Span<'static> {
        Span::styled(if is_own { OWN } else { OTHER }.to_string(), self.owner_style(is_own))
    }

    /// Returns the text style of the sign for cards that the human (`is_own`) or the opponent holds.
    pub(super) fn owner_style(&self, is_own: bool) -> Style {
        self.coloured(if is_own { Color::Cyan } else { Color::Magenta })
    }

    /// Returns the text style of warnings, such as errors and refused actions.
    pub(super) fn warning(&self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// Returns the text style of important texts that the player must notice.
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
/// Text style of the card or choice that is selected.
pub(super) const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);

/// Returns a number of identical cards as a superscript, such as `²`, or an empty text for one card.
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

/// Returns the symbol of a suit if it is one character wide on the screen, otherwise the suit's letter.
fn sign(face: &SuitFace) -> char {
    let narrow = |symbol: &char| Span::raw(symbol.to_string()).width() == 1;
    face.symbol.filter(narrow).unwrap_or(face.letter)
}

/// Returns the colour of a suit, chosen by its name or symbol, or else by its index.
fn colour(index: usize, face: &SuitFace) -> Color {
    match (face.name.as_str(), face.symbol) {
        ("blue", _) | (_, Some('♦')) => Color::LightBlue,
        ("green", _) | (_, Some('♣')) => Color::Green,
        ("red", _) | (_, Some('♥')) => Color::Red,
        ("yellow", _) => Color::Yellow,
        (_, Some('♠')) => Color::Reset,
        _ => [Color::Green, Color::Reset, Color::Red, Color::LightBlue, Color::Yellow][index % 5],
    }
}

/// Returns the chess symbol for a rank whose name is that of a chess piece, or `None` for other ranks.
fn piece(name: &str) -> Option<char> {
    Some(match name {
        "king" => '♚',
        "queen" => '♛',
        "rook" => '♜',
        "bishop" => '♝',
        "knight" => '♞',
        _ => return None,
    })
}
