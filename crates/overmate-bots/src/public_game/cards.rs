//! Represents the cards of two hands as bit sets, together with the cards that may answer each lead.

use std::sync::{Arc, OnceLock};

use overmate_rules::{BySeat, Card, CardSet, RuleSet, Seat};
use overmate_solver::for_bots::HandsTable;
use overmate_solver::for_bots::{self, FollowMasks};

/// Lead of a card, with or without a demand, and with bit sets of the opponent's possible answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PublicLead {
    /// Index of the led card in the leader's hand, from 0.
    pub(crate) card: u32,
    /// Whether the leader demands an answer in rank.
    pub(crate) demanded: bool,
    /// Bit sets of the opponent's cards that may answer the lead, with the free move and without it.
    masks: FollowMasks,
}

impl PublicLead {
    /// Returns a bit set of the cards in `hand` that are legal answers without the free move; empty for a mate.
    pub(crate) fn forced(&self, hand: u32) -> u32 {
        low_bits(self.masks.forced(hand.into()))
    }

    /// Returns a bit set of the cards in `hand` that are legal answers only by the free move; empty for a mate.
    pub(crate) fn by_free_move(&self, hand: u32) -> u32 {
        low_bits(self.masks.by_free_move(hand.into()))
    }

    /// Returns whether the led card wins the move against the follower's card with the index `card`.
    pub(crate) fn wins_over(&self, card: u32) -> bool {
        self.masks.wins_over(card as usize)
    }
}

/// Converts a bit set with at most ten cards from 64 bits to 32 bits.
fn low_bits(set: u64) -> u32 {
    u32::try_from(set).unwrap_or_default()
}

/// Two hands, each with at most ten numbered cards, and the value of every position under the assumption that all cards
/// are shown.
pub(crate) struct HandCards {
    rules: Arc<RuleSet>,
    hands: BySeat<CardSet>,
    dealt: BySeat<Vec<Card>>,
    leads: BySeat<Vec<PublicLead>>,
    /// One bit set for each card of a hand, which holds the identical cards with higher indices in the hand.
    higher_twins: BySeat<Vec<u32>>,
    /// Values of all positions of the two hands, under the assumption that all cards are shown;
    /// computed at first use.
    open: OnceLock<Option<HandsTable>>,
}

impl HandCards {
    /// Assigns an index to each card of two hands. Returns `None` if a hand has more than ten cards, or if the scores
    /// are too large for a value table.
    pub(crate) fn new(rules: &Arc<RuleSet>, hands: BySeat<CardSet>) -> Option<Self> {
        if !HandsTable::fits(rules, hands) {
            return None;
        }
        let cards = BySeat::new_with(|seat| rules.deck().cards_of(hands[seat]).collect::<Vec<_>>());
        let leads = BySeat::new_with(|seat| lead_kinds(rules, &cards[seat], &cards[!seat]));
        let higher_twins = BySeat::new_with(|seat| {
            let own: &[Card] = &cards[seat];
            own.iter()
                .enumerate()
                .map(|(i, card)| numbers(own, |twin| twin == *card) & !lowest(i + 1))
                .collect()
        });
        let (rules, open) = (Arc::clone(rules), OnceLock::new());
        Some(Self { rules, hands, dealt: cards, leads, higher_twins, open })
    }

    /// Returns the rule set to whose deck the cards of both hands belong.
    pub(crate) fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Returns whether `self` has the given rule set, and holds the same cards as the given hands.
    pub(crate) fn are(&self, rules: &Arc<RuleSet>, hands: BySeat<CardSet>) -> bool {
        let same =
            |seat: Seat| rules.deck().cards_of(hands[seat]).eq(self.dealt[seat].iter().copied());
        *rules == self.rules && Seat::BOTH.into_iter().all(same)
    }

    /// Returns a bit set of all cards of a seat's hand.
    pub(crate) fn all(&self, seat: Seat) -> u32 {
        lowest(self.dealt[seat].len())
    }

    /// Returns the card that has the index `number` in a seat's hand.
    pub(crate) fn card(&self, seat: Seat, number: u32) -> Card {
        self.dealt[seat][number as usize]
    }

    /// Returns the index of a card in a seat's hand, or `None` if the hand lacks the card. Of two identical copies of the card, the lower
    /// index is returned.
    pub(crate) fn kind(&self, seat: Seat, card: Card) -> Option<u32> {
        self.dealt[seat].iter().position(|other| *other == card).and_then(|i| u32::try_from(i).ok())
    }

    /// Returns the lead with the given index among all leads of a seat.
    pub(crate) fn lead(&self, seat: Seat, lead: u32) -> &PublicLead {
        &self.leads[seat][lead as usize]
    }

    /// Returns the indices of the leads that a seat can make with the cards in `held`. Identical cards count once.
    pub(crate) fn leads_from(&self, seat: Seat, held: u32) -> impl Iterator<Item = u32> + '_ {
        let distinct = self.distinct(seat, held);
        let leads = (0u32..).zip(&self.leads[seat]);
        leads.filter(move |(_, lead)| distinct >> lead.card & 1 == 1).map(|(i, _)| i)
    }

    /// Returns a copy of the bit set `held` that keeps only the highest-numbered card of each group of identical cards.
    pub(crate) fn distinct(&self, seat: Seat, held: u32) -> u32 {
        let twins = &self.higher_twins[seat];
        bits(held)
            .filter(|i| twins[*i as usize] & held == 0)
            .fold(0, |distinct, i| distinct | 1 << i)
    }

    /// Returns the points for seat *first* from a position onward, under best play with all cards shown. The position
    /// must be before a lead, and not in a last move with a repeated card.
    pub(crate) fn open_points_for_first(
        &self,
        held: BySeat<u32>,
        leader: Seat,
        free_move_left: bool,
    ) -> i32 {
        let open = self.open.get_or_init(|| HandsTable::new(&self.rules, self.hands));
        // The value table `open` exists, because `new` rejects hands for which no value table can be built.
        open.as_ref().map_or(0, |open| open.points_for_first(held, leader, free_move_left))
    }
}

fn lead_kinds(rules: &RuleSet, own: &[Card], other: &[Card]) -> Vec<PublicLead> {
    let kinds = for_bots::lead_kinds(rules, own, other).into_iter();
    let card = |number: usize| u32::try_from(number).unwrap_or_default();
    kinds
        .map(|kind| PublicLead {
            card: card(kind.card),
            demanded: kind.demanded,
            masks: kind.masks,
        })
        .collect()
}

/// Returns a bit set of the indices of the cards in the list `cards` for which `condition` holds.
fn numbers(cards: &[Card], condition: impl Fn(Card) -> bool) -> u32 {
    (0u32..).zip(cards).fold(0, |bits, (i, card)| bits | u32::from(condition(*card)) << i)
}

/// Returns the bit set of the numbers 0 to `n` - 1.
fn lowest(n: usize) -> u32 {
    (1u32 << n) - 1
}

/// Iterates over the numbers in a bit set, from the lowest to the highest.
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}

/// Returns the bit set of the given numbers, each below 32.
pub(crate) fn set_of(numbers: impl Iterator<Item = u32>) -> u32 {
    numbers.fold(0, |set, number| set | 1 << number)
}

/// Returns the number of elements of `set` that are below `number`.
pub(crate) fn place_in(set: u32, number: u32) -> usize {
    (set & ((1 << number) - 1)).count_ones() as usize
}
