//! What a seat's cards are to the search.

use overmate_rules::{BySeat, RuleSet, Seat};

use crate::deal::cards::DealCards;

/// What a seat's cards are to the search.
pub(super) struct Side {
    /// For each card: the identical ones before it.
    pub(super) same_before: Vec<u64>,
    /// For each card: the other's cards that can answer it.
    pub(super) answered_by: Vec<u64>,
    /// The cards by value, the dearest first.
    pub(super) dearest: Vec<(usize, i32)>,
    /// The largest factor that a mate of this seat can still have: if the seat holds less than the other, and so
    /// alone has foreplaced, if both hold equally many, and if it holds more.
    pub(super) most_factors: [i32; 3],
}

impl Side {
    pub(super) fn new(rules: &RuleSet, cards: &DealCards, seat: Seat) -> Self {
        let own = &cards.cards[seat];
        let same_before = (0..own.len())
            .map(|i| (0..i).filter(|&j| own[j] == own[i]).fold(0, |bits, j| bits | 1 << j))
            .collect();
        let mut answered_by = vec![0; own.len()];
        for lead in &cards.leads[seat] {
            answered_by[lead.card] = lead.meets.before | lead.meets.after;
        }
        let value = |i: usize| i32::from(rules.deck().value(own[i]));
        let mut dearest: Vec<(usize, i32)> = (0..own.len()).map(|i| (i, value(i))).collect();
        dearest.sort_by_key(|&(_, value)| -value);
        Self { same_before, answered_by, dearest, most_factors: most_factors(rules, seat) }
    }
}

/// The largest factors that mates of a seat can have: later moves count more, so in the last ones. If both foreplaced, a
/// move less is played and counts one more: the same as if nobody did.
fn most_factors(rules: &RuleSet, seat: Seat) -> [i32; 3] {
    let any_card = rules.deck().card_at(0);
    let size = rules.hand_size();
    [(true, false), (false, false), (false, true)].map(|(own, other)| {
        let foreplaced = BySeat::new_with(|s| if s == seat { own } else { other });
        let moves = [size - 1, size].into_iter();
        let factors = moves.map(|m| rules.mate(seat, any_card, m, foreplaced).factor());
        factors.max().map_or(0, i32::from)
    })
}
