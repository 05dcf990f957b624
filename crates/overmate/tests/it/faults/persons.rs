//! Plays matches with clocks between two persons while faults happen. One person plays over HTTP, the other over live connections.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use test_postgres::clocks::{ClockRow, LiveClocks};
use test_postgres::history::{Attempt, History};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::run::{
    Cluster, PAUSE, Players, Progress, Refusals, Wanderer, advance, next_client_id, told,
};
use crate::serve::later_games;

/// Clocks of each pair of persons: base time and increment in seconds, or `None` for a clock of one day for each action.
const PAIRS: [Option<(i64, i64)>; 4] = [Some((4, 0)), None, Some((3, 2)), None];

/// Number of actions after which the creator of a live match without increment stops playing.
const LEAVES_AFTER: usize = 4;

/// Timeout for connecting, sending and receiving on a live connection, after which a person opens a new connection.
const SILENCE: Duration = Duration::from_secs(5);

/// Maximum time, in milliseconds, for which a server accepts actions after the server's last stored heartbeat.
const MOST_UNNOTED: i64 = 2_500;

/// Maximum difference, in milliseconds, between the times that two servers take as the end of one downtime. A server
/// that finds the end early accepts actions before the end that another server has credited.
const MOST_APART: i64 = 250;

/// Numbers of actions that precede the second and each later game of a match, keyed by match id.
type Opens = Arc<Mutex<BTreeMap<String, Vec<usize>>>>;

/// Matches with clocks that pairs of simulated persons play.
pub(crate) struct Games {
    opens: Opens,
}

/// Statistics of the matches with clocks: the numbers of matches, actions, losses on time and time credits, and the
/// total credited time.
#[derive(Debug, Default)]
pub(crate) struct Clocked {
    live_matches: usize,
    matches_by_days: usize,
    actions: usize,
    flags: usize,
    credits: usize,
    credited_ms: i64,
}

impl Clocked {
    /// Returns whether the test run had live matches, correspondence matches, enough actions, and a loss on time.
    pub(crate) fn is_enough(&self) -> bool {
        self.live_matches > 1 && self.matches_by_days > 0 && self.actions > 100 && self.flags > 0
    }
}

/// Running match, with the cookie of the person who plays the match over live connections.
struct Begun {
    id: String,
    number: u64,
    cookie: String,
}

impl Games {
    /// Starts pairs of simulated persons, who play matches with clocks until the test run stops.
    pub(crate) fn start(cluster: &Cluster, players: &mut Players, seed: u64) -> Self {
        let opens = Opens::default();
        let mut random = Rng::with_seed(seed);
        for clock in PAIRS {
            let runtime = cluster.runtime().handle().clone();
            let (addresses, forked) = (cluster.addresses(), random.fork());
            players.add_pair(cluster, random.fork(), |mut first, progress| {
                let (tell, begun) = channel();
                let live = Live {
                    addresses,
                    random: forked,
                    stop: Arc::clone(&first.stop),
                    progress,
                    history: History::default(),
                };
                let opens = Arc::clone(&opens);
                let first = thread::spawn(move || {
                    for number in 1.. {
                        if play(&mut first, number, clock, &tell, &opens).is_none() {
                            break;
                        }
                    }
                    first.finish()
                });
                [first, thread::spawn(move || live.play_all(&begun, &runtime))]
            });
        }
        Self { opens }
    }

