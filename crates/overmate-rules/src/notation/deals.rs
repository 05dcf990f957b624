//! Text form of deals, which consists of the two hands with a slash between them.

use alloc::vec::Vec;
use core::fmt;

use crate::cards::Card;
use crate::game::{Deal, Dealt};
use crate::rule_set::RuleSet;
use crate::text::{Cursor, ReadError};

impl RuleSet {
    /// Reads a deal from a text such as `Tc Kc … / Ac 7c …`, where the hand of seat `First` stands
    /// before the slash.
    ///
    /// [`Deal::validate`] checks whether the hands are a deal.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    ///
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
    /// Returns an error at the first text that is not a card, or at a missing or second slash.
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

    /// Reads the cards of one hand, up to a slash or the end of the text, with or without blanks
    /// between them.
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
    /// Writes the deal as a text such as `Tc Kc … / Ac 7c …`, where the hand of seat `First` stands
    /// before the slash.
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
