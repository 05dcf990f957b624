//! Runs the fuzz target `tablebase` under `libFuzzer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::tablebase::run(data));