    /// Recomputes the clocks of all matches from the logs, and appends each inconsistency to the list `contradictions`. A downtime in which
    /// a server accepted an action must not be credited.
    pub(crate) fn check(&self, cluster: &Cluster, contradictions: &mut Vec<String>) -> Clocked {
        let opens = self.opens.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = cluster.rows(
            "SELECT match_id, clock, sequence, player, kind, at_ms, given_ms
             FROM log JOIN matches ON id = match_id WHERE clock IS NOT NULL ORDER BY match_id, sequence",
        );
        let mut logs: BTreeMap<(String, String), Vec<ClockRow>> = BTreeMap::new();
        for row in rows {
            let [id, clock, sequence, player, kind, at_ms, given_ms] = row.try_into().unwrap();
            let row = ClockRow::of_columns([sequence, player, kind, at_ms, given_ms]);
            logs.entry((id, clock)).or_default().push(row);
        }
        let mut clocked = Clocked::default();
        let is_action = |row: &&ClockRow| row.kind == "act";
        let mut actions: Vec<i64> =
            logs.values().flatten().filter(is_action).map(|row| row.at_ms).collect();
        actions.sort_unstable();
        clocked.actions = actions.len();
        for ((id, clock), log) in &logs {
            let credits: Vec<_> = log.iter().filter(|row| row.kind == "credit").collect();
            if clock == "1d" {
                clocked.matches_by_days += 1;
                if log.iter().any(|row| row.kind != "act" && row.kind != "join") {
                    contradictions.push(format!("a clock of days in {id}: {log:?}"));
                }
                continue;
            }
            clocked.live_matches += 1;
            let (base, increment) = clock.split_once('+').expect("a live clock");
            let [base, increment] = [base, increment].map(|text| text.parse::<i64>().unwrap());
            let opens = opens.get(id).map(Vec::as_slice).unwrap_or_default();
            let clocks = LiveClocks::of(log, (1_000 * base, 1_000 * increment), opens);
            contradictions.extend(clocks.contradictions.iter().map(|what| format!("{id}: {what}")));
            clocked.flags += usize::from(clocks.out_of_time.is_some());
            clocked.credits += credits.len();
            clocked.credited_ms += clocks.credited;
            for credit in credits {
                let from = credit.at_ms - credit.given_ms + MOST_UNNOTED;
                let place = actions.partition_point(|at| *at < from);
                if actions.get(place).is_some_and(|at| *at < credit.at_ms - MOST_APART) {
                    let at = actions[place];
                    contradictions
                        .push(format!("an action at {at} in a downtime: {id} {credit:?}"));
                }
            }
        }
        clocked
    }
}

/// Creates a match, and plays the match over HTTP as its creator. Returns `None` at the end of the test run.
fn play(
    person: &mut Wanderer,
    number: u64,
    clock: Option<(i64, i64)>,
    tell: &Sender<Begun>,
    opens: &Opens,
) -> Option<()> {
    let leaves = clock.is_some_and(|(_, increment)| increment == 0);
    let clock = match clock {
        Some((base, increment)) => json!({"kind": "live", "base": base, "increment": increment}),
        None => json!({"kind": "days", "days": 1}),
    };
    let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "lead": "me", "clock": clock});
    let (_, state) = person.ask_for("POST", "/api/v1/matches", &new, &[201])?;
    let id = state["id"].as_str().unwrap().to_owned();
    let token = state["invitation"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let own = std::mem::take(&mut person.client);
    let joined = join(person, &token);
    let cookie = std::mem::replace(&mut person.client, own).cookie;
    joined?;
    tell.send(Begun { id: id.clone(), number, cookie }).ok()?;
    let (mut acted, mut state) = (0, person.look(&id, 0)?);
    loop {
        note_opens(opens, &state);
        let after = state["sequence"].as_u64().unwrap();
        person.advance(number, after);
        if !state["result"].is_null() {
            return Some(());
        }
        let legal = state["current"]["legal"].as_array().unwrap();
        let action = person.random.choice(legal).map(|legal| legal["action"].as_str().unwrap());
        let Some(action) = action.filter(|_| !leaves || acted < LEAVES_AFTER) else {
            state = person.look(&id, after)?;
            continue;
        };
        acted += 1;
        let (client_id, action) = (next_client_id(), action.to_owned());
        let act = json!({"sequence": after, "action": action, "client_id": client_id});
        let path = format!("/api/v1/matches/{id}/actions");
        let answer = person.ask_for("POST", &path, &act, &[200, 409]);
        let is_stored = answer.as_ref().is_some_and(|(status, _)| *status == 200);
        let acknowledged = is_stored.then(Instant::now);
        let match_id = id.clone();
        person.history.attempts.push(Attempt { match_id, client_id, after, action, acknowledged });
        state = match answer? {
            (200, next) => {
                person.note(&next, None);
                next
            }
            // The server refuses an action of a player who has already lost on time.
            _ => person.look(&id, 0)?,
        };
    }
}

/// Creates a new browser identity for the client, and joins a match in its open seat under this identity.
fn join(person: &mut Wanderer, token: &str) -> Option<()> {
    person.ask_for("POST", "/api/v1/identity", &Value::Null, &[204])?;
    let path = format!("/api/v1/invitations/{token}");
    person.ask_for("POST", &path, &json!({}), &[200]).map(drop)
}

