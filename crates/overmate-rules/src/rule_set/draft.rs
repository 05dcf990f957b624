//! A rule set that may be wrong: every point in which the published texts differ, as data.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cards::{Card, Rank, RankFace, SuitFace};

/// How a foreplaced card lies on the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Face {
    /// Shown to all.
    Up,
    /// Known to its owner only, until the game ends.
    Down,
}

/// What a mate scores for a player who foreplaced when the other did not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SoleReward {
    /// The mate counts one move more.
    OneMoveMore,
    /// The score is doubled, and no move is added.
    Doubled,
}

/// For whom a mate in the extra last move, the one with the repeated card, is an overmate: doubled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OvermateFor {
    /// For nobody: it is an ordinary mate.
    Nobody,
    /// For the one who foreplaced.
    Foreplacer,
    /// For whoever gives it.
    Either,
}

/// How foreplacing works in a rule set that has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Foreplacing {
    /// How the card lies.
    pub face: Face,
    /// Whether *second* may not take a card of the suit or rank that *first* foreplaced.
    pub second_restricted: bool,
    /// What a sole foreplacer's mates score. If both foreplaced, each one's mates count one move more.
    pub sole: SoleReward,
    /// Who doubles with a mate in the extra last move.
    pub overmate: OvermateFor,
}

/// A privilege: to a lead of certain ranks, the rank must be answered before the suit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Privilege {
    /// The ranks that have it.
    pub ranks: Vec<Rank>,
    /// Whether it holds only when the leader demands it with the lead.
    pub on_demand: bool,
}

/// A rule set that may be wrong: what [`RuleSet::new`] checks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuleSetDraft {
    /// What it is called.
    pub name: String,
    /// The suits, the highest first.
    pub suits: Vec<SuitFace>,
    /// The ranks, the highest first.
    pub ranks: Vec<RankFace>,
    /// Every card of the deck, in any order.
    pub cards: Vec<Card>,
    /// Foreplacing, if the rule set has it.
    pub foreplacing: Option<Foreplacing>,
    /// The privilege, if the rule set has one.
    pub privilege: Option<Privilege>,
    /// Whether there is a free move.
    pub free_move: bool,
    /// Rounds in a match; each is two games with the hands exchanged.
    pub rounds: u8,
}
