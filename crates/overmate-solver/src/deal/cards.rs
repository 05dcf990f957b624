//! Assigns numbers to the cards in both hands of a deal, and computes bit masks of the legal answers to each lead.

use std::collections::BTreeMap;

use overmate_rules::{
    BySeat, Card, CardSet, Foreplaced, Lead, MAX_DECK, Position, RuleSet, Seat, Suit,
};

use super::follow_masks::FollowMasks;

/// Maximum hand size of a [`DealTable`](crate::DealTable). At this size a deal has 4^10 pairs of
/// hands.
pub const MAX_TABLE_HAND: u8 = 10;

/// Upper limit of the number of cards in a hand of any rule set, rounded up to a power of two, so that the remainder of a card's index is a
/// cheap substitute for an index check.
pub const MOST_HELD: usize = (MAX_DECK / 2).next_power_of_two();

/// Kind of lead: the led card, and whether the leader demands an answer in rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeadKind {
    /// Index of the led card in the leader's dealt hand.
    pub card: usize,
    /// Whether the leader demands an answer in rank. A follower without a card of the led rank then answers in suit.
    pub demanded: bool,
    /// Bit masks of the cards in the follower's hand that can answer the lead.
    pub masks: FollowMasks,
    /// Points of the led card, before multiplication by the factors for the move and for foreplacing.
    pub value: u16,
}

/// Returns all kinds of leads from the hand `own` against the hand `other`, in the order of the cards in `own`.
///
/// A card that can be led with a demand occurs twice, first without the demand.
///
/// ```
/// use overmate_rules::{Deal, RuleSet, Seat};
/// use overmate_solver::for_bots::lead_kinds;
/// let rules = RuleSet::named("rael+kings-privilege")?.shared();
/// let hands = Deal::numbered(&rules, 20_010)?.hands();
/// let cards = hands.map(|hand| rules.deck().cards_of(hand).collect::<Vec<_>>());
/// let leads = lead_kinds(&rules, &cards[Seat::First], &cards[Seat::Second]);
/// // The hand has ten cards, and a king can also be led with a demand.
/// let demands = leads.iter().filter(|lead| lead.demanded).count();
/// assert_eq!(leads.len(), 10 + demands);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn lead_kinds(rules: &RuleSet, own: &[Card], other: &[Card]) -> Vec<LeadKind> {
    let mut leads = Vec::new();
    for (number, &card) in own.iter().enumerate() {
        let value = rules.deck().value(card);
        for demanded in [false, true] {
            if demanded && !rules.may_demand(card) {
                continue;
            }
            let masks = FollowMasks::new(rules, Lead { card, demanded }, other);
            leads.push(LeadKind { card: number, demanded, masks, value });
        }
    }
    leads
}

/// Cards of both hands of a deal with their indices, all leads, and the legal answers to each lead. The indices of each hand begin with 0
/// and have the order of the deck.
#[derive(Clone, Debug)]
pub(crate) struct DealCards {
    pub(crate) cards: BySeat<Vec<Card>>,
    /// Possible leads from each seat's dealt hand.
    pub(crate) leads: BySeat<Vec<LeadKind>>,
    /// Bit mask of each seat's dealt cards that are identical to the card before in the same dealt hand.
    repeated: BySeat<u64>,
    /// Bit mask, for each card of a seat, of the opponent's cards that can answer a lead of the card.
    answered_by: BySeat<Vec<u64>>,
}

impl DealCards {
    /// Assigns numbers to the cards of two hands, possibly of different sizes, and computes the answers to each lead.
    pub(crate) fn of_hands(rules: &RuleSet, hands: BySeat<CardSet>) -> Self {
        let cards =
            BySeat::new_with(|seat| rules.deck().cards_of(hands[seat]).collect::<Vec<Card>>());
        let leads = BySeat::new_with(|seat| lead_kinds(rules, &cards[seat], &cards[!seat]));
        let repeated = BySeat::new_with(|seat| {
            let own: &[Card] = &cards[seat];
            let pairs = own.windows(2).zip(1..);
            pairs.fold(0, |set, (pair, i)| set | u64::from(pair[0] == pair[1]) << i)
        });
        let answered_by = BySeat::new_with(|seat| {
            let mut by = vec![0; cards[seat].len()];
            for lead in &leads[seat] {
                by[lead.card] |= lead.masks.all();
            }
            by
        });
        Self { cards, leads, repeated, answered_by }
    }

    /// Returns a bit mask of the different cards in a held hand: of identical cards only the card with the lowest number. Solvers try only
    /// this card. Of identical cards, `held` must have the cards with the highest numbers, as in [`bits`](Self::bits).
    #[inline]
    pub(crate) fn different(&self, seat: Seat, held: u64) -> u64 {
        held & !(held << 1 & self.repeated[seat])
    }

    /// Returns bit masks of each seat's dealt cards of each suit, in the order of the suits.
    pub(crate) fn suits(&self) -> Vec<BySeat<u64>> {
        let mut suits = BTreeMap::<Suit, BySeat<u64>>::new();
        for seat in Seat::BOTH {
            for (i, card) in self.cards[seat].iter().enumerate() {
                suits.entry(card.suit).or_default()[seat] |= 1 << i;
            }
        }
        suits.into_values().collect()
    }

    /// Returns a bit mask of the opponent's cards that can answer a lead of `card` by `seat`.
    #[inline]
    pub(crate) fn answered_by(&self, seat: Seat, card: usize) -> u64 {
        self.answered_by[seat][card]
    }

    /// Returns bit masks of the dealt cards that each seat still holds, or `None` if the position
    /// belongs to another deal.
    pub(crate) fn held(&self, rules: &RuleSet, position: &Position) -> Option<BySeat<u64>> {
        let first = self.held_by(rules, position, Seat::First)?;
        Some(BySeat { first, second: self.held_by(rules, position, Seat::Second)? })
    }

    fn held_by(&self, rules: &RuleSet, position: &Position, seat: Seat) -> Option<u64> {
        let held = self.bits(rules, seat, position.hand(seat))?;
        // A led or foreplaced card of the seat must also be one of the cards that were dealt to the seat.
        let mut free = !held;
        let led = position.lead().filter(|_| position.leader() == seat).map(|lead| lead.card);
        let foreplaced = match position.foreplaced(seat) {
            Foreplaced::Card(card) => Some(card),
            Foreplaced::Undecided | Foreplaced::Nothing | Foreplaced::FaceDown => None,
        };
        for card in [led, foreplaced].into_iter().flatten() {
            let bit = (0..self.cards[seat].len())
                .find(|&i| self.cards[seat][i] == card && free >> i & 1 == 1)?;
            free &= !(1 << bit);
        }
        Some(held)
    }

    /// Converts a hand to a bit mask of card numbers, or returns `None` if `seat` was not dealt
    /// these cards.
    ///
    /// Of identical cards, the lower numbers are played first.
    pub(crate) fn bits(&self, rules: &RuleSet, seat: Seat, hand: CardSet) -> Option<u64> {
        let mut bits = 0;
        for card in rules.deck().cards_of(hand) {
            let free = |i: &usize| self.cards[seat][*i] == card && bits >> i & 1 == 0;
            bits |= 1 << (0..self.cards[seat].len()).rfind(free)?;
        }
        Some(bits)
    }
}
