//! Answers to a lead: tiers of cards in order of priority, and the answers that one hand has.

use crate::cards::{Card, CardSet};
use crate::rule_set::rule_set::RuleSet;

/// Largest number of tiers that the answers to one lead can have in any rule set.
pub const MAX_ANSWER_TIERS: usize = 4;

/// Card that was led, and whether the leader demanded its rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lead {
    /// Card that was led.
    pub card: Card,
    /// Whether the leader demanded that its rank be answered first.
    pub demanded: bool,
}

/// Cards of the deck that answer a lead with the same priority.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AnswerTier {
    /// The cards, as slots of the deck.
    pub cards: CardSet,
    /// Whether the free move lets a follower answer with these cards although the follower holds a card of
    /// an earlier tier. Always `false` in a rule set without a free move.
    pub free_move: bool,
}

/// The answers to one lead in order of priority: disjoint tiers of the deck's cards.
///
/// A follower must answer with a card of the first tier of which they hold a card. A follower who
/// holds no card of any tier is mated. While the free move is unused, the follower may instead use it for a card of
/// a later tier whose [`free_move`](AnswerTier::free_move) is set.
///
/// Under the plain rules the first tier is the suit of the lead and the second its rank; a
/// privilege swaps the two. Engines must accept any number of tiers up to [`MAX_ANSWER_TIERS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AnswerTiers {
    tiers: [AnswerTier; MAX_ANSWER_TIERS],
    len: usize,
}

/// The cards with which one hand may answer one lead.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Answers {
    /// Forced answers: the held cards of the first tier of which the hand holds a card. The lead gives mate if
    /// there are none.
    pub forced: CardSet,
    /// Answers that use the free move. Empty if there are no forced answers.
    pub free_move: CardSet,
}

impl AnswerTiers {
    /// Collects tiers in order; cards of an earlier tier are removed from later ones.
    fn new<const N: usize>(tiers: [AnswerTier; N]) -> Self {
        const { assert!(N <= MAX_ANSWER_TIERS, "more tiers than MAX_ANSWER_TIERS") };
        let mut all = [AnswerTier::default(); MAX_ANSWER_TIERS];
        let mut earlier = CardSet::EMPTY;
        for (slot, tier) in all.iter_mut().zip(tiers) {
            *slot = AnswerTier { cards: tier.cards - earlier, ..tier };
            earlier |= tier.cards;
        }
        Self { tiers: all, len: N }
    }

    /// Returns the tiers, the one with the highest priority first.
    #[must_use]
    pub fn as_slice(&self) -> &[AnswerTier] {
        &self.tiers[..self.len]
    }

    /// Returns every card that can answer the lead, of all tiers.
    #[must_use]
    pub fn cards(&self) -> CardSet {
        self.as_slice().iter().map(|tier| tier.cards).collect()
    }

    /// Returns the answers that a hand has to the lead.
    ///
    /// `free_move_used` says whether the free move of the game is gone.
    #[must_use]
    pub fn answers_of(&self, hand: CardSet, free_move_used: bool) -> Answers {
        let mut answers = Answers::default();
        for tier in self.as_slice() {
            let held = hand & tier.cards;
            if answers.forced.is_empty() {
                answers.forced = held;
            } else if tier.free_move && !free_move_used {
                answers.free_move |= held;
            }
        }
        answers
    }
}

impl RuleSet {
    /// Returns the answers to a lead as tiers in order of priority.
    ///
    /// Legality, mate and all engines follow from these tiers: no other place says who may answer.
    ///
    /// ```
    /// use overmate_rules::{Lead, RuleSet};
    ///
    /// let rules = RuleSet::named("sackson")?;
    /// let lead = Lead { card: rules.deck().read_card("Kc")?, demanded: false };
    /// let tiers = rules.answers_in_order(lead);
    /// let texts: Vec<String> =
    ///     tiers.as_slice().iter().map(|tier| rules.deck().cards_text(tier.cards, " ")).collect();
    /// assert_eq!(texts, ["Ac Tc Kc Qc 7c", "Ks Kh Kd"]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn answers_in_order(&self, lead: Lead) -> AnswerTiers {
        let suit = self.deck().of_suit(lead.card.suit);
        let rank = self.deck().of_rank(lead.card.rank);
        let (before, after) = if self.rank_comes_first(lead.card, lead.demanded) {
            (rank, suit)
        } else {
            (suit, rank)
        };
        AnswerTiers::new([
            AnswerTier { cards: before, free_move: false },
            AnswerTier { cards: after, free_move: self.free_move() },
        ])
    }
}