/// Stores, for the second and each later game of a match, the number of actions in all earlier games.
fn note_opens(opens: &Opens, state: &Value) {
    let starts = later_games(state);
    let mut all = opens.lock().unwrap_or_else(PoisonError::into_inner);
    let known = all.entry(state["id"].as_str().unwrap().to_owned()).or_default();
    if known.len() < starts.len() {
        *known = starts;
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Simulated person who plays over live connections to randomly chosen servers.
struct Live {
    addresses: Arc<[String]>,
    random: Rng,
    stop: Arc<std::sync::atomic::AtomicBool>,
    progress: Progress,
    history: History,
}

impl Live {
    /// Plays all matches that arrive through `begun`, one after another, against the simulated person who created each match.
    fn play_all(mut self, begun: &Receiver<Begun>, runtime: &Handle) -> (History, Refusals) {
        while let Ok(begun) = begun.recv() {
            runtime.block_on(self.play(&begun));
        }
        (self.history, Refusals::default())
    }

    /// Plays a match to its end. The person connects again after each end of a connection.
    async fn play(&mut self, begun: &Begun) {
        let mut pending = None;
        while !self.stop.load(Ordering::Relaxed) {
            let place = self.random.usize(..self.addresses.len());
            let address = self.addresses[place].clone();
            if let Some(mut socket) = self.connect(&address, begun).await
                && self.converse(&mut socket, begun, &mut pending).await.is_some()
            {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        self.history.attempts.extend(pending);
    }

    async fn connect(&self, address: &str, begun: &Begun) -> Option<Socket> {
        let path = format!("ws://{address}/api/v1/matches/{}/live", begun.id);
        let mut request = path.into_client_request().unwrap();
        request.headers_mut().insert("cookie", begun.cookie.parse().unwrap());
        let (mut socket, _) = timeout(SILENCE, connect_async(request)).await.ok()?.ok()?;
        say(&mut socket, &json!({"t": "hello", "have": null})).await?;
        Some(socket)
    }

    /// Plays a match over a live connection until the connection or the match ends. `pending` holds an action without an answer. Returns
    /// `None` if the connection has ended.
    async fn converse(
        &mut self,
        socket: &mut Socket,
        begun: &Begun,
        pending: &mut Option<Attempt>,
    ) -> Option<()> {
        let mut games: Vec<Value> = Vec::new();
        let mut is_sent = false;
        loop {
            let message = self.next(socket).await?;
            match message["t"].as_str() {
                Some("state" | "changed") => {
                    let mut state = message["state"].clone();
                    // A message of a live connection omits the finished games that the client already has.
                    let from = state["finished_from"].as_u64().unwrap_or(0);
                    games.truncate(usize::try_from(from).unwrap());
                    games.extend(state["finished"].as_array().unwrap().iter().cloned());
                    state["finished"] = Value::Array(games.clone());
                    self.history.told.push(told(&state, None));
                    let after = state["sequence"].as_u64().unwrap();
                    advance(&self.progress, begun.number, after);
                    if !state["result"].is_null() {
                        return Some(());
                    }
                    let legal = state["current"]["legal"].as_array().unwrap();
                    if pending.is_none()
                        && let Some(legal) = self.random.choice(legal)
                    {
                        *pending = Some(Attempt {
                            match_id: begun.id.clone(),
                            client_id: next_client_id(),
                            after,
                            action: legal["action"].as_str().unwrap().to_owned(),
                            acknowledged: None,
                        });
                        is_sent = false;
                    }
                    // The person sends an unacknowledged action again over each new connection.
                    if let Some(attempt) = pending
                        && !is_sent
                    {
                        is_sent = true;
                        let Attempt { client_id, after, action, .. } = attempt;
                        let act = json!({"t": "act", "sequence": after, "action": action, "client_id": client_id});
                        say(socket, &act).await?;
                    }
                }
                Some("ack") => {
                    let mut attempt = pending.take()?;
                    assert_eq!(message["client_id"], attempt.client_id);
                    attempt.acknowledged = Some(Instant::now());
                    self.history.attempts.push(attempt);
                }
                Some("problem") if message["problem"]["status"] == 409 => {
                    // The server refuses an action of a player who has already lost on time. The attempt remains without an
                    // acknowledgement.
                    self.history.attempts.extend(pending.take());
                    return None;
                }
                Some("problem") => {
                    let status = message["problem"]["status"].as_u64().unwrap();
                    assert!(status >= 500, "{message}");
                    return None;
                }
                _ => {}
            }
        }
    }

    /// Returns the next message of a live connection in JSON, or `None` if the connection or the test run ends.
    async fn next(&self, socket: &mut Socket) -> Option<Value> {
        let begin = Instant::now();
        while begin.elapsed() < SILENCE && !self.stop.load(Ordering::Relaxed) {
            let Ok(message) = timeout(10 * PAUSE, socket.next()).await else { continue };
            match message? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
        None
    }
}

async fn say(socket: &mut Socket, message: &Value) -> Option<()> {
    let sent = timeout(SILENCE, socket.send(Message::text(message.to_string()))).await;
    sent.ok()?.ok()
}
