//! Creates the packages of all published crates as for publication, and lints the crates from these packages alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xtask::command::{cargo, run};
use xtask::repository::{Repository, create_folder, write_file};

use crate::command::{LINT_ARGUMENTS, output};
use crate::files::{copy_file, delete_folder, files};
use crate::installed;

/// Files that each published package must contain.
const EVERYWHERE: [&str; 4] = ["Cargo.toml", "README.md", LICENCES[0], LICENCES[1]];

/// Licence texts of Overmate. The folder of each crate has a symbolic link to each text.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// Name of the package that contains the server, and path of the web client's main file in this package.
const PAGE: (&str, &str) = ("overmate-server", "page/index.html");

/// Name of the package that contains the binary `overmate`.
const BINARY: &str = "overmate";

/// Published member of the cargo workspace.
struct Package {
    name: String,
    version: String,
    /// Folder of the package, relative to the top folder of the repository.
    folder: PathBuf,
}

/// Packages all published crates, and checks the packages' contents. Then runs Clippy on the packages in a temporary cargo workspace, without
/// default features: as `cargo xtask play` builds the binary. `thorough` also installs the binary with its default features from its package.
///
/// The temporary workspace is a copy of this workspace with the packages in place of the published crates. Because the private
/// crates and the examples are checked too, cargo selects the same features of most dependencies as in the step `clippy`, and
/// checks these dependencies only once.
pub(crate) fn check(repository: &Repository, thorough: bool) -> Result<()> {
    let packages = published(repository)?;
    let mut pack = cargo(repository, ["package", "--no-verify", "--allow-dirty", "--locked"]);
    run(pack.args(packages.iter().flat_map(|package| ["--package", &package.name])))?;
    let workspace = repository.path("target/package/workspace");
    delete_folder(&workspace)?;
    for package in &packages {
        unpack(repository, package, &workspace.join(&package.folder))?;
    }
    for file in files(repository)? {
        if !packages.iter().any(|package| Path::new(&file).starts_with(&package.folder)) {
            let copy = workspace.join(&file);
            create_folder(
                copy.parent()
                    .context("cannot find the parent folder of a file in the copied workspace")?,
            )?;
            copy_file(&repository.path(&file), &copy)?;
        }
    }
    let root = manifest(&repository.read("Cargo.toml")?, &packages)?;
    write_file(&workspace.join("Cargo.toml"), &root)?;
    // Clippy runs without the option `--locked`, because cargo must change the lock file of the temporary workspace. The packages,
    // unlike the crates in the repository, do not depend on private crates for their tests.
    let mut clippy = cargo(repository, ["clippy", "--workspace", "--no-default-features"]);
    clippy.args(["--lib", "--bins", "--examples", "--offline", "--manifest-path"]);
    clippy.arg(workspace.join("Cargo.toml")).arg("--target-dir").arg(repository.path("target"));
    run(clippy.arg("--").args(LINT_ARGUMENTS)).context(
        "a crate has a fault in the files of its cargo package, without default features: \
         correct it, or check that the package contains every file that the crate reads",
    )?;
    if !thorough {
        return Ok(());
    }
    let binary = packages.iter().find(|package| package.name == BINARY);
    let binary = binary.with_context(|| format!("the workspace has no package {BINARY}"))?;
    installed::check(repository, &workspace, &binary.folder)
}

/// Unpacks a cargo package into a folder. Checks that the package holds the files that every package must contain, with the licence texts
/// of the repository.
fn unpack(repository: &Repository, package: &Package, folder: &Path) -> Result<()> {
    let Package { name, version, .. } = package;
    create_folder(folder)?;
    let archive = repository.path(&format!("target/package/{name}-{version}.crate"));
    // The files in a cargo package have a fixed old modification time. `-m` gives them the present time, so that cargo does not treat an
    // earlier build of the same version as up to date.
    let mut tar = Command::new("tar");
    tar.arg("-xzmf").arg(&archive).args(["--strip-components", "1", "-C"]).arg(folder);
    run(&mut tar)?;
    let is_server = name == PAGE.0;
    for file in EVERYWHERE.into_iter().chain(is_server.then_some(PAGE.1)) {
        if !folder.join(file).is_file() {
            bail!(
                "the package {name} lacks {file}: put the file into the folder \
                 of the package, and check the key `include` of the manifest"
            );
        }
    }
    for file in LICENCES {
        if fs::read(folder.join(file))? != fs::read(repository.path(file))? {
            bail!(
                "the file {file} of the package {name} is not the licence text: replace the file in the folder of the package \
                 by a symbolic link to ../../{file}"
            );
        }
    }
    Ok(())
}

/// Returns the packages of the workspace that are published.
fn published(repository: &Repository) -> Result<Vec<Package>> {
    let metadata = ["metadata", "--no-deps", "--format-version", "1", "--locked"];
    let metadata: Value = serde_json::from_str(&output(&mut cargo(repository, metadata))?)?;
    let text = |package: &Value, key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let package = |package: &Value| {
        let manifest = PathBuf::from(text(package, "manifest_path")?);
        let folder = manifest.parent()?.strip_prefix(repository.root()).ok()?.to_owned();
        // In cargo's metadata, a package with `publish = false` has an empty list of registries instead of null.
        let is_private = package.get("publish").is_some_and(|list| !list.is_null());
        let (name, version) = (text(package, "name")?, text(package, "version")?);
        (!is_private).then_some(Package { name, version, folder })
    };
    let packages = metadata.get("packages").and_then(Value::as_array);
    let packages: Vec<_> = packages.into_iter().flatten().filter_map(package).collect();
    if packages.is_empty() {
        bail!("the workspace has no package to publish: check the key `publish` of the manifests");
    }
    Ok(packages)
}

/// Returns the manifest of a cargo workspace with a `[patch]` table that replaces registry packages by local packages.
fn manifest(workspace: &str, packages: &[Package]) -> Result<String> {
    let mut manifest: toml_edit::DocumentMut =
        workspace.parse().context("cannot parse the manifest Cargo.toml of the workspace")?;
    let mut patches = toml_edit::Table::new();
    for package in packages {
        let folder = package.folder.to_string_lossy().into_owned();
        let path = toml_edit::InlineTable::from_iter([("path", folder)]);
        patches.insert(&package.name, toml_edit::value(path));
    }
    let mut patch = toml_edit::Table::new();
    patch.set_implicit(true);
    patch.insert("crates-io", toml_edit::Item::Table(patches));
    manifest.insert("patch", toml_edit::Item::Table(patch));
    Ok(manifest.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_of_packages_patches_crates_io() {
        let packages = [Package {
            name: "a".to_owned(),
            version: "1.2.3".to_owned(),
            folder: PathBuf::from("crates/a"),
        }];

        let manifest = manifest("[workspace]\nmembers = [\"crates/*\"]\n", &packages).unwrap();

        assert_eq!(
            manifest,
            "[workspace]\nmembers = [\"crates/*\"]\n\n[patch.crates-io]\n\
             a = { path = \"crates/a\" }\n"
        );
    }
}
