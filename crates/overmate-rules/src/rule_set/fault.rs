//! Faults of rule sets, each with its TOML key, its kind, and its place in the text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::cards::MAX_DECK;
use crate::faults::{Fault, Faults};
use crate::text::{TextPlace, format_names};

/// Fault found in a rule set, with the TOML key of the faulty value and its place in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesFault {
    /// TOML key of the faulty value, such as `deck.ranks[2].value`, or an empty text if the whole
    /// text is not TOML.
    pub key: String,
    /// Kind of the fault, with the data that its message needs.
    pub problem: RulesProblem,
    /// Place in the text of the faulty value or, if the key is unknown, of the key. `None` if the key is missing or the
    /// rule set was not read from a text.
    pub place: Option<TextPlace>,
}

/// Kind of a fault in a rule set or in its TOML text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesProblem {
    /// Fault of a rule set text that is not TOML.
    #[error("the text is not TOML: {message}")]
    NotToml {
        /// Error message of the TOML reader.
        message: String,
    },
    /// Fault of a TOML text with an unknown key.
    #[error("no such key exists in this table: use {}", format_names(known))]
    UnknownKey {
        /// Keys that are allowed in the TOML table.
        known: Vec<&'static str>,
    },
    /// Fault of a TOML text that lacks a required key.
    #[error(
        "this required key is missing{}",
        if *deck { ": it holds the suits and ranks of the deck" } else { "" }
    )]
    Missing {
        /// Whether the missing key is `deck`, for which the error text says more.
        deck: bool,
    },
    /// Fault of a key whose value has the wrong TOML type.
    #[error("the value must be {wanted}, not a TOML {found}")]
    WrongType {
        /// Description of the right TOML type.
        wanted: &'static str,
        /// TOML type found in the text.
        found: String,
    },
    /// Fault of a letter or symbol whose text does not have exactly one character.
    #[error("the text must be exactly one character")]
    NotOneCharacter,
    /// Fault of a whole number that is too small or too large for its key.
    #[error("the number is too small or too large for this key")]
    OutOfRange,
    /// Fault of a key whose value is not among the words allowed for the key.
    #[error("the value `{found}` is not allowed: use {}", format_names(known))]
    UnknownWord {
        /// Word found in the text.
        found: String,
        /// Words allowed for the key.
        known: Vec<&'static str>,
    },
    /// Fault of a rule set with a privileged rank that is not a rank of the deck.
    #[error("`{letter}` is not the letter of a rank of this deck")]
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
    #[error("this name belongs to a published rule set with other rules: choose another name")]
    PublishedName,
    /// Fault of a name that is empty, too long, or has unprintable characters.
    #[error("the text must have 1 to {max} printable characters")]
    TextLength {
        /// Largest allowed number of characters.
        max: usize,
    },
    /// Fault of a rule set with a number of rounds that is out of range.
    #[error("a match must have 1 to 100 rounds")]
    RoundCount,
    /// Fault of a rule set with a number of suits that is out of range.
    #[error("a deck must have 1 to {max} suits")]
    SuitCount {
        /// Largest allowed number of suits.
        max: usize,
    },
    /// Fault of a rule set with a number of ranks that is out of range.
    #[error("a deck must have 1 to {max} ranks")]
    RankCount {
        /// Largest allowed number of ranks.
        max: usize,
    },
    /// Fault of a rule set with a number of cards that is odd or out of range.
    #[error("a deck must have an even number of cards from 4 to {MAX_DECK}, not {found}")]
    CardCount {
        /// Number of cards found in the deck.
        found: usize,
    },
    /// Fault of a suit whose letter is not a lower-case letter.
    #[error("a suit's letter must be one lower-case letter, a to z")]
    SuitLetter,
    /// Fault of two suits with the same letter.
    #[error("an earlier suit has the same letter: each suit needs a letter of its own")]
    RepeatedSuitLetter,
    /// Fault of a suit whose symbol is ASCII or cannot be printed.
    #[error("a suit's symbol must be a printable character that is not ASCII, such as ♣")]
    Symbol,
    /// Fault of two suits with the same symbol.
    #[error("an earlier suit has the same symbol: each suit needs a symbol of its own")]
    RepeatedSymbol,
    /// Fault of a rank whose letter is neither an upper-case letter nor a digit from 2 to 9.
    #[error("a rank's letter must be one upper-case letter or a digit from 2 to 9")]
    RankLetter,
    /// Fault of two ranks with the same letter.
    #[error("an earlier rank has the same letter: each rank needs a letter of its own")]
    RepeatedRankLetter,
    /// Fault of a rank whose point value is out of range.
    #[error("the value of a card must be 1 to 1000 points")]
    Value,
    /// Fault of a deck that holds a card whose suit or rank the deck does not define.
    #[error("the deck holds a card of a suit or rank that it does not define")]
    ForeignCard,
    /// Fault of a privilege that names no rank or more ranks than a deck can have.
    #[error("the privilege must name at least one rank, and no rank twice")]
    PrivilegedRankCount,
    /// Fault of a privilege that names a rank of which the deck has no card.
    #[error("the privilege names a rank of which the deck has no card")]
    RankWithoutCards,
    /// Fault of a privilege that names the same rank twice.
    #[error("the privilege names this rank twice")]
    RepeatedRank,
    /// Fault of a rule set that restricts seat `Second` by the opponent's foreplaced card although
    /// this card lies face down.
    #[error(
        "this key must be false with `face = \"down\"`, because second cannot know the suit and rank of first's card"
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

/// List of all faults found in a rule set, at least one.
pub type RulesFaults = Faults<RulesFault>;
