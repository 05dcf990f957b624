//! Derives upper bounds on a seat's scores from the seat's cards and the rules.

use overmate_rules::{BySeat, RuleSet, Seat};

use crate::deal::cards::DealCards;

/// Data that bound the scores of a seat: the values of the seat's cards, and the factors of the seat's mates.
pub(super) struct SeatFacts {
    /// Index and value in points of each card of the seat, sorted by value from high to low.
    pub(super) by_value: Vec<(usize, i32)>,
    /// Maximum factors by which a mate by the seat multiplies the value of the led card. The three factors are for a hand
    /// of the seat that is smaller than, as large as, and larger than the opponent's hand.
    pub(super) most_factors: [i32; 3],
}

impl SeatFacts {
    pub(super) fn new(rules: &RuleSet, cards: &DealCards, seat: Seat) -> Self {
        let own = &cards.cards[seat];
        let value = |i: usize| i32::from(rules.deck().value(own[i]));
        let mut by_value: Vec<(usize, i32)> = (0..own.len()).map(|i| (i, value(i))).collect();
        by_value.sort_by_key(|&(_, value)| -value);
        Self { by_value, most_factors: most_factors(rules, seat) }
    }
}

/// Returns the maximum factors by which a mate by `seat` multiplies the value of the led card. The three factors are for
/// a hand of `seat` that is smaller than, as large as, and larger than the opponent's hand.
///
/// The factor grows with the number of the move, so that only the last two moves of a game are compared. If both seats foreplaced, one move
/// fewer is played, and a mate counts one move more. The factors are then the same as if no seat had foreplaced.
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
