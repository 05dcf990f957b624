//! Enumerates the pairs of a led card and a losing answer, and finds the leads that use the solved values after the move of each pair.

use overmate_rules::RuleSet;

use super::job::{ALWAYS, MAX_LEADS, NEVER, NO_LEAD, OF_GROUPS, Pairing};
use crate::deal::cards::{LeadKind, lead_kinds};
use crate::deal::subsets::elements;

/// All kinds of leads from a deck, each with the moves whose solved values the lead uses.
pub(super) struct DeckPairings {
    /// Kinds of leads, sorted by the number of cards that lose to the led card, from most to fewest.
    pub(super) leads: Vec<DeckLead>,
    /// Sets of cards (as bit sets) whose absence from the follower's hand makes answers of lower priority legal. Each set occurs once.
    pub(super) groups: Vec<u32>,
}

/// Kind of lead (a card, with or without a demand) from the deck, with the tiers of answers to the lead.
pub(super) struct DeckLead {
    pub(super) slot: usize,
    /// Points of the led card, before multiplication by the factors for the move and for foreplacing.
    pub(super) value: u16,
    /// Tiers of answers to the lead, from the highest priority to the lowest.
    tiers: Vec<DeckTier>,
    /// Bit set of the cards that lose to the led card.
    beaten: u32,
    /// Pairs of the led card with each losing answer, in three lists: answers that are always
    /// legal, answers that are legal under a condition, and answers by the free move.
    pub(super) runs: [Vec<SlotPairing>; 3],
}

/// Tier of answers to a lead, with the condition under which the answers are legal.
#[derive(Clone, Copy)]
struct DeckTier {
    cards: u32,
    when: When,
}

/// Condition on the follower's hand under which a tier of answers is legal.
#[derive(Clone, Copy)]
enum When {
    /// The answers of the tier are legal with every hand of the follower.
    Always,
    /// The answers of the tier are legal if the follower holds no card of `group`. If `opened` is set, the answers are also legal by the
    /// free move.
    GroupEmpty { group: u16, opened: bool },
}

/// Pair of a led card and a losing answer, given by their indices in the deck.
pub(super) struct SlotPairing {
    pub(super) loser: u8,
    /// Deck indices of the led card and of the losing card, in ascending order.
    pub(super) slots: [u8; 2],
    /// Pair of leads whose values are computed from the solved values after a move with the two cards. The field [`Pairing::loser`] is not
    /// set yet, because its value depends on the cards that both hands hold.
    pub(super) pairing: Pairing,
}

impl DeckPairings {
    pub(super) fn new(rules: &RuleSet) -> Self {
        let deck = rules.deck().cards();
        let mut groups = Vec::new();
        let mut leads: Vec<DeckLead> = lead_kinds(rules, deck, deck)
            .iter()
            .map(|lead| DeckLead::new(lead, &mut groups))
            .collect();
        assert!(leads.len() <= MAX_LEADS, "a card can be led in at most two ways");
        leads.sort_by_key(|lead| core::cmp::Reverse(lead.beaten.count_ones()));
        for number in 0..leads.len() {
            for slot in elements(leads[number].beaten) {
                for (run, pairing) in pairings(&leads, number, slot) {
                    let winner = leads[number].slot;
                    let [loser, low, high] = [slot, slot.min(winner), slot.max(winner)]
                        .map(|slot| u8::try_from(slot).expect("the index of a card is below 20"));
                    leads[number].runs[run].push(SlotPairing {
                        loser,
                        slots: [low, high],
                        pairing,
                    });
                }
            }
        }
        Self { leads, groups }
    }
}

impl DeckLead {
    /// Converts a lead and its answers to deck indices. Adds to `groups` the groups of cards that
    /// decide whether answers are legal.
    fn new(lead: &LeadKind, groups: &mut Vec<u32>) -> Self {
        let slot = lead.card;
        let others = |slots: u64| u32::try_from(slots & !(1 << slot)).unwrap_or_default();
        let opened = others(lead.masks.opened());
        let mut tiers = Vec::new();
        let mut earlier = 1 << slot;
        for cards in lead.masks.tiers().iter().map(|cards| others(*cards)) {
            if cards == 0 {
                continue;
            }
            let when = if tiers.is_empty() {
                When::Always
            } else {
                let group = groups.iter().position(|group| *group == earlier);
                let group = group.unwrap_or_else(|| {
                    groups.push(earlier);
                    groups.len() - 1
                });
                let group = u16::try_from(group).expect("a lead has fewer groups than tiers");
                When::GroupEmpty { group, opened: cards & opened != 0 }
            };
            tiers.push(DeckTier { cards, when });
            earlier |= cards;
        }
        let (value, beaten) = (lead.value, others(lead.masks.beaten()));
        Self { slot, value, tiers, beaten, runs: Default::default() }
    }

