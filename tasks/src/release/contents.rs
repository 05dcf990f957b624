//! Writes the generated files of a release package: manual pages, shell completions, and Debian's changelog and list of licences.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use xtask::repository::{Repository, create_folder, write_file};

use crate::command::output;
use crate::files::delete_folder;

/// Version number of the release. All crates of the workspace have the same version.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Shells for which completion files are written, each with the name of the file.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "overmate"), ("zsh", "_overmate"), ("fish", "overmate.fish")];

/// Maintainer of the Debian package, as in the manifest of the package `overmate`.
const MAINTAINER: &str = "The Overmate authors <maintainers@overmate.example>";

/// Empties the folder `stage`, and writes the folders `man` and `completions` and the files `changelog` and `copyright` there.
///
/// The parameter `time` is the Unix time of the release, in seconds.
pub(super) fn write(repository: &Repository, binary: &Path, stage: &Path, time: u64) -> Result<()> {
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
    write_file(&stage.join("changelog"), &changelog)?;
    let own = repository.read("packaging/debian/copyright")?;
    let of_others = repository.read("web/static/third-party-licences.txt")?;
    write_file(&stage.join("copyright"), &format!("{own}\n{}", paragraph(&of_others)))
}

/// Returns a paragraph with the licence texts of others, in the format of Debian's file `copyright`. Debian asks for all licences of a
/// package in this file.
fn paragraph(of_others: &str) -> String {
    let mut paragraph = "Files: usr/bin/overmate\n\
        Copyright: The holders that the texts below name\n\
        License: third-party\n"
        .to_owned();
    // Debian's format has a full stop in place of an empty line.
    for line in of_others.lines() {
        paragraph.extend([" ", if line.is_empty() { "." } else { line }, "\n"]);
    }
    paragraph
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
    fn licences_of_others_have_the_format_of_debian() {
        let paragraph = paragraph("Licences of others\n\n  MIT\n");
        assert!(paragraph.starts_with("Files: usr/bin/overmate\nCopyright: "), "{paragraph}");
        assert!(paragraph.ends_with("\nLicense: third-party\n Licences of others\n .\n   MIT\n"));
    }

    #[test]
    fn the_manifest_names_the_same_maintainer() {
        let manifest = include_str!("../../../crates/overmate/Cargo.toml");
        assert!(manifest.contains(&format!("maintainer = \"{MAINTAINER}\"")));
    }
}
