//! Measures the performance of the lobby with many open offers and many watchers. The results are the time of a request for a
//! new offer, and the time until each watcher has received the offer.

use std::path::Path;
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::time::{Instant, interval, timeout};

use crate::client::{Browser, Fault, Live};
use crate::figures::{busy, memory, percentile, percentiles};
use crate::report::{Report, Target, fact, figure};
use crate::served::Served;

/// Number of simulated people who enter the lobby at the same time.
const AT_ONCE: usize = 16;

/// Target for the 99th-percentile response time of a request that creates a match offer, in milliseconds. All watchers of the lobby are
/// connected during the measurement.
const SLOWEST_REQUEST: Target = Target::AtMost(50.0);

/// Target for the 99th-percentile delivery time of a new match offer, in milliseconds. The delivery time runs from the request for the
/// offer until a watcher of the lobby receives the offer.
const SLOWEST_MESSAGE: Target = Target::AtMost(2_000.0);

/// Timeout for the delivery of a new match offer to all watchers of the lobby.
const PATIENCE: Duration = Duration::from_secs(10);

/// Interval at which the load test creates new match offers after all watchers of the lobby are connected.
const PACE: Duration = Duration::from_secs(1);

/// Names of the rule sets of the new match offers, which the load test uses one after another.
const RULES: [&str; 4] = ["bga", "sackson", "sackson+double", "sackson+free-move"];

/// Message to a watcher of the lobby: the total number of open match offers that the message states, and the time at which the message
/// arrived.
type Told = (usize, Instant);

/// Creates open match offers, connects a watcher of the lobby for each match offer, and then creates one new offer each second. Prints the
/// times and the memory.
///
/// Every other offer has no clock and stays open only while its maker watches. A watcher that does not learn of a new offer
/// within ten seconds is an error, and so is an offer that the server has lost.
pub(crate) async fn run(
    binary: &Path,
    people: usize,
    time: Duration,
    report: &mut Report,
) -> Result<(), Fault> {
    let served = Served::start(binary, &["--no-limits"])?;
    let address = &served.address;
    let before = memory(served.process())?;
    let (tell, mut told) = mpsc::unbounded_channel();
    let arrive = async |number: usize| {
        let clock = if number.is_multiple_of(2) { lasting() } else { Value::Null };
        let (browser, taken) = make(address, number, &clock).await?;
        let watcher = Live::connect(address, &browser, "lobby/live").await?;
        tokio::spawn(watch(watcher, tell.clone()));
        Ok::<_, Fault>(taken)
    };
    let mut first: Vec<Duration> =
        stream::iter(0..people).map(arrive).buffer_unordered(AT_ONCE).try_collect().await?;
    first.sort_unstable();
    all_told(&mut told, people, people).await?;
    let with = memory(served.process())?;

    let begun = (Instant::now(), busy(served.process())?);
    let mut pace = interval(PACE);
    let (mut requests, mut latencies) = (Vec::new(), Vec::new());
    while begun.0.elapsed() < time {
        pace.tick().await;
        let sent = Instant::now();
        let total = people + requests.len() + 1;
        let (_, taken) = make(address, total, &lasting()).await?;
        requests.push(taken);
        for (_, at) in all_told(&mut told, people, total).await? {
            latencies.push(at - sent);
        }
    }
    requests.sort_unstable();
    latencies.sort_unstable();
    let used = busy(served.process())? - begun.1;
    let changes = u32::try_from(requests.len())?;
    fact("open offers and watchers", people);
    fact("new offer as the watchers arrive", percentiles(&first));
    fact("new offers with all watchers", changes);
    fact("new offer with all watchers", percentiles(&requests));
    let slow = percentile(&requests, 99);
    report.judge("99th percentile, new offer", slow, "ms", SLOWEST_REQUEST);
    fact("from the request to each watcher", percentiles(&latencies));
    let slow = percentile(&latencies, 99);
    report.judge("99th percentile, request to watcher", slow, "ms", SLOWEST_MESSAGE);
    figure("processor time of each new offer", used * 1e3 / f64::from(changes), "ms");
    figure("memory without watchers", before / 1e6, "MB");
    figure("memory with all watchers", with / 1e6, "MB");
    Ok(())
}

/// Returns the time control of the matches that the load test offers: three days for each action. The offer of such a match stays open
/// while its maker is away.
fn lasting() -> Value {
    json!({"kind": "days", "days": 3})
}

/// Creates an open match offer with a new HTTP client. Returns the client, and the time that the request took.
async fn make(address: &str, number: usize, clock: &Value) -> Result<(Browser, Duration), Fault> {
    let mut browser = Browser::default();
    browser.post(address, "/api/v1/identity", &json!({})).await?;
    let offer = json!({
        "rules": RULES[number % RULES.len()],
        "clock": clock,
        "client_id": format!("load-{number:08}"),
    });
    let begun = Instant::now();
    browser.post(address, "/api/v1/offers", &offer).await?;
    Ok((browser, begun.elapsed()))
}

/// Reads the messages that a watcher of the lobby receives, and reports each message about the open offers over a channel.
async fn watch(mut watcher: Live, tell: UnboundedSender<Told>) {
    while let Ok(text) = watcher.hear_text().await {
        let at = Instant::now();
        // The test reads only the total number of offers from each message of the lobby. To parse the list of offers in each message to
        // thousands of watchers would take more time than the server needs for the messages.
        let total = text.rsplit_once("\"total\":").map(|(_, rest)| rest);
        let digits = total.and_then(|rest| rest.split(|sign: char| !sign.is_ascii_digit()).next());
        if let Some(total) = digits.and_then(|digits| digits.parse().ok())
            && tell.send((total, at)).is_err()
        {
            return;
        }
    }
}

/// Waits until all watchers of the lobby have received a message with a given total number of offers.
async fn all_told(
    told: &mut mpsc::UnboundedReceiver<Told>,
    watchers: usize,
    total: usize,
) -> Result<Vec<Told>, Fault> {
    let mut found = Vec::with_capacity(watchers);
    let wait = async {
        while found.len() < watchers {
            let (heard, at) =
                told.recv().await.ok_or("the server has disconnected all watchers of the lobby")?;
            if heard == total {
                found.push((heard, at));
            }
        }
        Ok::<(), Fault>(())
    };
    match timeout(PATIENCE, wait).await {
        Ok(waited) => waited.map(|()| found),
        Err(_) => Err(format!(
            "only {} of {watchers} clients in the lobby have received all {total} offers",
            found.len()
        )
        .into()),
    }
}
