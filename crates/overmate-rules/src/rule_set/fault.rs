//! Defines the faults of rule sets, each with its TOML key, kind and place.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::cards::MAX_DECK;
use crate::faults::{Fault, Faults};
use crate::rule_set::draft::RuleSetDraft;
use crate::text::{TextPlace, format_names};

/// Fault of a rule set, with the TOML key of the faulty value and the place of this value in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFault {
    /// TOML key of the faulty value, such as `deck.ranks[2].value`; empty if the text is not TOML.
    pub key: String,
    /// Kind of the rule set's fault.
    pub problem: RulesProblem,
    /// Place of the faulty value or unknown key in the text of the rule set. `None` if the key is missing or the rule set was not read from
    /// a text.
    pub place: Option<TextPlace>,
}

/// Kind of fault in a rule set or in its TOML text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesProblem {
    /// The text of the rule set is not TOML.
    #[error("the text is not TOML: {message}")]
    NotToml {
        /// Error message from the TOML parser.
        message: String,
    },
    /// The TOML text of the rule set has an unknown key.
    #[error("the rule set has an unknown key: use {} instead", format_names(known))]
    UnknownKey {
        /// Keys that the rule set's TOML text may contain in place of the unknown key.
        known: Vec<&'static str>,
    },
    /// The TOML text of the rule set lacks a required key.
    #[error(
        "the rule set lacks a required key{}",
        if *deck { ": write a table with the suits and ranks of the deck" } else { "" }
    )]
    Missing {
        /// Whether the rule set lacks the key `deck`; if so, the error text explains how to write a deck.
        deck: bool,
    },
    /// The value of a TOML key has the wrong type.
    #[error("the value of the key must be {wanted}, not a TOML {found}")]
    WrongType {
        /// Description of the expected TOML type.
        wanted: &'static str,
        /// TOML type of the rejected value.
        found: String,
    },
    /// The letter of a suit or rank, or the symbol of a suit, is not a single character.
    #[error("the letter or symbol must have exactly one character, not {found}")]
    NotOneCharacter {
        /// Number of characters in a rejected letter or symbol, which must have exactly one character.
        found: usize,
    },
    /// The value of a TOML key is not one of the allowed words.
    #[error("the value `{found}` is not allowed: use {}", format_names(known))]
    UnknownWord {
        /// Rejected word in the text of the rule set.
        found: String,
        /// Allowed words for the TOML key.
        known: Vec<&'static str>,
    },
    /// The list of privileged ranks contains a rank that the deck does not define.
    #[error("`{letter}` is not the letter of a rank of this deck: use a letter from `deck.ranks`")]
    UnknownRank {
        /// Text found in place of the letter of a privileged rank.
        letter: String,
    },
    /// The list of cards contains a string that is not a card of the deck.
    #[error("expected {expected}, found {found}")]
    NotACard {
        /// Description of the text form of a card of the deck.
        expected: String,
        /// Text found in place of a card of the deck.
        found: String,
    },
    /// The custom rule set has the name of a published rule set, but different rules.
    #[error(
        "a published rule set with other rules already has the name of this rule set: choose another name"
    )]
    PublishedName,
    /// A name in the rule set is empty, too long, or has unprintable characters.
    #[error("the name must have 1 to {max} printable characters")]
    TextLength {
        /// Maximum number of characters of a name in the rule set.
        max: usize,
    },
    /// The number of rounds in a match is out of range.
    #[error("a match must have 1 to {} rounds, not {found}", RuleSetDraft::MAX_ROUNDS)]
    RoundCount {
        /// Rejected number of rounds. The number is stored as text, because a number in TOML can be of any size.
        found: String,
    },
    /// The number of suits of the deck is out of range.
    #[error("a deck must have 1 to {max} suits, not {found}")]
    SuitCount {
        /// Number of suits found in the deck.
        found: usize,
        /// Maximum number of suits of a deck.
        max: usize,
    },
    /// The number of ranks of the deck is out of range.
    #[error("a deck must have 1 to {max} ranks, not {found}")]
    RankCount {
        /// Number of ranks found in the deck.
        found: usize,
        /// Maximum number of ranks of a deck.
        max: usize,
    },
    /// The number of cards of the deck is odd or out of range.
    #[error("a deck must have an even number of cards from 4 to {MAX_DECK}, not {found}")]
    CardCount {
        /// Number of cards found in the deck.
        found: usize,
    },
    /// The letter of a suit is not a lower-case ASCII letter.
    #[error("the letter of a suit must be a lower-case letter, a to z, not {found:?}")]
    SuitLetter {
        /// Character found in place of the suit's letter.
        found: char,
    },
    /// Two suits of the deck have the same letter.
    #[error("two suits have the same letter: give each suit a letter of its own")]
    RepeatedSuitLetter,
    /// The symbol of a suit is an ASCII character or cannot be printed.
    #[error(
        "the symbol of a suit must be a printable character that is not ASCII, such as '♣', not {found:?}"
    )]
    Symbol {
        /// Character found in place of the suit's symbol.
        found: char,
    },
    /// Two suits of the deck have the same symbol.
    #[error("two suits have the same symbol: give each suit a symbol of its own")]
    RepeatedSymbol,
    /// The letter of a rank is neither an upper-case letter nor a digit from 2 to 9.
    #[error(
        "the letter of a rank must be an upper-case letter or a digit from 2 to 9, not {found:?}"
    )]
    RankLetter {
        /// Character found in place of the rank's letter.
        found: char,
    },
    /// Two ranks of the deck have the same letter.
    #[error("two ranks have the same letter: give each rank a letter of its own")]
    RepeatedRankLetter,
    /// The point value of a rank is out of range.
    #[error("the value of a card must be 1 to 1000 points, not {found}")]
    Value {
        /// Rejected point value of a rank. The value is stored as text, because a number in TOML can be of any size.
        found: String,
    },
    /// The deck holds a card whose suit or rank the deck does not define.
    #[error("a card has a suit or rank that the deck does not define: correct the card")]
    ForeignCard,
    /// The list of privileged ranks is empty, or contains more ranks than a deck can have.
    #[error("the list of privileged ranks must have 1 to {max} ranks, not {found}")]
    PrivilegedRankCount {
        /// Number of ranks in the list of privileged ranks.
        found: usize,
        /// Maximum number of privileged ranks in a rule set.
        max: usize,
    },
    /// The list of privileged ranks contains a rank of which the deck has no card.
    #[error(
        "the privilege names a rank of which the deck has no card: remove the rank from the privilege"
    )]
    RankWithoutCards,
    /// The list of privileged ranks contains a rank twice.
    #[error("the privilege names a rank twice: remove one of the two entries")]
    RepeatedRank,
    /// The rule set forbids seat `Second` to foreplace a card of the suit or rank of a face-down card, which `Second` cannot see.
    #[error(
        "the key `second_restricted` must be false with `face = \"down\"`, because seat `second` cannot see the card that seat `first` foreplaced"
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
