//! Starts the program `overmate`: parses the command line and runs the chosen command. The crate parses arguments and
//! prints results; the libraries do the work.

mod cli;
mod commands;
mod deal_arguments;
mod deal_source;
mod exit;
mod json;
mod memory;
mod rules_argument;
mod whole_game;

use std::env;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::UnknownArgumentValueParser;
use clap::{Arg, CommandFactory as _, FromArgMatches as _};

use crate::cli::{Cli, Command};
use crate::commands::{
    admin, arena, bot, data, database, deal, generated, maintenance, play, puzzle, puzzles, replay,
    review, rules, serve, solve, solved, tablebase,
};
use overmate_terminal::errors::write_error;

fn main() -> ExitCode {
    let arguments = env::args_os().map(deal_arguments::as_value);
    let program = with_negative_numbers(Cli::command()).mut_subcommand("solve", without_deal);
    let parsed = program.try_get_matches_from(arguments);
    match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => exit::finish(run(&cli.command)),
        Err(error) => exit::finish_parsing(&error),
    }
}

/// Makes the argument parser accept negative numbers as values, not as unknown options, in a command and all its subcommands. The parser of
/// the value then says which numbers are allowed.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let with_values = |arg: Arg| {
        let takes_values = arg.get_action().takes_values();
        if takes_values { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(with_values).mut_subcommands(with_negative_numbers)
}

/// Makes the command `solve` reject the options `--deal` and `--deals` with the advice to name the deal without an
/// option. The deals of `solve` are arguments, unlike those of `play`. The rejected options are hidden: completions and
/// manual pages do not list them.
fn without_deal(solve: clap::Command) -> clap::Command {
    let advice = "write the deal without an option, as in `overmate solve 20010`";
    let parser = UnknownArgumentValueParser::suggest(advice);
    solve.arg(
        Arg::new("deal")
            .long("deal")
            .alias("deals")
            .value_name("DEAL")
            .hide(true)
            .value_parser(parser),
    )
}

fn run(command: &Command) -> Result<()> {
    let mut out = anstream::stdout();
    match command {
        Command::Play(args) => play::run(args, &mut out),
        Command::Puzzle(args) => puzzle::run(args, &mut out),
        Command::Puzzles(args) => puzzles::run(args, &mut out),
        Command::Solve(args) => solve::run(args, &mut out),
        Command::Solved(args) => solved::run(args, &mut out),
        Command::Tablebase(args) => tablebase::run(args, &mut out),
        Command::Data(args) => data::run(args, &mut out),
        Command::Deal(args) => deal::run(args, &mut out),
        Command::Replay(args) => replay::run(args, &mut out),
        Command::Review(args) => review::run(args, &mut out),
        Command::Arena(args) => arena::run(args, &mut out),
        Command::Bot(args) => bot::run(args, &mut out),
        Command::Rules(args) => rules::run(args, &mut out),
        Command::Serve(args) => serve::run(args, &mut out),
        Command::Backup(args) => maintenance::backup(args, &mut out),
        Command::Restore(args) => maintenance::restore(args, &mut out),
        Command::Archive(args) => maintenance::archive(args, &mut out),
        Command::Doctor(args) => maintenance::doctor(args, &mut out),
        Command::Database(args) => database::run(args, &mut out),
        Command::Admin(args) => admin::run(args, &mut out),
        Command::Openapi(_) => serve::openapi(&mut out),
        Command::Completions(args) => generated::completions(args, &mut out),
        Command::Man(args) => generated::man(args, &mut out),
    }?;
    out.flush().map_err(write_error)
}
