//! Runs the fuzz target `rules_toml` under `libFuzzer`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| overmate_fuzz::rules_toml::run(data));
