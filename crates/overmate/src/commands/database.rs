//! Implements the command `overmate database`, with which operators move a server to another database.

use std::io::Write;

use anyhow::Result;
use overmate_terminal::errors::write_error;
use overmate_terminal::text::columns::{Align, TextTable};
use overmate_terminal::text::words;

use super::database_options::place;
use super::maintenance::{contents_text, finish};
use crate::cli::{CopyArgs, DatabaseArgs, DatabaseCommand};
use crate::whole_game::StageBar;

pub(crate) fn run(args: &DatabaseArgs, out: &mut dyn Write) -> Result<()> {
    match &args.command {
        DatabaseCommand::Copy(args) => copy(args, out),
    }
}

fn copy(args: &CopyArgs, out: &mut dyn Write) -> Result<()> {
    let (from, to) = (place(&args.from)?, place(&args.to)?);
    let bar = StageBar::new("Copying and comparing");
    let mut tell = |done, total| bar.tell(done, total);
    let copied = finish(overmate_server::copy_database(&from, &to, &mut tell))??;
    drop(bar);
    writeln!(out, "Copied and compared: {from} to {to}").map_err(write_error)?;
    let contents = copied.contents;
    writeln!(out, "{}, schema {}\n", contents_text(&contents), contents.schema)
        .map_err(write_error)?;
    let mut table = TextTable::new([
        ("table", Align::Left),
        ("rows", Align::Right),
        ("digest of the rows in both", Align::Left),
    ]);
    for copied in copied.tables {
        table.row([copied.name.to_owned(), words::grouped(copied.rows), copied.digest]);
    }
    table.write(out).map_err(write_error)
}
