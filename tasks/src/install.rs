//! Installs the programs that the tests need and that the machine lacks.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use xtask::command::{cargo, run};
use xtask::repository::Repository;

use crate::command::output;

/// Arguments of `apt-get` that install packages. Recommended packages are left out, because the tests need none of them, and some of them
/// are servers that Debian starts at once.
const INSTALL: [&str; 3] = ["install", "--yes", "--no-install-recommends"];

/// Arguments with which `apt-get install` waits up to five minutes for dpkg's lock. Another installation, such as the automatic one after a
/// start of the system, may hold this lock for some minutes. These arguments do not make `apt-get update` wait for the lock of the package
/// lists.
const WAIT: [&str; 2] = ["-o", "DPkg::Lock::Timeout=300"];

/// Installs the Debian packages of a program, unless the command `probe` shows that the program works.
///
/// The parameter `what` names the program and its purpose for the error. `probe` is a command that
/// succeeds if the program works.
///
/// # Errors
///
/// Returns an error with the command to run, if the program is missing and cannot be installed.
pub(crate) fn ensure(what: &str, probe: &mut Command, packages: &[&str]) -> Result<()> {
    // The lock keeps two parallel test steps from calling the package manager at the same time.
    // Each user has a lock file, because nobody may write to the file of another user.
    let user = output(Command::new("id").arg("-u"))?;
    let path = std::env::temp_dir().join(format!("overmate-xtask-{}.lock", user.trim()));
    let lock = File::create(&path)
        .with_context(|| format!("cannot create the lock file {}", path.display()))?;
    lock.lock().with_context(|| format!("cannot lock the file {}", path.display()))?;
    if succeeds(probe) {
        return Ok(());
    }
    let install = [&INSTALL[..], packages].concat();
    let manual = format!("this machine lacks {what}: run `apt-get {}`", install.join(" "));
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
    // A failed update of the package lists is only printed, because the machine's present lists may contain the packages.
    if let Err(error) = apt(&["update"]) {
        eprintln!("{error:#}");
    }
    apt(&[&WAIT[..], &install].concat()).context(manual)?;
    if !succeeds(probe) {
        let packages = packages.join(" ");
        bail!(
            "this machine lacks {what}, although the packages {packages} are installed: \
             install a later version yourself"
        );
    }
    Ok(())
}

/// External program that `cargo xtask test` needs and that Debian packages contain.
pub(crate) struct Program {
    /// Name and purpose of the external program, for error messages.
    what: &'static str,
    /// Shell command that succeeds if the external program works.
    probe: &'static str,
    /// Names of the Debian packages that contain the program.
    packages: &'static [&'static str],
}

/// Python with its module for virtual environments. The probe imports `ensurepip` too, because Debian has this module in a separate package.
pub(crate) const PYTHON: Program = Program {
    what: "Python 3.10 or later with its module venv, for schemathesis, the Python package and a bot",
    probe: "python3 -c 'import sys, venv, ensurepip; assert sys.version_info >= (3, 10)'",
    packages: &["python3", "python3-venv"],
};

/// Program `promtool`, which checks the format of the server's metrics.
pub(crate) const PROMTOOL: Program = Program {
    what: "promtool, for the test of the metrics' format",
    probe: "promtool --version",
    packages: &["prometheus"],
};

/// PostgreSQL, the database through which several servers share their matches.
pub(crate) const POSTGRES: Program = Program {
    what: "PostgreSQL, for the tests of servers that share a database",
    probe: "ls /usr/lib/postgresql/*/bin/initdb || command -v initdb",
    packages: &["postgresql"],
};

/// NATS, the message server through which Overmate servers notify each other of changes. Debian installs the program in a folder that only
/// root's path has.
pub(crate) const NATS: Program = Program {
    what: "NATS, for the tests of servers that tell each other of changes",
    probe: "PATH=$PATH:/usr/sbin nats-server --version",
    packages: &["nats-server"],
};

/// Library `libfaketime`, which fakes the system clock of a process.
pub(crate) const FAKETIME: Program = Program {
    what: "libfaketime, for the tests of servers whose clocks differ",
    probe: "ls /usr/lib/*/faketime/libfaketime.so.1",
    packages: &["faketime"],
};

/// C++ compiler, which the build of `libFuzzer` needs.
pub(crate) const CPP: Program = Program {
    what: "a C++ compiler, for libFuzzer",
    probe: "${CXX:-c++} --version",
    packages: &["g++"],
};

/// Chromium, the browser in which the tests of the web page run. A few tests need the whole browser. All other tests run in the browser
/// without windows, which needs less processor time.
pub(crate) const CHROMIUM: Program = Program {
    what: "Chromium, for the browser tests",
    probe: "chromium --version && chromium-headless-shell --version",
    packages: &["chromium", "chromium-headless-shell"],
};

/// External programs that a run of `cargo xtask test` without `--thorough` needs.
const ALL: [Program; 6] = [PYTHON, PROMTOOL, POSTGRES, NATS, FAKETIME, CHROMIUM];

impl Program {
    /// Installs this external program if the machine lacks it.
    pub(crate) fn ensure(&self) -> Result<()> {
        ensure(self.what, &mut self.probe(), self.packages)
    }

    fn probe(&self) -> Command {
        let mut probe = Command::new("sh");
        probe.args(["-c", self.probe]);
        probe
    }
}

/// Installs, by one call of the package manager, the missing programs among those that `cargo xtask test` needs without `--thorough`.
pub(crate) fn ensure_all() -> Result<()> {
    let missing: Vec<_> = ALL.iter().filter(|program| !succeeds(&mut program.probe())).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missing.iter().map(|program| program.what).collect();
    let probes: Vec<_> = missing.iter().map(|program| format!("({})", program.probe)).collect();
    let packages: Vec<_> = missing.iter().flat_map(|program| program.packages).copied().collect();
    let mut probe = Command::new("sh");
    ensure(&names.join("; "), probe.args(["-c", &probes.join(" && ")]), &packages)
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
    // `cargo install` lists the installed versions in the file `.crates.toml`.
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
        // The package `no-such-package` does not exist, so that an attempt to install it would fail.
        ensure("a shell", Command::new("sh").args(["-c", "exit 0"]), &["no-such-package"]).unwrap();
    }
}
