//! Defines drafts of rule sets before validation. A draft has a field for each rule that differs between the published rule sets.

use alloc::string::String;
use alloc::vec::Vec;

use crate::cards::{Card, Rank, RankFace, Suit, SuitFace};

/// Orientation of a foreplaced card on the table: face up or face down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Face {
    /// Face up: both players and spectators see the foreplaced card.
    Up,
    /// Face down: only the owner sees the foreplaced card until the game ends.
    Down,
}

/// Bonus on the mates of a sole foreplacer: a player who has foreplaced a card while their opponent has declined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SoleReward {
    /// Bonus that multiplies the value of the mating card by one more than the move number.
    OneMoveMore,
    /// Bonus that doubles the score of the mate.
    Doubled,
}

/// Overmate rule: the players who score double for a mate in the extra last move, which exists if only one player has
/// foreplaced.
///
/// In the extra last move, the sole foreplacer repeats a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OvermateFor {
    /// No player scores double for a mate just because the mate occurs in the extra last move.
    Nobody,
    /// If only one player has foreplaced a card, this player alone scores double for a mate in the last possible move.
    Foreplacer,
    /// Each player scores double for a mate in the extra last move.
    Either,
}

/// Rules of foreplacing, by which players may set one card aside before the first move for higher
/// scores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Foreplacing {
    /// Orientation of a foreplaced card on the table: face up or face down.
    pub face: Face,
    /// Whether seat `Second` must not foreplace a card that shares its suit or rank with the foreplaced card of seat
    /// `First`.
    pub second_restricted: bool,
    /// Bonus on the mates of a sole foreplacer: a player who has foreplaced a card while their opponent has declined. If both players
    /// foreplaced, all mates count one move more.
    pub sole: SoleReward,
    /// Overmate rule: the players who score double for a mate in the extra last move, which exists if only one player
    /// has foreplaced.
    pub overmate: OvermateFor,
}

/// Privilege of some ranks: a lead of such a rank must be answered in rank if possible, and otherwise in suit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Privilege {
    /// Privileged ranks: a lead of such a rank must be answered in rank if possible, and otherwise in suit.
    pub ranks: Vec<Rank>,
    /// Whether a lead of a privileged rank must be answered in rank only if the leader demands this.
    pub on_demand: bool,
}

/// Draft of a rule set before validation. [`RuleSet::new`](crate::RuleSet::new) checks the draft and converts it to a valid rule set.
///
/// ```
/// use overmate_rules::{RankFace, RuleSet, RuleSetDraft, SuitFace};
/// let published = RuleSet::named("bga")?;
/// let (suits, ranks) = (published.deck().suits().to_vec(), published.deck().ranks().to_vec());
/// let mut draft = RuleSetDraft::new("mine", suits, ranks);
/// draft.rounds = 3;
/// assert_eq!(RuleSet::new(draft)?.deck().cards().len(), 20);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RuleSetDraft {
    /// Name of the rule set.
    pub name: String,
    /// Suits of the deck, the highest first.
    pub suits: Vec<SuitFace>,
    /// Ranks of the deck, the highest first.
    pub ranks: Vec<RankFace>,
    /// Cards of the deck, in any order.
    pub cards: Vec<Card>,
    /// Rules of foreplacing, or `None` for a rule set without foreplacing.
    pub foreplacing: Option<Foreplacing>,
    /// Rule for privileged ranks, whose leads must be answered in rank if possible; `None` for a rule set without privileged ranks.
    pub privilege: Option<Privilege>,
    /// Whether the rule set allows the free move, the right to answer once in rank while holding
    /// the suit.
    pub free_move: bool,
    /// Number of rounds in a match, 1 to [`MAX_ROUNDS`](Self::MAX_ROUNDS). Each round has two games with the same deal and exchanged hands.
    pub rounds: u8,
}

impl RuleSetDraft {
    /// Maximum number of rounds in a match of a rule set.
    pub const MAX_ROUNDS: u8 = 100;

    /// Creates the draft of a simple rule set, with one card for each combination of suit and rank,
    /// and without optional rules.
    #[must_use]
    pub fn new(name: impl Into<String>, suits: Vec<SuitFace>, ranks: Vec<RankFace>) -> Self {
        let of_suit =
            |suit| (0..).zip(&ranks).map(move |(rank, _)| Card { suit, rank: Rank(rank) });
        let cards = (0..).zip(&suits).flat_map(|(suit, _)| of_suit(Suit(suit))).collect();
        Self {
            name: name.into(),
            suits,
            ranks,
            cards,
            foreplacing: None,
            privilege: None,
            free_move: false,
            rounds: 1,
        }
    }
}
