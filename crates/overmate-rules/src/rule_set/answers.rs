//! Defines the tiers (groups) of cards that may answer a lead, and the legal answers of a hand.

use crate::cards::{Card, CardSet};
use crate::rule_set::rule_set::RuleSet;

/// Maximum number of tiers (groups) of cards that may answer a lead in any rule set.
pub const MAX_ANSWER_TIERS: usize = 4;

/// Led card, with or without a demand for an answer in rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Lead {
    /// Card led by the leader.
    pub card: Card,
    /// Whether the leader has demanded an answer in rank. The follower must then answer in rank if possible, and
    /// otherwise in suit.
    pub demanded: bool,
}

/// Tier of answers: cards that may answer a lead with equal priority, such as all cards of the led
/// suit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct AnswerTier {
    /// All cards of the deck that belong to the answer tier, a group of cards with equal priority as answers.
    pub cards: CardSet,
    /// Whether the free move makes the cards of this answer tier legal for a follower who holds a card of a higher tier. Always `false` in
    /// a rule set without a free move.
    pub free_move: bool,
}

/// Tiers (groups) of cards that may answer a lead, from the highest priority to the lowest.
///
/// A follower must answer from the first tier of which they hold a card. A follower who holds no
/// card of any tier is mated. While the free move is unused, the follower may instead use it for a
/// card of a later tier whose [`free_move`](AnswerTier::free_move) is set.
///
/// Under the plain rules, the first tier is the led suit and the second tier is the led rank. A
/// privilege swaps the two. Engines must accept any number of tiers up to [`MAX_ANSWER_TIERS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AnswerTiers {
    tiers: [AnswerTier; MAX_ANSWER_TIERS],
    len: usize,
}

/// Cards of a hand that may answer a lead: the legal answers without the free move, and the further answers by the free move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Answers {
    /// Legal answers without the free move: the cards of the hand in the highest tier from which the hand holds a
    /// card. If the set is empty, the lead gives mate.
    pub forced: CardSet,
    /// Answers that are legal only by the free move, a right that the rules grant once in a game. The free move is the right to answer in
    /// rank while holding the suit or, after a privileged lead, in suit while holding the led rank. The set is empty if there are no forced
    /// answers.
    pub free_move: CardSet,
}

impl AnswerTiers {
    /// Creates disjoint answer tiers from ordered groups of cards. A card in several groups stays only in the first
    /// group that holds the card.
    fn new<const N: usize>(tiers: [AnswerTier; N]) -> Self {
        const { assert!(N <= MAX_ANSWER_TIERS, "a lead has at most MAX_ANSWER_TIERS tiers") };
        let mut all = [AnswerTier::default(); MAX_ANSWER_TIERS];
        let mut earlier = CardSet::EMPTY;
        for (slot, tier) in all.iter_mut().zip(tiers) {
            *slot = AnswerTier { cards: tier.cards - earlier, ..tier };
            earlier |= tier.cards;
        }
        Self { tiers: all, len: N }
    }

    /// Returns the tiers (groups) of cards that may answer the lead, from the highest priority to the lowest.
    #[must_use]
    pub fn as_slice(&self) -> &[AnswerTier] {
        &self.tiers[..self.len]
    }

    /// Returns all cards of the deck that can answer the lead.
    #[must_use]
    pub fn cards(&self) -> CardSet {
        self.as_slice().iter().map(|tier| tier.cards).collect()
    }

    /// Returns the legal answers of a hand to the lead.
    ///
    /// The parameter `free_move_used` states whether the game's free move is used.
    ///
    /// ```
    /// use overmate_rules::{CardSet, Lead, RuleSet};
    /// let rules = RuleSet::named("bga+free-move")?;
    /// let deck = rules.deck();
    /// let card = |text: &str| deck.read_card(text).map(|card| deck.slots_of(card));
    /// let tiers = rules.answers_in_order(Lead { card: deck.read_card("Kc")?, demanded: false });
    /// let hand: CardSet = [card("Qc")?, card("Kh")?, card("7d")?].into_iter().collect();
    /// let answers = tiers.answers_of(hand, false);
    /// assert_eq!((answers.forced, answers.free_move), (card("Qc")?, card("Kh")?));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
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
    /// Returns the tiers (groups) of cards that may answer a given lead.
    ///
    /// Legality, mate and all engines follow from these tiers, so that no other code decides which cards may answer.
    ///
    /// ```
    /// use overmate_rules::{Lead, RuleSet};
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
