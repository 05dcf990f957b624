//! Runs external programs. Reports a failed command in the form of a shell command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::files::Repository;

/// Name prefixes of the environment variables in which cargo describes the package `xtask`.
const OF_THIS_PACKAGE: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];

/// Returns a cargo command that runs in the repository's top folder. Its environment lacks the variables in which cargo describes the
/// package `xtask`.
pub(crate) fn cargo<S: AsRef<OsStr>>(
    repository: &Repository,
    args: impl IntoIterator<Item = S>,
) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).current_dir(repository.root());
    // A build script that reads one of these variables, such as the build script of `ring`, would run again after each cargo command
    // outside of xtask. All packages that depend on its package would then be built again, too.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if OF_THIS_PACKAGE.iter().any(|beginning| name.starts_with(beginning)) {
            command.env_remove(&*name);
        }
    }
    command
}

/// Prints a command, and runs the command with its output on the terminal. Returns an error if the command fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    eprintln!("$ {}", shown(command));
    let status =
        command.status().with_context(|| format!("cannot run the command `{}`", shown(command)))?;
    if !status.success() {
        bail!("the command `{}` failed ({status})", shown(command));
    }
    Ok(())
}

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

/// Formats a command as a shell command line: environment variables, program name without its folder, and arguments.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let variables = command
        .get_envs()
        .filter_map(|(key, value)| Some((key.to_string_lossy(), value?.to_string_lossy())))
        .map(|(key, value)| format!("{key}={}", quoted(&value)));
    let words =
        std::iter::once(name).chain(command.get_args()).map(|word| quoted(&word.to_string_lossy()));
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_text_for_a_shell() {
        let mut command = Command::new("/anywhere/cargo");
        command.args(["test", "--bench", "*"]).env("RUSTDOCFLAGS", "-D warnings");

        assert_eq!(shown(&command), "RUSTDOCFLAGS='-D warnings' cargo test --bench '*'");
    }

    #[test]
    fn the_error_of_a_failing_command_names_the_command() {
        let repository = Repository::at(Path::new("."));

        let mut command = cargo(&repository, ["no-such-command"]);
        let error = run(command.stderr(Stdio::null())).unwrap_err().to_string();

        assert!(error.contains("cargo no-such-command` failed"), "{error}");
    }
}
