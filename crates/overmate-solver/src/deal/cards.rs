//! The cards of one deal as the solver sees them: numbered by owner, with every answer worked out.

use overmate_rules::{BySeat, Card, CardSet, Foreplaced, Position, RuleSet, Seat};

/// What a lead meets in the hand that the other player was dealt. Sets are bits over his cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct FollowMasks {
    /// Cards that answer first.
    pub(crate) before: u64,
    /// Cards that answer only when none of those is held.
    pub(crate) after: u64,
    /// Cards that the lead wins over.
    pub(crate) beaten: u64,
}

impl FollowMasks {
    /// The cards of a hand that answer in the forced way; none: the lead gives mate.
    pub(crate) const fn forced(self, held: u64) -> u64 {
        match self.before & held {
            0 => self.after & held,
            before => before,
        }
    }

    /// The cards of a hand that answer with a free move.
    pub(crate) const fn by_free_move(self, held: u64) -> u64 {
        if self.before & held == 0 { 0 } else { self.after & !self.before & held }
    }
}

/// One way to lead a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LeadKind {
    /// The card, by its number in its owner's hand.
    pub(crate) card: usize,
    pub(crate) meets: FollowMasks,
    /// The points of the card, before any factor.
    pub(crate) value: u16,
}

/// The cards of a deal: each player's are numbered from 0 in the order of the deck's slots.
#[derive(Clone, Debug)]
pub(crate) struct DealCards {
    pub(crate) cards: BySeat<Vec<Card>>,
    /// Every way in which each player can lead; a card with a demand is one more way.
    pub(crate) leads: BySeat<Vec<LeadKind>>,
}

impl DealCards {
    /// The cards of two hands of any sizes.
    pub(crate) fn of_hands(rules: &RuleSet, hands: BySeat<CardSet>) -> Self {
        let cards =
            BySeat::new_with(|seat| rules.deck().cards_of(hands[seat]).collect::<Vec<Card>>());
        let leads = BySeat::new_with(|seat| leads(rules, &cards[seat], &cards[!seat]));
        Self { cards, leads }
    }

    /// The cards held, as bits over the cards dealt to each; `None` if the position is not one of this deal.
    pub(crate) fn held(&self, rules: &RuleSet, position: &Position) -> Option<BySeat<u64>> {
        let first = self.held_by(rules, position, Seat::First)?;
        Some(BySeat { first, second: self.held_by(rules, position, Seat::Second)? })
    }

    fn held_by(&self, rules: &RuleSet, position: &Position, seat: Seat) -> Option<u64> {
        let held = self.bits(rules, seat, position.hand(seat))?;
        // What lies on the table must have been dealt to him as well.
        let mut free = self.bits(rules, seat, CardSet::EMPTY).map(|none| !(none | held))?;
        let led = position.lead().filter(|_| position.leader() == seat).map(|lead| lead.card);
        let foreplaced = match position.foreplaced(seat) {
            Foreplaced::Card(card) => Some(card),
            _ => None,
        };
        for card in [led, foreplaced].into_iter().flatten() {
            let bit = (0..self.cards[seat].len())
                .find(|&i| self.cards[seat][i] == card && free >> i & 1 == 1)?;
            free &= !(1 << bit);
        }
        Some(held)
    }

    /// The cards of a hand as bits; of identical ones the higher, since the lower are played first.
    pub(crate) fn bits(&self, rules: &RuleSet, seat: Seat, hand: CardSet) -> Option<u64> {
        let mut bits = 0;
        for card in rules.deck().cards_of(hand) {
            let free = |i: &usize| self.cards[seat][*i] == card && bits >> i & 1 == 0;
            bits |= 1 << (0..self.cards[seat].len()).rfind(free)?;
        }
        Some(bits)
    }
}

/// Every way to lead a card of one hand against another.
pub(crate) fn leads(rules: &RuleSet, own: &[Card], other: &[Card]) -> Vec<LeadKind> {
    let mut leads = Vec::new();
    for (card, &lead) in own.iter().enumerate() {
        let among = |wanted: &dyn Fn(Card) -> bool| {
            other.iter().enumerate().fold(0, |bits, (i, c)| bits | u64::from(wanted(*c)) << i)
        };
        let suit = among(&|c| c.suit == lead.suit);
        let rank = among(&|c| c.rank == lead.rank);
        let beaten = among(&|c| lead.wins_over(c));
        let value = rules.deck().value(lead);
        for demanded in [false, true] {
            if demanded && !rules.may_demand(lead) {
                continue;
            }
            let (before, after) =
                if rules.rank_comes_first(lead, demanded) { (rank, suit) } else { (suit, rank) };
            leads.push(LeadKind { card, meets: FollowMasks { before, after, beaten }, value });
        }
    }
    leads
}

/// The numbers of the bits that are set, from low to high.
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}
