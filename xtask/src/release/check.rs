//! Checks the Debian package: the rules of Debian, the confinement of the service, and an installation in a namespace.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::run;
use crate::files::Repository;
use crate::install;

/// Greatest exposure of the service that the check accepts from `systemd-analyze security`, in tenths from 0 (none) to 100.
const GREATEST_EXPOSURE: u32 = 15;

/// Path of the unit file of the service.
const SERVICE: &str = "packaging/debian/overmate.service";

/// Path of the script that installs, starts, upgrades, removes and purges the package.
const SCRIPT: &str = "packaging/check.sh";

/// Part of the check that needs a program of its own.
struct Part {
    /// Checked property, for the message that the part could not run.
    what: &'static str,
    program: &'static str,
    /// Debian package with the program.
    package: &'static str,
    needs_root: bool,
    command: Command,
}

/// Checks a Debian package and its upgrade to a package of a later revision.
///
/// A part whose program is missing and cannot be installed is left out. All other parts run, and the error at the end names the parts that did not.
pub(super) fn debian_package(
    repository: &Repository,
    package: &Path,
    upgrade: &Path,
) -> Result<()> {
    let mut left_out = Vec::new();
    for mut part in parts(repository, package, upgrade) {
        match possible(&part) {
            Ok(()) => run(&mut part.command).with_context(|| format!("{} failed", part.what))?,
            Err(error) => left_out.push(format!("{}: {error:#}", part.what)),
        }
    }
    if !left_out.is_empty() {
        bail!("not checked, all other parts are sound: {}", left_out.join("; "));
    }
    Ok(())
}

/// Returns the parts of the check in their order.
fn parts(repository: &Repository, package: &Path, upgrade: &Path) -> [Part; 3] {
    let mut rules = Command::new("lintian");
    rules.args(["--fail-on", "error", "--tag-display-limit", "0"]).arg(package);
    let mut exposure = Command::new("systemd-analyze");
    exposure.args(["security", "--offline=true", "--no-pager"]);
    exposure.arg(format!("--threshold={GREATEST_EXPOSURE}")).arg(repository.path(SERVICE));
    let mut installation = Command::new("unshare");
    installation.args(["--mount", "bash"]).arg(repository.path(SCRIPT)).arg(package).arg(upgrade);
    [
        Part {
            what: "the check of the rules of Debian",
            program: "lintian",
            package: "lintian",
            needs_root: false,
            command: rules,
        },
        Part {
            what: "the check of the exposure of the service",
            program: "systemd-analyze",
            package: "systemd",
            needs_root: false,
            command: exposure,
        },
        // `systemd-nspawn` starts the service in a copy of this system.
        Part {
            what: "the installation in a namespace",
            program: "systemd-nspawn",
            package: "systemd-container",
            needs_root: true,
            command: installation,
        },
    ]
}

/// Returns an error with the reason if this machine cannot run a part.
fn possible(part: &Part) -> Result<()> {
    if part.needs_root && !install::is_root() {
        bail!("it needs root: run `sudo cargo xtask package --check`");
    }
    install::ensure(part.program, Command::new(part.program).arg("--version"), &[part.package])
}
