//! Implements `cargo xtask load`, which measures the release server under many requests and the loading time of its start page.

use anyhow::{Result, bail};
use xtask::command::{cargo, run};
use xtask::repository::Repository;

use crate::command::build_release;
use crate::{browser, web};

/// Command-line options of the load test.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Load {
    /// Number of live matches, each with two connections
    #[arg(long, default_value_t = 2_000)]
    matches: usize,
    /// Actions a second, in all matches together
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// Seconds during which the clients play matches
    #[arg(long, default_value_t = 30)]
    seconds: u32,
    /// Number of live connections that stay idle while the memory of a server is measured, after the measurement with played matches
    #[arg(long, default_value_t = 10_000)]
    idle: usize,
    /// Database of the servers in the load test
    #[arg(long, value_enum, default_value_t = LoadDatabase::Sqlite)]
    database: LoadDatabase,
    /// Number of servers; with several servers, the database must be PostgreSQL, and the two players of each match use different servers
    #[arg(long, default_value_t = 1)]
    nodes: usize,
    /// Measure only how simulated attacks delay an honest player
    #[arg(long)]
    abuse: bool,
    /// Run only the simulated attacks whose name contains this text
    #[arg(
        long,
        value_name = "TEXT",
        requires = "abuse",
        default_value = "",
        hide_default_value = true
    )]
    attack: String,
    /// Measure only the processor time of requests about puzzles, after thousands of attempts at puzzles
    #[arg(long, conflicts_with = "abuse")]
    puzzles: bool,
    /// Play the matches with live clocks of ten minutes and an increment of five seconds
    #[arg(long)]
    clocks: bool,
    /// Measure only the lobby, with this number of open offers and as many people who watch the offers
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["abuse", "puzzles"])]
    lobby: Option<usize>,
    /// Measure only the search for expired deadlines, among this number of waiting correspondence matches
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["abuse", "puzzles", "lobby"], value_parser = clap::value_parser!(u32).range(1_000..))]
    correspondence: Option<u32>,
    /// End with an error that names the measured values which miss their targets; without this option, missed targets are only printed
    #[arg(long)]
    check: bool,
}

/// Database that the servers of a load test use.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum LoadDatabase {
    /// SQLite database in a new temporary folder
    Sqlite,
    /// Separate PostgreSQL server, which waits for the disk at each commit
    Postgres,
}

impl LoadDatabase {
    /// Returns the name of the database as an argument for the load generator.
    fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// Builds the release server and the load generator, and runs both together. Then measures how fast Chromium loads the start page.
pub(crate) fn run_load(repository: &Repository, load: &Load) -> Result<()> {
    if load.nodes == 0 {
        bail!("a load test needs at least one server: give --nodes 1 or more");
    }
    if load.nodes > 1 && load.database == LoadDatabase::Sqlite {
        bail!("several servers need PostgreSQL: add --database postgres");
    }
    web::build_client(repository)?;
    let server = build_release(repository)?;
    let mut program = cargo(repository, ["run", "--release", "--locked", "--quiet"]);
    program.args(["--package", "overmate-server", "--example", "load", "--"]).arg(&server);
    if load.check {
        program.arg("--check");
    }
    if load.abuse {
        program.args(["--abuse", &load.seconds.to_string(), &load.attack]);
        return run(&mut program);
    }
    if load.puzzles {
        program.args(["--puzzles", load.database.name()]);
        return run(&mut program);
    }
    if let Some(people) = load.lobby {
        program.args(["--lobby", &people.to_string(), &load.seconds.to_string()]);
        return run(&mut program);
    }
    if let Some(matches) = load.correspondence {
        program.args(["--correspondence", &matches.to_string()]);
        return run(&mut program);
    }
    program.args([load.matches.to_string(), load.rate.to_string()]);
    program.args([load.seconds.to_string(), load.idle.to_string()]);
    program.arg(load.database.name());
    program.arg(load.nodes.to_string());
    program.arg(if load.clocks { "live" } else { "none" });
    run(&mut program)?;
    // The measured server gets no temporary folder in memory, so that its database is on the disk.
    browser::playwright(repository, "load", &server, None, false)
}
