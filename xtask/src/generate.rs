//! `cargo xtask generate`: documents show what the binary prints, because it printed it.

mod fence;
mod help;
mod markers;
mod overmate;

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail};
use similar::TextDiff;

use self::overmate::Overmate;
use crate::files::Repository;

/// The document that is generated as a whole.
const COMMANDS: &str = "docs/commands.md";

/// The description of the server's interface, from which the types of the web client are made.
const OPENAPI: &str = "crates/overmate-server/openapi.json";

/// Brings all documents up to date or, to check them, shows where they are not.
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
        bail!("{stale} documents are stale; to write them: cargo xtask generate");
    }
    eprintln!("{} documents are up to date", fresh.len());
    Ok(())
}

/// Every Markdown file, and whatever else the binary prints, as it should be.
fn fresh_documents(
    repository: &Repository,
    overmate: &Overmate,
) -> Result<BTreeMap<String, String>> {
    let mut fresh = BTreeMap::new();
    for file in repository.files_with_extension("md")? {
        // A document's commands share a home, so that a later one finds what an earlier one kept.
        let home = overmate.new_home()?;
        let text = markers::rewrite(&repository.read(&file)?, |request| home.transcript(request))
            .with_context(|| format!("cannot generate {file}"))?;
        fresh.insert(file, text);
    }
    let home = overmate.new_home()?;
    let commands = help::document(|command| home.help(command))
        .with_context(|| format!("cannot generate {COMMANDS}"))?;
    fresh.insert(COMMANDS.to_owned(), commands);
    let openapi =
        home.output(&["openapi"]).with_context(|| format!("cannot generate {OPENAPI}"))?;
    fresh.insert(OPENAPI.to_owned(), openapi);
    Ok(fresh)
}

fn write(repository: &Repository, file: &str, text: &str) -> Result<()> {
    let path = repository.path(file);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(path, text).with_context(|| format!("cannot write {file}"))
}

/// A unified diff from the document as it is to the document as it should be.
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
    fn a_difference_shows_both_sides() {
        let shown = difference("a.md", "one\nold\n", "one\nnew\n");

        assert!(shown.contains("a.md") && shown.contains("-old") && shown.contains("+new"));
    }
}
