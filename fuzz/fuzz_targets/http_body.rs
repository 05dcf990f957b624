//! Fuzzes the parsers of HTTP request bodies. Each body must yield a request or a refusal, and each
//! request must stay equal after it is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use overmate_server::fuzzing::{BodyOf, read_body};

fuzz_target!(|data: (u8, &[u8])| {
    let (kind, body) = data;
    let kind = BodyOf::ALL[usize::from(kind) % BodyOf::ALL.len()];
    match read_body(kind, body) {
        Ok(request) => {
            assert_eq!(read_body(kind, request.as_bytes()).as_ref(), Ok(&request));
        }
        Err(refusal) => assert!(!refusal.is_empty()),
    }
});
