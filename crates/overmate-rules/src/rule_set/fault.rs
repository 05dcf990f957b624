//! Defines the faults of rule sets, each with its TOML key, kind and place.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::cards::MAX_DECK;
use crate::faults::{Fault, Faults};
use crate::text::{TextPlace, format_names};

/// Fault of a rule set, with the TOML key of the faulty value and its place in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFault {
    /// TOML key of the faulty value, such as `deck.ranks[2].value`; empty if the text is not TOML.
    pub key: String,
    /// Kind of the fault.
    pub problem: RulesProblem,
    /// Place of the faulty value or of the unknown key in the text. `None` if the key is missing or the rule set was not read from a text.
    pub place: Option<TextPlace>,
}

/// Kind of fault in a rule set or in its TOML text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesProblem {
    /// Fault of a rule set text that is not TOML.
    #[error("the text is not TOML: {message}")]
    NotToml {
        /// Error message of the TOML parser.
        message: String,
    },
    /// Fault of a TOML text with an unknown key.
    #[error("the rule set has an unknown key: use {} instead", format_names(known))]
    UnknownKey {
        /// Keys that are allowed in the TOML table.
        known: Vec<&'static str>,
    },
    /// Fault of a TOML text that lacks a required key.
    #[error(
        "the rule set lacks a required key{}",
        if *deck { ": write a table with the suits and ranks of the deck" } else { "" }
    )]
    Missing {
        /// Whether the missing key is `deck`, so that the error text explains how to write a deck.
        deck: bool,
    },
    /// Fault of a key whose value has the wrong TOML type.
    #[error("the value must be {wanted}, not a TOML {found}")]
    WrongType {
        /// Description of the expected TOML type.
        wanted: &'static str,
        /// TOML type found in the text.
        found: String,
    },
    /// Fault of a letter or symbol that is not a single character.
    #[error("the text must have exactly one character, not {found}")]
    NotOneCharacter {
        /// Number of characters in the text.
        found: usize,
    },
    /// Fault of a value that is not one of the allowed words.
    #[error("the value `{found}` is not allowed: use {}", format_names(known))]
    UnknownWord {
        /// Word found in the text.
        found: String,
        /// Words allowed for the key.
        known: Vec<&'static str>,
    },
    /// Fault of a rule set with a privileged rank that is not a rank of the deck.
    #[error("`{letter}` is not the letter of a rank of this deck: use a letter from `deck.ranks`")]
    UnknownRank {
        /// Text found in place of the rank's letter.
        letter: String,
    },
    /// Fault of a rule set whose list of cards has a text that is not a card of the deck.
    #[error("expected {expected}, found {found}")]
    NotACard {
        /// Description of the text form of a card of the deck.
        expected: String,
        /// Text found in place of the card.
        found: String,
    },
    /// Fault of a custom rule set that has the name of a published rule set but different rules.
    #[error("a published rule set with other rules has the same name: choose another name")]
    PublishedName,
    /// Fault of a name that is empty, too long, or has unprintable characters.
    #[error("the text must have 1 to {max} printable characters")]
    TextLength {
        /// Maximum number of characters.
        max: usize,
    },
    /// Fault of a rule set with a number of rounds that is out of range.
    #[error("a match must have 1 to 100 rounds, not {found}")]
    RoundCount {
        /// Number of rounds as text, because the number in a TOML text can be of any size.
        found: String,
    },
    /// Fault of a rule set with a number of suits that is out of range.
    #[error("a deck must have 1 to {max} suits, not {found}")]
    SuitCount {
        /// Number of suits found in the deck.
        found: usize,
        /// Maximum number of suits.
        max: usize,
    },
    /// Fault of a rule set with a number of ranks that is out of range.
    #[error("a deck must have 1 to {max} ranks, not {found}")]
    RankCount {
        /// Number of ranks found in the deck.
        found: usize,
        /// Maximum number of ranks.
        max: usize,
    },
    /// Fault of a rule set with a number of cards that is odd or out of range.
    #[error("a deck must have an even number of cards from 4 to {MAX_DECK}, not {found}")]
    CardCount {
        /// Number of cards found in the deck.
        found: usize,
    },
    /// Fault of a suit whose letter is not a lower-case letter.
    #[error("the letter of a suit must be a lower-case letter, a to z, not {found:?}")]
    SuitLetter {
        /// Character found in place of the suit's letter.
        found: char,
    },
    /// Fault of two suits with the same letter.
    #[error("an earlier suit has the same letter: each suit needs a letter of its own")]
    RepeatedSuitLetter,
    /// Fault of a suit whose symbol is ASCII or cannot be printed.
    #[error(
        "the symbol of a suit must be a printable character that is not ASCII, such as '♣', not {found:?}"
    )]
    Symbol {
        /// Character found in place of the suit's symbol.
        found: char,
    },
    /// Fault of two suits with the same symbol.
    #[error("an earlier suit has the same symbol: each suit needs a symbol of its own")]
    RepeatedSymbol,
    /// Fault of a rank whose letter is neither an upper-case letter nor a digit from 2 to 9.
    #[error(
        "the letter of a rank must be an upper-case letter or a digit from 2 to 9, not {found:?}"
    )]
    RankLetter {
        /// Character found in place of the rank's letter.
        found: char,
    },
    /// Fault of two ranks with the same letter.
    #[error("an earlier rank has the same letter: each rank needs a letter of its own")]
    RepeatedRankLetter,
    /// Fault of a rank whose point value is out of range.
    #[error("the value of a card must be 1 to 1000 points, not {found}")]
    Value {
        /// Value as text, because the number in a TOML text can be of any size.
        found: String,
    },
    /// Fault of a deck that holds a card whose suit or rank the deck does not define.
    #[error("a card has a suit or rank that the deck does not define: correct the card")]
    ForeignCard,
    /// Fault of a privilege that names no rank or more ranks than a deck can have.
    #[error("a privilege must name 1 to {max} ranks, not {found}")]
    PrivilegedRankCount {
        /// Number of ranks with the privilege.
        found: usize,
        /// Maximum number of ranks.
        max: usize,
    },
    /// Fault of a privilege that names a rank of which the deck has no card.
    #[error("the privilege names a rank without a card in the deck: remove the rank")]
    RankWithoutCards,
    /// Fault of a privilege that names the same rank twice.
    #[error("the privilege names a rank twice: remove one of the two entries")]
    RepeatedRank,
    /// Fault of a rule set that restricts seat `Second` by the suit and rank of a card that lies
    /// face down.
    #[error(
        "the key must be false with `face = \"down\"`, because second cannot know the suit and rank of the card that first foreplaced"
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

impl Fault for RulesFault {
    const SEPARATOR: &'static str = "\n";
}

/// Non-empty list of all faults found in a rule set.
pub type RulesFaults = Faults<RulesFault>;
