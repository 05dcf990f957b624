//! Defines the packages of others whose licence texts are written.

use std::path::PathBuf;

/// Package of others: a crate, an npm package, or code that a compiler or a build tool adds.
///
/// Packages are ordered by name, then by version.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Package {
    pub(super) name: String,
    /// Version of the package. The text is empty if the version depends on the machine that builds.
    pub(super) version: String,
    /// Licence expression of the package's manifest, such as `MIT OR Apache-2.0`.
    pub(super) licence: String,
    /// Address of the source code, from the manifest. The text is empty if the manifest has no address.
    pub(super) source: String,
    /// Holders of the copyright, for a package without a licence text of its own.
    pub(super) authors: Vec<String>,
    /// Folder with the files of the package. Code that a compiler or a build tool adds has no folder.
    pub(super) folder: Option<PathBuf>,
}

impl Package {
    /// Returns the standard library of Rust, which each compiled program contains.
    pub(super) fn standard_library() -> Self {
        let source = "https://github.com/rust-lang/rust";
        Self::added(
            "Rust standard library",
            "MIT OR Apache-2.0",
            "The Rust Project Contributors",
            source,
        )
    }

    /// Returns code that a compiler or a build tool adds to its results.
    pub(super) fn added(name: &str, licence: &str, author: &str, source: &str) -> Self {
        Self {
            name: name.to_owned(),
            licence: licence.to_owned(),
            source: source.to_owned(),
            authors: vec![author.to_owned()],
            ..Self::default()
        }
    }
}

/// Returns the address in a manifest's field `repository` without the additions for git. The short form `owner/name` means a repository on
/// GitHub.
pub(super) fn address(repository: &str) -> String {
    let address = repository.trim_start_matches("git+").trim_end_matches(".git");
    match address.trim_start_matches("github:") {
        short if !short.contains(':') && short.contains('/') => {
            format!("https://github.com/{short}")
        }
        _ => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_addresses_mean_github() {
        let expected = "https://github.com/a/b";
        for repository in ["a/b", "github:a/b", "git+https://github.com/a/b.git", expected] {
            assert_eq!(address(repository), expected);
        }
        assert_eq!(address(""), "");
    }
}
