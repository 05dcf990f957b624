//! Selects a random sample of the test cases, or all test cases in a thorough test run.

use test_sample::is_thorough;

use crate::chance::Chance;

/// Returns all items if the tests run all cases, otherwise `count` random items in their original order.
pub(crate) fn of<T: Clone>(items: &[T], count: usize, seed: u64) -> Vec<T> {
    if is_thorough() || count >= items.len() {
        return items.to_vec();
    }
    let mut chance = Chance(seed);
    let mut left = count;
    let mut drawn = Vec::new();
    for (i, item) in items.iter().enumerate() {
        if chance.below(items.len() - i) < left {
            drawn.push(item.clone());
            left -= 1;
        }
    }
    drawn
}
