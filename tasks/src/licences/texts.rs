//! Finds the licence texts of a package.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use ignore::WalkBuilder;
use xtask::repository::Repository;

use super::package::Package;

/// Beginnings of the names of files with licences and notices, in capitals. Such files stand in the folder of a package.
const NAMES: [&str; 8] =
    ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "UNLICENSE", "NOTICE", "PATENTS", "AUTHORS"];

/// Beginnings of the names of licence files, and of folders with licence files, in other folders of a package. Files of code have names in
/// small letters.
const INNER_NAMES: [&str; 2] = ["LICENSE", "LICENCE"];

/// Minimum number of words of a licence text. A shorter file is a notice, and does not replace the text.
const FEWEST_WORDS: usize = 60;

/// Minimum number of words of a notice. A shorter file is only the path of another file, which a link has become in the published package.
const FEWEST_WORDS_OF_NOTICE: usize = 8;

/// Returns the licence texts and notices of a package, in the order of their paths. The standard text of the licence takes the place of a
/// missing text.
///
/// The text of the Apache License is left out if the MIT licence may be chosen in its place, because many variants of the long text are in
/// use.
///
/// # Errors
///
/// Returns an error if the package has no licence text, and its licence has no standard text here.
pub(super) fn of_package(repository: &Repository, package: &Package) -> Result<Vec<String>> {
    let mut texts = match &package.folder {
        Some(folder) => files(folder)?,
        None => Vec::new(),
    };
    if offers_mit(&package.licence)
        && texts.iter().any(|(name, text)| name.contains("MIT") && words(text) >= FEWEST_WORDS)
    {
        texts.retain(|(name, _)| !name.contains("APACHE"));
    }
    let mut texts: Vec<_> = texts.into_iter().map(|(_, text)| text).collect();
    if !texts.iter().any(|text| words(text) >= FEWEST_WORDS) {
        texts.push(standard_text(repository, package)?);
    }
    Ok(texts)
}

/// Returns whether a licence expression permits the MIT licence wherever it permits the Apache License.
fn offers_mit(licence: &str) -> bool {
    licence.split(" AND ").all(|part| !part.contains("Apache") || names_mit(part))
}

/// Returns whether a licence expression names the MIT licence.
fn names_mit(licence: &str) -> bool {
    licence.split([' ', '/', '(', ')']).any(|word| word == "MIT")
}

/// Returns the names (in capitals) and the texts of the files with licences and notices in the folder of a package.
fn files(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false).sort_by_file_name(Ord::cmp);
    for entry in walk.filter_entry(|entry| entry.file_name() != "node_modules").build() {
        let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        let path = entry.path().strip_prefix(folder)?;
        let is_named = if entry.depth() == 1 {
            NAMES.iter().any(|beginning| name.starts_with(beginning))
        } else {
            path.iter()
                .any(|part| INNER_NAMES.iter().any(|name| part.to_string_lossy().starts_with(name)))
        };
        if is_named && entry.file_type().is_some_and(|kind| kind.is_file()) {
            let text = fs::read(entry.path())
                .with_context(|| format!("cannot read {}", entry.path().display()))?;
            let text = plain(&String::from_utf8_lossy(&text));
            if words(&text) >= FEWEST_WORDS_OF_NOTICE {
                found.push((name, text));
            }
        }
    }
    Ok(found)
}

