//! How cards and owners look: signs first, and colours of the sixteen that every terminal has, if they are wanted.

use overmate_rules::{Card, Deck, Rank, RuleSet, Suit, SuitFace};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;

/// The mark of the human's cards; it differs from the other's in shape, not in colour alone.
pub(super) const OWN: char = '●';
/// The mark of the opponent's cards.
pub(super) const OTHER: char = '○';

/// The looks of one deck.
pub(super) struct Faces {
    suits: Vec<(char, Color)>,
    ranks: Vec<char>,
    /// The most identical cards that the deck has.
    pub(super) copies: u16,
    has_colour: bool,
}

impl Faces {
    pub(super) fn new(rules: &RuleSet, has_colour: bool) -> Self {
        let deck = rules.deck();
        let suits = (0..).zip(deck.suits()).map(|(i, face)| (sign(face), colour(i, face)));
        let pieces = deck.suits().iter().all(|face| face.symbol.is_none());
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

    /// A card in two columns, rank first: `K♣`, `♚b`.
    pub(super) fn card(&self, card: Card) -> String {
        [self.rank(card.rank), self.suit(card.suit)].iter().collect()
    }

    /// The sign of a rank.
    pub(super) fn rank(&self, Rank(rank): Rank) -> char {
        self.ranks.get(usize::from(rank)).copied().unwrap_or('?')
    }

    /// The sign of a suit.
    pub(super) fn suit(&self, Suit(suit): Suit) -> char {
        self.suits.get(usize::from(suit)).map_or('?', |(sign, _)| *sign)
    }

    /// The colour of a suit.
    pub(super) fn suit_style(&self, Suit(suit): Suit) -> Style {
        let colour = self.suits.get(usize::from(suit)).map_or(Color::Reset, |(_, colour)| *colour);
        self.coloured(colour)
    }

    /// A card in the colour of its suit.
    pub(super) fn span(&self, card: Card) -> Span<'static> {
        Span::styled(self.card(card), self.suit_style(card.suit).add_modifier(Modifier::BOLD))
    }

    /// The mark of an owner in its colour.
    pub(super) fn mark(&self, is_own: bool) -> Span<'static> {
        Span::styled(if is_own { OWN } else { OTHER }.to_string(), self.owner_style(is_own))
    }

    /// The colour of an owner.
    pub(super) fn owner_style(&self, is_own: bool) -> Style {
        self.coloured(if is_own { Color::Cyan } else { Color::Magenta })
    }

    /// Refusals and faults.
    pub(super) fn warning(&self) -> Style {
        self.coloured(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// What must not be overlooked.
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

/// Titles.
pub(super) const TITLE: Style = Style::new().add_modifier(Modifier::BOLD);
/// What matters less.
pub(super) const FAINT: Style = Style::new().add_modifier(Modifier::DIM);
/// What is chosen.
pub(super) const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);

/// How many of identical cards: `²`; nothing for a single one.
pub(super) fn count_text(count: u32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if count == 1 {
        return String::new();
    }
    let digit = |c: char| c.to_digit(10).and_then(|d| DIGITS.get(d as usize).copied());
    count.to_string().chars().filter_map(digit).collect()
}

/// The rank of a card as the deck calls it, and its suit: `king of clubs`.
pub(super) fn full_name(deck: &Deck, card: Card) -> String {
    format!("{} of {}", deck.rank_name(card.rank), deck.suit_name(card.suit))
}

/// The symbol of a suit, if it takes one column as its letter does.
fn sign(face: &SuitFace) -> char {
    let narrow = |symbol: &char| Span::raw(symbol.to_string()).width() == 1;
    face.symbol.filter(narrow).unwrap_or(face.letter)
}

/// Four suits, four colours; a suit that is called by a colour has that one.
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

/// The chess piece of a rank, if it is called by one.
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
