//! Finds the npm packages of others that the built web page contains: scripts, and fonts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use xtask::repository::Repository;
use xtask::web;

use super::package::{Package, address};
use crate::files::has_extension;

/// Path of the folder with the styles and fonts of the built page.
const ASSETS: &str = "crates/overmate-server/page/_app/immutable/assets";

/// npm package that compiles the messages. The page contains code that this package writes, and Vite does not list such code.
const WRITER: &str = "@inlang/paraglide-js";

/// Builds the web page unless it is built, and returns the npm packages of others in the page.
///
/// # Errors
///
/// Returns an error if the page contains a font of an unknown package.
pub(super) fn packages(repository: &Repository) -> Result<Vec<Package>> {
    web::build_client(repository, web::npm)?;
    let bundled: Value = serde_json::from_str(&repository.read(web::BUNDLED)?)?;
    let bundled = bundled.as_array().into_iter().flatten();
    let bundled: BTreeSet<_> =
        bundled.map(|package| (text(&package["name"]), text(&package["version"]))).collect();
    let mut names: BTreeSet<_> = bundled.iter().map(|(name, _)| name.clone()).collect();
    names.insert(WRITER.to_owned());
    let manifest: Value = serde_json::from_str(&repository.read("web/package.json")?)?;
    let dependencies = manifest["dependencies"].as_object().into_iter().flatten();
    let dependencies: Vec<_> = dependencies.map(|(name, _)| name.as_str()).collect();
    let modules = repository.path("web/node_modules");
    for entry in fs::read_dir(repository.path(ASSETS)).context("cannot list the page's fonts")? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if is_font(&file) {
            names.insert(package_of_font(&modules, &dependencies, &file)?.to_owned());
        }
    }
    let mut packages = names.iter().map(|name| read(&modules, name)).collect::<Result<Vec<_>>>()?;
    for (name, version) in bundled {
        // Another package may bring a version of its own, in a folder of its own.
        ensure!(
            packages.iter().any(|package| package.name == name && package.version == version),
            "the page contains the npm package {name} {version}, but web/node_modules has another version of it"
        );
    }
    packages.extend(BUILD_TOOLS.map(|(name, source)| {
        Package::added(name, "MIT", "VoidZero Inc. and contributors", source)
    }));
    Ok(packages)
}

/// Build tools, with the addresses of their source code, whose short functions for the loading of scripts stand in each built page. The
/// licence files in their packages hold mostly licences of other packages, which are not in the page.
const BUILD_TOOLS: [(&str, &str); 2] = [
    ("rolldown", "https://github.com/rolldown/rolldown"),
    ("vite", "https://github.com/vitejs/vite"),
];

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn is_font(file: &str) -> bool {
    ["otf", "ttf", "woff", "woff2"].iter().any(|extension| has_extension(file, extension))
}

/// Returns the npm package with a font of the built page. The build adds a checksum to the name of the font's file, as in
/// `name.CHECKSUM.woff2`.
fn package_of_font<'a>(modules: &Path, dependencies: &[&'a str], font: &str) -> Result<&'a str> {
    let mut parts = font.split('.');
    let (Some(name), Some(extension)) = (parts.next(), parts.next_back()) else {
        bail!("the font {font} of the page has no extension in its name");
    };
    let file = format!("files/{name}.{extension}");
    let found = dependencies.iter().find(|package| modules.join(package).join(&file).is_file());
    found.copied().with_context(|| {
        format!("no npm package in the dependencies of web/package.json contains the font {font} of the page")
    })
}

/// Reads the manifest of an npm package.
fn read(modules: &Path, name: &str) -> Result<Package> {
    let folder = modules.join(name);
    let manifest = fs::read_to_string(folder.join("package.json"))
        .with_context(|| format!("cannot read the manifest of the npm package {name}"))?;
    let manifest: Value = serde_json::from_str(&manifest)?;
    let source = &manifest["repository"];
    let source = address(&text(if source.is_object() { &source["url"] } else { source }));
    Ok(Package {
        name: name.to_owned(),
        version: text(&manifest["version"]),
        licence: text(&manifest["license"]),
        source,
        authors: Vec::new(),
        folder: Some(folder),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use xtask::repository::{create_folder, write_file};

    use super::*;

    #[test]
    fn a_manifest_names_version_licence_and_source() {
        let folder = tempfile::tempdir().unwrap();
        create_folder(&folder.path().join("@a/b")).unwrap();
        for repository in [
            json!("https://b.example/b"),
            json!({"type": "git", "url": "git+https://b.example/b.git"}),
        ] {
            let manifest = json!({"version": "1.0.0", "license": "MIT", "repository": repository});
            write_file(&folder.path().join("@a/b/package.json"), &manifest.to_string()).unwrap();
            let expected = Package {
                name: "@a/b".to_owned(),
                version: "1.0.0".to_owned(),
                licence: "MIT".to_owned(),
                source: "https://b.example/b".to_owned(),
                authors: Vec::new(),
                folder: Some(folder.path().join("@a/b")),
            };
            assert_eq!(read(folder.path(), "@a/b").unwrap(), expected);
        }
    }

    #[test]
    fn each_font_of_the_page_has_a_package() {
        let folder = tempfile::tempdir().unwrap();
        create_folder(&folder.path().join("@a/font/files")).unwrap();
        write_file(&folder.path().join("@a/font/files/font-latin.woff2"), "font").unwrap();
        let found = |font| package_of_font(folder.path(), &["b", "@a/font"], font);
        assert!(is_font("font-latin.Dx4-_B4E.woff2") && !is_font("0.css"));
        assert_eq!(found("font-latin.Dx4-_B4E.woff2").unwrap(), "@a/font");
        for other in ["font-latin.Dx4-_B4E.woff", "other-latin.Dx4-_B4E.woff2", "woff2"] {
            found(other).unwrap_err();
        }
    }
}
