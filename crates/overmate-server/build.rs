//! Generates the list of the database schema migrations, and checks that a release build embeds the built web client.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// Path of the web client's start page. `cargo xtask build` writes this file, and the published package contains it.
const PAGE: &str = "page/index.html";

/// Environment variable that allows a release build without the web client.
const WITHOUT_PAGE: &str = "OVERMATE_WITHOUT_PAGE";

/// Names of the generated constants that list the schema migrations, each with the folder of the migrations' SQL files.
const MIGRATIONS: [(&str, &str); 2] =
    [("SQLITE", "migrations"), ("POSTGRES", "migrations/postgres")];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    list_migrations()?;
    check_page();
    Ok(())
}

/// Writes a source file with the version, the description and the SQL text of each schema migration. `src/store/connection/migrations.rs`
/// includes the file.
fn list_migrations() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=migrations");
    let mut list = String::new();
    for (constant, folder) in MIGRATIONS {
        let mut files: Vec<String> = fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<_, std::io::Error>>()?;
        files.retain(|name| Path::new(name).extension().is_some_and(|kind| kind == "sql"));
        files.sort();
        writeln!(list, "/// Migrations in `{folder}`, in order.")?;
        writeln!(list, "const {constant}: &[MigrationFile] = &[")?;
        for name in &files {
            let (version, description) = version_and_description(name).ok_or_else(|| {
                format!(
                    "rename the migration {folder}/{name}: it needs a name such as 0016_clocks.sql"
                )
            })?;
            let text = format!(
                "include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{folder}/{name}\"))"
            );
            writeln!(list, "    ({version}, {description:?}, {text}),")?;
        }
        writeln!(list, "];")?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("migrations.rs"), list)?;
    Ok(())
}

/// Returns the version and the description in the file name of a migration, such as `0016_clocks.sql`.
fn version_and_description(name: &str) -> Option<(i64, String)> {
    let (version, description) = name.strip_suffix(".sql")?.split_once('_')?;
    Some((version.parse().ok()?, description.replace('_', " ")))
}

/// Reports an error if a release build lacks the built web client. `src/http/assets.rs` reads the files of the client from `page/`.
fn check_page() {
    if env::var("PROFILE").is_ok_and(|profile| profile != "release") {
        // A debug build of the server reads the web client's files at run time, so that a new page needs no new compilation.
        return;
    }
    println!("cargo::rerun-if-changed=page");
    println!("cargo::rerun-if-env-changed={WITHOUT_PAGE}");
    if !Path::new(PAGE).exists() && env::var_os(WITHOUT_PAGE).is_none() {
        println!(
            "cargo::error=the built web client is missing: build it and the binary with `cargo xtask build`, \
             or set {WITHOUT_PAGE}=1 for a server without pages"
        );
    }
}
