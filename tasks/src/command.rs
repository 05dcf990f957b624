//! Runs cargo and other programs, and reads their output.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xtask::command::{cargo, shown};
use xtask::repository::Repository;

/// Runs a command and returns its standard output. The standard error of the command goes to the terminal.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run the command `{}`", shown(command)))?;
    if !output.status.success() {
        bail!("the command `{}` failed ({})", shown(command), output.status);
    }
    String::from_utf8(output.stdout)
        .with_context(|| format!("the output of the command `{}` is not UTF-8", shown(command)))
}

/// Compiler arguments that turn warnings into errors.
pub(crate) const LINT_ARGUMENTS: [&str; 2] = ["-D", "warnings"];

/// Path that replaces the path of the work tree in the files of a release.
pub(crate) const WORK_TREE: &str = "/overmate";

/// Environment variable with the flags of the Rust compiler. [`FLAG_SEPARATOR`] separates the flags, so that paths may have spaces.
pub(crate) const ENCODED_FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

/// Separator of the compiler flags in the variable [`ENCODED_FLAGS`].
pub(crate) const FLAG_SEPARATOR: &str = "\u{1f}";

/// Returns compiler flags that replace the paths of the work tree and of cargo's home folder in a program. Builds in different folders are
/// then equal. Each flag begins with `option`.
pub(crate) fn path_substitutions(option: &str, repository: &Repository) -> Result<[String; 2]> {
    let places = [(repository.root().to_owned(), WORK_TREE), (cargo_home()?, "/cargo")];
    Ok(places.map(|(path, name)| format!("{option}{}={name}", path.display())))
}

/// Returns cargo's home folder, which contains the sources of dependencies.
fn cargo_home() -> Result<PathBuf> {
    if let Some(folder) = std::env::var_os("CARGO_HOME") {
        return Ok(folder.into());
    }
    let home = std::env::home_dir()
        .context("the environment variable HOME is not set: set it to your home folder")?;
    Ok(home.join(".cargo"))
}

/// Returns the compiler's default target, such as `x86_64-unknown-linux-gnu`.
pub(crate) fn host() -> Result<String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .context("`rustc -vV` does not print the host target: update the compiler")
}

/// Environment variable with the path of a binary `overmate` that is already built. A test step that reads the variable does not build the
/// binary again.
pub(crate) const BINARY_VARIABLE: &str = "OVERMATE_BINARY";

/// Builds the binary `overmate` in the cargo profile of the tests, and returns the path of the binary.
///
/// The integration tests run the same binary. Building the package alone would choose fewer features for its
/// dependencies, and thereby compile half of the dependencies a second time.
pub(crate) fn build_overmate(repository: &Repository) -> Result<PathBuf> {
    if let Some(binary) = std::env::var_os(BINARY_VARIABLE) {
        return Ok(binary.into());
    }
    let build = ["test", "--workspace", "--test", "*", "--locked", "--no-run"];
    overmate(build_binaries(&mut cargo(repository, build))?)
}

/// Arguments of cargo that build the binary `overmate` in the release profile.
pub(crate) const RELEASE: [&str; 7] =
    ["build", "--release", "--locked", "--package", "overmate", "--bin", "overmate"];

/// Builds the binary `overmate` in the release profile, and returns the path of the binary.
pub(crate) fn build_release(repository: &Repository) -> Result<PathBuf> {
    overmate(build_binaries(&mut cargo(repository, RELEASE))?)
}

/// Returns the path of the binary `overmate` from a list of built binaries.
pub(crate) fn overmate(binaries: Vec<(String, PathBuf)>) -> Result<PathBuf> {
    let found = binaries.into_iter().find(|(name, _)| name == "overmate");
    found.map(|(_, binary)| binary).context("cargo built no binary `overmate`")
}

/// Runs a build command of cargo and returns the name and path of each built binary.
///
/// The paths come from cargo's messages, because `CARGO_TARGET_DIR` and configuration files can move the binaries.
pub(crate) fn build_binaries(command: &mut Command) -> Result<Vec<(String, PathBuf)>> {
    eprintln!("$ {}", shown(command));
    let messages = output(command.arg("--message-format=json-render-diagnostics"))?;
    let binary = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let executable = message.get("executable")?.as_str()?;
        let name = message.get("target")?.get("name")?.as_str()?;
        Some((name.to_owned(), PathBuf::from(executable)))
    };
    Ok(messages.lines().filter_map(binary).collect())
}
