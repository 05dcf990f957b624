//! Defines follow masks: bit masks of the cards that can answer a lead, one mask for each tier (group of answers with equal priority).

use overmate_rules::for_engines::MAX_ANSWER_TIERS;
use overmate_rules::{Card, CardSet, Lead, RuleSet};

/// Follow masks of one lead: bit masks of the cards in a hand that can answer, one mask for each tier (group of answers with equal
/// priority).
///
/// A follow mask has one bit for each card of the answering hand. The tiers are those of
/// [`RuleSet::answers_in_order`]: disjoint, the highest priority first. Unused tiers are empty.
///
/// ```
/// use overmate_rules::{Card, Deal, Game, RuleSet, Seat};
/// use overmate_solver::for_bots::lead_kinds;
/// let rules = RuleSet::named("sackson")?;
/// let cards = |text: &str| -> Result<Vec<Card>, _> {
///     text.split(' ').map(|card| rules.deck().read_card(card)).collect()
/// };
/// let leads = lead_kinds(&rules, &cards("Kc 7d")?, &cards("Ac Kh 7s")?);
/// let king = leads[0].masks;
/// assert_eq!(king.forced(0b111), 0b001, "the ace of clubs follows suit");
/// assert_eq!(king.forced(0b110), 0b010, "without clubs the king of hearts follows rank");
/// assert_eq!(king.forced(0b100), 0, "the seven of spades cannot answer: mate");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FollowMasks {
    tiers: [u64; MAX_ANSWER_TIERS],
    /// Bit mask of the cards that the follower may play by the free move, although the hand holds an answer of higher priority.
    opened: u64,
    /// Bit mask of the cards that lose the move to the led card.
    beaten: u64,
}

impl FollowMasks {
    /// Computes bit masks of the cards in a hand that can answer a lead under a rule set, one mask for each tier.
    #[must_use]
    pub fn new(rules: &RuleSet, lead: Lead, hand: &[Card]) -> Self {
        let deck = rules.deck();
        let answers = rules.answers_in_order(lead);
        let among = |wanted: CardSet| {
            let is_wanted = |card: Card| !(deck.slots_of(card) & wanted).is_empty();
            mask_of(hand, is_wanted)
        };
        let (mut tiers, mut opened) = ([0; MAX_ANSWER_TIERS], 0);
        for (mask, tier) in tiers.iter_mut().zip(answers.as_slice()) {
            *mask = among(tier.cards);
            if tier.free_move {
                opened |= *mask;
            }
        }
        Self { tiers, opened, beaten: mask_of(hand, |card| lead.card.wins_over(card)) }
    }

    /// Returns follow masks in which the function `map` has replaced each bit mask, for example to renumber the cards. `map` must keep
    /// disjoint sets disjoint.
    pub(crate) fn map(&self, map: impl Fn(u64) -> u64) -> Self {
        Self { tiers: self.tiers.map(&map), opened: map(self.opened), beaten: map(self.beaten) }
    }

    /// Returns the bit masks of the tiers (groups of answers with equal priority), from the highest priority to the lowest.
    pub(crate) const fn tiers(&self) -> &[u64; MAX_ANSWER_TIERS] {
        &self.tiers
    }

    /// Returns the bit mask of the cards that the follower may play by the free move, although the hand holds an answer of higher priority.
    pub(crate) const fn opened(&self) -> u64 {
        self.opened
    }

    /// Returns the bit mask of the cards that lose the move to the led card.
    pub(crate) const fn beaten(&self) -> u64 {
        self.beaten
    }

    /// Returns whether the led card wins the move against an answer. The answer is given by its index in the hand.
    #[must_use]
    pub const fn wins_over(&self, card: usize) -> bool {
        self.beaten >> card & 1 == 1
    }

    /// Returns, as a bit mask, the legal answers among the cards in `held` if the follower does not use the free move. These are all cards
    /// in `held` of the first tier that has a card in `held`. An empty mask means mate.
    #[inline]
    #[must_use]
    pub const fn forced(&self, held: u64) -> u64 {
        // The loop visits all tiers without an early exit, so that the compiler can use conditional move instructions instead of branches.
        // The processor would often mispredict a branch on the first tier with an answer.
        let (mut forced, mut tier) = (0, MAX_ANSWER_TIERS);
        while tier > 0 {
            tier -= 1;
            let answers = self.tiers[tier] & held;
            if answers != 0 {
                forced = answers;
            }
        }
        forced
    }

    /// Returns the bit mask of the cards in `held` that are legal only with the free move.
    #[inline]
    #[must_use]
    pub const fn by_free_move(&self, held: u64) -> u64 {
        let mut later = self.opened & held;
        let mut tier = 0;
        while tier < MAX_ANSWER_TIERS {
            later &= !self.tiers[tier];
            if self.tiers[tier] & held != 0 {
                return later;
            }
            tier += 1;
        }
        0
    }

    /// Returns whether the set `cards` is the union of the first *n* tiers of answers in order of priority, for some
    /// *n* of at least 1.
    pub(crate) fn answers_first(&self, cards: u64) -> bool {
        let mut first = 0;
        self.tiers.iter().any(|tier| {
            first |= tier;
            first == cards
        })
    }

    /// Returns the bit mask of all cards of the hand that can answer the lead.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.tiers.iter().fold(0, |all, tier| all | tier)
    }
}

/// Returns the bit mask of the indices of all cards that satisfy the predicate `wanted`.
pub(crate) fn mask_of(cards: &[Card], wanted: impl Fn(Card) -> bool) -> u64 {
    cards.iter().enumerate().fold(0, |bits, (i, card)| bits | u64::from(wanted(*card)) << i)
}
