//! Defines the text form of cards, with the suit and rank letters of a deck.

use alloc::string::String;
use core::fmt::{self, Write as _};

use crate::cards::card::{Card, CardSet, Rank, Suit};
use crate::cards::deck::Deck;
use crate::text::{Cursor, ReadError};

/// Formatter that writes a card with the letters of its deck.
struct CardText<'a>(&'a Deck, Card);

impl fmt::Display for CardText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(deck, Card { suit: Suit(suit), rank: Rank(rank) }) = *self;
        let rank = deck.ranks().get(usize::from(rank)).map_or('?', |face| face.letter);
        let suit = deck.suits().get(usize::from(suit)).map_or('?', |face| face.letter);
        f.write_char(rank)?;
        f.write_char(suit)
    }
}

impl fmt::Debug for CardText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Formatter that writes a set of cards with the letters of the deck and with a separator.
struct CardsText<'a> {
    deck: &'a Deck,
    set: CardSet,
    between: &'a str,
}

impl fmt::Display for CardsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, card) in self.deck.cards_of(self.set).enumerate() {
            write!(f, "{}{}", if i > 0 { self.between } else { "" }, self.deck.card_text(card))?;
        }
        Ok(())
    }
}

impl fmt::Debug for CardsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Deck {
    /// Returns a formatter that writes a card as rank and suit, such as `Tc` for the ten of clubs.
    /// A card that is not in the deck is written `??`.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let rules = RuleSet::named("rael")?;
    /// let card = rules.deck().read_card("nG")?;
    /// assert_eq!(rules.deck().card_text(card).to_string(), "Ng");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn card_text(&self, card: Card) -> impl fmt::Display + fmt::Debug + '_ {
        CardText(self, card)
    }

    /// Returns a formatter that writes a set of cards separated by spaces, such as `Ac Td`.
    ///
    /// ```
    /// use overmate_rules::{Deal, RuleSet, Seat};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let hands = Deal::numbered(&rules, 20_010)?.hands();
    /// let text = rules.deck().show(hands[Seat::Second]).to_string();
    /// assert_eq!(text, "Ac 7c Ts 7s Qh 7h Ad Td Qd 7d");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn show(&self, set: CardSet) -> impl fmt::Display + fmt::Debug + '_ {
        CardsText { deck: self, set, between: " " }
    }

    /// Formats a set of cards with a given separator.
    #[must_use]
    pub fn cards_text(&self, set: CardSet, between: &str) -> String {
        alloc::format!("{}", CardsText { deck: self, set, between })
    }

    /// Parses a card such as `Tc`. The forms `10c`, `T♣` and `tc` are also accepted.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let rules = RuleSet::named("sackson")?;
    /// let ten = rules.deck().read_card("Tc")?;
    /// assert_eq!(rules.deck().read_card("10♣")?, ten);
    /// let error = rules.deck().read_card("Jc").unwrap_err();
    /// assert_eq!(error.expected, "a card (a rank of ATKQ7, then a suit of cshd)");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not exactly one card of the deck.
    pub fn read_card(&self, text: &str) -> Result<Card, ReadError> {
        let mut cursor = Cursor::new(text);
        let card = self.card(&mut cursor)?;
        cursor.expect_end("the card")?;
        Ok(card)
    }

    /// Parses the card at the cursor, and moves the cursor past the card.
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
        let index = |found: Option<usize>| found.and_then(|i| u8::try_from(i).ok());
        match (index(suit), index(rank)) {
            (Some(suit), Some(rank)) => Ok(Card { suit: Suit(suit), rank: Rank(rank) }),
            _ => Err(start.expected(self.card_hint())),
        }
    }

    /// Describes the text form of a card for error texts, such as `a card (a rank of ATKQ7, then a
    /// suit of cshd)`.
    fn card_hint(&self) -> String {
        let ranks: String = self.ranks().iter().map(|face| face.letter).collect();
        let suits: String = self.suits().iter().map(|face| face.letter).collect();
        alloc::format!("a card (a rank of {ranks}, then a suit of {suits})")
    }
}
