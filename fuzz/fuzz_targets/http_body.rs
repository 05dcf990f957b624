//! Runs the fuzz target `http_body` under `libFuzzer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::http_body::run(data));
