//! Pairs of a led card and a losing answer, with the leads whose values depend on the solved positions after these two cards.

use overmate_rules::RuleSet;

use super::job::{ALWAYS, MAX_LEADS, NEVER, NO_LEAD, OF_GROUPS, Pairing};
use crate::deal::cards::{LeadKind, lead_kinds};
use crate::deal::subsets::elements;

/// All ways to lead a card of a deck, each with the moves (a lead and an answer) after which the solver needs values.
pub(super) struct DeckPairings {
    /// Ways to lead a card of the deck, ordered by the number of losing answers, the most first.
    pub(super) leads: Vec<DeckLead>,
    /// Sets of cards, with a bit for each card, that make answers of lower priority legal for a hand without any card
    /// of the set. Each set stands once.
    pub(super) groups: Vec<u32>,
}

/// Way to lead a card of the deck, with its possible answers by priority.
pub(super) struct DeckLead {
    pub(super) slot: usize,
    /// Points of the led card from the rule set, before multiplication by the factors for the number of the move and
    /// for foreplacing (setting a card aside).
    pub(super) value: u16,
    /// Tiers of answers (of equal priority), the highest priority first.
    tiers: Vec<DeckTier>,
    /// Set of the cards over which the led card wins, with a bit for each card of the deck.
    beaten: u32,
    /// Pairs of the led card with each losing answer, in three lists: answers that are always legal, answers with a
    /// condition, and answers by the free move.
    pub(super) runs: [Vec<SlotPairing>; 3],
}

/// Tier of answers (of equal priority) to one lead, with the condition under which these answers are legal.
#[derive(Clone, Copy)]
struct DeckTier {
    cards: u32,
    when: When,
}

/// Condition on the follower's hand under which answers of one priority are legal.
#[derive(Clone, Copy)]
enum When {
    /// No condition: the answers of the highest priority are always legal.
    Always,
    /// Condition for answers of lower priority: the follower holds no card of `group` or, if `opened`, uses the free
    /// move.
    GroupEmpty { group: u16, opened: bool },
}

/// Pair of a led card and a losing answer, as indices of cards in the deck.
pub(super) struct SlotPairing {
    pub(super) loser: u8,
    /// Deck indices of the led card and the losing card, the lower index first.
    pub(super) slots: [u8; 2],
    /// Pair of leads that use the solved values after the move, in which the losing card's index among the cards of both hands is still missing.
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
    /// Converts a lead and its possible answers to the form with deck indices, and adds the sets of cards that decide their legality to `groups`.
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

/// Returns the pairs of leads for one lead and one losing answer, each with the number (0 to 2) of its list in [`DeckLead::runs`].
///
/// If either card can be led in two ways, each way has a pairing of its own.
fn pairings(leads: &[DeckLead], number: usize, loser: usize) -> Vec<(usize, Pairing)> {
    let winner = leads[number].slot;
    let of_card = |slot: usize| (0..leads.len()).filter(move |&lead| leads[lead].slot == slot);
    let nth = of_card(winner).position(|lead| lead == number).unwrap_or_default();
    let last = of_card(winner).next_back() == Some(number);
    // Two identical cards each win over the other card when led.
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

/// Returns the index of the bit mask of the positions in which an answer under the condition `when` is legal without the free move.
fn forced_mask(when: Option<When>, number: u16) -> u16 {
    match when {
        None => NEVER,
        Some(When::Always) => ALWAYS,
        Some(When::GroupEmpty { group, .. }) => OF_GROUPS + 4 * group + number,
    }
}

/// Returns the index of the bit mask of the positions with exchanged hands, for a [`Pairing`] in which the losing card
/// has no lead. With this mask a source that is always kept stays in the run without masks.
fn absent_mask(kept: Option<When>) -> u16 {
    if matches!(kept, Some(When::Always)) { ALWAYS } else { NEVER }
}

/// Returns the index of the bit mask of the positions in which an answer under the condition `when` is legal only by the free move.
fn free_mask(when: Option<When>, number: u16) -> u16 {
    match when {
        Some(When::GroupEmpty { group, opened: true }) => OF_GROUPS + 4 * group + number,
        Some(When::GroupEmpty { opened: false, .. } | When::Always) | None => NEVER,
    }
}
