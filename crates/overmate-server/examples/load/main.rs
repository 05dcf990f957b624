//! Runs the load test of `cargo xtask load`: measures actions per second, latency, and the memory of an idle connection. With
//! `--abuse` the program measures how attacks delay honest players. With `--puzzles` the program measures requests about
//! puzzles, with `--lobby` the lobby, and with `--correspondence` the search for passed deadlines. At the end the program prints the
//! reached and missed targets. With `--check` a missed target is an error. The program needs Unix, to start PostgreSQL as another user.

#![cfg_attr(not(unix), allow(dead_code, unused_imports, reason = "the program needs Unix"))]

mod abuse;
mod attacks;
mod client;
mod correspondence;
mod figures;
mod honest;
mod idle;
mod lobby;
mod play;
mod puzzles;
mod report;
mod served;

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
#[cfg(unix)]
use test_postgres::Postgres;

use crate::client::Fault;
use crate::figures::{busy, busy_with_descendants, memory, percentile};
use crate::report::{Report, Target, fact, figure};
use crate::served::Served;

/// Maximum 99th percentile of the time from sending an action to its delivery to the other player, in milliseconds.
const SLOWEST: Target = Target::AtMost(50.0);

/// Minimum ratio of the stored actions per second to the requested actions per second. The last actions may be stored after the time of the
/// load test.
const STORED: f64 = 0.99;

/// Maximum memory of a server while all idle connections are open, in megabytes.
const MOST_MEMORY: Target = Target::AtMost(300.0);

/// Options of the load test, read from the command line.
struct Options {
    binary: PathBuf,
    matches: u32,
    rate: f64,
    seconds: u64,
    idle: u32,
    /// Whether the servers keep their matches in PostgreSQL instead of SQLite.
    uses_postgres: bool,
    /// Number of servers that share the database.
    nodes: usize,
    /// Time control of all matches, as JSON.
    clock: Value,
}

#[cfg(not(unix))]
fn main() -> Result<(), Fault> {
    Err("the load test works only on Unix: run the test on Linux".into())
}

#[cfg(unix)]
fn main() -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (flags, args): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg == "--check");
    let mut report = Report::default();
    runtime.block_on(measure(&args, &mut report))?;
    report.end(!flags.is_empty())
}

/// Runs the mode of the load test that the command-line arguments select.
#[cfg(unix)]
async fn measure(args: &[String], report: &mut Report) -> Result<(), Fault> {
    if let [binary, flag, seconds, only] = args
        && flag == "--abuse"
    {
        let time = Duration::from_secs(seconds.parse()?);
        return abuse::run(binary.as_ref(), time, only, report).await;
    }
    if let [binary, flag, database] = args
        && flag == "--puzzles"
    {
        let postgres = (database == "postgres").then(Postgres::start_durable);
        let database = postgres.as_ref().map(Postgres::database);
        let served = Served::start_on(binary.as_ref(), &["--no-limits"], database.as_deref())?;
        let processes = puzzles::Processes {
            server: served.process(),
            database: postgres.as_ref().map(Postgres::process),
        };
        return puzzles::run(&served, processes, report).await;
    }
    if let [binary, flag, people, seconds] = args
        && flag == "--lobby"
    {
        let time = Duration::from_secs(seconds.parse()?);
        return lobby::run(binary.as_ref(), people.parse()?, time, report).await;
    }
    if let [binary, flag, matches] = args
        && flag == "--correspondence"
    {
        return correspondence::run(binary.as_ref(), matches.parse()?, report).await;
    }
    let options = read_options(args)?;
    if options.matches > 0 {
        play(&options, report).await?;
    }
    if options.idle > 0 {
        rest(&options, report).await?;
    }
    Ok(())
}