/// Returns a text without byte order mark, form feeds, blanks at the ends of lines, and empty lines at both ends. The text ends with a line
/// break.
fn plain(text: &str) -> String {
    let text = text.replace(['\u{feff}', '\u{c}'], "");
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    format!("{}\n", lines.join("\n").trim_matches('\n'))
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// Returns the standard text of a package's licence. The standard text of the MIT licence names the authors of the package.
fn standard_text(repository: &Repository, package: &Package) -> Result<String> {
    let Package { name, version, licence, authors, .. } = package;
    let read = |file| repository.read(file).map(|text| plain(&text));
    if names_mit(licence) && !licence.contains(" AND ") {
        let holders =
            if authors.is_empty() { format!("The authors of {name}") } else { authors.join(", ") };
        let line = |line: &str| {
            if line.starts_with("Copyright ") {
                format!("Copyright (c) {holders}\n")
            } else {
                format!("{line}\n")
            }
        };
        return Ok(read("LICENSE-MIT")?.lines().map(line).collect());
    }
    match licence.as_str() {
        "Apache-2.0" => read("LICENSE-APACHE"),
        "MPL-2.0" => Ok(plain(include_str!("MPL-2.0.txt"))),
        _ => bail!(
            "the package {name} {version} contains no text of its licence `{licence}`: add the standard text to the function \
             `standard_text` in tasks/src/licences/texts.rs"
        ),
    }
}

#[cfg(test)]
mod tests {
    use xtask::repository::{create_folder, write_file};

    use super::*;

    /// Returns the licence texts of a package with the given licence and files.
    fn texts(licence: &str, files: &[(&str, &str)]) -> Result<Vec<String>> {
        let folder = tempfile::tempdir()?;
        for (file, text) in files {
            let file = folder.path().join(file);
            create_folder(file.parent().unwrap())?;
            write_file(&file, text)?;
        }
        let mut package = Package::added("a", licence, "A. Author", "");
        package.folder = Some(folder.path().to_owned());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        of_package(&Repository::at(root), &package)
    }

    /// Returns a text with as many words as a short licence.
    fn long(word: &str) -> String {
        format!("{}\n", [word; FEWEST_WORDS].join(" "))
    }

    #[test]
    fn all_texts_and_notices_of_a_package_are_found() {
        let [mit, inner, listed] = ["mit", "inner", "listed"].map(long);
        let notice = "This notice has more than seven words, and stays.\n";
        let files = [
            ("LICENSE.md", mit.as_str()),
            ("NOTICE", &format!("\u{feff}\r\n{}", notice.replace('\n', " \r\n\r\n"))),
            ("LICENSES/one.txt", &listed),
            ("src/library/LICENSE", &inner),
            ("src/license.rs", &long("code")),
            ("node_modules/b/LICENSE", &long("b")),
            ("README.md", &long("read")),
        ];
        let found = texts("MIT", &files).unwrap();
        assert_eq!(found, [mit, listed, notice.to_owned(), inner]);
    }

    #[test]
    fn the_apache_license_is_left_out_only_beside_the_mit_licence() {
        let [mit, apache, other] = ["mit", "apache", "other"].map(long);
        let files =
            [("LICENSE-APACHE", &*apache), ("LICENSE-MIT", &mit), ("LICENSE-UNICODE", &other)];
        let apache_first = [apache.clone(), mit.clone(), other.clone()];
        for (licence, expected) in [
            ("MIT OR Apache-2.0", &apache_first[1..]),
            ("(Apache-2.0 OR MIT) AND Unicode-3.0", &apache_first[1..]),
            ("MIT/Apache-2.0", &apache_first[1..]),
            ("Apache-2.0 AND MIT", &apache_first),
            ("(MIT OR Apache-2.0) AND Apache-2.0", &apache_first),
        ] {
            assert_eq!(texts(licence, &files).unwrap(), expected, "{licence}");
        }
        let without_mit = texts("MIT OR Apache-2.0", &files[..1]).unwrap();
        assert_eq!(without_mit, [apache]);
    }

    #[test]
    fn the_standard_text_replaces_a_missing_text_and_the_path_of_a_text() {
        for files in [&[][..], &[("LICENSE-MIT", "../LICENSE-MIT")]] {
            let found = texts("MIT OR Apache-2.0", files).unwrap();
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].starts_with("MIT License\n\nCopyright (c) A. Author\n\nPermission"));
        }
        for (licence, beginning) in
            [("Apache-2.0", "Apache License"), ("MPL-2.0", "Mozilla Public License")]
        {
            let found = texts(licence, &[]).unwrap();
            assert!(found[0].trim_start().starts_with(beginning), "{found:?}");
        }
        let notice = "This notice has more than seven words, and stays.\n";
        let found = texts("Apache-2.0", &[("NOTICE", notice)]).unwrap();
        assert_eq!((found.len(), found[0].as_str()), (2, notice));
    }

    #[test]
    fn a_package_without_a_text_is_an_error() {
        for licence in ["", "ISC", "MIT-0", "MIT AND ISC"] {
            let error = texts(licence, &[("README.md", "read")]).unwrap_err().to_string();
            assert!(error.contains(&format!("no text of its licence `{licence}`")), "{error}");
        }
    }
}
