//! Attacks the server from one IP address or one IPv6 network, as fast as the server accepts requests.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::client::{Browser, Fault, Live};

/// Kind of denial-of-service attack from one IP address or one IPv6 network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attack {
    LongLogs,
    ExpensiveMatches,
    ExpensiveAnalyses,
    JunkSockets,
    RefusedFlood,
    NeverReading,
    ManyAddresses,
    LargeHeads,
    UnfinishedMessages,
}

impl Attack {
    pub(crate) const ALL: [Self; 9] = [
        Self::LongLogs,
        Self::ExpensiveMatches,
        Self::ExpensiveAnalyses,
        Self::JunkSockets,
        Self::RefusedFlood,
        Self::NeverReading,
        Self::ManyAddresses,
        Self::LargeHeads,
        Self::UnfinishedMessages,
    ];

    /// Returns the name of a simulated attack on the server, as printed in the results of the load test.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::LongLogs => "8 matches grown by act and undo, read cold and read on",
            Self::ExpensiveMatches => "60 Pinochle matches against `perfect`",
            Self::ExpensiveAnalyses => "8 analyses of Pinochle at once, repeated",
            Self::JunkSockets => "30 sockets that send junk, opened again when closed",
            Self::RefusedFlood => "16 connections of refused requests (403, 429)",
            Self::NeverReading => "100 connections that never read",
            Self::ManyAddresses => {
                "130 addresses of one IPv6 /48, each with an expensive match and analysis"
            }
            Self::LargeHeads => "16 connections of requests with large or many headers",
            Self::UnfinishedMessages => "30 sockets with frames that complete no message",
        }
    }
}

/// Name of a computationally expensive rule set.
const DEAR: &str = "bga+pinochle";

/// Time for which a simulated attacker waits after a refused request.
const PAUSE: Duration = Duration::from_millis(100);

/// Creates the HTTP client of the simulated attacker with a given number. The port in the client's header `X-Forwarded-For` depends on the
/// number.
fn attacker(number: usize) -> Browser {
    Browser::at(format!("192.0.2.1:{}", 1_024 + number))
}

/// Attacker's HTTP client, with the URL path of a match that has a long log.
pub(crate) type LongLog = (Browser, String);

/// Creates the matches that a simulated attack needs, before the load test measures response times. Returns the matches with long logs.
pub(crate) async fn prepare(attack: Attack, address: &str) -> Result<Vec<LongLog>, Fault> {
    let mut growing = JoinSet::new();
    for number in 0..if attack == Attack::LongLogs { 8 } else { 0 } {
        let address = address.to_owned();
        growing.spawn(async move {
            let mut browser = attacker(number);
            let path = begin(&mut browser, &address, "bga", json!({"kind": "both"})).await?;
            grow(&mut browser, &address, &path, 400).await?;
            Ok::<_, Fault>((browser, path))
        });
    }
    let mut logs = Vec::new();
    while let Some(grown) = growing.join_next().await {
        logs.push(grown??);
    }
    Ok(logs)
}

/// Starts the asynchronous tasks that carry out an attack on the server. The tasks run until the caller aborts them.
pub(crate) fn start(
    attack: Attack,
    address: &str,
    logs: Vec<LongLog>,
    tasks: &mut JoinSet<Result<(), Fault>>,
) {
    let address = || address.to_owned();
    match attack {
        Attack::LongLogs => {
            for (browser, path) in logs {
                tasks.spawn(grow_on(browser, address(), path));
            }
        }
        Attack::ExpensiveMatches => {
            tasks.spawn(expensive_matches(attacker(0), address(), 60));
        }
        Attack::ExpensiveAnalyses => {
            for number in 0..8 {
                tasks.spawn(expensive_analyses(attacker(number), address(), number));
            }
        }
        Attack::JunkSockets | Attack::UnfinishedMessages => {
            tasks.spawn(attack_sockets(address(), 30, attack));
        }
        Attack::RefusedFlood => {
            for number in 0..16 {
                tasks.spawn(refused(address(), number));
            }
        }
        Attack::NeverReading => {
            for _ in 0..100 {
                tasks.spawn(never_reading(address()));
            }
        }
        Attack::ManyAddresses => {
            for number in 0..130 {
                let browser = Browser::at(format!("[2001:db8:1:{number:x}::1]:{}", 2_000 + number));
                tasks.spawn(expensive_matches(browser.clone(), address(), 1));
                tasks.spawn(expensive_analyses(browser, address(), number));
            }
        }
        Attack::LargeHeads => {
            for number in 0..16 {
                tasks.spawn(large_heads(address(), number));
            }
        }
    }
}

/// Begins a match and returns its URL path.
async fn begin(
    browser: &mut Browser,
    address: &str,
    rules: &str,
    opponent: Value,
) -> Result<String, Fault> {
    let new = json!({"rules": rules, "opponent": opponent, "lead": "other"});
    let state = browser.post(address, "/api/v1/matches", &new).await?;
    Ok(format!(
        "/api/v1/matches/{}",
        state["id"].as_str().ok_or("the server returned a match without the field `id`")?
    ))
}

