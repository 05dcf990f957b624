//! Measures how long the engine, compiled to native code, takes to answer each request on the standard input. The test
//! `web/e2e/engine.load.ts` compares the engine of the web page with the native engine.
//!
//! Each line of the standard input is a request. Each line of the output is the time in microseconds, a space, and the answer.

use std::error::Error;
use std::io::{BufRead as _, Write as _, stdin, stdout};
use std::time::Instant;

use overmate_wasm::Engine;

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test` starts this benchmark without the argument `--bench`, and with no requests on the standard input.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let mut engine = Engine::default();
    for request in stdin().lock().lines() {
        let request = request?;
        let start = Instant::now();
        let answer = engine.answer(&request)?.unwrap_or_default();
        let micros = start.elapsed().as_secs_f64() * 1e6;
        writeln!(stdout().lock(), "{micros:.1} {answer}")?;
    }
    Ok(())
}
