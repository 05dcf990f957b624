//! Installs the programs that the tests need and that the machine lacks.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, output, run};
use crate::files::Repository;

/// Runs the command `probe` to check that a program works. If the program does not work, installs its Debian packages.
///
/// The parameter `what` names the program and its purpose for the error. `probe` is a command that
/// succeeds if the program works.
///
/// # Errors
///
/// Returns an error with the command to run, if the program is missing and cannot be installed.
pub(crate) fn ensure(what: &str, probe: &mut Command, packages: &[&str]) -> Result<()> {
    // The lock keeps two parallel steps from calling the package manager at the same time.
    let lock = std::env::temp_dir().join("overmate-xtask.lock");
    let lock = File::create(&lock)
        .with_context(|| format!("cannot create the lock file {}", lock.display()))?;
    lock.lock().context("cannot lock the package manager")?;
    if succeeds(probe) {
        return Ok(());
    }
    let manual = format!("this machine lacks {what}: run `apt-get install {}`", packages.join(" "));
    let prefix: &[&str] = if is_root() { &[] } else { &["sudo", "-n"] };
    if !is_root() && !succeeds(Command::new("sudo").args(["-n", "true"])) {
        bail!(manual);
    }
    let apt = |args: &[&str]| {
        let words: Vec<_> = prefix.iter().chain(&["apt-get"]).chain(args).copied().collect();
        let (program, args) = words
            .split_first()
            .context("the command that installs packages has no program name")?;
        run(Command::new(program).args(args))
    };
    // An error is only printed, because another package list may contain the packages.
    if let Err(error) = apt(&["update"]) {
        eprintln!("{error:#}");
    }
    let install: Vec<_> = ["install", "--yes"].iter().chain(packages).copied().collect();
    apt(&install).context(manual)?;
    if !succeeds(probe) {
        let packages = packages.join(" ");
        bail!("this machine lacks {what}, although the packages {packages} are installed");
    }
    Ok(())
}

/// Program that `cargo install` installs for an xtask command.
#[derive(Clone, Copy)]
pub(crate) struct Tool {
    /// Name of the cargo package and of the installed program.
    pub(crate) name: &'static str,
    /// Exact version of the cargo package to install.
    pub(crate) version: &'static str,
    /// Additional options of `cargo install`, such as features.
    pub(crate) options: &'static [&'static str],
}

/// Cargo subcommand that writes the list of dependencies into a binary. `cargo audit bin` reads the list.
pub(crate) const AUDITABLE: Tool = Tool { name: "cargo-auditable", version: "0.7.7", options: &[] };

/// Returns the path of a tool under `target/tools`. Installs the tool there if the wanted version is missing.
///
/// The tool is built without optimisation, which takes a minute or two of processor time.
pub(crate) fn tool(repository: &Repository, tool: Tool) -> Result<PathBuf> {
    let root = repository.path("target/tools");
    let program = root.join("bin").join(tool.name);
    // `cargo install` lists the installed versions in this file.
    let installed = std::fs::read_to_string(root.join(".crates.toml")).unwrap_or_default();
    if program.is_file() && installed.contains(&format!("\"{} {} ", tool.name, tool.version)) {
        return Ok(program);
    }
    let package = ["install", tool.name, "--version", tool.version, "--locked"];
    let mut install = cargo(repository, package);
    install.args(tool.options).args(["--debug", "--quiet", "--root"]).arg(&root);
    install.arg("--target-dir").arg(root.join("build"));
    install.env("CARGO_PROFILE_DEV_DEBUG", "false");
    run(&mut install).with_context(|| format!("cannot install {}", tool.name))?;
    Ok(program)
}

/// Returns whether the current process runs as root.
pub(crate) fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_working_program_is_not_installed_again() {
        // The package does not exist, so that an attempt to install it would fail.
        ensure("a shell", Command::new("sh").args(["-c", "exit 0"]), &["no-such-package"]).unwrap();
    }
}