/// Lengthens the log of a match by repeatedly taking and undoing the first legal action. If undos
/// are refused, the match moves on to its end.
async fn grow(browser: &mut Browser, address: &str, path: &str, times: usize) -> Result<(), Fault> {
    for number in 0..times {
        let Ok(state) = browser.get(address, path).await else { continue };
        let Some(action) = state["current"]["legal"][0]["action"].as_str() else { return Ok(()) };
        let id = format!("attack-{}-{number}", state["sequence"]);
        let act = json!({"sequence": state["sequence"], "action": action, "client_id": id});
        // The simulated attacker sends an action and then an undo, and ignores a refusal of either request by the server.
        let _ = browser.post(address, &format!("{path}/actions"), &act).await;
        let undo = json!({"client_id": format!("{id}-undo")});
        let _ = browser.post(address, &format!("{path}/undo"), &undo).await;
    }
    Ok(())
}

/// Makes the log of a match grow in an endless loop: reads the match, takes an action, and undoes the action. When the match is
/// over, another match begins.
async fn grow_on(mut browser: Browser, address: String, mut path: String) -> Result<(), Fault> {
    loop {
        grow(&mut browser, &address, &path, 1_000).await?;
        match begin(&mut browser, &address, "bga", json!({"kind": "both"})).await {
            Ok(next) => path = next,
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Begins matches in which the perfect opponent has to search for the first action.
async fn expensive_matches(
    mut browser: Browser,
    address: String,
    number: usize,
) -> Result<(), Fault> {
    // The simulated attacker sends further requests even if the server refuses a request.
    let _ = browser.post(&address, "/api/v1/identity", &json!({})).await;
    for _ in 0..number {
        let _ = begin(&mut browser, &address, DEAR, json!({"kind": "perfect"})).await;
    }
    Ok(())
}

/// Requests one expensive analysis after another, each of a new deal.
async fn expensive_analyses(
    mut browser: Browser,
    address: String,
    number: usize,
) -> Result<(), Fault> {
    for deal in 0_u64.. {
        let deal = format!("{}", 1_000 * deal + number as u64);
        let analysis = json!({"rules": DEAR, "deal": deal});
        if browser.post(&address, "/api/v1/analysis", &analysis).await.is_err() {
            sleep(PAUSE).await;
        }
    }
    Ok(())
}

/// Opens live connections to a match, and sends messages on each connection until the server closes
/// the connection.
async fn attack_sockets(address: String, number: usize, attack: Attack) -> Result<(), Fault> {
    let mut browser = attacker(0);
    let path = begin(&mut browser, &address, "bga", json!({"kind": "both"})).await?;
    let live = format!("{}/live", path.trim_start_matches("/api/v1/matches/"));
    let mut sockets = JoinSet::new();
    for _ in 0..number {
        let (browser, address, live) = (browser.clone(), address.clone(), live.clone());
        sockets.spawn(async move {
            loop {
                if let Ok(mut socket) = Live::open(&address, &browser, &live).await {
                    let mut send = async || match attack {
                        Attack::UnfinishedMessages => socket.send_fragment().await,
                        _ => socket.send("junk").await,
                    };
                    while send().await.is_ok() {}
                } else {
                    sleep(PAUSE).await;
                }
            }
        });
    }
    while sockets.join_next().await.is_some() {}
    Ok(())
}

/// Sends cross-origin requests, which the server refuses, in sequence on one connection. Each request has a request id from the client.
async fn refused(address: String, number: usize) -> Result<(), Fault> {
    let request = format!(
        "POST /api/v1/identity HTTP/1.1\r\nHost: {address}\r\nX-Forwarded-For: 192.0.2.1\r\n\
         Origin: https://evil.example\r\nX-Request-Id: {}-{number}\r\nContent-Length: 0\r\n\r\n",
        "x".repeat(1_000)
    );
    repeat(address, request).await
}

/// Sends HTTP requests with too large request heads or too many headers.
async fn large_heads(address: String, number: usize) -> Result<(), Fault> {
    let (headers, length) = if number.is_multiple_of(2) { (90, 4_000) } else { (4_000, 80) };
    let header = |index| format!("X-Attack-{index}: {}\r\n", "x".repeat(length));
    let headers: String = (0..headers).map(header).collect();
    let request = format!(
        "GET /healthz HTTP/1.1\r\nHost: {address}\r\nX-Forwarded-For: 192.0.2.1\r\n{headers}\r\n"
    );
    repeat(address, request).await
}

/// Sends a given request repeatedly on one connection, each time after the previous response. When the server closes the connection, the
/// task connects again.
async fn repeat(address: String, request: String) -> Result<(), Fault> {
    loop {
        let Ok(mut stream) = TcpStream::connect(&address).await else {
            sleep(PAUSE).await;
            continue;
        };
        let mut answer = vec![0; 16_384];
        while stream.write_all(request.as_bytes()).await.is_ok()
            && stream.read(&mut answer).await.is_ok_and(|read| read > 0)
        {}
    }
}

/// Requests a long document repeatedly on one connection without reading the responses. When the
/// server closes the connection, the task connects again.
async fn never_reading(address: String) -> Result<(), Fault> {
    let request = format!(
        "GET /api/openapi.json HTTP/1.1\r\nHost: {address}\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
    );
    loop {
        match TcpStream::connect(&address).await {
            Ok(mut stream) => while stream.write_all(request.as_bytes()).await.is_ok() {},
            Err(_) => sleep(PAUSE).await,
        }
    }
}
