//! Rules of *Mate*, a two-player card game of pure skill, as a library without I/O.
//!
//! The type [`RuleSet`] holds the rules of a game. A [`Deal`] is a pair of hands before validation, and a [`Dealt`] is a validated deal. A
//! [`Game`] is one playing of a deal. A [`Match`] consists of several games with exchanged hands. A [`View`] is a game as one player may
//! see it. A [`Position`] holds the facts that affect the rest of a game, without the earlier actions.
//!
//! ```
//! use overmate_rules::{Deal, Game, RuleSet};
//! let rules = RuleSet::named("sackson")?.shared();
//! let mut game = Game::new(Deal::numbered(&rules, 20_010)?);
//! for text in ["-", "-", "Tc"] {
//!     let action = rules.read_action(text)?;
//!     game = game.play(action)?;
//! }
//! assert_eq!(game.to_string(), "- - Tc");
//! assert!(game.outcome().is_none());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `seeded`, on by default: deals from generators of random numbers and from seeds.
//! - `toml`, on by default: custom rule sets from TOML, also in records.
//!
//! # Stability
//!
//! The texts that this crate writes (cards, actions, positions, records, names of rule sets), the
//! numbers of deals and the deals that follow from a seed never change their meaning.

#![no_std]

extern crate alloc;

/// Empty type that turns the README's code example into a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod cards;
mod faults;
mod game;
mod notation;
mod rule_set;
mod text;

pub use cards::{
    ByPlayer, BySeat, Card, CardSet, Deck, MAX_DECK, Player, Rank, RankFace, Seat, Suit, SuitFace,
};
pub use faults::{Fault, Faults};
#[cfg(feature = "seeded")]
pub use game::SeededDeals;
pub use game::{
    Action, Deal, DealFault, DealFaults, DealSource, Dealt, Foreplaced, Game, Illegal,
    LegalActions, Match, MatchFault, MatchResult, Mate, Move, Outcome, Phase, PlayError, Position,
    Seen, View, Viewer,
};
pub use notation::{
    IllegalInRecord, NotRecordable, Note, NoteText, PositionFault, PositionFaults, PositionSetup,
    Record, RecordError, RecordFault,
};
pub use rule_set::{
    BASES, Base, Face, Foreplacing, Lead, NameFault, OvermateFor, Privilege, RuleSet, RuleSetDraft,
    RulesFault, RulesFaults, RulesProblem, SoleReward, Texts, VARIATIONS, Variation,
};
pub use text::{ReadError, TextPlace, distinct_causes, error_with_causes, format_names};

/// Types for engines (such as solvers) that number the cards and compute the legal answers themselves.
pub mod for_engines {
    pub use crate::cards::Slots;
    pub use crate::rule_set::{AnswerTier, AnswerTiers, Answers, MAX_ANSWER_TIERS};
}
