//! JSON forms of the rule sets, cards, actions, deals and values of the card game *Mate*.
//!
//! The core types of `overmate-rules` and `overmate-solver` have no serde implementations. The
//! types here carry the JSON field names, and are converted by hand: [`RuleFacts`] for a rule set,
//! [`Hands`] for the hands of a deal, [`ProvedValue`] for a value, [`MistakeWire`] for the reason
//! of a loss. Cards and actions are strings in notation: [`card`], [`cards`], [`action`],
//! [`actions`].
//!
//! # Stability
//!
//! Field names, their order and the texts of enum values never change. New fields may be added.

/// Empty type that carries the README as its documentation, so that the README's example runs as a
/// test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod catalogue;
mod deal;
mod facts;
mod mistake;
mod value;

pub use catalogue::{
    CatalogueTexts, Conflict, LocalisedTexts, RuleSets, RuleSummary, VariationSummary, title,
};
pub use deal::{Hands, SeatWire, action, actions, card, cards, deal_number};
pub use facts::{
    DeckFacts, FactsError, ForeplacingFacts, OvermateRule, PrivilegeFacts, RankFacts, RuleFacts,
    SuitFacts,
};
pub use mistake::{MistakeKind, MistakeWire};
pub use value::ProvedValue;
