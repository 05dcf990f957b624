//! The rules of *Mate*, the card game of pure skill: everything that is true of the game, and no I/O.
//!
//! A [`RuleSet`] says what is played. A [`Deal`] that may be wrong becomes a [`Dealt`] that is right; a
//! [`Game`] plays one deal, a [`Match`] several with the hands exchanged, and a [`View`] is what one
//! player may know of a game. A [`Position`] is a game without its past.
//!
//! ```
//! use overmate_rules::{Deal, Game, RuleSet};
//!
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
//! # Stability
//!
//! The texts that this crate writes (cards, actions, positions, records, names of rule sets), the
//! numbers of deals and the deals that follow from a seed never change their meaning.

#![no_std]

extern crate alloc;

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod action;
mod answers;
mod card;
mod custom;
mod custom_toml;
mod custom_write;
mod deal;
mod deck;
mod game;
mod illegal;
mod matchplay;
mod names;
mod notation;
mod position;
mod record;
mod record_read;
mod rules;
mod score;
mod seat;
mod seeded;
mod setup;
mod state;
mod view;

pub use action::{Action, Lead};
pub use answers::{AnswerTier, AnswerTiers, Answers, MAX_ANSWER_TIERS};
pub use card::{Card, CardSet, Rank, Slots, Suit};
pub use custom::{RulesFault, RulesFaults};
pub use deal::{Deal, DealFault, DealFaults, Dealt, MAX_DECK};
pub use deck::{Deck, RankFace, SuitFace};
pub use game::{Game, Move, Outcome, PlayError};
pub use illegal::Illegal;
pub use matchplay::{Match, MatchFault, MatchPlayError, MatchResult};
pub use names::{BASES, Base, NameFault, VARIATIONS, Variation};
pub use notation::{Place, ReadError};
pub use position::{Phase, Position};
pub use record::{
    IllegalInRecord, NotRecordable, Note, NoteText, Record, RecordError, RecordFault,
};
pub use rules::{
    Face, Foreplacing, OvermateFor, Privilege, RuleSet, RuleSetDraft, SoleReward, format_names,
};
pub use score::Mate;
pub use seat::{ByPlayer, BySeat, Player, Seat};
pub use seeded::{DealSource, SeededDeals};
pub use setup::{PositionFault, PositionFaults, PositionSetup};
pub use state::Foreplaced;
pub use view::{Seen, View, Viewer};
