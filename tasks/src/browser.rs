//! Runs the tests of the web page in Chromium, Firefox and WebKit, and takes the screenshots with Chromium.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use test_sample::{REQUESTED, THOROUGH};
use xtask::command::run;
use xtask::repository::Repository;
use xtask::web::{Packages, in_folder, install as install_packages, npm};

use crate::command::build_overmate;
use crate::files::{TEMPORARY, scratch};
use crate::install::{self, Tool};
use crate::web;

/// `WebDriver` program of Firefox. Cargo installs this program, because Debian has no package of it.
const GECKODRIVER: Tool = Tool { name: "geckodriver", version: "0.37.1", options: &[] };

/// Runs the web page's tests in Chromium: matches on a running server, and checks of every page. `thorough` measures every window size.
pub(crate) fn check(repository: &Repository, thorough: bool) -> Result<()> {
    on_dev_build(repository, "tests", thorough)
}

/// Plays a match in Firefox and a match in WebKit, both on a running server.
pub(crate) fn check_engines(repository: &Repository) -> Result<()> {
    let programs: [(&str, &[&str]); 3] = [
        ("firefox-esr", &["firefox-esr"]),
        ("WebKitWebDriver", &["webkit2gtk-driver"]),
        ("xvfb-run", &["xvfb", "xauth"]),
    ];
    for (program, packages) in programs {
        let what = format!("{program}, for a match in another browser than Chromium");
        // Each program is run with `--help` to find out whether it is installed, because some of the programs have no option `--version`.
        install::ensure(&what, Command::new(program).arg("--help"), packages)?;
    }
    let geckodriver = install::tool(repository, GECKODRIVER)?;
    install_packages(repository, npm(repository), Packages::All)?;
    web::build_client(repository)?;
    let binary = build_overmate(repository)?;
    // The program `xvfb-run` provides a virtual screen, because the tested WebKit browser has no headless mode.
    let mut command = in_folder(repository, "xvfb-run");
    command.args(["--auto-servernum", "npm", "run", "browser", "--", "--project", "engines"]);
    command.env("OVERMATE_BINARY", binary).env("OVERMATE_GECKODRIVER", geckodriver);
    run(&mut command)
}

/// Takes, with Chromium, the screenshots that the documents show. With `sheet`, takes the contact sheet instead, which shows many pages
/// side by side.
pub(crate) fn screenshots(repository: &Repository, sheet: bool) -> Result<()> {
    on_dev_build(repository, if sheet { "sheet" } else { "screenshots" }, false)
}

/// Builds the web client and the binary `overmate`, and runs one project (named group of tests) of the Playwright configuration.
fn on_dev_build(repository: &Repository, project: &str, thorough: bool) -> Result<()> {
    web::build_client(repository)?;
    let binary = build_overmate(repository)?;
    let scratch = scratch()?;
    playwright(repository, project, &binary, Some(scratch.path()), thorough)
}

/// Runs one project (named group of tests) of the Playwright configuration with the given server binary. `temporary` is the folder for
/// databases and for Chromium's files, in place of the system's folder for temporary files.
pub(crate) fn playwright(
    repository: &Repository,
    project: &str,
    binary: &Path,
    temporary: Option<&Path>,
    thorough: bool,
) -> Result<()> {
    install::CHROMIUM.ensure()?;
    install_packages(repository, npm(repository), Packages::All)?;
    let mut command = npm(repository);
    command.args(["run", "browser", "--", "--project", project]).env("OVERMATE_BINARY", binary);
    if let Some(temporary) = temporary {
        command.env(TEMPORARY, temporary);
    }
    if thorough {
        command.env(THOROUGH, REQUESTED);
    }
    run(&mut command)
}
