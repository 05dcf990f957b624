//! Compares the two storage formats of a deal table: bytes and 16-bit integers.

use overmate_rules::{BySeat, DealSource as _, RuleSet, Seat, SeededDeals};

use super::build::TableBuilder;
use super::rows::Rows;
use crate::byte_table::solve::ByteTable;
use crate::deal::cards::DealCards;
use crate::kernel::Kernel;

/// Tests that a deal table of bytes and a deal table of 16-bit integers hold equal points, in all
/// positions that a game can reach.
#[test]
fn bytes_and_words_hold_the_same_points() {
    let names = [
        "bga",
        "sackson",
        "pagat+double+free-move",
        "rael+double+kings-privilege",
        "denexa+figure-privilege+free-move",
        "bga+double+free-move",
    ];
    let kernels = kernels();
    let mut tables = 0;
    for (name, seed) in names.into_iter().zip(1..) {
        let rules = RuleSet::named(name).expect("the catalogue has the rule set").shared();
        let dealt = SeededDeals::new(seed).next_deal(&rules);
        let cards = DealCards::of_hands(&rules, dealt.hands());
        let words = TableBuilder::new(&rules, &cards).run();
        assert!(ByteTable::solve_all(Kernel::Portable, &rules, &cards).is_none());
        for &kernel in &kernels {
            let bytes = ByteTable::solve_all(kernel, &rules, &cards).expect("the hands are equal");
            let compared = compare(&rules, (1, &bytes), &words, kernel);
            assert!(compared > 369_000, "{name} {kernel}: {compared}");
            tables += 1;
        }
    }
    assert_eq!(tables, 6 * kernels.len());
}

/// Returns the kernels for deal tables of bytes that this processor supports.
fn kernels() -> Vec<Kernel> {
    let all = [Kernel::Avx512, Kernel::Avx2].into_iter();
    let supported = all.filter(|kernel| {
        if !kernel.is_supported() {
            eprintln!("skipped: this processor lacks the instructions of the kernel {kernel}");
        }
        kernel.is_supported()
    });
    supported.collect()
}

/// Returns an arbitrary but reproducible estimate of the points in a position, from −`most` to `most`.
fn estimate(most: i16, held: BySeat<u64>, leader: Seat) -> i16 {
    let mixed =
        (held.first << 12 ^ held.second << 1 ^ leader as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    i16::try_from(mixed >> 52).expect("12 bits") % (2 * most + 1) - most
}

/// Tests that estimated deal tables of bytes and of 16-bit integers hold equal points. Bytes cannot
/// hold estimates with too many different points.
#[test]
fn estimated_bytes_and_words_hold_the_same_points() {
    let names = ["bga", "sackson", "pagat+double+free-move", "denexa+figure-privilege"];
    let kernels = kernels();
    let (mut tables, mut positions) = (0, 0);
    for (name, seed) in names.into_iter().zip(11..) {
        let rules = RuleSet::named(name).expect("the catalogue has the rule set").shared();
        let dealt = SeededDeals::new(seed).next_deal(&rules);
        let cards = DealCards::of_hands(&rules, dealt.hands());
        for fewest in [1, 2, 3, 6, 10] {
            let evaluate = |most| {
                move |first, leader, row: &mut [i16]| {
                    for (second, points) in (0..).zip(row) {
                        *points = estimate(most, BySeat { first, second }, leader);
                    }
                }
            };
            let words = TableBuilder::new(&rules, &cards).run_from(fewest, evaluate(60));
            for &kernel in &kernels {
                let bytes = ByteTable::estimated(kernel, &rules, &cards, fewest, evaluate(60));
                let bytes = bytes.expect("there are few different points");
                positions += compare(&rules, (fewest, &bytes), &words, kernel);
                let many = ByteTable::estimated(kernel, &rules, &cards, fewest, evaluate(900));
                assert!(fewest == 10 || many.is_none(), "{name} {fewest}");
                tables += 1;
            }
            let portable = Kernel::Portable;
            assert!(ByteTable::estimated(portable, &rules, &cards, fewest, evaluate(60)).is_none());
        }
    }
    assert_eq!(tables, 20 * kernels.len());
    assert!(positions > 300_000 * tables, "{positions}");
}

/// Compares two deal tables in all positions in which *first* holds at least `fewest` cards. Returns the number of compared positions.
fn compare(
    rules: &RuleSet,
    (fewest, bytes): (usize, &ByteTable),
    words: &Rows,
    kernel: Kernel,
) -> usize {
    let name = rules.name();
    let hands = (1..1_usize << 10).filter(|first| first.count_ones() as usize >= fewest);
    let mut compared = 0;
    for first in hands {
        for second in 1..1_usize << 10 {
            let apart = first.count_ones().abs_diff(second.count_ones());
            if apart > u32::from(rules.foreplacing().is_some()) {
                continue;
            }
            for leader in Seat::BOTH {
                for free in [false, true] {
                    if free && !rules.free_move() {
                        continue;
                    }
                    let held = BySeat { first, second };
                    let found = bytes.get(free, held, leader);
                    let expected: i32 = words.get(free, held, leader).into();
                    assert_eq!(found, expected, "{name} {kernel} {held:?}");
                    compared += 1;
                }
            }
        }
    }
    compared
}
