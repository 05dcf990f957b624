//! Lists the dependencies that the compiled form of a crate contains.

use std::collections::BTreeSet;

use anyhow::Result;
use xtask::command::cargo;
use xtask::repository::Repository;

use crate::command::output;

/// Name and version of a crate.
pub(crate) type Dependency = (String, String);

/// Returns a crate of the workspace and its direct and indirect dependencies on some of the given targets, without dependencies of build
/// scripts and tests. Without targets, the target is that of this machine.
pub(crate) fn dependencies_of(
    repository: &Repository,
    package: &str,
    targets: &[&str],
) -> Result<BTreeSet<Dependency>> {
    let tree = ["tree", "--package", package, "--edges", "normal", "--prefix", "none"];
    let mut tree = cargo(repository, tree);
    tree.args(["--locked", "--format", "{p}"]);
    tree.args(targets.iter().flat_map(|target| ["--target", target]));
    Ok(output(&mut tree)?.lines().filter_map(dependency).collect())
}

/// Reads a line of `cargo tree`, such as `serde v1.0.0 (*)`.
fn dependency(line: &str) -> Option<Dependency> {
    let (name, rest) = line.split_once(" v")?;
    Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_tree_gives_name_and_version() {
        let expected = Some(("zstd-sys".to_owned(), "2.0.0+zstd.1.5.0".to_owned()));
        for line in ["zstd-sys v2.0.0+zstd.1.5.0", "zstd-sys v2.0.0+zstd.1.5.0 (proc-macro) (*)"] {
            assert_eq!(dependency(line), expected, "{line}");
        }
        assert_eq!(dependency(""), None);
    }
}
