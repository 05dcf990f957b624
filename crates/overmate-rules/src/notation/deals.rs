//! Defines the text form of deals: two hands, separated by a slash.

use alloc::vec::Vec;
use core::fmt;

use crate::cards::Card;
use crate::game::{Deal, Dealt};
use crate::rule_set::RuleSet;
use crate::text::{Cursor, ReadError};

impl RuleSet {
    /// Parses a deal such as `Tc Kc … / Ac 7c …`, with the hand of seat `First` before the slash.
    ///
    /// The method [`Deal::validate`] checks whether the hands form a deal.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let rules = RuleSet::named("bga")?.shared();
    /// let text = "Ac Tc Kc Qc 7c As Ts Ks Qs 7s / Ah Th Kh Qh 7h Ad Td Kd Qd 7d";
    /// let dealt = rules.read_deal(text)?.validate(&rules)?;
    /// assert_eq!(dealt.number(), 0);
    /// assert_eq!(dealt.to_string(), text);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error at the first item that is not a card, or at a missing or second slash.
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

    /// Parses the cards of a hand, up to a slash or the end of the text.
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
    /// Formats the deal as a string such as `Tc Kc … / Ac 7c …`, with the hand of seat `First` before the slash.
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
