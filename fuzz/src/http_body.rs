//! Fuzzes the parsers of HTTP request bodies. Each body must yield a request or a refusal, and each
//! request must stay equal after it is written and read again.

use overmate_server::fuzzing::{BodyOf, read_body};

/// Runs the fuzz target `http_body` on one input.
///
/// # Panics
///
/// Panics if the target finds a fault.
pub fn run(data: &[u8]) {
    let Some((kind, body)) = data.split_first() else { return };
    let kind = BodyOf::ALL[usize::from(*kind) % BodyOf::ALL.len()];
    match read_body(kind, body) {
        Ok(request) => {
            assert_eq!(read_body(kind, request.as_bytes()).as_ref(), Ok(&request));
        }
        Err(refusal) => assert!(!refusal.is_empty()),
    }
}
