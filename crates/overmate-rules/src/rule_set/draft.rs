//! Drafts of rule sets, which hold all rules that differ between publications and may be invalid.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cards::{Card, Rank, RankFace, SuitFace};

/// Visibility of a foreplaced card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Face {
    /// Face up, so that both players and spectators see the card.
    Up,
    /// Face down, so that only the owner sees the card until the game ends.
    Down,
}

/// Bonus for the mates of a player who foreplaced when the opponent did not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SoleReward {
    /// Bonus that counts the move number of the mate one higher in the score.
    OneMoveMore,
    /// Bonus that doubles the score of the mate.
    Doubled,
}

/// Players for whom a mate in the extra last move is an overmate, whose score is doubled.
///
/// The extra last move is the move with the repeated card of a sole foreplacer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OvermateFor {
    /// No player, so that a mate in the extra last move is not doubled.
    Nobody,
    /// Only the player who foreplaced a card.
    Foreplacer,
    /// Either player, whether or not they foreplaced a card.
    Either,
}

/// Rules of foreplacing in a rule set that has foreplacing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Foreplacing {
    /// Visibility of the foreplaced card.
    pub face: Face,
    /// Whether *second* must not foreplace a card of the suit or rank that *first* foreplaced.
    pub second_restricted: bool,
    /// Bonus for the mates of a player who foreplaced when the opponent did not. If both players
    /// foreplaced, all mates count one move more.
    pub sole: SoleReward,
    /// Players whose score is doubled for a mate in the extra last move.
    pub overmate: OvermateFor,
}

/// Privilege of some ranks, by which a lead of such a rank must be answered in rank before suit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Privilege {
    /// Ranks that have the privilege.
    pub ranks: Vec<Rank>,
    /// Whether the privilege holds only if the leader demands the rank with the lead.
    pub on_demand: bool,
}

/// Rule set that may be invalid, for [`RuleSet::new`](crate::RuleSet::new) to check.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuleSetDraft {
    /// Name of the rule set.
    pub name: String,
    /// Suits of the deck, the highest first.
    pub suits: Vec<SuitFace>,
    /// Ranks of the deck, the highest first.
    pub ranks: Vec<RankFace>,
    /// Cards of the deck, in any order.
    pub cards: Vec<Card>,
    /// Rules of foreplacing, or `None` if the rule set has no foreplacing.
    pub foreplacing: Option<Foreplacing>,
    /// Privilege of some ranks, or `None` if no rank has a privilege.
    pub privilege: Option<Privilege>,
    /// Whether the rule set has a free move.
    pub free_move: bool,
    /// Number of rounds in a match. A round is two games with the hands exchanged.
    pub rounds: u8,
}
