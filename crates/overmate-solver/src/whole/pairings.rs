//! Which cards of a deck meet, by lead: what the sources of every row are made from.

use overmate_rules::RuleSet;

use super::job::{ALWAYS, MAX_LEADS, Met, NEVER, NO_LEAD, OF_GROUPS};
use crate::deal::cards::{LeadKind, leads};
use crate::deal::subsets::elements;

/// The leads of a deck.
pub(super) struct CardPairings {
    /// The stronger cards first.
    pub(super) leads: Vec<DeckLead>,
    /// For each lead the cards that answer first, and itself; each set once.
    pub(super) groups: Vec<u32>,
}

/// One way to lead a card of the deck. Sets are of slots.
pub(super) struct DeckLead {
    pub(super) slot: usize,
    /// The points of the card, before any factor.
    pub(super) value: u16,
    before: u32,
    after: u32,
    beaten: u32,
    group: u8,
    /// What its card wins over, by run of a job.
    pub(super) runs: [Vec<Meeting>; 3],
}

/// A card that loses to another, and how they meet. Slots.
pub(super) struct Meeting {
    pub(super) loser: u8,
    /// The lower and the higher of both.
    pub(super) slots: [u8; 2],
    /// The place of the loser is not known yet.
    pub(super) met: Met,
}

/// How a lead uses a source, or that it does not.
#[derive(Clone, Copy)]
enum Use {
    /// The answer comes first.
    Before,
    /// The answer comes when the other has no card of the group.
    After { group: u8 },
}

impl CardPairings {
    pub(super) fn new(rules: &RuleSet) -> Self {
        let deck = rules.deck().cards();
        let mut groups = Vec::new();
        let mut leads: Vec<DeckLead> = leads(rules, deck, deck)
            .into_iter()
            .map(|LeadKind { card: slot, meets, value }| {
                let others = |slots: u64| u32::try_from(slots & !(1 << slot)).unwrap_or_default();
                let (before, after) = (others(meets.before), others(meets.after));
                let all = before | 1 << slot;
                let group = groups.iter().position(|group| *group == all).unwrap_or_else(|| {
                    groups.push(all);
                    groups.len() - 1
                });
                let group = u8::try_from(group).expect("no more groups than leads");
                let beaten = others(meets.beaten);
                DeckLead { slot, value, before, after, beaten, group, runs: Default::default() }
            })
            .collect();
        assert!(leads.len() <= MAX_LEADS, "a card can be led in two ways");
        leads.sort_by_key(|lead| core::cmp::Reverse(lead.beaten.count_ones()));
        for number in 0..leads.len() {
            for slot in elements(leads[number].beaten) {
                for (run, met) in meetings(&leads, number, slot) {
                    let winner = leads[number].slot;
                    let [loser, low, high] = [slot, slot.min(winner), slot.max(winner)]
                        .map(|slot| u8::try_from(slot).expect("a slot is below 20"));
                    leads[number].runs[run].push(Meeting { loser, slots: [low, high], met });
                }
            }
        }
        Self { leads, groups }
    }
}

/// How a lead and a card meet over which it wins, each with its run. What several leads of either card make of it is told
/// one by one.
fn meetings(leads: &[DeckLead], number: usize, loser: usize) -> Vec<(usize, Met)> {
    let winner = leads[number].slot;
    let of_card = |slot: usize| (0..leads.len()).filter(move |&lead| leads[lead].slot == slot);
    let nth = of_card(winner).position(|lead| lead == number).unwrap_or_default();
    let last = of_card(winner).next_back() == Some(number);
    // Of identical cards each wins over the other when it is led.
    let turned: Vec<usize> =
        of_card(loser).filter(|&lead| leads[lead].beaten >> winner & 1 == 0).collect();
    let mut found = Vec::new();
    let place = |slot: usize| u8::try_from(slot).expect("a slot is below 20");
    let mut push = |kept: Option<Use>, turned: Option<(usize, Use)>| {
        let lead = turned.map_or(NO_LEAD, |(lead, _)| place(lead));
        let met = |masks| Met { loser: 0, turned: lead, masks };
        let masks = [mask(kept, 0), turned.map_or(kept_only(kept), |(_, how)| mask(Some(how), 2))];
        found.push((usize::from(masks != [ALWAYS; 2]), met(masks)));
        let masks = [by_free_move(kept, 1), by_free_move(turned.map(|(_, how)| how), 3)];
        if masks != [NEVER; 2] {
            found.push((2, met(masks)));
        }
    };
    let kept = usage(&leads[number], loser);
    let turned = turned
        .into_iter()
        .filter_map(|lead| Some((lead, usage(&leads[lead], winner)?)))
        .collect::<Vec<_>>();
    if kept.is_some() || turned.get(nth).is_some() {
        push(kept, turned.get(nth).copied());
    }
    if last {
        for &more in turned.iter().skip(nth + 1) {
            push(None, Some(more));
        }
    }
    found
}

fn usage(lead: &DeckLead, answer: usize) -> Option<Use> {
    if lead.before >> answer & 1 == 1 {
        Some(Use::Before)
    } else if lead.after >> answer & 1 == 1 {
        Some(Use::After { group: lead.group })
    } else {
        None
    }
}

/// The mask of an forced answer; of a group the one of the given number.
fn mask(how: Option<Use>, number: u8) -> u8 {
    match how {
        None => NEVER,
        Some(Use::Before) => ALWAYS,
        Some(Use::After { group }) => OF_GROUPS + 4 * group + number,
    }
}

/// The mask of a lead that is not there: what lets the source stay in the run without masks.
fn kept_only(kept: Option<Use>) -> u8 {
    if matches!(kept, Some(Use::Before)) { ALWAYS } else { NEVER }
}

/// The mask of a free move.
fn by_free_move(how: Option<Use>, number: u8) -> u8 {
    if matches!(how, Some(Use::After { .. })) { mask(how, number) } else { NEVER }
}
