//! Checks that the crate `overmate-rules` compiles without the standard library.

use anyhow::{Context, Result};
use xtask::command::{cargo, run};
use xtask::repository::{Repository, create_folder, write_file};

use crate::command::{host, output};
use crate::files::copy_file;

/// Name of the crate that must compile without the standard library.
const PACKAGE: &str = "overmate-rules";

/// Source code of a test library that does not use the standard library. The test library has its own panic handler and memory allocator.
///
/// The compiler refuses a second panic handler, so that the library compiles only as long as neither the rules crate nor any
/// dependency of it links `std`.
const SOURCE: &str = "\
//! Test crate that links the rules crate without the standard library.
#![no_std]

extern crate overmate_rules as _;

use core::alloc::{GlobalAlloc, Layout};

struct NoMemory;

unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoMemory = NoMemory;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
";

/// Compilation targets that have no standard library. The check covers each of them that is installed.
const TARGETS: [&str; 2] = ["thumbv7em-none-eabi", "wasm32-unknown-unknown"];

/// Compiles the crate `overmate-rules` without the standard library, once with its default features and once with no features.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    // The builds below run without the network, so that they use the versions in the lock file.
    run(&mut cargo(repository, ["fetch", "--locked", "--target", &host()?]))?;
    let folder = repository.path("target/no-std");
    create_folder(&folder.join("src"))?;
    write_file(&folder.join("src/lib.rs"), SOURCE)?;
    copy_file(&repository.path("Cargo.lock"), &folder.join("Cargo.lock"))?;
    for has_default_features in [false, true] {
        write_file(&folder.join("Cargo.toml"), &manifest(repository, has_default_features))?;
        let mut build = cargo(repository, ["build", "--offline", "--target-dir", "target/no-std"]);
        build.arg("--manifest-path").arg(folder.join("Cargo.toml"));
        run(&mut build).context("the rules crate does not compile without the standard library")?;
    }
    let installed =
        output(std::process::Command::new("rustup").args(["target", "list", "--installed"]));
    let installed = installed.unwrap_or_default();
    for target in TARGETS.into_iter().filter(|target| installed.contains(target)) {
        run(&mut cargo(
            repository,
            ["check", "--package", PACKAGE, "--locked", "--target", target],
        ))?;
    }
    Ok(())
}

fn manifest(repository: &Repository, has_default_features: bool) -> String {
    let path = repository.path("crates").join(PACKAGE);
    format!(
        "[package]\nname = \"overmate-no-std\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lib]\ncrate-type = [\"staticlib\"]\n\n\
         [dependencies.{PACKAGE}]\npath = {:?}\ndefault-features = {has_default_features}\n\n\
         [profile.dev]\npanic = \"abort\"\n\n[workspace]\n",
        path.display().to_string()
    )
}
