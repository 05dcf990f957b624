//! Builds the npm package of the engine, and tests the installed package.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use xtask::command::run;
use xtask::repository::{Repository, create_folder, write_file};
use xtask::web::{Packages, install, npm};

use crate::command::{BINARY_VARIABLE, build_overmate};
use crate::files::{copy_file, delete_folder};
use crate::wasm;

/// Path of the folder with the source files of the npm package.
const SOURCE: &str = "web/packages/overmate";

/// Path of the server's OpenAPI document, which describes the schemas of the engine's requests and results.
const OPENAPI: &str = "crates/overmate-server/openapi.json";

/// Version number of the npm package, which equals the version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Files that the npm package contains unchanged, each with the repository folder from which the file is copied.
const COPIED: [(&str, &str); 5] = [
    (SOURCE, "package.json"),
    (SOURCE, "README.md"),
    (SOURCE, "third-party-licences.txt"),
    (".", "LICENSE-APACHE"),
    (".", "LICENSE-MIT"),
];

/// Files that test the installed npm package.
const CHECKS: [&str; 4] = ["compare.mjs", "example.mjs", "tsconfig.json", "use.ts"];

/// Builds the npm package in `target/npm`, and returns the path of the archive that contains the package.
pub(crate) fn pack(repository: &Repository) -> Result<PathBuf> {
    check_version(repository)?;
    let engine = wasm::build(repository)?;
    install(repository, npm(repository), Packages::All)?;
    let folder = repository.path("target/npm");
    let (package, dist) = (folder.join("package"), folder.join("package/dist"));
    delete_folder(&folder)?;
    create_folder(&dist)?;
    let project = repository.path(&format!("{SOURCE}/tsconfig.json"));
    let mut compile = npm(repository);
    compile.args(["exec", "--", "tsc", "--project"]).arg(project).arg("--outDir").arg(&dist);
    run(&mut compile)?;
    write_schema(repository, &folder.join("openapi.json"), &dist.join("schema.d.ts"))?;
    copy_file(&engine, &dist.join("overmate.wasm"))?;
    for (from, file) in COPIED {
        copy_file(&repository.path(from).join(file), &package.join(file))?;
    }
    let mut pack = npm(repository);
    pack.args(["pack", "--silent", "--pack-destination"]).arg(&folder).arg(&package);
    run(&mut pack)?;
    Ok(folder.join(format!("overmate-{VERSION}.tgz")))
}

/// Returns an error if the version in the npm package's manifest differs from the version of the workspace.
fn check_version(repository: &Repository) -> Result<()> {
    let text = repository.read(&format!("{SOURCE}/package.json"))?;
    let manifest: Value =
        serde_json::from_str(&text).context("the manifest of the npm package is not valid JSON")?;
    let version = manifest.get("version").and_then(Value::as_str);
    if version != Some(VERSION) {
        bail!(
            "{SOURCE}/package.json does not have the version of the workspace: change the version to {VERSION}"
        );
    }
    Ok(())
}

/// Writes the TypeScript types of the schemas that the npm package's sources name. The types are generated from the OpenAPI document.
fn write_schema(repository: &Repository, document: &Path, types: &Path) -> Result<()> {
    let openapi = serde_json::from_str(&repository.read(OPENAPI)?)
        .context("the server's OpenAPI document is not valid JSON")?;
    let named = named_schemas(&repository.read(&format!("{SOURCE}/src/requests.ts"))?);
    write_file(document, &part_of(&openapi, named)?.to_string())?;
    let mut generate = npm(repository);
    generate.args(["exec", "--", "openapi-typescript"]).arg(document).arg("--output").arg(types);
    run(&mut generate)
}

/// Returns each schema name that occurs in a TypeScript file in the form `Schemas['Name']`.
fn named_schemas(text: &str) -> BTreeSet<String> {
    let after = text.split("Schemas['").skip(1);
    after.filter_map(|rest| rest.split_once('\'')).map(|(name, _)| name.to_owned()).collect()
}

/// Returns an OpenAPI document that contains only the named schemas and all schemas to which they refer.
fn part_of(openapi: &Value, named: BTreeSet<String>) -> Result<Value> {
    let all = openapi.pointer("/components/schemas").and_then(Value::as_object);
    let all = all.context("the server's OpenAPI document has no schemas")?;
    let mut kept = Map::new();
    let mut wanted: Vec<String> = named.into_iter().collect();
    while let Some(name) = wanted.pop() {
        let Some(schema) = all.get(&name) else {
            bail!(
                "{OPENAPI} has no schema `{name}`, which {SOURCE} names: run `cargo xtask generate`, or correct the name"
            );
        };
        if kept.insert(name, schema.clone()).is_none() {
            references(schema, &mut wanted);
        }
    }
    Ok(serde_json::json!({
        "openapi": openapi.get("openapi"),
        "info": openapi.get("info"),
        "paths": {},
        "components": { "schemas": kept },
    }))
}

/// Adds to `found` the names of all OpenAPI schemas to which a given schema refers.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
                found.extend(reference.rsplit('/').next().map(str::to_owned));
            }
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Packs the npm package, installs the package in an empty folder without a network, and tests the installation. The tests run the example
/// of the README, compare the engine's answers with the native binary, and check the types.
pub(crate) fn check(repository: &Repository) -> Result<()> {
    let archive = pack(repository)?;
    let folder = repository.path("target/npm/installed");
    create_folder(&folder)?;
    write_file(&folder.join("package.json"), r#"{ "private": true, "type": "module" }"#)?;
    let mut install = Command::new("npm");
    install.args(["install", "--offline", "--no-audit", "--no-fund"]).arg(&archive);
    run(install.current_dir(&folder)).context("the npm package cannot be installed")?;
    for file in CHECKS {
        copy_file(&repository.path(&format!("{SOURCE}/check/{file}")), &folder.join(file))?;
    }
    let node = |script: &str| {
        let mut node = Command::new("node");
        node.arg(script).current_dir(&folder);
        node
    };
    run(&mut node("example.mjs"))?;
    run(node("compare.mjs").env(BINARY_VARIABLE, build_overmate(repository)?))?;
    let modules = repository.path("web/node_modules");
    // The types of the npm package are checked twice, with the global types of browsers and with the global types of Node.
    for surroundings in [["--lib", "es2022,dom"], ["--types", "node"]] {
        let mut types = Command::new("node");
        types.arg(modules.join("typescript/bin/tsc")).arg("--project").arg(&folder);
        types.args(surroundings).arg("--typeRoots").arg(modules.join("@types"));
        run(&mut types).context(
            "the type declarations of the npm package do not match the results of its functions",
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_part_of_a_document_holds_the_named_schemas_and_their_references() {
        let names = named_schemas("type A = Schemas['A'];\ntype B = Schemas['A']['b'];\n");
        let openapi = json!({"openapi": "3.1.0", "info": {}, "paths": {"/x": {}}, "components": {"schemas": {
            "A": {"properties": {"b": {"$ref": "#/components/schemas/B"}}},
            "B": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/C"}]},
            "C": {"type": "string"},
            "D": {"$ref": "#/components/schemas/A"},
        }}});

        let part = part_of(&openapi, names).unwrap();

        let kept: Vec<_> = part["components"]["schemas"].as_object().unwrap().keys().collect();
        assert_eq!(kept, ["A", "B", "C"]);
        assert_eq!(part["paths"], json!({}));
        let error = part_of(&openapi, BTreeSet::from(["E".to_owned()])).unwrap_err().to_string();
        assert!(error.contains("no schema `E`"), "{error}");
    }
}
