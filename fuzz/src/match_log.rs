//! Fuzzes the replay of match logs. Each log must yield the state of a match or an error. A replay in two parts must yield the same result
//! as a replay of the whole log.

use overmate_server::fuzzing::replay;

use crate::input::text;

/// Runs the fuzz target `match_log` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    let data = text(data);
    if let Err(fault) = replay(data) {
        assert!(!fault.is_empty());
    }
}
