//! Program of `libFuzzer` for the fuzz target `deal`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::deal::run(data));
