//! The command line and terminal of Overmate: glue between people and the crates that know the game.

mod arena;
mod bot;
mod cli;
mod deal;
mod deals;
mod examples;
mod files;
mod generated;
mod hands;
mod play;
mod replay;
mod report;
mod review;
mod rules;
mod ruleset;
mod score;
mod serve;
mod signals;
mod solve;
mod solved;
mod source;
mod style;
mod table;
mod tablebase;
mod tui;
mod wire;
mod words;
mod work;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser as _;

use crate::cli::{Cli, Command};
use crate::report::write_error;

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => report::finish(run(&cli.command)),
        Err(error) => report::finish_parsing(&error),
    }
}

fn run(command: &Command) -> Result<()> {
    let mut out = anstream::stdout();
    match command {
        Command::Play(args) => play::run(args, &mut out),
        Command::Solve(args) => solve::run(args, &mut out),
        Command::Solved(args) => solved::run(args, &mut out),
        Command::Tablebase(args) => tablebase::run(args, &mut out),
        Command::Deal(args) => deal::run(args, &mut out),
        Command::Replay(args) => replay::run(args, &mut out),
        Command::Review(args) => review::run(args, &mut out),
        Command::Arena(args) => arena::run(args, &mut out),
        Command::Bot(args) => bot::run(args, &mut out),
        Command::Rules(args) => rules::run(args, &mut out),
        Command::Serve(args) => serve::run(args, &mut out),
        Command::Openapi(_) => serve::openapi(&mut out),
        Command::Completions(args) => generated::completions(args, &mut out),
        Command::Man(args) => generated::man(args, &mut out),
    }?;
    out.flush().map_err(write_error)
}
