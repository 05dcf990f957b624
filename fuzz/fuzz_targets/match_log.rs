//! Fuzzes the replay of match logs. Each log must yield the state of a match or an error. A replay in two parts must yield the same result
//! as a replay of the whole log.
#![no_main]

use libfuzzer_sys::fuzz_target;
use overmate_server::fuzzing::replay;

fuzz_target!(|data: &str| {
    if let Err(fault) = replay(data) {
        assert!(!fault.is_empty());
    }
});
