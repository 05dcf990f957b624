//! Runs the load test of `cargo xtask load`, which measures actions per second, latency, and the memory of an idle connection.

mod client;
mod figures;
mod idle;
mod play;

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::client::Fault;
use crate::figures::{busy, memory};

/// Options of the load test, read from the command line.
struct Options {
    binary: PathBuf,
    matches: u32,
    rate: f64,
    seconds: u64,
    idle: u32,
}

/// Server process under test, with its own database folder.
struct Served {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Served {
    fn start(options: &Options) -> Result<Self, Fault> {
        let folder = tempfile::tempdir()?;
        let mut child = Command::new(&options.binary)
            .args(["serve", "--listen", "127.0.0.1:0", "--no-limits", "--data"])
            .arg(folder.path())
            .env("RUST_LOG", "warn")
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or("the server has no output")?;
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().strip_prefix("http://").ok_or("the server does not start")?;
        Ok(Self { child, address: address.to_owned(), _folder: folder })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() -> Result<(), Fault> {
    let options = read_options()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(&options))
}

async fn run(options: &Options) -> Result<(), Fault> {
    if options.matches > 0 {
        let served = Served::start(options)?;
        let time = Duration::from_secs(options.seconds);
        let process = served.child.id();
        let played = play::run(&served.address, options.matches, options.rate, time).await?;
        println!("live matches                        {}", options.matches);
        println!("live connections                    {}", 2 * options.matches);
        println!("actions asked for, a second         {:.0}", options.rate);
        println!("actions stored and told, a second   {:.0}", played.rate());
        println!("actions                             {}", played.latencies.len());
        println!("refused or unanswered               {}", played.failed);
        for percent in [50, 95, 99] {
            let time = played.percentile(percent).as_secs_f64() * 1_000.0;
            println!("{percent}th percentile, sent to told      {time:.1} ms");
        }
        println!("memory of the server                {:.0} MB", memory(process)? / 1e6);
        // The figure includes the creation of the matches.
        println!("processor time of the server         {:.1} s", busy(process)?);
    }
    if options.idle > 0 {
        let served = Served::start(options)?;
        let found = idle::run(&served.address, served.child.id(), options.idle).await?;
        println!("idle connections                    {}", options.idle);
        println!("memory without them                 {:.0} MB", found.before / 1e6);
        println!("memory with them                    {:.0} MB", found.with / 1e6);
        let each = (found.with - found.before) / 1e3;
        println!("memory of each                      {:.1} kB", each / f64::from(options.idle));
    }
    Ok(())
}

/// Reads the command line arguments `BINARY MATCHES RATE SECONDS IDLE`, which `cargo xtask load` passes.
fn read_options() -> Result<Options, Fault> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [binary, matches, rate, seconds, idle] = args.as_slice() else {
        return Err("to run it: cargo xtask load".into());
    };
    Ok(Options {
        binary: binary.into(),
        matches: matches.parse()?,
        rate: rate.parse()?,
        seconds: seconds.parse()?,
        idle: idle.parse()?,
    })
}
