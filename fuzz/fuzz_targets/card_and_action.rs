//! Runs the fuzz target `card_and_action` under `libFuzzer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::card_and_action::run(data));
