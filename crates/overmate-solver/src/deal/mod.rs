//! Facts about one deal that all engines share: the legal answers to each lead, the points of each mate, and the values
//! of the last two moves.
//!
//! All engines of this crate and the bots build on these files. The files import only downwards: `subsets`,
//! `follow_masks` → `cards`, `scores`, `score_codes` → `last_moves`, `action_tree`.

pub(crate) mod action_tree;
pub(crate) mod cards;
pub(crate) mod follow_masks;
pub(crate) mod last_moves;
pub(crate) mod score_codes;
pub(crate) mod scores;
pub(crate) mod subsets;