    /// Returns the condition under which a card may answer the lead, or `None` if the card can never answer.
    fn when(&self, answer: usize) -> Option<When> {
        let tier = self.tiers.iter().find(|tier| tier.cards >> answer & 1 == 1);
        tier.map(|tier| tier.when)
    }
}

/// Returns the pairs of leads whose values are computed from the solved values after a given lead and a given losing answer. Each pair has
/// the index of its list in [`DeckLead::runs`].
///
/// If a card can be led in two ways, each way has its own pairing.
fn pairings(leads: &[DeckLead], number: usize, loser: usize) -> Vec<(usize, Pairing)> {
    let winner = leads[number].slot;
    let of_card = |slot: usize| (0..leads.len()).filter(move |&lead| leads[lead].slot == slot);
    let nth = of_card(winner).position(|lead| lead == number).unwrap_or_default();
    let last = of_card(winner).next_back() == Some(number);
    // Of two identical cards, the led card wins the move. A pair of identical cards therefore has no lead of a losing card.
    let swapped: Vec<usize> =
        of_card(loser).filter(|&lead| leads[lead].beaten >> winner & 1 == 0).collect();
    let mut found = Vec::new();
    let place = |slot: usize| u8::try_from(slot).expect("the number of a lead is below 40");
    let mut push = |kept: Option<When>, swapped: Option<(usize, When)>| {
        let lead = swapped.map_or(NO_LEAD, |(lead, _)| place(lead));
        let pairing = |masks| Pairing { loser: 0, swapped: lead, masks };
        let of_swapped = swapped.map_or(absent_mask(kept), |(_, when)| forced_mask(Some(when), 2));
        let masks = [forced_mask(kept, 0), of_swapped];
        found.push((usize::from(masks != [ALWAYS; 2]), pairing(masks)));
        let masks = [free_mask(kept, 1), free_mask(swapped.map(|(_, when)| when), 3)];
        if masks != [NEVER; 2] {
            found.push((2, pairing(masks)));
        }
    };
    let kept = leads[number].when(loser);
    let swapped = swapped
        .into_iter()
        .filter_map(|lead| Some((lead, leads[lead].when(winner)?)))
        .collect::<Vec<_>>();
    if kept.is_some() || swapped.get(nth).is_some() {
        push(kept, swapped.get(nth).copied());
    }
    if last {
        for &more in swapped.iter().skip(nth + 1) {
            push(None, Some(more));
        }
    }
    found
}

/// Returns the index of the bit mask that selects the positions in which an answer is legal without the free move.
fn forced_mask(when: Option<When>, number: u16) -> u16 {
    match when {
        None => NEVER,
        Some(When::Always) => ALWAYS,
        Some(When::GroupEmpty { group, .. }) => OF_GROUPS + 4 * group + number,
    }
}

/// Returns the index of the second bit mask of a [`Pairing`] in which no lead of the losing card uses the solved values.
///
/// If the winning card's lead uses the solved values in all positions, the result is [`ALWAYS`], so that the pairing stays in the list of
/// pairings without masks. The values for the missing lead then go to a spare buffer.
fn absent_mask(kept: Option<When>) -> u16 {
    if matches!(kept, Some(When::Always)) { ALWAYS } else { NEVER }
}

/// Returns the index of the bit mask that selects the positions in which an answer is legal only by the free move.
fn free_mask(when: Option<When>, number: u16) -> u16 {
    match when {
        Some(When::GroupEmpty { group, opened: true }) => OF_GROUPS + 4 * group + number,
        Some(When::GroupEmpty { opened: false, .. } | When::Always) | None => NEVER,
    }
}
