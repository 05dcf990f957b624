//! Program of `libFuzzer` for the fuzz target `match_log`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::match_log::run(data));
