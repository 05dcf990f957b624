//! Checks the Debian package: the rules of Debian, the confinement of the service, and an installation in a namespace.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::run;
use crate::files::Repository;
use crate::install;

/// Greatest exposure of the service that the check accepts from `systemd-analyze security`, in tenths from 0 (none) to 100.
const GREATEST_EXPOSURE: u32 = 15;

/// Programs that the check of the Debian package calls, each with the Debian package that contains the program.
/// `systemd-nspawn` starts the service in a copy of this system.
const PROGRAMS: [(&str, &str); 3] = [
    ("lintian", "lintian"),
    ("systemd-analyze", "systemd"),
    ("systemd-nspawn", "systemd-container"),
];

/// Path of the unit file of the service.
const SERVICE: &str = "packaging/debian/overmate.service";

/// Path of the script that installs, starts, upgrades, removes and purges the package.
const SCRIPT: &str = "packaging/check.sh";

/// Checks a Debian package and its upgrade to a package of a later revision.
pub(super) fn debian_package(
    repository: &Repository,
    package: &Path,
    upgrade: &Path,
) -> Result<()> {
    for (program, package) in PROGRAMS {
        install::ensure(program, Command::new(program).arg("--version"), &[package])?;
    }
    run(Command::new("lintian")
        .args(["--fail-on", "error", "--tag-display-limit", "0"])
        .arg(package))?;
    let service = repository.path(SERVICE);
    let threshold = format!("--threshold={GREATEST_EXPOSURE}");
    run(Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--no-pager"])
        .arg(threshold)
        .arg(&service))
    .with_context(|| {
        format!("`systemd-analyze security` finds an exposure of {SERVICE} of more than {GREATEST_EXPOSURE} tenths")
    })?;
    if !install::is_root() {
        bail!("the installation in a namespace needs root: run `sudo cargo xtask package --check`");
    }
    let mut script = Command::new("unshare");
    script.args(["--mount", "bash"]).arg(repository.path(SCRIPT));
    run(script.arg(package).arg(upgrade))
}
