//! Writes the generated files of a release package: manual pages, shell completions, and the Debian changelog.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use xtask::repository::{create_folder, write_file};

use crate::command::output;
use crate::files::delete_folder;

/// Version number of the release. All crates of the workspace have the same version.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Shells for which completion files are written, each with the name of the file.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "overmate"), ("zsh", "_overmate"), ("fish", "overmate.fish")];

/// Maintainer of the Debian package, as in the manifest of the package `overmate`.
const MAINTAINER: &str = "The Overmate authors <maintainers@overmate.example>";

/// Empties the folder `stage`, and writes the folders `man` and `completions` and the file
/// `changelog` there.
///
/// The parameter `time` is the Unix time of the release, in seconds.
pub(super) fn write(binary: &Path, stage: &Path, time: u64) -> Result<()> {
    delete_folder(stage)?;
    let manual = stage.join("man");
    let completions = stage.join("completions");
    for folder in [&manual, &completions] {
        create_folder(folder)?;
    }
    write_manual(binary, &manual)?;
    for (shell, file) in COMPLETIONS {
        let script = output(Command::new(binary).args(["completions", shell]))?;
        write_file(&completions.join(file), &script)?;
    }
    let date =
        output(Command::new("date").args(["--utc", "--rfc-email", "--date", &format!("@{time}")]))?;
    let changelog = format!(
        "overmate ({VERSION}-1) unstable; urgency=medium\n\n  * Release {VERSION}; the changes stand in the changelog of the project.\n\n -- {MAINTAINER}  {date}"
    );
    write_file(&stage.join("changelog"), &changelog)
}

/// Writes the manual pages of `overmate` and of all its subcommands.
fn write_manual(binary: &Path, folder: &Path) -> Result<()> {
    let mut names = vec!["overmate".to_owned()];
    let mut written = 0;
    while let Some(name) = names.get(written).cloned() {
        let command = name.strip_prefix("overmate-");
        let page = output(Command::new(binary).arg("man").args(command))?;
        write_file(&folder.join(format!("{name}.1")), &page)?;
        for reference in references(&page) {
            if !names.contains(&reference) {
                names.push(reference);
            }
        }
        written += 1;
    }
    Ok(())
}

/// Returns the names of the manual pages, such as `overmate-solve`, to which a manual page refers.
fn references(page: &str) -> Vec<String> {
    let text = page.replace("\\-", "-");
    let words = text.split(|letter: char| letter.is_whitespace() || letter == ',');
    words
        .filter_map(|word| word.strip_suffix("(1)"))
        .filter(|name| name.starts_with("overmate-"))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_refers_to_the_pages_of_its_commands() {
        let page = ".TP\novermate\\-solve(1)\nShows values\n.TP\novermate\\-tablebase\\-build(1)\nsee ls(1)\n";
        assert_eq!(references(page), ["overmate-solve", "overmate-tablebase-build"]);
    }

    #[test]
    fn the_manifest_names_the_same_maintainer() {
        let manifest = include_str!("../../../crates/overmate/Cargo.toml");
        assert!(manifest.contains(&format!("maintainer = \"{MAINTAINER}\"")));
    }
}
