//! A rule set: the deck, and every point in which the published texts differ, as data.

use alloc::string::String;
use alloc::sync::Arc;

use crate::cards::{Card, Deck, Rank};
use crate::rule_set::check::{RulesFaults, check};
use crate::rule_set::draft::{Foreplacing, Privilege, RuleSetDraft};

/// A valid rule set: everything that a game or a match needs to know.
///
/// # Equality
///
/// Two rule sets are equal if they have the same name and say the same of every point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RuleSet {
    name: String,
    deck: Deck,
    foreplacing: Option<Foreplacing>,
    privilege: Option<Privilege>,
    free_move: bool,
    rounds: u8,
}

impl RuleSet {
    /// Makes a rule set.
    ///
    /// # Errors
    ///
    /// All faults of the draft, each with the key of the TOML form that it concerns.
    pub fn new(draft: RuleSetDraft) -> Result<Self, RulesFaults> {
        check(&draft)?;
        Ok(Self {
            name: draft.name,
            deck: Deck::lay_out(draft.suits, draft.ranks, draft.cards),
            foreplacing: draft.foreplacing,
            privilege: draft.privilege,
            free_move: draft.free_move,
            rounds: draft.rounds,
        })
    }

    /// The same rule set, to be shared by games.
    #[must_use]
    pub fn shared(self) -> Arc<Self> {
        Arc::new(self)
    }

    /// The draft that makes this rule set: a start for one that differs in a few points.
    #[must_use]
    pub fn draft(&self) -> RuleSetDraft {
        RuleSetDraft {
            name: self.name.clone(),
            suits: self.deck.suits().to_vec(),
            ranks: self.deck.ranks().to_vec(),
            cards: self.deck.cards().to_vec(),
            foreplacing: self.foreplacing,
            privilege: self.privilege.clone(),
            free_move: self.free_move,
            rounds: self.rounds,
        }
    }

    /// What it is called: a name of the catalogue, or what a custom rule set calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The deck.
    #[must_use]
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// Cards a hand, and so the most moves that a game can last.
    #[must_use]
    pub fn hand_size(&self) -> u8 {
        self.deck.hand_size()
    }

    /// How foreplacing works, if there is foreplacing.
    #[must_use]
    pub fn foreplacing(&self) -> Option<Foreplacing> {
        self.foreplacing
    }

    /// The privilege, if there is one.
    #[must_use]
    pub fn privilege(&self) -> Option<&Privilege> {
        self.privilege.as_ref()
    }

    /// Whether once in a game a follower may answer out of turn.
    #[must_use]
    pub fn free_move(&self) -> bool {
        self.free_move
    }

    /// Rounds in a match; each is two games with the hands exchanged.
    #[must_use]
    pub fn rounds(&self) -> u8 {
        self.rounds
    }

    /// Whether a player may lead this card in two ways, with and without a demand.
    #[must_use]
    pub fn may_demand(&self, card: Card) -> bool {
        self.privileged(card.rank).is_some_and(|privilege| privilege.on_demand)
    }

    /// Whether this lead must be answered in rank before suit.
    #[must_use]
    pub fn rank_comes_first(&self, lead: Card, demanded: bool) -> bool {
        self.privileged(lead.rank).is_some_and(|privilege| demanded || !privilege.on_demand)
    }

    fn privileged(&self, rank: Rank) -> Option<&Privilege> {
        self.privilege.as_ref().filter(|privilege| privilege.ranks.contains(&rank))
    }
}
