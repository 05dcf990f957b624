//! Cards, actions and hands as text, and the error of every reader: where, what was expected, what was found.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::action::Action;
use crate::card::{Card, CardSet, Rank, Suit};
use crate::deal::Deal;
use crate::deck::Deck;
use crate::rules::RuleSet;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Place {
    /// The place of a byte of a text.
    pub(crate) fn of_byte(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A text cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: expected {expected}, found {found}")]
pub struct ReadError {
    /// Where it fails.
    pub place: Place,
    /// What could have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// A text being read, and how far.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    byte: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, byte: 0 }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.byte..]
    }

    pub(crate) fn place(&self) -> Place {
        Place::of_byte(self.text, self.byte)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.byte += next.len_utf8();
        Some(next)
    }

    /// Skips a text if it stands here.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.byte += text.len();
        }
        found
    }

    pub(crate) fn eat_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.byte += len;
        &rest[..len]
    }

    pub(crate) fn skip_blanks(&mut self) {
        self.eat_while(char::is_whitespace);
    }

    /// The error that something else was expected here.
    pub(crate) fn expected(&self, expected: impl Into<String>) -> ReadError {
        let word = self.rest().split(char::is_whitespace).next().unwrap_or_default();
        let found = match self.peek() {
            None => "the end".to_string(),
            Some('\n' | '\r') => "the end of the line".to_string(),
            Some(c) if c.is_whitespace() => "a blank".to_string(),
            // Enough of a long word to find it by.
            Some(_) => alloc::format!("`{}`", word.chars().take(20).collect::<String>()),
        };
        ReadError { place: self.place(), expected: expected.into(), found }
    }

    pub(crate) fn expect_end(&self, of: &str) -> Result<(), ReadError> {
        if self.at_end() { Ok(()) } else { Err(self.expected(alloc::format!("the end of {of}"))) }
    }

    /// A whole number without sign.
    pub(crate) fn number(&mut self, expected: &str) -> Result<u64, ReadError> {
        let start = self.clone();
        let digits = self.eat_while(|c| c.is_ascii_digit());
        digits.parse().map_err(|_| start.expected(expected))
    }
}

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

struct ActionText<'a>(&'a Deck, Action);

impl fmt::Display for ActionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(deck, action) = self;
        match *action {
            Action::Decline => f.write_str("-"),
            Action::Foreplace(card) => write!(f, "({})", deck.card_text(card)),
            Action::Play(card) => write!(f, "{}", deck.card_text(card)),
            Action::Demand(card) => write!(f, "{}!", deck.card_text(card)),
            Action::Free(card) => write!(f, "{}*", deck.card_text(card)),
        }
    }
}

impl RuleSet {
    /// An action in notation: `-`, `(Tc)`, `Tc`, `Kc!`, `Ks*`.
    #[must_use]
    pub fn action_text(&self, action: Action) -> impl fmt::Display + '_ {
        ActionText(self.deck(), action)
    }

    /// Reads one action.
    ///
    /// # Errors
    ///
    /// If the text is not exactly one action with a card of the deck. Whether it is legal is not asked.
    pub fn read_action(&self, text: &str) -> Result<Action, ReadError> {
        let mut cursor = Cursor::new(text);
        let action = self.action(&mut cursor)?;
        cursor.expect_end("the action")?;
        Ok(action)
    }

    /// Reads actions separated by blanks.
    ///
    /// # Errors
    ///
    /// The first text that is not an action.
    pub fn read_actions(&self, text: &str) -> Result<Vec<Action>, ReadError> {
        let mut cursor = Cursor::new(text);
        let mut actions = Vec::new();
        cursor.skip_blanks();
        while !cursor.at_end() {
            actions.push(self.action(&mut cursor)?);
            if cursor.peek().is_some_and(|c| !c.is_whitespace()) {
                return Err(cursor.expected("a blank after the action"));
            }
            cursor.skip_blanks();
        }
        Ok(actions)
    }

    /// Reads an action where the cursor stands.
    pub(crate) fn action(&self, cursor: &mut Cursor<'_>) -> Result<Action, ReadError> {
        if cursor.eat("-") {
            return Ok(Action::Decline);
        }
        if cursor.eat("(") {
            let card = self.deck().card(cursor)?;
            return if cursor.eat(")") {
                Ok(Action::Foreplace(card))
            } else {
                Err(cursor.expected("`)` after the foreplaced card"))
            };
        }
        let card = self.deck().card(cursor).map_err(|error| ReadError {
            expected: alloc::format!(
                "an action: -, (card), card, card! or card*, with {}",
                error.expected
            ),
            ..error
        })?;
        Ok(if cursor.eat("!") {
            Action::Demand(card)
        } else if cursor.eat("*") {
            Action::Free(card)
        } else {
            Action::Play(card)
        })
    }

    /// Reads two hands, *first*'s before the slash: `Tc Kc … / Ac 7c …`. Whether they are a deal is for
    /// [`Deal::validate`] to say.
    ///
    /// # Errors
    ///
    /// The first text that is not a card, or a missing or second slash.
    pub fn read_deal(&self, text: &str) -> Result<Deal, ReadError> {
        let mut cursor = Cursor::new(text);
        let first = self.hand(&mut cursor)?;
        if !cursor.eat("/") {
            return Err(cursor.expected("another card, or `/` and the second hand"));
        }
        let second = self.hand(&mut cursor)?;
        cursor.expect_end("the second hand")?;
        Ok(Deal { first, second })
    }

    /// Cards with or without blanks between them, up to a slash or the end.
    fn hand(&self, cursor: &mut Cursor<'_>) -> Result<Vec<Card>, ReadError> {
        let mut cards = Vec::new();
        cursor.skip_blanks();
        while !matches!(cursor.peek(), None | Some('/')) {
            cards.push(self.deck().card(cursor)?);
            cursor.skip_blanks();
        }
        Ok(cards)
    }
}
