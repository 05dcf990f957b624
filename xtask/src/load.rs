//! `cargo xtask load`: what the release server stands on this machine, and how soon its page can be used.

use anyhow::Result;

use crate::command::{build_release, cargo, run};
use crate::files::Repository;
use crate::{browser, web};

/// How much load.
#[derive(clap::Args)]
pub(crate) struct Load {
    /// Live matches, each with two connections
    #[arg(long, default_value_t = 2_000)]
    matches: usize,
    /// Actions a second, in all matches together
    #[arg(long, default_value_t = 1_000)]
    rate: u32,
    /// How long they play
    #[arg(long, default_value_t = 30)]
    seconds: u32,
    /// Connections that only listen, in a second run
    #[arg(long, default_value_t = 10_000)]
    idle: usize,
}

/// Builds the server and the load for speed, lets the one loose on the other, and visits the start page.
pub(crate) fn run_load(repository: &Repository, load: &Load) -> Result<()> {
    web::build_client(repository)?;
    let server = build_release(repository)?;
    let mut program = cargo(repository, ["run", "--release", "--locked", "--quiet"]);
    program.args(["--package", "overmate-server", "--example", "load", "--"]).arg(&server);
    program.args([load.matches.to_string(), load.rate.to_string()]);
    program.args([load.seconds.to_string(), load.idle.to_string()]);
    run(&mut program)?;
    browser::playwright(repository, "load", &server)
}
