//! Defines rule sets, their published catalogue, their TOML form, and the legal answers to leads.

mod answers;
mod catalogue;
mod check;
mod draft;
mod fault;
#[allow(clippy::module_inception, reason = "the folder is named after its main type")]
mod rule_set;
#[cfg(feature = "toml")]
mod toml_read;
mod toml_words;
mod toml_write;

pub use answers::{AnswerTier, AnswerTiers, Answers, Lead, MAX_ANSWER_TIERS};
pub use catalogue::{BASES, Base, NameFault, Texts, VARIATIONS, Variation};
pub use draft::{Face, Foreplacing, OvermateFor, Privilege, RuleSetDraft, SoleReward};
pub use fault::{RulesFault, RulesFaults, RulesProblem};
pub use rule_set::RuleSet;
