//! Compiles the engine (solver and computer opponents) to WebAssembly for the web page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use wasmparser::{Operator, Parser, Payload};

use xtask::command::{cargo, run};
use xtask::engine::{BUILT, PACKAGES, TARGET, compilers};
use xtask::repository::{Repository, create_folder};

use crate::command::{ENCODED_FLAGS, FLAG_SEPARATOR, output, path_substitutions};
use crate::files::copy_file;
use crate::install;

/// Compiler flags with which the engine is compiled to WebAssembly. They replace the flags in the machine's cargo configuration, which are
/// for the machine's own processor.
const FLAGS: [&str; 1] = ["-Ctarget-feature=+simd128"];

/// Additional compiler flags for building the standard library from source. With these flags, a panic stops the engine without a message.
/// The message texts and their formatting would be a twentieth of the engine. Derived implementations of `Debug` format only the name of
/// the type, because no answer of the engine contains their text.
const FLAGS_FROM_SOURCE: [&str; 3] =
    ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zfmt-debug=shallow"];

/// Compiles the engine to WebAssembly, and writes the engine into the folder in which the web client's build expects the engine. Returns
/// the path of the engine.
pub(crate) fn build(repository: &Repository) -> Result<PathBuf> {
    let (compiled, module) = compile(repository, &["--lib"], "overmate_wasm.wasm")?;
    let built = repository.path(BUILT);
    // An unchanged WebAssembly file keeps its modification time, so that the web client is not built again.
    if fs::read(&built).is_ok_and(|before| before == module) {
        return Ok(built);
    }
    create_folder(built.parent().unwrap_or(Path::new(".")))?;
    copy_file(&compiled, &built)?;
    Ok(built)
}

/// Compiles the example `tables` of the package `overmate-wasm` to WebAssembly. The module contains only the rules and the deal tables.
/// Returns the path of the module.
pub(crate) fn example(repository: &Repository) -> Result<PathBuf> {
    compile(repository, &["--example", "tables"], "examples/tables.wasm").map(|(path, _)| path)
}

/// Compiles a target of the package `overmate-wasm` to WebAssembly. `file` is the path of the compiled file in the output folder. Returns
/// the full path and the contents of the compiled file.
///
/// The toolchain's own compiler is used if the toolchain has the target for WebAssembly, and otherwise Debian's compiler.
fn compile(repository: &Repository, target: &[&str], file: &str) -> Result<(PathBuf, Vec<u8>)> {
    let (mut command, further) = if has_target() {
        (cargo(repository, ["build"]), &[][..])
    } else {
        (debian(repository)?, &FLAGS_FROM_SOURCE[..])
    };
    let mut flags = path_substitutions("--remap-path-prefix=", repository)?.to_vec();
    flags.extend(FLAGS.iter().chain(further).map(|flag| (*flag).to_owned()));
    // The engine is compiled in a separate target folder, because cargo would otherwise wait for the other builds of a test run.
    let folder = repository.path("target/wasm");
    command.args(["--package", "overmate-wasm", "--profile", "engine", "--locked"]).args(target);
    command.args(["--target", TARGET, "--target-dir"]).arg(&folder);
    run(command.env(ENCODED_FLAGS, flags.join(FLAG_SEPARATOR)))?;
    let compiled = folder.join(TARGET).join("engine").join(file);
    let module = fs::read(&compiled).with_context(|| {
        format!(
            "cannot read the compiled file {file}: delete the folder target/wasm, and build again"
        )
    })?;
    ensure!(
        has_vector_tables(&module)?,
        "the file {file} computes deal tables without SIMD instructions, although the compiler got the flags {}: check the code that computes deal tables",
        FLAGS.join(" ")
    );
    Ok((compiled, module))
}

/// Returns whether a WebAssembly module has SIMD instructions for the minimum and the maximum of eight 16-bit values. The engine computes
/// deal tables with these instructions.
fn has_vector_tables(module: &[u8]) -> Result<bool> {
    let (mut minimum, mut maximum) = (false, false);
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CodeSectionEntry(function) = payload? else { continue };
        for operator in function.get_operators_reader()? {
            match operator? {
                Operator::I16x8MinS => minimum = true,
                Operator::I16x8MaxS => maximum = true,
                _ => {}
            }
        }
    }
    Ok(minimum && maximum)
}

/// Returns whether the Rust toolchain has the standard library for WebAssembly.
fn has_target() -> bool {
    let print = ["--print", "target-libdir", "--target", TARGET];
    output(Command::new("rustc").args(print)).is_ok_and(|path| Path::new(path.trim()).is_dir())
}

/// Returns a build command that runs Debian's compiler for WebAssembly. Installs the compiler if it is missing.
fn debian(repository: &Repository) -> Result<Command> {
    let mut probe = Command::new("dpkg-query");
    probe.args(["--show", "--showformat", "${Version}"]).args(PACKAGES);
    install::ensure("a Rust compiler for WebAssembly", &mut probe, &PACKAGES).with_context(
        || format!("the page's engine needs a Rust compiler for WebAssembly: {}", compilers()),
    )?;
    let mut command = Command::new("/usr/bin/cargo");
    command.current_dir(repository.root()).args(["build", "-Zbuild-std=std,panic_abort"]);
    // The standard library is optimised for size, and built without its default features, which include backtraces.
    command.arg("-Zbuild-std-features=optimize_for_size");
    // The stable compiler builds the standard library only if the variable `RUSTC_BOOTSTRAP` is set.
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", "/usr/bin/rustc");
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Header, type section and function section of a WebAssembly module for tests. They declare a function type without parameters, and
    /// one function of this type.
    const HEAD: &[u8] = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0";

    /// Returns a WebAssembly module whose only function has the given instructions.
    fn module(instructions: &[u8]) -> Vec<u8> {
        let size = u8::try_from(instructions.len()).unwrap();
        // The code section has one function without local variables.
        [HEAD, &[10, size + 4, 1, size + 2, 0], instructions, &[0x0b]].concat()
    }

    #[test]
    fn a_module_has_vector_tables_only_with_a_minimum_and_a_maximum_of_vectors() {
        let (minimum, maximum): (&[u8], &[u8]) = (b"\xfd\x96\x01", b"\xfd\x98\x01");
        assert!(has_vector_tables(&module(&[minimum, maximum].concat())).unwrap());
        assert!(!has_vector_tables(&module(minimum)).unwrap());
        assert!(!has_vector_tables(&module(maximum)).unwrap());
        assert!(!has_vector_tables(&module(b"\x01")).unwrap());
        has_vector_tables(b"no module").unwrap_err();
    }
}
