//! Compares both forms of a table, bytes and words.

use overmate_rules::{BySeat, DealSource as _, RuleSet, Seat, SeededDeals};

use super::build::TableBuilder;
use super::rows::Rows;
use crate::byte_table::solve::ByteTable;
use crate::deal::cards::DealCards;
use crate::kernel::Kernel;

/// Tests that a table of bytes holds the same points as a table of words, in all positions that a game can reach.
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
    for (name, seed) in names.into_iter().zip(1..) {
        let rules = RuleSet::named(name).expect("the catalogue has the rule set").shared();
        let dealt = SeededDeals::new(seed).next_deal(&rules);
        let cards = DealCards::of_hands(&rules, dealt.hands());
        let words = TableBuilder::new(&rules, &cards).run();
        assert!(ByteTable::solve_all(Kernel::Portable, &rules, &cards).is_none());
        for kernel in [Kernel::Avx512, Kernel::Avx2] {
            if !kernel.is_supported() {
                eprintln!("skipped: this processor lacks the instructions of the kernel {kernel}");
                continue;
            }
            let bytes = ByteTable::solve_all(kernel, &rules, &cards).expect("the hands are equal");
            compare(&rules, &bytes, &words, kernel);
        }
    }
}

/// Compares all positions of a deal of twenty cards that a game can reach.
fn compare(rules: &RuleSet, bytes: &ByteTable, words: &Rows, kernel: Kernel) {
    let name = rules.name();
    let mut compared = 0;
    for first in 1..1_usize << 10 {
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
    assert!(compared > 369_000, "{name} {kernel}: {compared}");
}
