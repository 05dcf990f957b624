//! Implements `cargo xtask generate`, which inserts the output of the binary `overmate` into the documents.

mod convergence;
mod fence;
mod guide;
mod help;
mod markers;
mod overmate;

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};
use similar::TextDiff;
use xtask::repository::{Repository, create_folder, write_file};

use self::overmate::Overmate;
use crate::files::files_with_extension;

/// Path of the document that lists all commands of `overmate`. The document is generated completely from the help texts.
const COMMANDS: &str = "docs/commands.md";

/// Path of the server's OpenAPI document, from which the TypeScript types of the web client are generated.
const OPENAPI: &str = "crates/overmate-server/openapi.json";

/// Writes all generated documents. With `check`, compares the generated documents with the files in the repository instead, prints the
/// differences, and fails if a document is outdated.
pub(crate) fn run(repository: &Repository, check: bool) -> Result<()> {
    let overmate = Overmate::build(repository)?;
    let fresh = fresh_documents(repository, &overmate)?;
    let mut stale = 0;
    for (file, text) in &fresh {
        let found = fs::read_to_string(repository.path(file)).unwrap_or_default();
        if found == *text {
            continue;
        }
        stale += 1;
        if check {
            eprint!("{}", difference(file, &found, text));
        } else {
            write(repository, file, text)?;
            eprintln!("wrote {file}");
        }
    }
    if check && stale > 0 {
        bail!("{stale} documents are out of date: run `cargo xtask generate`");
    }
    eprintln!("{} documents are up to date", fresh.len());
    Ok(())
}

/// Returns the newly generated text of every Markdown file and of all further generated documents, keyed by path.
fn fresh_documents(
    repository: &Repository,
    overmate: &Overmate,
) -> Result<BTreeMap<String, String>> {
    let mut fresh = BTreeMap::new();
    for file in files_with_extension(repository, "md")? {
        // All commands whose output a document shows run in one home folder, so that later commands find the files of earlier commands.
        let home = overmate.new_home()?;
        let text = markers::rewrite(&repository.read(&file)?, |request| home.transcript(request))
            .with_context(|| format!("cannot generate the document {file}"))?;
        fresh.insert(file, text);
    }
    let home = overmate.new_home()?;
    let commands = help::document(|command| home.help(command))
        .with_context(|| format!("cannot generate the document {COMMANDS}"))?;
    fresh.insert(COMMANDS.to_owned(), commands);
    let deals = guide::deals(&repository.read(guide::GUIDE)?, |args| home.output(args))
        .with_context(|| format!("cannot generate the list of deals {}", guide::DEALS))?;
    fresh.insert(guide::DEALS.to_owned(), deals);
    fresh.extend(convergence::plots(&repository.read(convergence::TABLE)?)?);
    let openapi = home
        .output(&["openapi"])
        .with_context(|| format!("cannot generate the document {OPENAPI}"))?;
    fresh.insert(OPENAPI.to_owned(), openapi);
    Ok(fresh)
}

fn write(repository: &Repository, file: &str, text: &str) -> Result<()> {
    let path = repository.path(file);
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    write_file(&path, text)
}

/// Returns a unified diff from the current text of a document to its newly generated text.
fn difference(file: &str, found: &str, fresh: &str) -> String {
    TextDiff::from_lines(found, fresh)
        .unified_diff()
        .context_radius(3)
        .header(&format!("{file} (as it is)"), &format!("{file} (as the binary prints)"))
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_the_found_and_the_fresh_text() {
        let shown = difference("a.md", "one\nold\n", "one\nnew\n");

        assert!(shown.contains("a.md") && shown.contains("-old") && shown.contains("+new"));
    }
}
