//! Measures how attacks within the default limits delay honest players, and prints a table of the times.

use std::path::Path;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::attacks::{Attack, LongLog, prepare, start};
use crate::client::Fault;
use crate::figures::{percentile, percentiles};
use crate::honest::{KINDS, Times, times};
use crate::report::{Report, Target};
use crate::served::Served;

/// Maximum factor by which an attack may raise the 99th percentile of an honest player's response times.
const MOST: Target = Target::AtMost(3.0);

/// Measures the response times of honest players before and during each attack. Before each attack, a phase of equal length runs without
/// the attack.
///
/// Only attacks whose names contain `only` run. A lost, repeated, refused or unanswered request of an honest player is an
/// error.
pub(crate) async fn run(
    binary: &Path,
    time: Duration,
    only: &str,
    report: &mut Report,
) -> Result<(), Fault> {
    println!(
        "| attack | honest request | requests without + with | without: p50, p99, max | with: p50, p99, max |"
    );
    println!("|---|---|--:|--:|--:|");
    for attack in Attack::ALL.into_iter().filter(|attack| attack.name().contains(only)) {
        // The server takes the address of each simulated attacker and player from the header `X-Forwarded-For` of the request. The load
        // test sets this header as a proxy would.
        let mut served = Served::start(binary, &["--behind-proxy"])?;
        let logs = prepare(attack, &served.address).await?;
        served.restart()?;
        let without = times(&served.address, 0, time).await?;
        let (stop, attacking) = attack_on_a_thread(attack, served.address.clone(), logs);
        let with = times(&served.address, 1, time).await;
        drop(stop);
        attacking.join().map_err(|_| "the thread of the attack panicked")?;
        print(attack, &without, &with?, report);
    }
    Ok(())
}

/// Runs a simulated attack on the tested server, on a separate thread, until the caller drops the returned channel sender.
///
/// A real attacker uses a separate machine, so the attack runs on a thread of its own. On this
/// machine the thread has a lower priority, so that the attack slows the server only by its
/// requests.
fn attack_on_a_thread(
    attack: Attack,
    address: String,
    logs: Vec<LongLog>,
) -> (oneshot::Sender<()>, thread::JoinHandle<()>) {
    let (stop, stopped) = oneshot::channel::<()>();
    let attacking = thread::spawn(move || {
        #[cfg(target_os = "linux")]
        if let Err(error) = rustix::process::nice(10) {
            eprintln!("the attack runs with the priority of the players: {error}");
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        runtime.block_on(async move {
            let mut attackers = JoinSet::new();
            start(attack, &address, logs, &mut attackers);
            // The simulated attack on the server ends when the caller drops the channel sender `stop`.
            let _ = stopped.await;
        });
    });
    (stop, attacking)
}

fn print(attack: Attack, without: &Times, with: &Times, report: &mut Report) {
    for (kind, (without, with)) in KINDS.into_iter().zip(without.iter().zip(with)) {
        let requests = format!("{} + {}", without.len(), with.len());
        let factor = percentile(with, 99) / percentile(without, 99);
        let name = format!("99th percentile of {kind}, during {}", attack.name());
        report.judge(&name, factor, "times", MOST);
        let (without, with) = (percentiles(without), percentiles(with));
        println!("| {} | {kind} | {requests} | {without} | {with} |", attack.name());
    }
}
