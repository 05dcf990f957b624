//! Drafts of rule sets: every point in which the published texts differ, as data that may be wrong.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cards::{Card, Rank, RankFace, SuitFace};

/// Visibility of a foreplaced card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Face {
    /// All players see the card.
    Up,
    /// Only the owner sees the card until the game ends.
    Down,
}

/// Bonus for the mates of a player who foreplaced when the opponent did not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SoleReward {
    /// The mate counts one move more.
    OneMoveMore,
    /// The score is doubled, and no move is added.
    Doubled,
}

/// Players for whom a mate in the extra last move is an overmate, whose score is doubled.
///
/// The extra last move is the move with the repeated card of a sole foreplacer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OvermateFor {
    /// No player: a mate in the extra last move scores like any other.
    Nobody,
    /// The player who foreplaced.
    Foreplacer,
    /// Either player.
    Either,
}

/// Rules of foreplacing in a rule set that has foreplacing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Foreplacing {
    /// Visibility of the foreplaced card.
    pub face: Face,
    /// Whether *second* must not foreplace a card of the suit or rank that *first* foreplaced.
    pub second_restricted: bool,
    /// Bonus for the mates of a sole foreplacer. If both players foreplaced, all mates count one move more.
    pub sole: SoleReward,
    /// Players who score double with a mate in the extra last move.
    pub overmate: OvermateFor,
}

/// Privilege of some ranks: a lead of such a rank must be answered in rank before suit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Privilege {
    /// Ranks that have the privilege.
    pub ranks: Vec<Rank>,
    /// Whether the privilege holds only if the leader demands the rank.
    pub on_demand: bool,
}

/// Rule set that may be wrong, for [`RuleSet::new`](crate::RuleSet::new) to check.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuleSetDraft {
    /// Name of the rule set.
    pub name: String,
    /// Suits, the highest first.
    pub suits: Vec<SuitFace>,
    /// Ranks, the highest first.
    pub ranks: Vec<RankFace>,
    /// Every card of the deck, in any order.
    pub cards: Vec<Card>,
    /// Rules of foreplacing; `None` for no foreplacing.
    pub foreplacing: Option<Foreplacing>,
    /// Privilege; `None` if no rank has a privilege.
    pub privilege: Option<Privilege>,
    /// Whether there is a free move.
    pub free_move: bool,
    /// Number of rounds in a match. A round is two games with the hands exchanged.
    pub rounds: u8,
}
