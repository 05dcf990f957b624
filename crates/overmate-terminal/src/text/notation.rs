//! Defines the two notations of cards in texts: letters, and the symbols of the full-screen display.

use overmate_rules::{Action, Card, Deck, RuleSet, SuitFace};
use ratatui::text::Span;

use crate::charset::Charset;

/// Notation of cards in texts: letters or symbols. All texts on one display have the same notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Letters, as in match records and in typed input, such as `Kc`.
    Letters,
    /// Symbols, such as `K♣` or `♚b`, with letters for suits and ranks that have no symbol.
    Symbols,
}

impl Notation {
    /// Returns the notation of cards that the full-screen display uses with a given character set.
    pub(crate) fn of_screen(charset: Charset) -> Self {
        match charset {
            Charset::Utf8 => Self::Symbols,
            Charset::Ascii => Self::Letters,
        }
    }

    /// Returns the characters that stand for the suits of a deck, in the order of the suits.
    pub(crate) fn suits(self, deck: &Deck) -> Vec<char> {
        let sign = |face: &SuitFace| match self {
            Self::Letters => face.letter,
            Self::Symbols => symbol(face),
        };
        deck.suits().iter().map(sign).collect()
    }

    /// Returns the characters that stand for the ranks of a deck, in the order of the ranks.
    pub(crate) fn ranks(self, deck: &Deck) -> Vec<char> {
        let has_pieces =
            self == Self::Symbols && deck.suits().iter().all(|face| face.symbol.is_none());
        let ranks = deck.ranks().iter().map(|face| {
            let piece = if has_pieces { piece(&face.name) } else { None };
            piece.unwrap_or(face.letter)
        });
        ranks.collect()
    }

    /// Returns the name of a card in two characters, rank first.
    #[must_use]
    pub fn card(self, deck: &Deck, card: Card) -> String {
        let sign = |signs: Vec<char>, index: u8| signs.get(usize::from(index)).copied();
        let (rank, suit) =
            (sign(self.ranks(deck), card.rank.0), sign(self.suits(deck), card.suit.0));
        rank.into_iter().chain(suit).collect()
    }

    /// Returns the notation of an action, such as `(K♣)` for foreplacing a card.
    #[must_use]
    pub fn action(self, rules: &RuleSet, action: Action) -> String {
        let text = rules.action_text(action).to_string();
        match action.card() {
            Some(card) => {
                let deck = rules.deck();
                text.replace(&deck.card_text(card).to_string(), &self.card(deck, card))
            }
            None => text,
        }
    }
}

/// Returns the symbol of a suit if the symbol is one character wide on the screen, otherwise the suit's
/// letter.
fn symbol(face: &SuitFace) -> char {
    let narrow = |symbol: &char| Span::raw(symbol.to_string()).width() == 1;
    face.symbol.filter(narrow).unwrap_or(face.letter)
}

/// Returns the chess symbol for the piece with the given name.
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
