//! Checks the files of a release: the lists of dependencies, the archive, and the Debian package. The checks of the Debian
//! package cover the rules of Debian, the confinement of its service, and an installation in a namespace.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Error, Result, bail, ensure};
use auditable_info::Limits;
use serde_json::Value;
use xtask::command::{run, shown};
use xtask::repository::Repository;

use crate::dependencies::dependencies_of;
use crate::install;
use crate::served::Server;

/// Minimum number of dependencies of the binary `overmate` in the output of `cargo tree`. A shorter list was not read properly.
const FEWEST_DEPENDENCIES: usize = 100;

/// Maximum exposure level of the systemd service `overmate`, in tenths: 15 means 1.5. The program `systemd-analyze`
/// rates the exposure of a service from 0 (safe) to 10.
const GREATEST_EXPOSURE: u32 = 15;

/// Path of the unit file of the systemd service `overmate`.
const SERVICE: &str = "packaging/debian/overmate.service";

/// Path of the script that installs, starts, upgrades, removes and purges the Debian package.
const SCRIPT: &str = "packaging/check.sh";

/// Part of the check of a release's Debian package, such as the run of `lintian`. Each part needs a separate program.
struct Part {
    /// Name of this part of the check of the Debian package, for error messages.
    what: &'static str,
    program: &'static str,
    /// Name of the Debian package that provides the program `program`.
    package: &'static str,
    needs_root: bool,
    command: Command,
}

/// Checks that the bill of materials and the list embedded in the binary `overmate` each name all dependencies of the binary.
pub(super) fn dependencies(repository: &Repository, binary: &Path, materials: &Path) -> Result<()> {
    let needed = dependencies_of(repository, "overmate", &[])?;
    ensure!(
        needed.len() >= FEWEST_DEPENDENCIES,
        "cannot read the dependencies in the output of `cargo tree`: found {}, but expected at least {FEWEST_DEPENDENCIES}",
        needed.len()
    );
    let embedded = auditable_info::audit_info_from_file(binary, Limits::default())?;
    let embedded = embedded.packages.into_iter();
    let embedded = embedded.map(|package| (package.name, package.version.to_string())).collect();
    let materials: Value = serde_json::from_str(&fs::read_to_string(materials)?)?;
    let components = materials["components"].as_array().into_iter().flatten();
    let components = components.chain([&materials["metadata"]["component"]]);
    let text =
        |component: &Value, key: &str| component[key].as_str().unwrap_or_default().to_owned();
    let billed = components.map(|one| (text(one, "name"), text(one, "version"))).collect();
    for (list, what) in [(embedded, "the list in the binary"), (billed, "the bill of materials")] {
        let missing: Vec<_> = needed.difference(&list).collect();
        ensure!(missing.is_empty(), "{what} lacks dependencies: {missing:?}");
    }
    println!("the binary and the bill of materials list all {} crates", needed.len());
    Ok(())
}

/// Unpacks the archive of a release, starts the server from the archive, and checks that the server serves the web page.
pub(super) fn archive(archive: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    run(Command::new("tar")
        .arg("--extract")
        .arg("--file")
        .arg(archive)
        .args(["--strip-components", "1"])
        .arg("--directory")
        .arg(folder.path()))?;
    for file in [
        "README.md",
        "third-party-licences.txt",
        "overmate.service",
        "man/overmate-serve.1",
        "completions",
    ] {
        ensure!(folder.path().join(file).exists(), "the archive lacks {file}");
    }
    let server = Server::start(&folder.path().join("overmate"), &folder.path().join("data"), &[])?;
    server.check_page().context("the server from the release archive failed its check")
}

/// Checks the Debian package `package`, and the upgrade from this package to the package `upgrade`, which has a later
/// revision.
///
/// The check skips a part whose program is missing and cannot be installed. All other parts run,
/// and the error at the end names the parts that failed and the parts that did not run.
pub(super) fn debian_package(
    repository: &Repository,
    package: &Path,
    upgrade: &Path,
) -> Result<()> {
    check(parts(repository, package, upgrade), possible)
}

/// Runs the parts of the check of a Debian package, except the parts for which `possible` returns an error.
///
/// # Errors
///
/// Returns an error that names each failed or skipped part, with its error.
fn check(
    parts: impl IntoIterator<Item = Part>,
    possible: impl Fn(&Part) -> Result<()>,
) -> Result<()> {
    let (mut failed, mut left_out) = (Vec::new(), Vec::new());
    for mut part in parts {
        match possible(&part) {
            Ok(()) => failed.extend(run(&mut part.command).err().map(|error| (part.what, error))),
            Err(error) => left_out.push((part.what, error)),
        }
    }
    let named = |parts: &[(&str, Error)]| {
        let parts = parts.iter().map(|(what, error)| format!("{what}: {error:#}"));
        parts.collect::<Vec<_>>().join("; ")
    };
    match (failed.is_empty(), left_out.is_empty()) {
        (true, true) => Ok(()),
        (true, false) => bail!(
            "the check of the package is not complete, because these parts cannot run here: {}",
            named(&left_out)
        ),
        (false, true) => bail!("parts of the package check failed: {}", named(&failed)),
        (false, false) => bail!(
            "parts of the package check failed: {}; not checked: {}",
            named(&failed),
            named(&left_out)
        ),
    }
}

/// Returns the parts of the check of a Debian package, in the order in which they run.
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
        // `systemd-nspawn` starts the service in a container with a copy of the running system.
        Part {
            what: "the installation in a namespace",
            program: "systemd-nspawn",
            package: "systemd-container",
            needs_root: true,
            command: installation,
        },
    ]
}

/// Returns an error with the reason if the machine cannot run a part of the check of a Debian package.
fn possible(part: &Part) -> Result<()> {
    install::ensure(part.program, Command::new(part.program).arg("--version"), &[part.package])?;
    if part.needs_root && !install::is_root() {
        // The whole command `cargo xtask package --check` as root would leave root's files in `target` and in cargo's home folder.
        bail!("the check needs root: run `sudo {}`", shown(&part.command));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(what: &'static str, script: &str) -> Part {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Part { what, program: what, package: what, needs_root: false, command }
    }

    #[test]
    fn all_possible_parts_run_and_the_error_names_the_others_and_those_that_fail() {
        let folder = tempfile::tempdir().unwrap();
        let possible = |part: &Part| match part.what {
            "absent" => bail!("this machine lacks the program"),
            _ => Ok(()),
        };
        let cases = [
            (["sound"].as_slice(), None),
            (
                &["absent", "sound"],
                Some(
                    "the check of the package is not complete, because these parts cannot run here: absent: ",
                ),
            ),
            (&["faulty", "sound"], Some("parts of the package check failed: faulty: ")),
            (&["absent", "faulty", "sound"], Some("parts of the package check failed: faulty: ")),
        ];
        for (number, (parts, expected)) in cases.into_iter().enumerate() {
            let ran = folder.path().join(number.to_string());
            let script = |what: &str| match what {
                "sound" => format!("echo ran > '{}'", ran.display()),
                _ => "exit 3".to_owned(),
            };
            let result = check(parts.iter().map(|what| part(what, &script(what))), possible);
            assert!(ran.exists(), "the sound part runs after {parts:?}");
            let error = result.err().map(|error| error.to_string());
            assert_eq!(error.is_some(), expected.is_some(), "{error:?}");
            let error = error.unwrap_or_default();
            assert!(error.starts_with(expected.unwrap_or_default()), "{error}");
            let left_out = "not checked: absent: this machine lacks the program";
            assert_eq!(error.contains(left_out), parts.len() == 3, "{error}");
        }
    }
}
