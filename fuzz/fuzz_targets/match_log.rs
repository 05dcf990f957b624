//! Runs the fuzz target `match_log` under `libFuzzer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::match_log::run(data));
