//! Provides the data of a deal that all solving methods share: legal answers, points of mates, and values of the last two moves.
//!
//! All engines of this crate and the bots use this module. Each file imports only files to its left in this list: `subsets`, `follow_masks`
//! → `cards`, `scores`, `score_codes` → `last_moves`, `action_tree`.

pub(crate) mod action_tree;
pub(crate) mod cards;
pub(crate) mod follow_masks;
pub(crate) mod last_moves;
pub(crate) mod score_codes;
pub(crate) mod scores;
pub(crate) mod subsets;
