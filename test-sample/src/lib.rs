//! Decides whether tests run all their cases or only a sample of the cases.
//!
//! `cargo xtask test --thorough` sets the environment variable [`THOROUGH`], and all tests then run all cases.

/// Name of the environment variable that requests thorough tests if its value is [`REQUESTED`].
pub const THOROUGH: &str = "OVERMATE_THOROUGH";

/// Value of the environment variable [`THOROUGH`] that requests thorough tests.
pub const REQUESTED: &str = "1";

/// Returns whether the environment requests thorough tests, which run all cases.
#[must_use]
pub fn is_thorough() -> bool {
    std::env::var_os(THOROUGH).is_some_and(|value| value == REQUESTED)
}

/// Returns `all` in a thorough test run, and otherwise `sample`. The two arguments are usually numbers of test cases.
///
/// ```
/// let games = test_sample::cases(40, 1_000);
/// assert!(games == 40 || test_sample::is_thorough());
/// ```
#[must_use]
pub fn cases<T>(sample: T, all: T) -> T {
    if is_thorough() { all } else { sample }
}
