//! The cards of two hands as numbers, with all that the rules say of them worked out once.

use std::sync::{Arc, OnceLock};

use overmate_rules::{BySeat, Card, CardSet, RuleSet, Seat};
use overmate_solver::HandsTable;
use overmate_solver::kernel::{self, FollowMasks};

/// One way to lead a card. Sets are bits over the cards of the one who answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeadKind {
    /// The card, by its number in its owner's hand.
    pub(crate) card: u32,
    /// Whether it is led with a demand.
    pub(crate) demanded: bool,
    masks: FollowMasks,
}

impl LeadKind {
    /// Returns the forced answers of a hand; none if the lead gives mate.
    pub(crate) fn forced(&self, hand: u32) -> u32 {
        low_bits(self.masks.forced(hand.into()))
    }

    /// Returns the answers that only the free move allows a hand.
    pub(crate) fn by_free_move(&self, hand: u32) -> u32 {
        low_bits(self.masks.by_free_move(hand.into()))
    }

    /// Returns whether the led card wins over a card of the follower.
    pub(crate) fn wins_over(&self, card: u32) -> bool {
        self.masks.wins_over(card as usize)
    }
}

/// Returns a set of cards of a hand, which has at most ten cards, as 32 bits.
fn low_bits(set: u64) -> u32 {
    u32::try_from(set).unwrap_or_default()
}

/// Two hands, the cards of each numbered from 0 in the order of the deck's slots, and every position of them with
/// open cards, once one is asked for.
pub(crate) struct HandCards {
    rules: Arc<RuleSet>,
    hands: BySeat<CardSet>,
    dealt: BySeat<Vec<Card>>,
    leads: BySeat<Vec<LeadKind>>,
    /// For each card, the identical ones with a higher number.
    higher_twins: BySeat<Vec<u32>>,
    open: OnceLock<Option<HandsTable>>,
}

impl HandCards {
    /// Works out two hands of at most ten cards; `None` if they have more.
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
                .map(|(i, card)| among(own, |twin| twin == *card) & !lowest(i + 1))
                .collect()
        });
        let (rules, open) = (Arc::clone(rules), OnceLock::new());
        Some(Self { rules, hands, dealt: cards, leads, higher_twins, open })
    }

    pub(crate) fn rules(&self) -> &Arc<RuleSet> {
        &self.rules
    }

    /// Whether they are these cards.
    pub(crate) fn are(&self, rules: &Arc<RuleSet>, hands: BySeat<CardSet>) -> bool {
        let same =
            |seat: Seat| rules.deck().cards_of(hands[seat]).eq(self.dealt[seat].iter().copied());
        *rules == self.rules && Seat::BOTH.into_iter().all(same)
    }

    /// Every card of a hand, as bits.
    pub(crate) fn all(&self, seat: Seat) -> u32 {
        lowest(self.dealt[seat].len())
    }

    pub(crate) fn card(&self, seat: Seat, number: u32) -> Card {
        self.dealt[seat][number as usize]
    }

    /// The number that stands for a card where identical ones do not matter: the lowest.
    pub(crate) fn kind(&self, seat: Seat, card: Card) -> Option<u32> {
        self.dealt[seat].iter().position(|other| *other == card).and_then(|i| u32::try_from(i).ok())
    }

    pub(crate) fn lead(&self, seat: Seat, lead: u32) -> &LeadKind {
        &self.leads[seat][lead as usize]
    }

    /// The different leads from a hand.
    pub(crate) fn leads_from(&self, seat: Seat, held: u32) -> impl Iterator<Item = u32> + '_ {
        let distinct = self.distinct(seat, held);
        let leads = (0u32..).zip(&self.leads[seat]);
        leads.filter(move |(_, lead)| distinct >> lead.card & 1 == 1).map(|(i, _)| i)
    }

    /// Of identical cards the highest alone.
    pub(crate) fn distinct(&self, seat: Seat, held: u32) -> u32 {
        let twins = &self.higher_twins[seat];
        bits(held)
            .filter(|i| twins[*i as usize] & held == 0)
            .fold(0, |distinct, i| distinct | 1 << i)
    }

    /// The points for *first* with open cards, where a card is to be led in any move but one with a repeated card.
    pub(crate) fn open(&self, held: BySeat<u32>, leader: Seat, free: bool) -> i32 {
        let open = self.open.get_or_init(|| HandsTable::new(&self.rules, self.hands));
        // There is one: that it fits was seen before.
        open.as_ref().map_or(0, |open| open.points_for_first(held, leader, free))
    }
}

fn lead_kinds(rules: &RuleSet, own: &[Card], other: &[Card]) -> Vec<LeadKind> {
    let kinds = kernel::lead_kinds(rules, own, other).into_iter();
    let card = |number: usize| u32::try_from(number).unwrap_or_default();
    kinds
        .map(|kind| LeadKind { card: card(kind.card), demanded: kind.demanded, masks: kind.masks })
        .collect()
}

fn among(cards: &[Card], wanted: impl Fn(Card) -> bool) -> u32 {
    (0u32..).zip(cards).fold(0, |bits, (i, card)| bits | u32::from(wanted(*card)) << i)
}

/// The lowest `n` bits.
fn lowest(n: usize) -> u32 {
    (1u32 << n) - 1
}

/// The numbers of the bits that are set, from low to high.
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}
