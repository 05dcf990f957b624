//! Tests deals, deal numbers, and the faults of invalid deals.

use std::collections::HashMap;

use overmate_rules::{BASES, Card, Deal, DealFault, Dealt, Rank, RuleSet, Seat, Suit};

use crate::chance::{Chance, rules};

fn deal_of(rules: &RuleSet, dealt: &Dealt) -> Deal {
    let cards = |seat| rules.deck().cards_of(dealt.hands()[seat]).collect();
    Deal { first: cards(Seat::First), second: cards(Seat::Second) }
}

#[test]
fn all_numbers_of_a_single_deck_name_different_deals_in_colexicographic_order() {
    for name in ["sackson", "rael"] {
        let rules = rules(name);
        let mut before = 0;
        for number in 0..184_756 {
            let dealt = Deal::numbered(&rules, number).unwrap();
            assert_eq!(dealt.number(), number);
            // The colexicographic order of sets of cards is the numeric order of their bit masks.
            let first = dealt.hands()[Seat::First];
            assert_eq!(first.len(), 10);
            assert!(first.0 > before, "{number}");
            assert_eq!(dealt.hands()[Seat::Second].0, first.0 ^ 0xf_ffff);
            before = first.0;
        }
        assert_eq!(before, 0xf_fc00, "the last deal has the highest slots");
    }
}

#[test]
fn the_number_of_a_double_deal_is_the_smallest_that_names_it() {
    for name in ["sackson+double", "rael+double"] {
        let rules = rules(name);
        let mut smallest: HashMap<Vec<Card>, u64> = HashMap::new();
        let mut deals = Vec::new();
        for number in 0..184_756 {
            let dealt = Deal::numbered(&rules, number).unwrap();
            // Hand of *first* as a list of cards without their deck indices, so that identical cards are equal.
            let hand: Vec<Card> = rules.deck().cards_of(dealt.hands()[Seat::First]).collect();
            smallest.entry(hand.clone()).or_insert(number);
            deals.push((dealt, hand));
        }
        let different = smallest.len();
        for (dealt, hand) in &deals {
            let number = smallest[hand];
            assert_eq!(dealt.number(), number);
            assert_eq!(
                Deal::numbered(&rules, number).unwrap(),
                *dealt,
                "the smallest number names the same deal"
            );
        }
        // *First* holds ten cards, chosen from 12 single cards and four identical pairs, with 0, 1 or 2 cards of each
        // pair.
        let choose = |k: u64| (0..k).fold(1, |ways, i| ways * (12 - i) / (i + 1));
        let ways = [1, 4, 10, 16, 19, 16, 10, 4, 1];
        let counted: u64 =
            (2..=10).map(|k| choose(k) * ways[usize::try_from(10 - k).unwrap()]).sum();
        assert_eq!(different as u64, counted, "{name}");
    }
}

#[test]
fn deals_of_48_cards_keep_their_numbers_from_the_first_to_the_last() {
    let rules = rules("pagat+pinochle");
    let last = 32_247_603_683_099;
    let mut chance = Chance(31);
    let random = (0..5000).map(|_| chance.number() % (last + 1));
    let mut count = 0;
    for number in random.chain([0, 1, last - 1, last]).collect::<Vec<_>>() {
        let dealt = Deal::numbered(&rules, number).unwrap();
        let canonical = dealt.number();
        assert!(canonical <= number);
        assert_eq!(Deal::numbered(&rules, canonical).unwrap(), dealt);
        assert_eq!(deal_of(&rules, &dealt).validate(&rules).unwrap(), dealt);
        // The canonical deal number is the sum of the binomial coefficients C(slot, i), where `slot` is the deck index of the i-th card
        // of *first*. The test computes this sum by another method than the crate.
        let mut sum: u128 = 0;
        for (i, slot) in (1..).zip(dealt.hands()[Seat::First].slots()) {
            let ways =
                (0..i).fold(1_u128, |ways, k| ways * u128::from(slot).saturating_sub(k) / (k + 1));
            sum += if u128::from(slot) < i { 0 } else { ways };
        }
        assert_eq!(sum, u128::from(canonical));
        count += 1;
    }
    assert_eq!(count, 5004);
    assert_eq!(Deal::numbered(&rules, 0).unwrap().hands()[Seat::First].0, (1 << 24) - 1);
    let faults = Deal::numbered(&rules, last + 1).unwrap_err();
    assert_eq!(faults.0, [DealFault::NoSuchNumber { number: last + 1, last }]);
    assert_eq!(
        Deal::numbered(&rules, u64::MAX).unwrap_err().to_string(),
        "there is no deal 18446744073709551615: deal numbers go from 0 to 32247603683099"
    );
}

