//! Runs the fuzz target `live_messages` under `libFuzzer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::live_messages::run(data));
