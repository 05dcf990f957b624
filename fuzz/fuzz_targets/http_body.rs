//! Program of `libFuzzer` for the fuzz target `http_body`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::http_body::run(data));
