//! `cargo xtask solved`: everything that there is to know of the game, worked out and written down.

use std::path::Path;

use anyhow::{Context, Result};

use crate::command::{cargo, run};
use crate::files::Repository;

/// Builds the report's program for speed and runs it: it writes the document, or the data into a folder.
pub(crate) fn run_report(repository: &Repository, data: Option<&Path>) -> Result<()> {
    let mut report = cargo(repository, ["run", "--release", "--locked", "--quiet"]);
    report.args(["--package", "overmate-report", "--", "--docs", "docs"]);
    if let Some(folder) = data {
        // The program runs in the top folder, whoever calls from where.
        let folder = std::path::absolute(folder)
            .with_context(|| format!("cannot find {}", folder.display()))?;
        report.arg("--data").arg(folder);
    }
    run(&mut report)
}
