//! Deals as text: two hands with a slash between them.

use alloc::vec::Vec;
use core::fmt;

use crate::cards::Card;
use crate::game::{Deal, Dealt};
use crate::rule_set::RuleSet;
use crate::text::{Cursor, ReadError};

impl RuleSet {
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

impl fmt::Display for Dealt {
    /// Writes the two hands, *first*'s before the slash: `Tc Kc … / Ac 7c …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hands = self.hands().map(|hand| self.rules().deck().cards_text(hand, " "));
        write!(f, "{} / {}", hands.first, hands.second)
    }
}

impl fmt::Debug for Dealt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dealt({} {}: {self})", self.rules().name(), self.number())
    }
}
