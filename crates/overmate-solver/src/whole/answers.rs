//! Lists the answers to each lead from a deck, in groups of answers that are legal under the same condition.

use overmate_rules::RuleSet;

use crate::deal::cards::{LeadKind, lead_kinds};
use crate::deal::subsets::elements;

/// Lead of a card of the deck, with or without a demand, together with all possible answers to the lead.
pub(super) struct DeckLead {
    /// Index of the led card in the deck.
    pub(super) slot: usize,
    /// Points of the led card, before multiplication by the factors for the move and for foreplacing.
    pub(super) value: u16,
    /// All answers to the lead, in the order of the groups in [`DeckLead::groups`]. In each group the losing answers come first.
    pub(super) answers: Vec<DeckAnswer>,
    pub(super) groups: Vec<DeckAnswers>,
}

/// Pair of a led card and an answer, given by their indices in the deck.
pub(super) struct DeckAnswer {
    /// Index of the answering card in the deck.
    pub(super) slot: u8,
    /// Lower deck index of the two cards (the led card and the answering card).
    pub(super) low: u8,
    /// Higher deck index of the two cards (the led card and the answering card).
    pub(super) high: u8,
    /// 1 if the answering card has a higher deck index than the led card, and otherwise 0.
    pub(super) is_higher: u8,
}

/// Answers to a lead that belong to one tier, either all with or all without the free move, as bit sets of indices in the deck.
pub(super) struct DeckAnswers {
    /// Cards that lose to the led card. After such an answer the leader leads again.
    pub(super) losing: u32,
    /// Cards that win over the led card. After such an answer the follower leads.
    pub(super) winning: u32,
    /// Whether every answer in a [`DeckAnswers`] group uses the free move. Otherwise no answer of the group uses the free move. An answer
    /// by the free move is legal if the follower holds a card of an earlier tier. Any other answer is legal if the follower holds no such
    /// card.
    pub(super) by_free_move: bool,
}

/// Returns all leads of the cards in a rule set's deck, including leads with a demand, in the order of the cards. The answers by the free
/// move are left out unless `free` is set.
pub(super) fn deck_leads(rules: &RuleSet, free: bool) -> Vec<DeckLead> {
    let deck = rules.deck().cards();
    lead_kinds(rules, deck, deck).iter().map(|lead| DeckLead::new(lead, free)).collect()
}

impl DeckLead {
    fn new(lead: &LeadKind, free: bool) -> Self {
        let slot = lead.card;
        let others = |slots: u64| u32::try_from(slots & !(1 << slot)).unwrap_or_default();
        let (opened, beaten) = (others(lead.masks.opened()), others(lead.masks.beaten()));
        let mut groups: Vec<DeckAnswers> = Vec::new();
        for cards in lead.masks.tiers().iter().map(|cards| others(*cards)) {
            let answers = |by_free_move: bool| DeckAnswers {
                losing: cards & beaten,
                winning: cards & !beaten,
                by_free_move,
            };
            // Answers of the first tier need no free move. In a later tier the group by the free move comes first: when a kernel reaches
            // this group, a position has a value exactly if the follower holds a card of an earlier tier.
            if free && !groups.is_empty() && cards & opened != 0 {
                groups.push(answers(true));
            }
            if cards != 0 {
                groups.push(answers(false));
            }
        }
        let index = |slot: usize| u8::try_from(slot).expect("the index of a card is below 20");
        let answers =
            groups.iter().flat_map(|group| elements(group.losing).chain(elements(group.winning)));
        let answers = answers.map(|answer| DeckAnswer {
            slot: index(answer),
            low: index(slot.min(answer)),
            high: index(slot.max(answer)),
            is_higher: u8::from(answer > slot),
        });
        Self { slot, value: lead.value, answers: answers.collect(), groups }
    }
}
