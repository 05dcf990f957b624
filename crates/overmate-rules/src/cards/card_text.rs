//! Cards as text: written and read by the letters of a deck.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::cards::card::{Card, CardSet, Rank, Suit};
use crate::cards::deck::Deck;
use crate::text::{Cursor, ReadError};

/// A card as it is written.
struct CardText<'a>(&'a Deck, Card);

impl fmt::Display for CardText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(deck, Card { suit: Suit(suit), rank: Rank(rank) }) = *self;
        let rank = deck.ranks().get(usize::from(rank)).map_or('?', |face| face.letter);
        let suit = deck.suits().get(usize::from(suit)).map_or('?', |face| face.letter);
        f.pad(rank.encode_utf8(&mut [0; 4]))?;
        f.pad(suit.encode_utf8(&mut [0; 4]))
    }
}

impl Deck {
    /// A card in notation, rank before suit: `Tc`. A card that is not of the deck is `??`.
    #[must_use]
    pub fn card_text(&self, card: Card) -> impl fmt::Display + '_ {
        CardText(self, card)
    }

    /// The cards of a set in notation, with a text between them.
    #[must_use]
    pub fn cards_text(&self, set: CardSet, between: &str) -> String {
        let cards: Vec<String> =
            self.cards_of(set).map(|card| self.card_text(card).to_string()).collect();
        cards.join(between)
    }

    /// Reads one card: `Tc`, also `10c`, `T♣` and `tc`.
    ///
    /// # Errors
    ///
    /// If the text is not exactly one card of the deck.
    pub fn read_card(&self, text: &str) -> Result<Card, ReadError> {
        let mut cursor = Cursor::new(text);
        let card = self.card(&mut cursor)?;
        cursor.expect_end("the card")?;
        Ok(card)
    }

    /// Reads a card where the cursor stands.
    pub(crate) fn card(&self, cursor: &mut Cursor<'_>) -> Result<Card, ReadError> {
        let start = cursor.clone();
        let rank = if cursor.eat("10") {
            Some('T')
        } else {
            cursor.next().map(|c| c.to_ascii_uppercase())
        };
        let rank = self.ranks().iter().position(|face| Some(face.letter) == rank);
        let suit = cursor.next();
        let suit = self.suits().iter().position(|face| {
            suit.is_some_and(|c| face.letter == c.to_ascii_lowercase() || face.symbol == Some(c))
        });
        let place = |found: Option<usize>| found.and_then(|i| u8::try_from(i).ok());
        match (place(suit), place(rank)) {
            (Some(suit), Some(rank)) => Ok(Card { suit: Suit(suit), rank: Rank(rank) }),
            _ => Err(start.expected(self.card_hint())),
        }
    }

    /// What a card looks like: all ranks, then all suits.
    fn card_hint(&self) -> String {
        let ranks: String = self.ranks().iter().map(|face| face.letter).collect();
        let suits: String = self.suits().iter().map(|face| face.letter).collect();
        alloc::format!("a card (a rank of {ranks}, then a suit of {suits})")
    }
}
