//! Tells whether the page has its engine (solver and computer opponents, compiled to WebAssembly), and how to build the engine.

use crate::repository::Repository;

/// Name of the Rust compiler's target for WebAssembly in a web page.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Path at which the web client's build expects the compiled engine.
pub const BUILT: &str = "web/src/lib/engine/built/overmate.wasm";

/// Names of the Debian packages of a WebAssembly compiler that builds the standard library from source.
pub const PACKAGES: [&str; 4] = ["cargo-web", "lld", "rust-web-src", "rustc-web"];

/// Returns whether an earlier run has compiled the engine for the page.
#[must_use]
pub fn is_built(repository: &Repository) -> bool {
    repository.path(BUILT).is_file()
}

/// Prints how to build the engine, if the web client was built without the engine.
pub fn note_if_missing(repository: &Repository) {
    if !is_built(repository) {
        eprintln!("{}", missing());
    }
}

/// Returns the note for a developer whose web client was built without the engine. The note names both compilers that can build the engine.
fn missing() -> String {
    format!(
        "note: the page has no engine, so that the server computes analyses and hints, and nobody can play offline. \
         To build the engine, {}; then run `cargo xtask wasm`",
        compilers()
    )
}

/// Returns a part of a sentence for developers, with two ways to install a compiler for WebAssembly.
pub fn compilers() -> String {
    format!(
        "run `rustup target add {TARGET}`, or on Debian `apt-get install {}`",
        PACKAGES.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_note_on_a_missing_engine_names_both_compilers_and_the_command() {
        let note = missing();
        for part in ["rustup target add wasm32-unknown-unknown", "rustc-web", "cargo xtask wasm"] {
            assert!(note.contains(part), "{note}");
        }
    }
}
