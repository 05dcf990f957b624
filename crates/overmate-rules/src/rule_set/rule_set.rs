//! Defines validated rule sets: the deck, and all rules that differ between the published rule sets.

use alloc::string::String;
use alloc::sync::Arc;

use crate::cards::{Card, Deck, Rank};
use crate::rule_set::check::check;
use crate::rule_set::draft::{Foreplacing, Privilege, RuleSetDraft};
use crate::rule_set::fault::RulesFaults;

/// Validated rule set: the deck, the rules of play and scoring, and the match length.
///
/// # Equality
///
/// Two rule sets are equal if their names and contents are equal.
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
    /// Validates the draft of a rule set, and returns the valid rule set.
    ///
    /// ```
    /// use overmate_rules::RuleSet;
    /// let mut draft = RuleSet::named("sackson")?.draft();
    /// draft.name = "long-match".to_owned();
    /// draft.rounds = 5;
    /// let rules = RuleSet::new(draft)?;
    /// assert_eq!(rules.rounds(), 5);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns all faults of the draft. Each fault names its key in the TOML form.
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

    /// Moves the rule set into an [`Arc`], for sharing between games and deals.
    #[must_use]
    pub fn shared(self) -> Arc<Self> {
        Arc::new(self)
    }

    /// Converts the rule set to a draft, which a caller can change and validate again.
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

    /// Returns the name of the rule set, published or custom.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the deck of the rule set.
    #[must_use]
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// Returns the number of cards in a dealt hand. This number is also the maximum number of moves in a game.
    #[must_use]
    pub fn hand_size(&self) -> u8 {
        self.deck.hand_size()
    }

    /// Returns the rules of foreplacing, or `None` for a rule set without foreplacing.
    #[must_use]
    pub fn foreplacing(&self) -> Option<Foreplacing> {
        self.foreplacing
    }

    /// Returns the rule for privileged ranks, whose leads must be answered in rank if possible, or `None` without
    /// privileged ranks.
    #[must_use]
    pub fn privilege(&self) -> Option<&Privilege> {
        self.privilege.as_ref()
    }

    /// Returns whether the rule set allows the free move, the right to answer once in rank while
    /// holding the suit.
    #[must_use]
    pub fn free_move(&self) -> bool {
        self.free_move
    }

    /// Returns the number of rounds in a match. Each round has two games with the same deal and exchanged hands.
    #[must_use]
    pub fn rounds(&self) -> u8 {
        self.rounds
    }

    /// Returns whether a player who leads a given card may demand an answer in the card's rank.
    #[must_use]
    pub fn may_demand(&self, card: Card) -> bool {
        self.privileged(card.rank).is_some_and(|privilege| privilege.on_demand)
    }

    /// Returns whether a given lead must be answered in rank if possible, and otherwise in suit.
    #[must_use]
    pub fn rank_comes_first(&self, lead: Card, demanded: bool) -> bool {
        self.privileged(lead.rank).is_some_and(|privilege| demanded || !privilege.on_demand)
    }

    fn privileged(&self, rank: Rank) -> Option<&Privilege> {
        self.privilege.as_ref().filter(|privilege| privilege.ranks.contains(&rank))
    }
}
