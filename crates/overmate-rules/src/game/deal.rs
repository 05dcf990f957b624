//! Defines deals of two hands, before and after validation, and deal numbers.

use crate::cards::{BySeat, Card, CardSet, Seat};
use crate::faults::{Fault, Faults};
use crate::rule_set::RuleSet;
use crate::text::counted;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Deal of two hands before validation. [`validate`](Self::validate) converts the deal to a validated [`Dealt`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Deal {
    /// Cards dealt to the player in seat `First`.
    pub first: Vec<Card>,
    /// Cards dealt to the player in seat `Second`.
    pub second: Vec<Card>,
}

/// Validated deal: two hands that together are exactly the deck of the rule set.
///
/// A `Dealt` stores its rule set, so that a game is always played with the right deck.
///
/// # Equality
///
/// Two deals are equal if their rule sets and hands are equal. Which of two identical cards lies in
/// which hand makes no difference.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Dealt {
    rules: Arc<RuleSet>,
    hands: BySeat<CardSet>,
}

/// Fault that makes a deal of cards invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DealFault {
    /// A hand of the deal has the wrong number of cards.
    #[error(
        "seat `{seat}` was dealt {}, but needs a hand of {expected} cards",
        counted(*found, "card")
    )]
    WrongCount {
        /// Seat of the player whose hand has the wrong number of cards.
        seat: Seat,
        /// Number of cards found in the hand.
        found: usize,
        /// Required number of cards in the hand under the rule set.
        expected: usize,
    },
    /// The hands of the deal hold more copies of a card than the deck.
    #[error(
        "the hands hold {card} {}, but the deck holds {card} {}",
        counted(*found, "time"),
        counted(*expected, "time")
    )]
    TooMany {
        /// Card with more copies in the hands than in the deck, in notation such as `Tc`.
        card: String,
        /// Number of copies of the card in both hands of the deal.
        found: usize,
        /// Number of copies of the card in the deck.
        expected: usize,
    },
    /// A card of the deck is in neither hand of the deal.
    #[error("the card {card} of the deck is in neither hand")]
    Missing {
        /// Card of the deck that is in neither hand, in notation such as `Tc`.
        card: String,
    },
    /// A hand of the deal holds a card that is not in the deck. The message names the suit and rank of the card by
    /// their indices.
    #[error("no card of the deck has suit index {} and rank index {} (both counted from 0): correct the card", card.suit.0, card.rank.0)]
    NotInDeck {
        /// Card of the deal that is not in the deck.
        card: Card,
    },
    /// The deal number is above the highest deal number of the rule set.
    #[error("there is no deal {number}: deal numbers go from 0 to {last}")]
    NoSuchNumber {
        /// Rejected deal number, above the highest deal number of the rule set.
        number: u64,
        /// Highest deal number of the rule set.
        last: u64,
    },
}

impl Fault for DealFault {}

/// Non-empty list of all faults found in a deal.
pub type DealFaults = Faults<DealFault>;

impl Deal {
    /// Returns the deal with a given deal number under a rule set.
    ///
    /// The number of a deal is the colexicographic rank of the card indices s₁ < s₂ < … of *first*:
    /// Σ C(sᵢ, i). In decks with identical cards several numbers name one deal.
    ///
    /// ```
    /// use overmate_rules::{Deal, RuleSet};
    /// let rules = RuleSet::named("sackson")?.shared();
    /// let dealt = Deal::numbered(&rules, 20_010)?;
    /// assert_eq!(dealt.number(), 20_010);
    /// assert!(Deal::numbered(&rules, 184_756).is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the number is not below [`Dealt::count`].
    pub fn numbered(rules: &Arc<RuleSet>, number: u64) -> Result<Dealt, DealFaults> {
        let count = Dealt::count(rules);
        if number >= count {
            return Err(Faults(alloc::vec![DealFault::NoSuchNumber { number, last: count - 1 }]));
        }
        let mut rest = number;
        let mut first = CardSet::EMPTY;
        let mut slot = rules.deck().cards().len() as u64;
        for i in (1..=u64::from(rules.hand_size())).rev() {
            slot -= 1;
            while binomial(slot, i) > rest {
                slot -= 1;
            }
            rest -= binomial(slot, i);
            first.0 |= 1 << slot;
        }
        Ok(Dealt::of_first(rules, first))
    }

