//! Tests that a clock after the year 9999 makes no command panic.

use crate::support::{Home, Ran, fake_time};

#[test]
fn the_puzzle_of_the_day_after_9999_is_that_of_the_last_day() {
    let home = Home::new();
    let mut command = home.command(["puzzle", "--rules", "bga", "--daily"]);
    command.env("LD_PRELOAD", fake_time()).env("FAKETIME", "+8500y");
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.starts_with("Puzzle of 9999-12-30: "), "{ran:?}");
}