/// Plays matches on the servers, kills the servers, and checks that all delivered actions are stored.
#[cfg(unix)]
async fn play(options: &Options, report: &mut Report) -> Result<(), Fault> {
    // The PostgreSQL server of the load test waits for the disk at each commit, as SQLite does.
    let postgres = options.uses_postgres.then(Postgres::start_durable);
    let database = postgres.as_ref().map(Postgres::database);
    let start = || Served::start_on(&options.binary, &["--no-limits"], database.as_deref());
    let mut served: Vec<Served> = (0..options.nodes).map(|_| start()).collect::<Result<_, _>>()?;
    let time = Duration::from_secs(options.seconds);
    let addresses: Vec<String> = served.iter().map(|served| served.address.clone()).collect();
    let played = play::run(&addresses, options.matches, options.rate, time, &options.clock).await?;
    fact("servers", options.nodes);
    fact("database", options.database());
    fact("live matches", options.matches);
    fact("clocks", &options.clock);
    fact("live connections", 2 * options.matches);
    fact("actions", played.latencies.len());
    fact("actions asked for, a second", options.rate);
    let least = Target::AtLeast(STORED * options.rate);
    report.target("actions stored and told, a second", played.rate(), "", least);
    fact("refused or unanswered", played.failed);
    for percent in [50, 95] {
        let name = format!("{percent}th percentile, sent to told");
        figure(&name, percentile(&played.latencies, percent), "ms");
    }
    let slow = percentile(&played.latencies, 99);
    report.target("99th percentile, sent to told", slow, "ms", SLOWEST);
    for (served, number) in served.iter().zip(1..) {
        let process = served.process();
        figure(&format!("memory of server {number}"), memory(process)? / 1e6, "MB");
        // The processor time of the server includes the creation of the matches before their first actions.
        figure(&format!("processor time of server {number}"), busy(process)?, "s");
    }
    if let Some(postgres) = &postgres {
        let time = busy_with_descendants(postgres.process())?;
        figure("processor time of PostgreSQL", time, "s");
    }
    if played.failed > 0 {
        return Err("the servers refused actions, or did not answer them".into());
    }
    for served in &mut served {
        served.restart()?;
    }
    let matches = played.matches.len();
    let server = served.first().ok_or("the load test has started no server")?;
    play::check_stored(&server.address, played.matches).await?;
    fact("matches complete after a kill", matches);
    Ok(())
}

/// Opens idle connections, and measures the memory of the server.
#[cfg(unix)]
async fn rest(options: &Options, report: &mut Report) -> Result<(), Fault> {
    let served = Served::start(&options.binary, &["--no-limits"])?;
    let found = idle::run(&served.address, served.process(), options.idle).await?;
    fact("idle connections", options.idle);
    figure("memory without them", found.before / 1e6, "MB");
    report.target("memory with them", found.with / 1e6, "MB", MOST_MEMORY);
    let each = (found.with - found.before) / 1e3;
    figure("memory of each", each / f64::from(options.idle), "kB");
    Ok(())
}

impl Options {
    fn database(&self) -> &'static str {
        if self.uses_postgres { "PostgreSQL" } else { "SQLite" }
    }
}

/// Reads the arguments `BINARY MATCHES RATE SECONDS IDLE DATABASE NODES CLOCK`, which `cargo xtask load` passes.
fn read_options(args: &[String]) -> Result<Options, Fault> {
    let [binary, matches, rate, seconds, idle, database, nodes, clock] = args else {
        return Err(
            "the load test needs eight arguments: run the test with `cargo xtask load`".into()
        );
    };
    let (uses_postgres, nodes) = (database == "postgres", nodes.parse()?);
    if nodes > 1 && !uses_postgres {
        return Err("several servers need PostgreSQL: add --database postgres".into());
    }
    Ok(Options {
        binary: binary.into(),
        matches: matches.parse()?,
        rate: rate.parse()?,
        seconds: seconds.parse()?,
        idle: idle.parse()?,
        uses_postgres,
        nodes,
        clock: match clock.as_str() {
            "live" => json!({"kind": "live", "base": 600, "increment": 5}),
            _ => Value::Null,
        },
    })
}