#[test]
fn deal_numbers_of_the_largest_deck_fit_into_64_bits() {
    let mut draft = rules("sackson").draft();
    draft.cards = (0..60).map(|i| Card { suit: Suit(i % 4), rank: Rank(i / 4 % 5) }).collect();
    let rules = RuleSet::new(draft).unwrap().shared();
    let last = 118_264_581_564_861_423;
    assert_eq!(Dealt::count(&rules), last + 1);
    let dealt = Deal::numbered(&rules, last).unwrap();
    assert_eq!(deal_of(&rules, &dealt).validate(&rules).unwrap(), dealt);
    let mut chance = Chance(32);
    for _ in 0..2000 {
        let dealt = chance.deal(&rules);
        assert_eq!(Deal::numbered(&rules, dealt.number()).unwrap(), dealt);
    }
}

#[test]
fn a_deal_is_written_and_read() {
    let mut chance = Chance(33);
    let mut count = 0;
    for base in BASES {
        for deck in ["", "+double", "+pinochle"] {
            let rules = rules(&format!("{}{deck}", base.name));
            for _ in 0..50 {
                let dealt = chance.deal(&rules);
                let text = dealt.to_string();
                let deal = rules.read_deal(&text).unwrap();
                assert_eq!(deal, deal_of(&rules, &dealt), "{text}");
                assert_eq!(deal.validate(&rules).unwrap(), dealt, "{text}");
                let close = text.replace(' ', "").to_lowercase();
                assert_eq!(rules.read_deal(&close).unwrap(), deal, "{close}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 750);
    let text = "Ac Tc Kc Qc 7c As Ts Ks Qs 7s / Ah Th Kh Qh 7h Ad Td Kd Qd 7d";
    assert_eq!(Deal::numbered(&rules("bga"), 0).unwrap().to_string(), text);
}

#[test]
fn a_wrong_deal_reports_all_faults() {
    let first = "AcTcKcQc7cAsTsKsQs7s";
    let second = "AhThKhQh7hAdTdKdQd7d";
    let cases: &[(&str, &str, &str)] = &[
        (&first[2..], second, "seat `first` was dealt 9 cards, but needs a hand of 10 cards"),
        (
            "",
            "",
            "seat `first` was dealt 0 cards, but needs a hand of 10 cards; seat `second` was dealt 0 cards, but needs a hand of 10 cards",
        ),
        (
            &first[2..],
            "AcAhThKhQh7hAdTdKdQd7d",
            "seat `first` was dealt 9 cards, but needs a hand of 10 cards; seat `second` was dealt 11 cards, but needs a hand of 10 cards",
        ),
        (
            "AcAcKcQc7cAsTsKsQs7s",
            second,
            "the hands hold Ac 2 times, but the deck holds Ac 1 time; the card Tc of the deck is in neither hand",
        ),
        (
            "AcTcKcQc7cAsTsKsQsAh",
            "AhThKhQh7hAdTdKdQdTc",
            "the hands hold Tc 2 times, but the deck holds Tc 1 time; the card 7s of the deck is in neither hand; \
             the hands hold Ah 2 times, but the deck holds Ah 1 time; the card 7d of the deck is in neither hand",
        ),
        (
            "AcAcAcAc7cAsTsKsQs7s",
            &second[2..],
            "seat `second` was dealt 9 cards, but needs a hand of 10 cards; the hands hold Ac 4 times, but the deck holds Ac 1 time",
        ),
    ];
    let rules_of_bga = rules("bga");
    let mut count = 0;
    for (first, second, expected) in cases {
        let deal = rules_of_bga.read_deal(&format!("{first}/{second}")).unwrap();
        let faults = deal.validate(&rules_of_bga).unwrap_err();
        assert_eq!(faults.to_string(), *expected, "{first}/{second}");
        count += 1;
    }
    assert_eq!(count, 6);
    // Validation refuses hands with cards that the deck lacks: queens with the double deck, and a card of a suit that no deck has.
    let double = rules("bga+double");
    let deal = rules_of_bga.read_deal(&format!("{first}/{second}")).unwrap();
    let Err(mut faults) = deal.validate(&double) else { panic!("queens are not of this deck") };
    let strangers =
        faults.0.iter().filter(|fault| matches!(fault, DealFault::NotInDeck { .. })).count();
    let missing =
        faults.0.iter().filter(|fault| matches!(fault, DealFault::Missing { .. })).count();
    assert_eq!((strangers, missing, faults.0.len()), (4, 4, 8), "{faults}");
    let mut strange = deal.clone();
    strange.first[0] = Card { suit: Suit(200), rank: Rank(255) };
    faults = strange.validate(&rules_of_bga).unwrap_err();
    assert_eq!(faults.0.len(), 2, "{faults}");
}
