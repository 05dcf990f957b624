//! Runs the fuzz target `position` under `libFuzzer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::position::run(data));
