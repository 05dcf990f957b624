//! Program of `libFuzzer` for the fuzz target `position`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::position::run(data));
