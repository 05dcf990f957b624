//! Checks that a release build embeds the built web client. `src/assets.rs` reads the files of the client from `page/`.

use std::path::Path;

/// Path of the web client's start page. `cargo xtask build` writes this file, and the published package contains it.
const PAGE: &str = "page/index.html";

/// Environment variable that allows a release build without the web client.
const WITHOUT_PAGE: &str = "OVERMATE_WITHOUT_PAGE";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("PROFILE").is_ok_and(|profile| profile != "release") {
        // A debug build reads the files when it serves them, so that a new page needs no new compilation.
        return;
    }
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-env-changed={WITHOUT_PAGE}");
    if !Path::new(PAGE).exists() && std::env::var_os(WITHOUT_PAGE).is_none() {
        println!(
            "cargo::error=the built web client is missing: build it and the binary with `cargo xtask build`, \
             or set {WITHOUT_PAGE}=1 for a server without pages"
        );
    }
}
