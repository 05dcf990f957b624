//! Implements the command `overmate admin event`, with which operators create, list and remove tournament events.

use std::io::Write;

use anyhow::{Result, bail};
use overmate_server::wire::{EventKindWire, EventStateWire, EventSummary, NewEvent};
use overmate_server::{Admin, AdminError};
use overmate_terminal::errors::write_error;
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::untrusted::isolated_line;

use super::moderation::done;
use crate::cli::{EventArgs, EventCommand, MakeEventArgs};
use crate::json::{self, EventIdWire};

pub(super) async fn run(
    admin: &mut Admin,
    args: &EventArgs,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<()> {
    match &args.command {
        EventCommand::Make(make) => {
            let made = admin.make_event(&wanted(make), make.every_days).await;
            let id = made.map_err(|error| match error {
                // The reason begins with a field of the event. The option with the value of this field has the same name.
                AdminError::Refused(reason) => AdminError::Refused(format!("--{reason}")),
                other => other,
            })?;
            if is_json {
                return json::print(out, &EventIdWire { id: &id });
            }
            writeln!(out, "{id}").map_err(write_error)
        }
        EventCommand::List => list(admin, is_json, out).await,
        EventCommand::Remove { id } => {
            if !admin.remove_event(id).await? {
                bail!(
                    "no event with the id `{id}` waits for its start: list the events with `overmate admin event list`"
                );
            }
            done("The event is removed", is_json, out)
        }
    }
}

fn wanted(args: &MakeEventArgs) -> NewEvent {
    NewEvent {
        kind: args.rounds.map_or(EventKindWire::Arena { minutes: args.minutes }, |rounds| {
            EventKindWire::Swiss { rounds }
        }),
        title: args.title.clone(),
        rules: args.rules.clone(),
        base: args.base,
        increment: args.increment,
        starts_in: args.starts_in,
        // The client id can be any constant, because the client id of an operator's request for a tournament event has no effect. The
        // server needs this id only to detect an account's repeated request.
        client_id: "operator".to_owned(),
    }
}

async fn list(admin: &mut Admin, is_json: bool, out: &mut dyn Write) -> Result<()> {
    let events = admin.events().await?;
    if is_json {
        for event in &events {
            json::print(out, event)?;
        }
        return Ok(());
    }
    if events.is_empty() {
        return writeln!(out, "No event is unfinished").map_err(write_error);
    }
    write_events(&events, out)
}

/// Writes a table of tournament events.
pub(super) fn write_events(events: &[EventSummary], out: &mut dyn Write) -> Result<()> {
    let head = ["event", "kind", "title", "host", "state", "rules", "players", "start"];
    let mut table = TextTable::new(head.map(|title| (title, Align::Left)));
    for event in events {
        table.row([
            event.id.clone(),
            match event.kind {
                EventKindWire::Arena { minutes } => format!("arena, {minutes} minutes"),
                EventKindWire::Swiss { rounds } => format!("Swiss, {rounds} rounds"),
            },
            event.title.as_deref().map_or_else(|| "-".to_owned(), isolated_line),
            event.host.as_ref().map_or_else(|| "-".to_owned(), |host| format!("@{host}")),
            match event.state {
                EventStateWire::Coming => "coming",
                EventStateWire::Running => "running",
                EventStateWire::Finished => "over",
            }
            .to_owned(),
            event.rules.clone(),
            event.players.to_string(),
            event.starts_at.clone(),
        ]);
    }
    table.write(out).map_err(write_error)
}
