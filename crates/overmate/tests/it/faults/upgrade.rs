//! Tests a rolling upgrade of a cluster: a newer version replaces the servers one by one while clients play.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::Value;
use test_postgres::times::Times;
use test_sample::is_thorough;
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self, Message};

use super::run::{Cluster, Players};
use crate::serve::HttpClient;

/// Name of the environment variable that holds the path of the previous version's binary. `cargo xtask test
/// --only cluster --thorough` builds this binary.
const OLDER: &str = "OVERMATE_OLDER_BINARY";

/// Number of matches that the test plays at the same time.
const MATCHES: usize = 12;

/// Minimum number of acknowledged actions before each replacement of a server.
const ACTIONS: usize = 40;

/// Number of live connections that the test keeps open at the same time.
const LIVE: usize = 12;

/// Random seed of each client's choice of a server.
const SEED: u64 = 20_010;

/// Number of ended live connections, by the cause of the end. The key is the close code with the beginning of
/// the close reason, or the error.
type Ends = Arc<Mutex<BTreeMap<String, u64>>>;

/// Keeps a live connection to a match open, and reconnects to the next server after each end of the connection.
async fn stay(addresses: Arc<[String]>, first: usize, path: String, cookie: String, ends: Ends) {
    for address in addresses.iter().cycle().skip(first) {
        let end = match connection(address, &path, &cookie).await {
            Ok(end) => end,
            // The attempt to connect fails while no server listens at the requested address, or while the server there is about to stop.
            Err(tungstenite::Error::Io(_) | tungstenite::Error::Protocol(_)) => {
                "no connection".to_owned()
            }
            Err(tungstenite::Error::Http(answer)) => format!("status {}", answer.status().as_u16()),
            Err(error) => format!("error: {error}"),
        };
        *ends.lock().unwrap_or_else(PoisonError::into_inner).entry(end).or_default() += 1;
        sleep(Duration::from_millis(20)).await;
    }
}

/// Opens a live connection, and reads its messages until the connection ends. Returns the close code and the
/// beginning of the close reason.
async fn connection(address: &str, path: &str, cookie: &str) -> tungstenite::Result<String> {
    let mut request = format!("ws://{address}{path}").into_client_request()?;
    request.headers_mut().insert("cookie", cookie.parse()?);
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await?;
    while let Some(message) = socket.next().await {
        if let Ok(Message::Close(frame)) = message {
            let frame = frame.map(|frame| (u16::from(frame.code), frame.reason.to_string()));
            let (code, reason) = frame.unwrap_or_default();
            return Ok(format!("{code} {}", reason.split('=').next().unwrap_or_default()));
        }
        if let Err(error) = message {
            return Ok(format!("broken: {error}"));
        }
    }
    Ok("broken".to_owned())
}

#[test]
fn clients_of_a_rolling_upgrade_lose_nothing_and_are_only_asked_to_come_back() {
    let older = std::env::var_os(OLDER).map(PathBuf::from);
    assert!(
        older.is_some() || !is_thorough(),
        "set {OLDER} to a binary of the version before, as `cargo xtask test --only cluster --thorough` does"
    );
    // Without a binary of the previous version, the test replaces each server by a server of the same version, and waits less before each
    // replacement.
    let time = Duration::from_secs(if older.is_some() { 8 } else { 1 });
    let mut cluster = Cluster::start_older(older.as_deref());
    let before = cluster.schema();
    let mut client = HttpClient::default();
    let addresses = cluster.addresses();
    let id = client.begin(&addresses[0]).unwrap()["id"].as_str().unwrap().to_owned();
    let ends = Ends::default();
    for first in 0..LIVE {
        let path = format!("/api/v1/matches/{id}/live");
        let stay =
            stay(Arc::clone(&addresses), first, path, client.cookie.clone(), Arc::clone(&ends));
        cluster.runtime().spawn(stay);
    }
    let players = Players::start(&cluster, MATCHES, SEED);
    let mut waits = Times::default();
    for node in 0..Cluster::NODES {
        thread::sleep(time);
        players.wait_until_acknowledged(ACTIONS * (node + 1));
        cluster.replace(node);
        waits.add(players.wait_until_all_watchers_know());
    }
    thread::sleep(time);
    waits.add(players.wait_until_all_watchers_know());
    let (history, refusals) = players.stop();
    let logs = cluster.logs();
    let ends = ends.lock().unwrap_or_else(PoisonError::into_inner).clone();
    println!(
        "{} servers replaced, schema {before} before and {} after: {}; \
         until all watchers knew the last state: {waits}; refusals by status (0: no answer): {refusals:?}; ends of live connections: {ends:?}",
        Cluster::NODES,
        cluster.schema(),
        history.summary(&logs),
    );
    assert_eq!(history.contradictions(&logs), [""; 0]);
    assert!(history.acknowledged() > 100 && logs.len() >= MATCHES, "the players hardly played");
    assert!(refusals.keys().all(|status| [0, 503].contains(status)), "{refusals:?}");
    let asked = ends.iter().filter(|(end, _)| end.starts_with("1012 ")).map(|(_, number)| number);
    // The servers that stopped during the upgrade have closed at least `LIVE` live connections with the close code 1012.
    assert!(asked.sum::<u64>() >= LIVE as u64, "{ends:?}");
    let allowed =
        |end: &str| end.starts_with("1012 ") || end == "status 503" || end == "no connection";
    assert!(ends.keys().all(|end| allowed(end)), "{ends:?}");
    // All servers answer after the upgrade.
    for address in addresses.iter() {
        assert_eq!(client.send(address, "GET", "/readyz", &Value::Null).unwrap().0, 200);
    }
}
