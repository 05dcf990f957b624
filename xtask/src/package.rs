//! Creates the packages of all published crates as for their publication, and compiles the crates from these packages alone.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::{cargo, output, run};
use crate::files::{Repository, copy_file, create_folder, delete_folder, write_file};
use crate::installed;

/// Files that each published package must contain.
const EVERYWHERE: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Name of the server's package, and path of the web client's main file in this package.
const PAGE: (&str, &str) = ("overmate-server", "page/index.html");

/// Name of the package with the binary.
const BINARY: &str = "overmate";

/// Name and version of a cargo package.
struct Package {
    name: String,
    version: String,
}

/// Packages all published crates, checks the packages' contents, and compiles the packages in a temporary cargo workspace.
///
/// The temporary workspace has the profiles and the target folder of this workspace, so that no dependency is compiled
/// again. `thorough` also installs the binary from its package.
pub(crate) fn check(repository: &Repository, thorough: bool) -> Result<()> {
    let packages = published(repository)?;
    run(&mut cargo(
        repository,
        ["package", "--workspace", "--no-verify", "--allow-dirty", "--locked"],
    ))?;
    let folder = repository.path("target/package/workspace");
    delete_folder(&folder)?;
    create_folder(&folder)?;
    for Package { name, version } in &packages {
        let archive = repository.path(&format!("target/package/{name}-{version}.crate"));
        // The files of a package have a fixed old time. `-m` gives them the present time, so that cargo does not treat an
        // earlier build of the same version as up to date.
        run(Command::new("tar").arg("-xzmf").arg(&archive).arg("-C").arg(&folder))?;
        let unpacked = folder.join(format!("{name}-{version}"));
        let is_server = name == PAGE.0;
        for file in EVERYWHERE.into_iter().chain(is_server.then_some(PAGE.1)) {
            if !unpacked.join(file).is_file() {
                bail!("the package {name} lacks {file}");
            }
        }
    }
    let workspace = manifest(&repository.read("Cargo.toml")?, &packages)?;
    write_file(&folder.join("Cargo.toml"), &workspace)?;
    copy_file(&repository.path("Cargo.lock"), &folder.join("Cargo.lock"))?;
    let mut check = cargo(repository, ["check", "--workspace", "--offline", "--manifest-path"]);
    check.arg(folder.join("Cargo.toml")).arg("--target-dir").arg(repository.path("target"));
    run(&mut check).context("a crate does not compile from its package")?;
    if !thorough {
        return Ok(());
    }
    let binary = packages.iter().find(|package| package.name == BINARY);
    let Package { name, version } =
        binary.with_context(|| format!("the workspace has no package {BINARY}"))?;
    installed::check(repository, &folder, &format!("{name}-{version}"))
}

/// Returns the publishable packages of the workspace.
fn published(repository: &Repository) -> Result<Vec<Package>> {
    let metadata = ["metadata", "--no-deps", "--format-version", "1", "--locked"];
    let metadata: Value = serde_json::from_str(&output(&mut cargo(repository, metadata))?)?;
    let text = |package: &Value, key: &str| Some(package.get(key)?.as_str()?.to_owned());
    let package = |package: &Value| {
        // A package with `publish = false` has an empty list of registries.
        let is_private = package.get("publish").is_some_and(|list| !list.is_null());
        let name = text(package, "name")?;
        (!is_private).then_some(Package { name, version: text(package, "version")? })
    };
    let packages = metadata.get("packages").and_then(Value::as_array);
    let packages: Vec<_> = packages.into_iter().flatten().filter_map(package).collect();
    if packages.is_empty() {
        bail!("the workspace has no package to publish: check the key `publish` of the manifests");
    }
    Ok(packages)
}

/// Returns the manifest of a cargo workspace that replaces packages of the registry by unpacked packages.
fn manifest(workspace: &str, packages: &[Package]) -> Result<String> {
    let workspace: toml_edit::DocumentMut =
        workspace.parse().context("cannot parse the manifest Cargo.toml of the workspace")?;
    let mut manifest = toml_edit::DocumentMut::new();
    let folders = packages.iter().map(|Package { name, version }| format!("{name}-{version}"));
    let mut members = toml_edit::Table::new();
    members.insert("resolver", toml_edit::value("3"));
    members.insert("members", toml_edit::value(folders.clone().collect::<toml_edit::Array>()));
    manifest.insert("workspace", toml_edit::Item::Table(members));
    let mut patches = toml_edit::Table::new();
    for (package, folder) in packages.iter().zip(folders) {
        let path = toml_edit::InlineTable::from_iter([("path", folder)]);
        patches.insert(&package.name, toml_edit::value(path));
    }
    let mut patch = toml_edit::Table::new();
    patch.insert("crates-io", toml_edit::Item::Table(patches));
    manifest.insert("patch", toml_edit::Item::Table(patch));
    if let Some(profiles) = workspace.get("profile") {
        manifest.insert("profile", profiles.clone());
    }
    Ok(manifest.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_of_packages_patches_crates_io() {
        let packages = [Package { name: "a".to_owned(), version: "1.2.3".to_owned() }];

        let manifest =
            manifest("[workspace]\n\n[profile.dev]\nopt-level = 1\n", &packages).unwrap();

        assert!(manifest.contains("members = [\"a-1.2.3\"]"), "{manifest}");
        assert!(manifest.contains("a = { path = \"a-1.2.3\" }"), "{manifest}");
        assert!(manifest.contains("[profile.dev]\nopt-level = 1"), "{manifest}");
    }
}
