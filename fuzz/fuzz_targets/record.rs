//! Program of `libFuzzer` for the fuzz target `record`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::record::run(data));
