//! Runs the load test of `cargo xtask load`: measures actions per second, latency, and the memory of an idle connection. With
//! `--abuse` the program measures how attacks delay innocent players. With `--puzzles` it measures the cost of a puzzle, with
//! `--lobby` the lobby, and with `--correspondence` the search for deadlines. The program needs Unix, because it starts
//! PostgreSQL as another user.

#![cfg_attr(not(unix), allow(dead_code, unused_imports, reason = "the program needs Unix"))]

mod abuse;
mod attacks;
mod client;
mod correspondence;
mod figures;
mod idle;
mod innocent;
mod lobby;
mod play;
mod puzzles;
mod served;

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
#[cfg(unix)]
use test_postgres::Postgres;

use crate::client::Fault;
use crate::figures::{busy, busy_with_descendants, memory};
use crate::served::Served;

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
    /// Time control of the matches in its JSON form.
    clock: Value,
}

#[cfg(not(unix))]
fn main() -> Result<(), Fault> {
    Err("the load test needs Unix".into())
}

#[cfg(unix)]
fn main() -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [binary, flag, seconds, only] = args.as_slice()
        && flag == "--abuse"
    {
        let time = Duration::from_secs(seconds.parse()?);
        return runtime.block_on(abuse::run(binary.as_ref(), time, only));
    }
    if let [binary, flag, database] = args.as_slice()
        && flag == "--puzzles"
    {
        let postgres = (database == "postgres").then(Postgres::start_durable);
        let database = postgres.as_ref().map(Postgres::database);
        let served = Served::start_on(binary.as_ref(), &["--no-limits"], database.as_deref())?;
        let processes = puzzles::Processes {
            server: served.process(),
            database: postgres.as_ref().map(Postgres::process),
        };
        return runtime.block_on(puzzles::run(&served, processes));
    }
    if let [binary, flag, people, seconds] = args.as_slice()
        && flag == "--lobby"
    {
        let time = Duration::from_secs(seconds.parse()?);
        return runtime.block_on(lobby::run(binary.as_ref(), people.parse()?, time));
    }
    if let [binary, flag, matches] = args.as_slice()
        && flag == "--correspondence"
    {
        return runtime.block_on(correspondence::run(binary.as_ref(), matches.parse()?));
    }
    runtime.block_on(run(&read_options(&args)?))
}

#[cfg(unix)]
async fn run(options: &Options) -> Result<(), Fault> {
    if options.matches > 0 {
        // PostgreSQL waits for the disk at each commit, like SQLite.
        let postgres = options.uses_postgres.then(Postgres::start_durable);
        let database = postgres.as_ref().map(Postgres::database);
        let start = || Served::start_on(&options.binary, &["--no-limits"], database.as_deref());
        let served: Vec<Served> = (0..options.nodes).map(|_| start()).collect::<Result<_, _>>()?;
        let time = Duration::from_secs(options.seconds);
        let addresses: Vec<String> = served.iter().map(|served| served.address.clone()).collect();
        let played =
            play::run(&addresses, options.matches, options.rate, time, &options.clock).await?;
        println!("servers                             {}", options.nodes);
        println!("database                            {}", options.database());
        println!("live matches                        {}", options.matches);
        println!("clocks                              {}", options.clock);
        println!("live connections                    {}", 2 * options.matches);
        println!("actions asked for, a second         {:.0}", options.rate);
        println!("actions stored and told, a second   {:.0}", played.rate());
        println!("actions                             {}", played.latencies.len());
        println!("refused or unanswered               {}", played.failed);
        for percent in [50, 95, 99] {
            let time = played.percentile(percent).as_secs_f64() * 1_000.0;
            println!("{percent}th percentile, sent to told      {time:.1} ms");
        }
        for served in &served {
            let process = served.process();
            println!("memory of the server                {:.0} MB", memory(process)? / 1e6);
            // The processor time includes the creation of the matches.
            println!("processor time of the server        {:.1} s", busy(process)?);
        }
        if let Some(postgres) = &postgres {
            let time = busy_with_descendants(postgres.process())?;
            println!("processor time of PostgreSQL        {time:.1} s");
        }
    }
    if options.idle > 0 {
        let served = Served::start(&options.binary, &["--no-limits"])?;
        let found = idle::run(&served.address, served.process(), options.idle).await?;
        println!("idle connections                    {}", options.idle);
        println!("memory without them                 {:.0} MB", found.before / 1e6);
        println!("memory with them                    {:.0} MB", found.with / 1e6);
        let each = (found.with - found.before) / 1e3;
        println!("memory of each                      {:.1} kB", each / f64::from(options.idle));
    }
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
        return Err("to run it: cargo xtask load".into());
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
