//! Runs the load test of `cargo xtask load`, which measures actions per second, latency, and the memory of an idle connection. With `--abuse` the
//! program measures how attacks delay innocent players.

mod abuse;
mod attacks;
mod client;
mod figures;
mod idle;
mod innocent;
mod play;
mod served;

use std::path::PathBuf;
use std::time::Duration;

use crate::client::Fault;
use crate::figures::{busy, memory};
use crate::served::Served;

/// Options of the load test, read from the command line.
struct Options {
    binary: PathBuf,
    matches: u32,
    rate: f64,
    seconds: u64,
    idle: u32,
}

fn main() -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [binary, flag, seconds] = args.as_slice()
        && flag == "--abuse"
    {
        let time = Duration::from_secs(seconds.parse()?);
        return runtime.block_on(abuse::run(binary.as_ref(), time));
    }
    runtime.block_on(run(&read_options(&args)?))
}

async fn run(options: &Options) -> Result<(), Fault> {
    if options.matches > 0 {
        let served = Served::start(&options.binary, &["--no-limits"])?;
        let time = Duration::from_secs(options.seconds);
        let process = served.process();
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
        // The processor time includes the creation of the matches.
        println!("processor time of the server         {:.1} s", busy(process)?);
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

/// Reads the command line arguments `BINARY MATCHES RATE SECONDS IDLE`, which `cargo xtask load` passes.
fn read_options(args: &[String]) -> Result<Options, Fault> {
    let [binary, matches, rate, seconds, idle] = args else {
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
