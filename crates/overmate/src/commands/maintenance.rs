//! Implements the commands `overmate backup`, `overmate restore`, `overmate archive` and `overmate doctor`, for operators of a server.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use overmate_server::{Backup, Contents, Finding, SkippedMatch, Verdict};
use overmate_terminal::errors::{Interrupted, write_error};
use overmate_terminal::signals;
use overmate_terminal::text::style;
use overmate_terminal::text::words::{grouped, grouped_count};
use tokio::sync::Notify;

use super::database_options::{database, folder};
use crate::cli::{ArchiveArgs, BackupArgs, DoctorArgs, RestoreArgs};
use crate::json::{self, FindingWire};

/// Singular and plural of the noun *match*, for numbers of matches in messages.
const MATCHES: [&str; 2] = ["match", "matches"];

pub(crate) fn backup(args: &BackupArgs, out: &mut dyn Write) -> Result<()> {
    let data = folder(&args.data, "`pg_dump --format=custom`")?;
    let written = finish(overmate_server::back_up(&data, &args.file, args.force))??;
    report("Backup written and verified", &written, out)
}

pub(crate) fn restore(args: &RestoreArgs, out: &mut dyn Write) -> Result<()> {
    let data = folder(&args.data, "`pg_restore`")?;
    let written = finish(overmate_server::restore(&args.file, &data, args.force))??;
    report("Backup verified and restored", &written, out)
}

pub(crate) fn archive(args: &ArchiveArgs, out: &mut dyn Write) -> Result<()> {
    let database = database(&args.data)?;
    let written = finish(overmate_server::archive(&database, &args.parquet, args.force))??;
    let matches = grouped_count(written.matches, MATCHES);
    let entries = grouped_count(written.entries, ["entry", "entries"]);
    let printed = writeln!(out, "Archive written: {}", args.parquet.display())
        .and_then(|()| writeln!(out, "{matches}, {entries}"))
        .and_then(|()| out.flush())
        .map_err(write_error);
    if written.skipped.is_empty() {
        return printed;
    }
    let skipped =
        written.skipped.iter().map(|SkippedMatch { id, reason }| format!("{id}: {reason}"));
    let skipped: Vec<_> = skipped.collect();
    bail!(
        "some matches are not in the archive, because their stored rows are damaged: examine the database with `overmate doctor`\n{}",
        skipped.join("\n")
    )
}

pub(crate) fn doctor(args: &DoctorArgs, out: &mut dyn Write) -> Result<()> {
    let database = database(&args.data)?;
    let findings = finish(overmate_server::examine(&database))?;
    let printed = write_findings(&findings, args.json, out);
    match count(&findings, Verdict::Fault) {
        0 => printed,
        1 => bail!("the examination has found a fault: read the finding with the verdict `fault`"),
        faults => bail!(
            "the examination has found {faults} faults: read the findings with the verdict `fault`"
        ),
    }
}

/// Runs a future to completion on a new asynchronous runtime. The work also ends at Ctrl-C, or when the system stops the program.
pub(super) fn finish<T>(work: impl Future<Output = T>) -> Result<T> {
    let told = Arc::new(Notify::new());
    let stop = Arc::clone(&told);
    signals::when_told_to_end(move || stop.notify_one())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("cannot start the threads of the database")?.block_on(async {
        tokio::select! {
            done = work => Ok(done),
            () = told.notified() => Err(Interrupted.into()),
        }
    })
}

fn report(what: &str, written: &Backup, out: &mut dyn Write) -> Result<()> {
    let (file, contents) = (written.file.display(), &written.contents);
    let (contents, bytes) = (contents_text(contents), grouped(written.bytes));
    writeln!(out, "{what}: {file}")
        .and_then(|()| writeln!(out, "{contents}, {bytes} bytes"))
        .map_err(write_error)
}

/// Formats the number of matches and the number of log entries in a database.
pub(super) fn contents_text(contents: &Contents) -> String {
    let matches = grouped_count(contents.matches, MATCHES);
    format!("{matches}, {}", grouped_count(contents.entries, ["log entry", "log entries"]))
}

fn write_findings(findings: &[Finding], is_json: bool, out: &mut dyn Write) -> Result<()> {
    for finding in findings {
        if is_json {
            json::print(out, &wire(finding))?;
        } else {
            write_finding(finding, out)?;
        }
    }
    out.flush().map_err(write_error)
}

fn write_finding(finding: &Finding, out: &mut dyn Write) -> Result<()> {
    let Finding { subject, text, .. } = finding;
    let verdict = verdict_text(finding.verdict);
    let style = if finding.verdict == Verdict::Fault { style::ERROR } else { style::HEADING };
    writeln!(out, "{style}{verdict:<7}{style:#}  {subject:<15}  {text}").map_err(write_error)
}

fn wire(finding: &Finding) -> FindingWire<'_> {
    FindingWire {
        subject: finding.subject,
        verdict: verdict_text(finding.verdict),
        text: &finding.text,
    }
}

fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Warning => "warning",
        Verdict::Fault => "fault",
    }
}

fn count(findings: &[Finding], verdict: Verdict) -> usize {
    findings.iter().filter(|finding| finding.verdict == verdict).count()
}
