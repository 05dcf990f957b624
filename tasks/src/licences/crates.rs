//! Finds the crates of others on which a crate of the workspace depends.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xtask::command::cargo;
use xtask::repository::Repository;

use super::package::{Package, address};
use crate::command::output;
use crate::dependencies::{Dependency, dependencies_of};

/// Packages that the lock file of the workspace names, by name and version. Crates of the workspace have no package.
pub(super) struct Crates(BTreeMap<Dependency, Option<Package>>);

impl Crates {
    /// Reads the manifests of all crates that the lock file names.
    pub(super) fn read(repository: &Repository) -> Result<Self> {
        let metadata = ["metadata", "--format-version", "1", "--locked"];
        let metadata: Value = serde_json::from_str(&output(&mut cargo(repository, metadata))?)?;
        let packages = metadata["packages"].as_array().into_iter().flatten();
        Ok(Self(packages.map(read).collect()))
    }

    /// Returns the crates of others that a crate of the workspace contains on some of the given targets.
    pub(super) fn dependencies(
        &self,
        repository: &Repository,
        root: &str,
        targets: &[&str],
    ) -> Result<Vec<Package>> {
        let mut found = Vec::new();
        for dependency in dependencies_of(repository, root, targets)? {
            let package = self.0.get(&dependency);
            let package = package.with_context(|| {
                format!("`cargo metadata` lacks the crate {} {}", dependency.0, dependency.1)
            })?;
            found.extend(package.clone());
        }
        ensure!(
            !found.is_empty(),
            "the crate {root} has no dependencies in the output of `cargo tree`"
        );
        Ok(found)
    }
}

/// Reads a package in the output of `cargo metadata`. The package is `None` for a crate of the workspace, which has no source in a registry.
fn read(package: &Value) -> (Dependency, Option<Package>) {
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let authors = package["authors"].as_array().into_iter().flatten();
    let of_others = Package {
        name: text("name"),
        version: text("version"),
        licence: text("license"),
        source: address(&text("repository")),
        authors: authors.filter_map(Value::as_str).map(str::to_owned).collect(),
        folder: Path::new(&text("manifest_path")).parent().map(Path::to_owned),
    };
    let dependency = (text("name"), text("version"));
    (dependency, (!package["source"].is_null()).then_some(of_others))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn crates_of_the_workspace_are_no_packages_of_others() {
        let mut metadata = json!({
            "name": "a", "version": "1.0.0", "license": "MIT", "repository": null, "source": "registry",
            "authors": ["A. Author"], "manifest_path": "/crates/a/Cargo.toml",
        });
        let package = Package {
            name: "a".to_owned(),
            version: "1.0.0".to_owned(),
            licence: "MIT".to_owned(),
            authors: vec!["A. Author".to_owned()],
            folder: Some("/crates/a".into()),
            ..Package::default()
        };
        let dependency = ("a".to_owned(), "1.0.0".to_owned());
        assert_eq!(read(&metadata), (dependency.clone(), Some(package)));
        metadata["source"] = Value::Null;
        assert_eq!(read(&metadata), (dependency, None));
    }
}