    /// Validates the deal: the two hands must together be exactly the deck of a rule set.
    ///
    /// ```
    /// use overmate_rules::{DealFault, RuleSet, Seat};
    /// let rules = RuleSet::named("bga")?.shared();
    /// let deal = rules.read_deal("Ac Tc Kc Qc 7c As Ts Ks Qs 7s / Ah Th Kh Qh 7h Ad Td Kd Qd")?;
    /// let faults = deal.validate(&rules).unwrap_err();
    /// assert_eq!(faults.0, [DealFault::WrongCount { seat: Seat::Second, found: 9, expected: 10 }]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns all faults: wrong numbers of cards, foreign cards, too many copies, and missing cards.
    pub fn validate(&self, rules: &Arc<RuleSet>) -> Result<Dealt, DealFaults> {
        let deck = rules.deck();
        let mut faults = Vec::new();
        let expected = usize::from(rules.hand_size());
        for (seat, hand) in [(Seat::First, &self.first), (Seat::Second, &self.second)] {
            if hand.len() != expected {
                faults.push(DealFault::WrongCount { seat, found: hand.len(), expected });
            }
            for &card in hand.iter().filter(|card| deck.slots_of(**card).is_empty()) {
                faults.push(DealFault::NotInDeck { card });
            }
        }
        for card in deck.distinct(deck.all()) {
            let held = self.first.iter().chain(&self.second).filter(|held| **held == card);
            let (found, expected) = (held.count(), deck.slots_of(card).len() as usize);
            let name = || deck.card_text(card).to_string();
            if found > expected {
                faults.push(DealFault::TooMany { card: name(), found, expected });
            }
            // If the hands have a wrong number of cards in total, the missing cards are not reported. A long list of them would distract
            // from the wrong number of cards.
            if found < expected && self.first.len() + self.second.len() == deck.cards().len() {
                faults.push(DealFault::Missing { card: name() });
            }
        }
        if !faults.is_empty() {
            return Err(Faults(faults));
        }
        let mut first = CardSet::EMPTY;
        for card in &self.first {
            let copy = (deck.slots_of(*card) - first).first_slot();
            first |= copy.map_or(CardSet::EMPTY, CardSet::of_slot);
        }
        Ok(Dealt::of_first(rules, first))
    }
}

impl Dealt {
    fn of_first(rules: &Arc<RuleSet>, first: CardSet) -> Self {
        let deck = rules.deck();
        let (first, second) = deck.settle(first, deck.all() - first);
        Self { rules: Arc::clone(rules), hands: BySeat { first, second } }
    }

    /// Returns the number of deals of a rule set, such as 184,756 for two hands of ten cards. Deal
    /// numbers range from 0 to this number minus 1.
    ///
    /// ```
    /// use overmate_rules::{Dealt, RuleSet};
    /// // Ten of twenty cards go to seat `First`.
    /// assert_eq!(Dealt::count(&RuleSet::named("bga")?), 184_756);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn count(rules: &RuleSet) -> u64 {
        binomial(rules.deck().cards().len() as u64, u64::from(rules.hand_size()))
    }

    /// Returns the rule set of the deal.
    #[must_use]
    pub fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Returns the two dealt hands, one for each seat.
    #[must_use]
    pub fn hands(&self) -> BySeat<CardSet> {
        self.hands
    }

    /// Returns the canonical deal number: the smallest of the numbers that name the deal.
    #[must_use]
    pub fn number(&self) -> u64 {
        (1..).zip(self.hands.first.slots()).map(|(i, slot)| binomial(u64::from(slot), i)).sum()
    }
}

/// Returns the binomial coefficient C(n, k), for `n` up to [`MAX_DECK`](crate::MAX_DECK).
fn binomial(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    // Each product of a binomial coefficient and a factor is at most C(60, 30) · 60, which is below 2^64.
    (0..k.min(n - k)).fold(1, |product, i| product * (n - i) / (i + 1))
}
