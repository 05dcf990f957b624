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
    // The completion script is generated in memory first, because the generator panics if a write fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "overmate", &mut script);
    out.write_all(&script).map_err(write_error)
}

pub(crate) fn man(args: &ManArgs, out: &mut dyn Write) -> Result<()> {
    // The command `help` has no manual page.
    let mut program = Cli::command().disable_help_subcommand(true);
    // The call of `build` sets the full names of the commands.
    program.build();
    let source = program.render_version();
    // A manual page has a hyphen in its name, as in `tablebase-build`; the command has a space, as in `tablebase build`.
    let mut page = match args.command.join("-").as_str() {
        "" => program,
        name => command(&program, name)?,
    };
    // Clap's usage line replaces the synopsis of `clap_mangen`, which would show options with values as flags.
    let usage = page.render_usage().to_string();
    let page = page.override_usage(usage.trim_start_matches("Usage: ").to_owned());
    let mut text = Vec::new();
    clap_mangen::Man::new(page).source(source.trim_end()).render(&mut text)?;
    let text = with_headings(&String::from_utf8(text)?);
    out.write_all(text.as_bytes()).map_err(write_error)
}

/// Pairs of a paragraph's first words and the heading under which a manual page shows the paragraph.
const HEADINGS: [(&str, &str); 5] = [
    ("Examples:", "EXAMPLES"),
    ("Exit codes:", "EXIT STATUS"),
    ("The exit code ", "EXIT STATUS"),
    ("JSON:", "OUTPUT"),
    ("CSV:", "OUTPUT"),
];

/// Splits the section `EXTRA` of a manual page into sections with headings such as `EXAMPLES`, and preserves the line
/// breaks. Without this change, the page would fill the lines of examples and tables like prose.
fn with_headings(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else {
        return page.to_owned();
    };
    let (extra, after) = match extra.split_once("\n.SH ") {
        Some((extra, after)) => (extra, format!(".SH {after}")),
        None => (extra.trim_end(), String::new()),
    };
    let mut text = before.to_owned();
    let mut last = "";
    for paragraph in extra.split("\n\n") {
        let known = HEADINGS.iter().find(|(beginning, _)| paragraph.starts_with(beginning));
        let (title, heading) = known.copied().unwrap_or(("", "NOTES"));
        // The manual page leaves out the first line of a paragraph if this line only repeats the heading.
        let lines = paragraph.strip_prefix(title).and_then(|lines| lines.strip_prefix('\n'));
        let lines = lines.unwrap_or(paragraph);
        let begin = if heading == last { ".PP".to_owned() } else { format!(".SH {heading}") };
        text.extend([&begin, "\n.nf\n", lines, "\n.fi\n"]);
        last = heading;
    }
    text + &after
}

/// Returns the command-line definition of a command, given the name of its manual page, such as `solve` or `tablebase-build`.
fn command(program: &clap::Command, name: &str) -> Result<clap::Command> {
    for known in program.get_subcommands() {
        match name.strip_prefix(known.get_name()) {
            Some("") => return Ok(known.clone()),
            Some(rest) if let Some(rest) = rest.strip_prefix('-') => return command(known, rest),
            _ => {}
        }
    }
    let visible = program.get_subcommands().filter(|known| !known.is_hide_set());
    let names: Vec<&str> = visible.map(clap::Command::get_name).collect();
    if names.is_empty() {
        let fault = format!(
            "the command `{}` has no commands of its own: leave out `{name}`",
            program.get_name()
        );
        return Err(Usage(fault).into());
    }
    Err(Usage(format!("there is no command `{name}`: use {}", format_names(&names))).into())
}
