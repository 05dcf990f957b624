//! Faults of rule sets: the key, the problem and the place in a text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::cards::MAX_DECK;
use crate::text::{TextPlace, format_names};

/// One fault of a rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFault {
    /// Key of the TOML form that the fault concerns, such as `deck.ranks[2].value`; empty if the text is not TOML.
    pub key: String,
    /// Problem with the value of the key.
    pub problem: RulesProblem,
    /// Place of the value in the text, or of the key if the key is unknown. `None` if the key is missing or the
    /// rule set was not read from a text.
    pub place: Option<TextPlace>,
}

/// Problem with one value of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesProblem {
    /// The text is not TOML.
    #[error("{message}")]
    NotToml {
        /// Message of the TOML reader.
        message: String,
    },
    /// The form has no such key.
    #[error("is not a key here: it is {}", format_names(known))]
    UnknownKey {
        /// Keys that the table can have.
        known: Vec<&'static str>,
    },
    /// A key that every rule set needs is missing.
    #[error("is missing{}", if *deck { ": the suits and ranks of the deck" } else { "" })]
    Missing {
        /// Whether the key is `deck`, which has a longer explanation.
        deck: bool,
    },
    /// The value has the wrong TOML type.
    #[error("must be {wanted}, not a TOML {found}")]
    WrongType {
        /// Description of the right type.
        wanted: &'static str,
        /// TOML type of the value.
        found: String,
    },
    /// The text is not exactly one character.
    #[error("must be exactly one character")]
    NotOneCharacter,
    /// The whole number does not fit.
    #[error("is out of range")]
    OutOfRange,
    /// The word is none of those that the key can have.
    #[error("is `{found}`, and must be {}", format_names(known))]
    UnknownWord {
        /// Word in the text.
        found: String,
        /// Words that the key can have.
        known: Vec<&'static str>,
    },
    /// A privileged rank is not a rank of the deck.
    #[error("`{letter}` is not the letter of a rank of this deck")]
    UnknownRank {
        /// Text in place of the letter.
        letter: String,
    },
    /// A card of the deck cannot be read.
    #[error("expected {expected}, found {found}")]
    NotACard {
        /// Form of a card of the deck.
        expected: String,
        /// Text in place of the card.
        found: String,
    },
    /// A custom rule set has the name of a published rule set and other content.
    #[error("is the name of a published rule set that says something else: choose another")]
    PublishedName,
    /// A text is empty, too long, or has characters that cannot be printed.
    #[error("must be 1 to {max} printable characters")]
    TextLength {
        /// Largest number of characters.
        max: usize,
    },
    /// The number of rounds is out of range.
    #[error("must be 1 to 100")]
    RoundCount,
    /// The number of suits is out of range.
    #[error("must be 1 to {max} suits")]
    SuitCount {
        /// Largest number of suits.
        max: usize,
    },
    /// The number of ranks is out of range.
    #[error("must be 1 to {max} ranks")]
    RankCount {
        /// Largest number of ranks.
        max: usize,
    },
    /// The number of cards is odd or out of range.
    #[error("must be an even number of cards from 4 to {MAX_DECK}, not {found}")]
    CardCount {
        /// Number of cards of the deck.
        found: usize,
    },
    /// The letter of a suit is not a lower-case letter.
    #[error("must be one lower-case letter, a to z")]
    SuitLetter,
    /// Two suits have one letter.
    #[error("is the letter of an earlier suit too")]
    RepeatedSuitLetter,
    /// The symbol of a suit is ASCII or cannot be printed.
    #[error("must be a printable character that is not ASCII, such as ♣")]
    Symbol,
    /// Two suits have one symbol.
    #[error("is the symbol of an earlier suit too")]
    RepeatedSymbol,
    /// The letter of a rank is not an upper-case letter or a digit from 2 to 9.
    #[error("must be one upper-case letter or a digit from 2 to 9")]
    RankLetter,
    /// Two ranks have one letter.
    #[error("is the letter of an earlier rank too")]
    RepeatedRankLetter,
    /// The value of a rank is out of range.
    #[error("must be 1 to 1000 points")]
    Value,
    /// A card has a suit or rank that the deck does not have.
    #[error("holds a card of a suit or rank that the deck does not have")]
    ForeignCard,
    /// The privilege names no rank, or more ranks than a deck can have.
    #[error("must name at least one rank, and none twice")]
    PrivilegedRankCount,
    /// The deck has no card of a privileged rank.
    #[error("is a rank of which the deck has no card")]
    RankWithoutCards,
    /// The privilege names one rank twice.
    #[error("is there twice")]
    RepeatedRank,
    /// *Second* is restricted by a card that *second* cannot see.
    #[error(
        "cannot be true with `face = \"down\"`: second cannot know the suit and rank of first's card"
    )]
    RestrictedFaceDown,
}

impl fmt::Display for RulesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "`{}`: ", self.key)?;
        }
        write!(f, "{}", self.problem)
    }
}

impl core::error::Error for RulesFault {}

/// All faults of a rule set, at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFaults(pub Vec<RulesFault>);

impl fmt::Display for RulesFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl core::error::Error for RulesFaults {}
