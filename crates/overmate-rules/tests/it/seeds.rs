//! Tests seeded deals against an independent implementation of ChaCha20 and of the formula in the crate's documentation.

use core::convert::Infallible;

use overmate_rules::{DealSource, Dealt, Match, SeededDeals};

use rand_core::TryRng;

use crate::chance::rules;

/// Computes the block function of ChaCha20 (RFC 8439, section 2.3). The last four words are the
/// counter and the nonce.
fn chacha20_block(key: [u32; 8], last: [u32; 4]) -> [u32; 16] {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    start[4..12].copy_from_slice(&key);
    start[12..].copy_from_slice(&last);
    let mut state = start;
    let mut quarter_round = |a: usize, b: usize, c: usize, d: usize| {
        for (x, y, z, turn) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
            state[x] = state[x].wrapping_add(state[y]);
            state[z] = (state[z] ^ state[x]).rotate_left(turn);
        }
    };
    for _ in 0..10 {
        for i in 0..4 {
            quarter_round(i, 4 + i, 8 + i, 12 + i);
        }
        for i in 0..4 {
            quarter_round(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
    }
    core::array::from_fn(|i| state[i].wrapping_add(start[i]))
}

#[test]
fn the_test_cipher_passes_the_test_vectors_of_the_rfc() {
    // The key, the input and the output are the test vector of RFC 8439, section 2.3.2.
    let key = core::array::from_fn(|i| {
        let byte = u32::try_from(4 * i).unwrap();
        byte | (byte + 1) << 8 | (byte + 2) << 16 | (byte + 3) << 24
    });
    let block = chacha20_block(key, [1, 0x0900_0000, 0x4a00_0000, 0]);
    let expected = [
        0xe4e7_f110,
        0x1559_3bd1,
        0x1fdd_0f50,
        0xc471_20a3,
        0xc7f4_d1c7,
        0x0368_c033,
        0x9aaa_2204,
        0x4e6c_d4c3,
        0x4664_82d2,
        0x09aa_9f07,
        0x05d7_c214,
        0xa202_8bd9,
        0xd19c_12b5,
        0xb94e_16de,
        0xe883_d0cb,
        0x4e3c_50a2,
    ];
    assert_eq!(block, expected);
}

/// Iterates over the deal numbers of a seed by the formula in the crate's documentation, without use of the crate's code. The rule set has
/// `count` deals, so that each number is below `count`.
fn stated(seed: u64, count: u64) -> impl Iterator<Item = u64> {
    let half = |shift: u32| u32::try_from(seed >> shift & 0xffff_ffff).unwrap();
    let key = [half(0), half(32), 0, 0, 0, 0, 0, 0];
    let words = (0_u32..).flat_map(move |counter| chacha20_block(key, [counter, 0, 0, 0]));
    let mut words = words;
    let outputs = core::iter::from_fn(move || {
        let (low, high) = (words.next()?, words.next()?);
        Some(u64::from(low) | u64::from(high) << 32)
    });
    let largest_multiple = u128::from(u64::MAX) / u128::from(count) * u128::from(count);
    outputs.filter(move |x| u128::from(*x) < largest_multiple).map(move |x| x % count)
}

#[test]
fn seeds_give_the_deals_that_the_documentation_states() {
    let mut compared = 0;
    for (name, count) in [("sackson", 184_756), ("pagat+pinochle", 32_247_603_683_100)] {
        let rules = rules(name);
        for seed in (0..200).chain([u64::MAX, 1 << 32, 0x0123_4567_89ab_cdef]) {
            let mut source = SeededDeals::new(seed);
            for number in stated(seed, count).take(20) {
                let dealt = source.next_deal(&rules);
                let named = overmate_rules::Deal::numbered(&rules, number).unwrap();
                assert_eq!(dealt, named, "{name}, seed {seed}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 2 * 203 * 20);
}

/// Table of seeds with the deal numbers that each seed gives: the first two under the rule set `sackson`, and the first
/// under `sackson+pinochle`. No version may change this table.
const FROZEN: &[(u64, [u64; 2], u64)] = &[
    (0, [143_510, 130_104], 1_880_413_602_482),
    (1, [1_201, 26_812], 11_994_651_785_742),
    (2, [93_150, 117_710], 26_654_004_525_057),
    (3, [157_668, 136_989], 6_545_451_431_378),
    (4, [24_484, 68_759], 14_521_775_624_074),
    (5, [135_093, 106_193], 8_722_962_018_749),
    (6, [114_758, 167_627], 15_848_906_366_367),
    (7, [1_657, 14_016], 11_669_443_012_962),
    (8, [34_673, 86_119], 6_476_487_687_178),
    (9, [44_987, 182_079], 27_131_872_836_600),
    (2_026, [27_528, 2_665], 472_369_049_448),
    (u64::MAX, [75_087, 108_024], 2_365_815_479_017),
];

#[test]
fn seeds_give_the_same_deals_in_every_version() {
    let (single, pinochle) = (rules("sackson"), rules("sackson+pinochle"));
    let mut found = Vec::new();
    for &(seed, ..) in FROZEN {
        let contest = Match::new(&single, &mut SeededDeals::new(seed));
        let numbers: Vec<u64> = contest.deals().iter().map(Dealt::number).collect();
        let large = SeededDeals::new(seed).next_deal(&pinochle).number();
        found.push((seed, [numbers[0], numbers[1]], large));
    }
    assert_eq!(found, FROZEN);
    assert_eq!(found.len(), 12);
}

/// Mock random number generator that returns the numbers of a list in reverse order.
struct Listed(Vec<u64>);

impl TryRng for Listed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("deals are drawn from 64 bits")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.pop().unwrap())
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        panic!("deals are drawn from 64 bits")
    }
}

#[test]
fn outputs_that_would_favour_some_deals_are_skipped() {
    for (name, count) in [("bga", 184_756), ("bga+pinochle", 32_247_603_683_100)] {
        let limit = u64::MAX / count * count;
        let rules = rules(name);
        let mut source = Listed(vec![count + 7, 5, limit - 1, limit, limit + 1, u64::MAX]);
        let drawn: Vec<u64> = (0..2).map(|_| source.next_deal(&rules).number()).collect();
        let expected = [count - 1, 5];
        let canonical =
            expected.map(|number| overmate_rules::Deal::numbered(&rules, number).unwrap().number());
        assert_eq!(drawn, canonical);
        assert_eq!(source.0, [count + 7], "the source leaves one number unread");
    }
}

#[test]
fn every_card_is_equally_often_in_the_hand_of_first() {
    let rules = rules("bga");
    let mut source = SeededDeals::new(99);
    let mut held = [0_u32; 20];
    for _ in 0..20_000 {
        let first = source.next_deal(&rules).hands().first;
        first.slots().for_each(|slot| held[usize::from(slot)] += 1);
    }
    // In the 20,000 random deals, the hand of *first* holds each card 10,000 times on average, with a standard deviation of 71.
    assert!(held.iter().all(|count| (9_650..10_350).contains(count)), "{held:?}");
}
