//! Installs the binary `overmate` from its package into an empty home folder of cargo, and fetches the web page from the installed server.

use std::path::Path;

use anyhow::{Context, Result};
use xtask::command::{cargo, run};
use xtask::repository::Repository;

use crate::command::output;
use crate::files::delete_folder;
use crate::served::Server;

/// Installs the unpacked package `overmate`, and checks that the installed server serves the web page. The package is the folder `package`
/// of the temporary workspace `workspace`.
///
/// The dependencies come from a folder with their sources, so that the empty home folder needs no network and no settings of
/// this machine. The build has no optimisation, to save time.
pub(crate) fn check(repository: &Repository, workspace: &Path, package: &Path) -> Result<()> {
    let sources = repository.path("target/package/sources");
    delete_folder(&sources)?;
    let mut vendor = cargo(repository, ["vendor", "--quiet", "--manifest-path"]);
    // `cargo vendor` prints the cargo settings with which a build uses the copied sources. The text is dropped, because the install command
    // below has the same settings.
    output(vendor.arg(workspace.join("Cargo.toml")).arg(&sources))?;
    let home = tempfile::tempdir()?;
    let sources = toml_edit::value(sources.to_string_lossy().into_owned());
    let mut install = cargo(repository, ["install", "--debug", "--offline", "--locked"]);
    install.env("CARGO_HOME", home.path().join("cargo")).current_dir(home.path());
    install.arg("--path").arg(workspace.join(package)).arg("--root").arg(home.path().join("root"));
    install.arg("--target-dir").arg(repository.path("target/installed"));
    install.args(["--config", "source.crates-io.replace-with='sources'"]);
    install.arg("--config").arg(format!("source.sources.directory={sources}"));
    run(&mut install).context("the package overmate cannot be installed")?;
    let server =
        Server::start(&home.path().join("root/bin/overmate"), &home.path().join("data"), &[])?;
    server.check_page().context("the page of the installed server has a fault")
}
