//! The kernel of a deal: which cards can answer a lead, what a mate scores, and how the game ends.
//!
//! Every engine of this crate builds on these files, and the bots use [`FollowMasks`](cards::FollowMasks) too.

pub(crate) mod action_tree;
pub(crate) mod cards;
pub(crate) mod last_moves;
pub(crate) mod score_codes;
pub(crate) mod subsets;
