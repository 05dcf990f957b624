//! Fuzzes the replay of match logs. Each log must yield the state of a match or an error. A replay in two parts must yield the same result
//! as a replay of the whole log.

use overmate_server::fuzzing::replay;

/// Runs the fuzz target on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    let Ok(data) = str::from_utf8(data) else { return };
    if let Err(fault) = replay(data) {
        assert!(!fault.is_empty());
    }
}
