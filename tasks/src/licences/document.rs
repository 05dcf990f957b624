//! Joins the licence texts of packages to one document.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use anyhow::{Result, ensure};

use super::package::Package;

/// Line between two licence texts.
const RULE: &str =
    "================================================================================";

/// Returns a document with the licence texts of all packages. Equal texts stand once, below the names of their packages. The texts have the
/// order of their first packages.
///
/// `of` names the software that contains the packages. `texts` returns the licence texts of a package.
pub(super) fn document(
    of: &str,
    packages: &BTreeSet<Package>,
    mut texts: impl FnMut(&Package) -> Result<Vec<String>>,
) -> Result<String> {
    let mut blocks: Vec<(BTreeSet<String>, String)> = Vec::new();
    // Texts that differ only in their line breaks and blanks are equal.
    let mut places = HashMap::new();
    for package in packages {
        let line = line(package)?;
        for text in texts(package)? {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let place = *places.entry(words).or_insert(blocks.len());
            if place == blocks.len() {
                blocks.push((BTreeSet::new(), text));
            }
            blocks[place].0.insert(line.clone());
        }
    }
    let mut document = format!(
        "Licences of the software and fonts of others in {of}\n\n\
         Overmate itself is under the MIT licence or the Apache License 2.0, as you choose.\n\
         The licence texts of the packages of others stand below. The lines above a text\n\
         name its packages, with version, licence and address of the source code. Where a\n\
         package may be used under the MIT licence or the Apache License, and has the text\n\
         of the MIT licence, the text of the Apache License is left out.\n"
    );
    if packages.iter().any(|package| package.licence.contains(MOZILLA)) {
        document.push_str(
            "\nOvermate uses the packages under the Mozilla Public License 2.0 without a change\n\
             of their files. Their source code is at the addresses beside their names.\n",
        );
    }
    document.push_str("\n`cargo xtask licences` writes this file.\n");
    for (lines, text) in &blocks {
        write!(document, "\n{RULE}\n")?;
        lines.iter().try_for_each(|line| writeln!(document, "{line}"))?;
        write!(document, "\n{text}")?;
    }
    Ok(document)
}

/// Licence whose terms ask for the address of the source code.
const MOZILLA: &str = "MPL-2.0";

/// Returns the line that names a package, its licence and the address of its source code.
fn line(package: &Package) -> Result<String> {
    let Package { name, version, licence, source, .. } = package;
    ensure!(
        !licence.contains(MOZILLA) || !source.is_empty(),
        "the package {name} is under the {MOZILLA}, but its manifest has no address of the source code"
    );
    let version = if version.is_empty() { String::new() } else { format!(" {version}") };
    let source = if source.is_empty() { String::new() } else { format!(", {source}") };
    Ok(format!("{name}{version} ({licence}){source}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, version: &str, licence: &str, source: &str) -> Package {
        let version = version.to_owned();
        Package { version, ..Package::added(name, licence, "", source) }
    }

    #[test]
    fn equal_texts_stand_once_in_the_order_of_their_packages() {
        let packages = BTreeSet::from([
            package("c", "", "ISC", ""),
            package("b", "2.0.0", "MIT", "https://b.example"),
            package("a", "1.0.0", "MIT", ""),
        ]);
        let texts = |package: &Package| {
            let texts = match package.name.as_str() {
                "a" => vec!["Some\nlicence\n", "Notice of a\n"],
                "b" => vec!["Some  licence\n"],
                _ => vec!["Another licence\n"],
            };
            Ok(texts.into_iter().map(str::to_owned).collect())
        };
        let written = document("the program", &packages, texts).unwrap();
        let (head, blocks) = written.split_once(RULE).unwrap();
        assert!(head.starts_with("Licences of the software and fonts of others in the program\n"));
        assert!(!head.contains("Mozilla"), "{head}");
        assert_eq!(
            blocks,
            format!(
                "\na 1.0.0 (MIT)\nb 2.0.0 (MIT), https://b.example\n\nSome\nlicence\n\
                 \n{RULE}\na 1.0.0 (MIT)\n\nNotice of a\n\
                 \n{RULE}\nc (ISC)\n\nAnother licence\n"
            )
        );
    }

    #[test]
    fn the_mozilla_licence_needs_the_address_of_the_source_code() {
        let texts = |_: &Package| Ok(vec!["Some licence\n".to_owned()]);
        let with = BTreeSet::from([package("a", "1.0.0", "MPL-2.0", "https://a.example")]);
        assert!(
            document("the program", &with, texts).unwrap().contains("Mozilla Public License 2.0")
        );
        let without = BTreeSet::from([package("a", "1.0.0", "MPL-2.0", "")]);
        let error = document("the program", &without, texts).unwrap_err().to_string();
        assert!(error.contains("the package a is under the MPL-2.0"), "{error}");
    }
}
