//! Implements the commands `overmate admin reports`, `warn`, `mute` and `close`.

use std::io::Write;

use anyhow::Result;
use overmate_server::{Admin, FoundMessage, FoundParty, FoundReport, Measure};
use overmate_terminal::errors::write_error;
use overmate_terminal::text::words;
use overmate_terminal::untrusted::isolated_line;

use crate::cli::{MeasureOptions, ReportsArgs};
use crate::json::{self, ChangedWire, FoundMessageWire, FoundPartyWire, FoundReportWire};

/// Lists the reports about players, or settles a report.
pub(super) async fn reports(
    admin: &mut Admin,
    args: &ReportsArgs,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<()> {
    if let Some(id) = &args.settle {
        admin.settle(id, args.reason.as_deref().unwrap_or_default()).await?;
        return done("The report is settled", is_json, out);
    }
    let found = admin.reports(args.all).await?;
    if is_json {
        return found.iter().try_for_each(|report| json::print(out, &wire(report)));
    }
    if found.is_empty() {
        return writeln!(out, "No report is open").map_err(write_error);
    }
    found.iter().try_for_each(|report| write_report(report, out).map_err(write_error))
}

/// Executes an operator's measure on a person: a warning, a mute, or the closing or reopening of the account.
pub(super) async fn measure(
    admin: &mut Admin,
    (target, measure): (&str, &Measure),
    options: &MeasureOptions,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<()> {
    let report = options.settle.as_deref();
    admin.take_measure(target, measure, &options.reason.reason, report).await?;
    let text = match measure {
        Measure::Warn(_) => "The person reads the warning at the next visit",
        Measure::Mute(0) => "The person may send phrases and texts",
        Measure::Mute(days) => &format!(
            "The person may send no phrases and texts for {}",
            words::counted(u64::from(*days), "day")
        ),
        Measure::Close => "The account is closed",
        Measure::Reopen => "The account is open again",
        _ => "Done",
    };
    done(text, is_json, out)
}

/// Prints a success message for an operator's act that changes no match, such as a mute.
pub(super) fn done(text: &str, is_json: bool, out: &mut dyn Write) -> Result<()> {
    if is_json {
        return json::print(out, &ChangedWire { matches: 0 });
    }
    writeln!(out, "{text}").map_err(write_error)
}

fn write_report(report: &FoundReport, out: &mut dyn Write) -> std::io::Result<()> {
    let FoundReport { id, at, settled_at, reason, text, match_id, rules, record, .. } = report;
    writeln!(out, "Report {id} of {at}: {reason}")?;
    if let Some(settled_at) = settled_at {
        writeln!(out, "  settled   {settled_at}")?;
    }
    writeln!(out, "  match     {match_id} ({})", rules.as_deref().unwrap_or("removed"))?;
    writeln!(out, "  reporter  {}", party(&report.reporter))?;
    writeln!(out, "  reported  {}", party(&report.reported))?;
    if let Some(text) = text {
        writeln!(out, "  words     {}", isolated_line(text))?;
    }
    for message in &report.messages {
        let player = message.player.to_uppercase();
        writeln!(out, "  {} {player}: {}", message.at, isolated_line(&message.text))?;
    }
    match record {
        Some(record) => {
            writeln!(out, "  record")?;
            record.lines().try_for_each(|line| match line {
                "" => writeln!(out),
                line => writeln!(out, "    {}", isolated_line(line)),
            })?;
        }
        None if rules.is_some() => {
            writeln!(out, "  record    cannot be read: check the database with `overmate doctor`")?;
        }
        None => {}
    }
    Ok(())
}

fn party(party: &FoundParty) -> String {
    let mut text = format!("player {}", party.player.to_uppercase());
    if let Some(handle) = &party.handle {
        text.extend([", @", handle]);
    }
    if let Some(name) = &party.name {
        text.extend([", name ", &isolated_line(name)]);
    }
    text + &party.browser.as_ref().map_or(", erased".to_owned(), |id| format!(", browser {id}"))
}

fn wire(report: &FoundReport) -> FoundReportWire<'_> {
    FoundReportWire {
        id: &report.id,
        at: &report.at,
        settled_at: report.settled_at.as_deref(),
        reason: &report.reason,
        text: report.text.as_deref(),
        match_id: &report.match_id,
        rules: report.rules.as_deref(),
        reporter: party_wire(&report.reporter),
        reported: party_wire(&report.reported),
        messages: report.messages.iter().map(message_wire).collect(),
        record: report.record.as_deref(),
    }
}

fn message_wire(message: &FoundMessage) -> FoundMessageWire<'_> {
    let FoundMessage { player, text, at } = message;
    FoundMessageWire { player, text, at }
}

fn party_wire(party: &FoundParty) -> FoundPartyWire<'_> {
    FoundPartyWire {
        player: party.player,
        browser: party.browser.as_deref(),
        handle: party.handle.as_deref(),
        name: party.name.as_deref(),
    }
}
