//! Selects a random sample of the test cases, or all test cases if the environment variable
//! `OVERMATE_THOROUGH` is 1.

use crate::chance::Chance;

/// Returns whether the environment variable `OVERMATE_THOROUGH` requests that tests run all cases.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("OVERMATE_THOROUGH").is_some_and(|value| value == "1")
}

/// Returns `full` if the tests run all cases, otherwise `sample`.
pub(crate) fn size<T>(full: T, sample: T) -> T {
    if is_thorough() { full } else { sample }
}

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
