//! Program of `libFuzzer` for the fuzz target `tablebase`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::tablebase::run(data));
