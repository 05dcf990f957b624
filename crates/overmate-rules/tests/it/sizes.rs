//! Tests the memory sizes of types that are copied often.

use core::mem::size_of;

use overmate_rules::{
    Action, BySeat, Card, CardSet, Dealt, Foreplaced, Lead, MAX_DECK, Outcome, Position, Seen,
};

#[test]
fn small_types_keep_their_sizes() {
    assert_eq!(size_of::<Card>(), 2, "a byte for the suit and a byte for the rank");
    assert_eq!(size_of::<CardSet>(), 8, "a bit for each card index");
    assert_eq!(size_of::<Action>(), 3, "the kind of action and its card");
    assert_eq!(
        size_of::<Seen>(),
        3,
        "an action, with the face-down card in a niche of its encoding"
    );
    assert_eq!(size_of::<Lead>(), 3);
    assert_eq!(size_of::<BySeat<Foreplaced>>(), 6);
    assert_eq!(size_of::<Dealt>(), 24, "the address of the rule set and two hands");
    assert!(size_of::<Outcome>() <= 12);
    // A position holds the address of the rule set, two hands, and eleven bytes for foreplacing, leader, lead, free move and moves.
    assert!(size_of::<Position>() <= 8 + 16 + 16, "{}", size_of::<Position>());
}

#[test]
fn cards_and_deal_numbers_of_the_largest_deck_fit_into_64_bits() {
    assert_eq!(u64::BITS as usize - MAX_DECK, 4);
    let mut ways: u128 = 1;
    for i in 0..30 {
        ways = ways * (60 - i) / (i + 1);
    }
    assert_eq!(ways, 118_264_581_564_861_424, "ways to divide 60 cards into two hands");
    assert!(
        ways * 60 < u128::from(u64::MAX),
        "the intermediate products of a deal number fit into 64 bits"
    );
}
