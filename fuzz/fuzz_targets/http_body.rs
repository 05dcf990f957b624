//! Fuzzes the readers of HTTP request bodies, and checks that a body yields a request or a refusal, and that a request stays equal after it is
//! written and read again.
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
