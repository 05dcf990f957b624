//! Implements the commands `overmate completions` and `overmate man`. Their output is generated from the definition of the
//! command line.

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory as _;
use overmate_rules::format_names;

use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::exit::Usage;
use overmate_terminal::errors::write_error;

pub(crate) fn completions(args: &CompletionsArgs, out: &mut dyn Write) -> Result<()> {
    // The text is generated in memory first, because the generator panics if its output fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "overmate", &mut script);
    out.write_all(&script).map_err(write_error)
}

pub(crate) fn man(args: &ManArgs, out: &mut dyn Write) -> Result<()> {
    // The command `help` has no manual page.
    let mut program = Cli::command().disable_help_subcommand(true);
    // The call of `build` sets the full names of the commands.
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => command(&program, name)?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text)?;
    let text = with_lines_as_they_are(&String::from_utf8(text)?);
    out.write_all(text.as_bytes()).map_err(write_error)
}

/// Preserves the line breaks of examples and tables in a manual page. Without this change, the page
/// would fill them like prose.
fn with_lines_as_they_are(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else {
        return page.to_owned();
    };
    let (extra, after) = match extra.split_once("\n.SH ") {
        Some((extra, after)) => (extra, format!(".SH {after}")),
        None => (extra.trim_end(), String::new()),
    };
    format!("{before}.SH EXAMPLES\n.nf\n{extra}\n.fi\n{after}")
}

/// Returns the definition of a command with a given name, for its manual page. The name of the page is, for
/// example, `solve` or `tablebase-build`.
fn command(program: &clap::Command, name: &str) -> Result<clap::Command> {
    for known in program.get_subcommands() {
        match name.strip_prefix(known.get_name()) {
            Some("") => return Ok(known.clone()),
            // The name of a page has a hyphen, as in `tablebase-build`; the command has a space, as in `tablebase build`.
            Some(rest) if let Some(rest) = rest.strip_prefix('-') => return command(known, rest),
            _ => {}
        }
    }
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    Err(Usage(format!("there is no command `{name}`: use {}", format_names(&names))).into())
}
