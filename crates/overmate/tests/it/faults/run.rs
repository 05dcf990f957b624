//! Runs a test cluster behind proxies, with clients that play and watch matches, and injects
//! faults.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::{Value, json};
use test_postgres::history::{Attempt, CLIENT_ID, History, LogRow, Told};
use test_postgres::{Nats, Postgres};
use tokio::runtime::Runtime;

use super::proxy::{Link, Proxy, Target};
use crate::serve::{HttpClient, ServerProcess, persons, played};
use crate::support::{Home, shift_clock};

/// Timeout after which a test run counts as hanging.
const HANG: Duration = Duration::from_mins(2);

/// Delay before the retry of an unanswered request.
pub(super) const PAUSE: Duration = Duration::from_millis(20);

/// File name of the Unix socket of PostgreSQL.
const SOCKET: &str = ".s.PGSQL.5432";

/// Fault that a test injects into a server, into the connections of a server, into the database, or into NATS.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// Kills the server with SIGKILL.
    Kill,
    /// Terminates the server gracefully with SIGTERM.
    Terminate,
    /// Suspends the server process with SIGSTOP, until the test resumes the process.
    Freeze,
    /// Cuts the server's connections to the database.
    CutDatabase,
    /// Stalls the data between the server and the database.
    StallDatabase,
    /// Delays the data between the server and the database.
    SlowDatabase,
    /// Cuts the clients' connections to the server.
    CutClients,
    /// Stalls the data between the clients and the server.
    StallClients,
    /// Delays the data between the clients and the server.
    SlowClients,
    /// Crashes the database without a checkpoint, and restarts the database.
    CrashDatabase,
    /// Discards all data that the database sends to the server, as a network failure would. The database still executes the statements.
    HalfOpenDatabase,
    /// Discards all data that the server sends to the clients, as a network failure would. The server still executes the requests.
    HalfOpenClients,
    /// Cuts the server's connection to NATS.
    CutNotices,
    /// Stalls the data between the server and NATS.
    StallNotices,
    /// Discards all data that NATS sends to the server, as a network failure would. NATS still passes on the notices of the server.
    HalfOpenNotices,
    /// Cuts the server's connections to the database and to NATS.
    CutDatabaseAndNotices,
    /// Kills the NATS server, which the test restarts later.
    KillNats,
}

impl Fault {
    pub(crate) const ALL: [Self; 17] = [
        Self::Kill,
        Self::Terminate,
        Self::Freeze,
        Self::CutDatabase,
        Self::StallDatabase,
        Self::SlowDatabase,
        Self::CutClients,
        Self::StallClients,
        Self::SlowClients,
        Self::CrashDatabase,
        Self::HalfOpenDatabase,
        Self::HalfOpenClients,
        Self::CutNotices,
        Self::StallNotices,
        Self::HalfOpenNotices,
        Self::CutDatabaseAndNotices,
        Self::KillNats,
    ];
}

/// Server of the test cluster. All connections of the server go through proxies.
struct Node {
    /// Running server process, or `None` after the end of the process.
    process: Option<ServerProcess>,
    /// Path of the older binary that the server runs, or `None` for the tested binary.
    older: Option<PathBuf>,
    clients: Proxy,
    database: Proxy,
    notices: Proxy,
    /// Address of the proxy through which the server reaches the database.
    url: String,
    /// Address of the proxy through which the server reaches NATS.
    nats: String,
    /// Whether the server's clock is one minute fast.
    is_ahead: bool,
    is_frozen: bool,
}

/// Cluster of three servers on one database and one NATS server. All connections go through proxies.
pub(crate) struct Cluster {
    nodes: Vec<Node>,
    /// Addresses at which clients reach the servers.
    addresses: Arc<[String]>,
    postgres: Postgres,
    nats: Nats,
    database: String,
    home: Home,
    runtime: Runtime,
}

impl Cluster {
    pub(crate) const NODES: usize = 3;

    /// Starts a cluster of servers from the tested binary. The clock of the last server is one
    /// minute fast.
    pub(crate) fn start() -> Self {
        Self::start_older(None)
    }

    /// Starts a cluster of servers from the binary `older`, or from the tested binary if `older` is `None`.
    pub(crate) fn start_older(older: Option<&Path>) -> Self {
        let runtime = Runtime::new().unwrap();
        let (postgres, nats, home) = (Postgres::start(), Nats::start(), Home::new());
        let database = postgres.database();
        let (url, folder) = database.split_once("host=").unwrap();
        let mut nodes = Vec::new();
        let mut addresses = Vec::new();
        for number in 0..Self::NODES {
            let side = home.path(&format!("database-{number}"));
            std::fs::create_dir(&side).unwrap();
            let socket = Target::Unix(Path::new(folder).join(SOCKET));
            let database = Proxy::on_socket(&runtime, &side.join(SOCKET), socket);
            let (clients, address) = Proxy::on_port(&runtime, Target::Tcp(String::new()));
            addresses.push(address.to_string());
            let (notices, address) = Proxy::on_port(&runtime, Target::Tcp(nats.host()));
            let url = format!("{url}host={}", side.display());
            let nats = nats.address().replace(&nats.host(), &address.to_string());
            let is_ahead = number == Self::NODES - 1;
            nodes.push(Node {
                process: None,
                older: older.map(Path::to_owned),
                clients,
                database,
                notices,
                url,
                nats,
                is_ahead,
                is_frozen: false,
            });
        }
        for node in &mut nodes {
            node.start(&home);
        }
        let addresses = addresses.into();
        Self { nodes, addresses, postgres, nats, database, home, runtime }
    }

    /// Injects a fault into the server with the index `node`, or into the database or NATS, which all servers share.
    pub(crate) fn inject(&mut self, fault: Fault, node: usize) {
        let late = Link::Slow(Duration::from_millis(30));
        let node = &mut self.nodes[node];
        match fault {
            Fault::Kill => node.end("-KILL"),
            Fault::Terminate => node.end("-TERM"),
            Fault::Freeze => {
                node.signal("-STOP");
                node.is_frozen = true;
            }
            Fault::CutDatabase => node.database.set(Link::Cut),
            Fault::StallDatabase => node.database.set(Link::Stalled),
            Fault::SlowDatabase => node.database.set(late),
            Fault::CutClients => node.clients.set(Link::Cut),
            Fault::StallClients => node.clients.set(Link::Stalled),
            Fault::SlowClients => node.clients.set(late),
            Fault::CrashDatabase => self.postgres.crash_and_restart(),
            Fault::HalfOpenDatabase => node.database.set(Link::HalfOpen),
            Fault::HalfOpenClients => node.clients.set(Link::HalfOpen),
            Fault::CutNotices => node.notices.set(Link::Cut),
            Fault::StallNotices => node.notices.set(Link::Stalled),
            Fault::HalfOpenNotices => node.notices.set(Link::HalfOpen),
            Fault::CutDatabaseAndNotices => {
                node.database.set(Link::Cut);
                node.notices.set(Link::Cut);
            }
            Fault::KillNats => self.nats.kill(),
        }
    }

    /// Ends all injected faults.
    pub(crate) fn heal(&mut self) {
        if !self.nats.is_running() {
            self.nats.restart();
        }
        for node in &mut self.nodes {
            node.database.set(Link::Open);
            node.clients.set(Link::Open);
            node.notices.set(Link::Open);
            if node.is_frozen {
                node.signal("-CONT");
                node.is_frozen = false;
            }
            if node.process.is_none() {
                node.start(&self.home);
            }
        }
    }

    /// Stops a server gracefully, and starts the tested binary in its place.
    pub(crate) fn replace(&mut self, node: usize) {
        let node = &mut self.nodes[node];
        node.signal("-TERM");
        let process = node.process.take();
        assert!(process.expect("the server runs").child.wait().unwrap().success());
        node.older = None;
        node.start(&self.home);
    }

    /// Returns the schema version of the cluster's database.
    pub(crate) fn schema(&self) -> String {
        let rows = self.postgres.rows(&self.database, "SELECT max(version) FROM _sqlx_migrations");
        rows.concat().concat()
    }

    /// Returns the addresses at which clients reach the servers.
    pub(crate) fn addresses(&self) -> Arc<[String]> {
        Arc::clone(&self.addresses)
    }

    /// Returns the rows of an SQL query on the cluster's database.
    pub(crate) fn rows(&self, query: &str) -> Vec<Vec<String>> {
        self.postgres.rows(&self.database, query)
    }

    /// Returns the asynchronous runtime in which the network proxies of the cluster run.
    pub(crate) fn runtime(&self) -> &Runtime {
        &self.runtime
    }

    /// Returns the log rows of each match in the order of their sequence numbers, keyed by match id.
    pub(crate) fn logs(&self) -> BTreeMap<String, Vec<LogRow>> {
        let rows = self.postgres.rows(
            &self.database,
            "SELECT match_id, sequence, kind, detail, client_id FROM log ORDER BY match_id, sequence",
        );
        let mut logs: BTreeMap<String, Vec<LogRow>> = BTreeMap::new();
        for row in rows {
            let [id, sequence, kind, action, client_id] = row.try_into().unwrap();
            let sequence = sequence.parse().unwrap();
            logs.entry(id).or_default().push(LogRow { sequence, kind, action, client_id });
        }
        logs
    }
}

impl Node {
    /// Starts the server process. The log of the process goes to a file, because a full pipe would block the server.
    fn start(&mut self, home: &Home) {
        let args = ["serve", "--listen", "localhost:0", "--no-limits"];
        let mut command = match &self.older {
            Some(older) => home.command_of(older, args),
            None => home.command(args),
        };
        command.env("OVERMATE_DATABASE", &self.url).env("OVERMATE_EVENTS", &self.nats);
        command.stderr(File::options().append(true).create(true).open(home.path("log")).unwrap());
        if self.is_ahead {
            shift_clock(&mut command, "+60s");
        }
        let process = ServerProcess::of(command);
        self.clients.forward_to(Target::Tcp(process.address.clone()));
        self.process = Some(process);
    }

    fn signal(&self, signal: &str) {
        if let Some(process) = &self.process {
            process.signal(signal);
        }
    }

    /// Sends a signal to the server process, and waits for the end of the process. A frozen server is resumed, so that it can end.
    fn end(&mut self, signal: &str) {
        self.signal(signal);
        if self.is_frozen {
            self.signal("-CONT");
            self.is_frozen = false;
        }
        if let Some(mut process) = self.process.take() {
            process.child.wait().unwrap();
        }
    }
}

/// Progress of a client: the ordinal number of the client's current match, and the last sequence number of that match
/// that the client knows.
pub(super) type Progress = Arc<Mutex<(u64, u64)>>;

/// Number of retried requests, by the HTTP status of the refusal. The key 0 counts connections that ended without an answer.
pub(crate) type Refusals = BTreeMap<u16, u64>;

/// Returns a new client id for a request, unique in the test run.
pub(super) fn next_client_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{CLIENT_ID}{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Threads of the clients that play or watch matches.
pub(crate) struct Players {
    stop: Arc<AtomicBool>,
    /// Number of acknowledged actions in matches that one client plays alone or against the computer. Actions in
    /// matches between two clients are not counted.
    acknowledged: Arc<AtomicUsize>,
    /// Progress of each client that plays matches, paired with the progress of the client that watches these matches.
    progress: Vec<(Progress, Progress)>,
    threads: Vec<JoinHandle<(History, Refusals)>>,
}

/// Client that sends each request to a random server.
pub(super) struct Wanderer {
    pub(super) client: HttpClient,
    pub(super) random: Rng,
    addresses: Arc<[String]>,
    pub(super) stop: Arc<AtomicBool>,
    acknowledged: Arc<AtomicUsize>,
    progress: Progress,
    refusals: Refusals,
    pub(super) history: History,
}

/// Match that a watching client follows, with the identity of the playing client.
struct Followed {
    client: HttpClient,
    id: String,
    number: u64,
}

impl Players {
    /// Starts `matches` clients that play matches, and as many clients that watch these matches. Every second playing client plays
    /// against the computer.
    pub(crate) fn start(cluster: &Cluster, matches: usize, seed: u64) -> Self {
        let (stop, acknowledged) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let mut progress = Vec::new();
        let mut threads = Vec::new();
        let mut random = Rng::with_seed(seed);
        for number in 0..matches {
            let (follow, followed) = channel();
            let mut wanderer = || Wanderer::new(cluster, &stop, &acknowledged, random.fork());
            let (mut player, mut watcher) = (wanderer(), wanderer());
            progress.push((Arc::clone(&player.progress), Arc::clone(&watcher.progress)));
            threads.push(thread::spawn(move || {
                player.play(number, &follow);
                (player.history, player.refusals)
            }));
            threads.push(thread::spawn(move || {
                watcher.watch(&followed);
                (watcher.history, watcher.refusals)
            }));
        }
        Self { stop, acknowledged, progress, threads }
    }

    /// Starts two clients that play matches against each other. The function `start` receives the first client, which
    /// sends its requests to random servers, and the shared progress of the second client.
    pub(super) fn add_pair(
        &mut self,
        cluster: &Cluster,
        random: Rng,
        start: impl FnOnce(Wanderer, Progress) -> [JoinHandle<(History, Refusals)>; 2],
    ) {
        let first = Wanderer::new(cluster, &self.stop, &self.acknowledged, random);
        let second = Progress::default();
        self.progress.push((Arc::clone(&first.progress), Arc::clone(&second)));
        self.threads.extend(start(first, second));
    }

    /// Waits until the servers have acknowledged `number` actions since the start of the clients. A fixed pause could be too short on a
    /// busy machine.
    pub(crate) fn wait_until_acknowledged(&self, number: usize) {
        let begin = Instant::now();
        while self.acknowledged.load(Ordering::Relaxed) < number {
            assert!(begin.elapsed() < HANG, "the servers never acknowledge {number} actions");
            assert!(self.threads.iter().all(|thread| !thread.is_finished()), "a client failed");
            thread::sleep(PAUSE);
        }
    }

    /// Waits until each watching client knows the latest state of the watched match. Returns the duration of the wait.
    pub(crate) fn wait_until_all_watchers_know(&self) -> Duration {
        let begin = Instant::now();
        let known: Vec<_> = self.progress.iter().map(|(player, _)| read(player)).collect();
        for ((_, watcher), known) in self.progress.iter().zip(known) {
            while read(watcher) < known {
                assert!(begin.elapsed() < HANG, "a watcher never learns of {known:?}");
                assert!(self.threads.iter().all(|thread| !thread.is_finished()), "a client failed");
                thread::sleep(Duration::from_millis(2));
            }
        }
        begin.elapsed()
    }

    /// Stops all clients. Returns their history, and the number of refused requests by HTTP status.
    pub(crate) fn stop(self) -> (History, Refusals) {
        self.stop.store(true, Ordering::Relaxed);
        let (mut all, mut refusals) = (History::default(), Refusals::default());
        for thread in self.threads {
            let (history, refused) = thread.join().unwrap();
            all.attempts.extend(history.attempts);
            all.told.extend(history.told);
            for (status, number) in refused {
                *refusals.entry(status).or_default() += number;
            }
        }
        (all, refusals)
    }
}

/// Converts a match state that a server has sent to a client into an entry for the history of the test run. `asked` is the time of the
/// request, if the response must show all log entries that were known at that time.
pub(super) fn told(state: &Value, asked: Option<Instant>) -> Told {
    Told {
        match_id: state["id"].as_str().unwrap().to_owned(),
        sequence: state["sequence"].as_u64().unwrap(),
        actions: played(state),
        persons: persons(state),
        asked,
        answered: Instant::now(),
    }
}

pub(super) fn advance(progress: &Progress, number: u64, sequence: u64) {
    *progress.lock().unwrap_or_else(PoisonError::into_inner) = (number, sequence);
}

fn read(progress: &Progress) -> (u64, u64) {
    *progress.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wanderer {
    fn new(
        cluster: &Cluster,
        stop: &Arc<AtomicBool>,
        acknowledged: &Arc<AtomicUsize>,
        random: Rng,
    ) -> Self {
        Self {
            client: HttpClient::default(),
            random,
            addresses: Arc::clone(&cluster.addresses),
            stop: Arc::clone(stop),
            acknowledged: Arc::clone(acknowledged),
            progress: Progress::default(),
            refusals: Refusals::default(),
            history: History::default(),
        }
    }

    /// Returns the client's history (requests and received match states), and the number of refused requests by HTTP status.
    pub(super) fn finish(self) -> (History, Refusals) {
        (self.history, self.refusals)
    }

    /// Plays one match after another until the test run stops. The watching client is notified of each match.
    fn play(&mut self, player: usize, follow: &Sender<Followed>) {
        let opponent = if player.is_multiple_of(2) {
            json!({"kind": "both"})
        } else {
            json!({"kind": "level", "level": 1})
        };
        let new = json!({"rules": "bga", "opponent": opponent, "lead": "me"});
        for number in 1.. {
            let Some(mut state) = self.ask("POST", "/api/v1/matches", &new, 201) else { break };
            let id = state["id"].as_str().unwrap().to_owned();
            let client = self.client.clone();
            follow.send(Followed { client, id: id.clone(), number }).unwrap();
            while state["result"].is_null() {
                let after = state["sequence"].as_u64().unwrap();
                self.advance(number, after);
                let legal = &state["current"]["legal"][0]["action"];
                let Some(action) = legal.as_str().map(str::to_owned) else {
                    // A state without legal actions means that the computer opponent is to act.
                    let Some(next) = self.look(&id, after) else { return };
                    state = next;
                    continue;
                };
                let client_id = next_client_id();
                let path = format!("/api/v1/matches/{id}/actions");
                let act = json!({"sequence": after, "action": action, "client_id": client_id});
                let answer = self.ask("POST", &path, &act, 200);
                let acknowledged = answer.as_ref().map(|_| Instant::now());
                let match_id = id.clone();
                self.history.attempts.push(Attempt {
                    match_id,
                    client_id,
                    after,
                    action,
                    acknowledged,
                });
                let Some(next) = answer else { return };
                self.acknowledged.fetch_add(1, Ordering::Relaxed);
                self.note(&next, None);
                state = next;
            }
            self.advance(number, state["sequence"].as_u64().unwrap());
        }
    }

    /// Watches each match of a playing client until the end of the match.
    fn watch(&mut self, followed: &Receiver<Followed>) {
        while let Ok(Followed { client, id, number }) = followed.recv() {
            self.client = client;
            let mut after = 0;
            loop {
                let Some(state) = self.look(&id, after) else { return };
                after = state["sequence"].as_u64().unwrap();
                self.advance(number, after);
                if !state["result"].is_null() {
                    break;
                }
            }
        }
    }

    /// Reads the state of a match from a randomly chosen server. The server may delay its answer until the sequence number of the match is
    /// greater than `after`.
    pub(super) fn look(&mut self, id: &str, after: u64) -> Option<Value> {
        let path = format!("/api/v1/matches/{id}?after={after}&wait=20");
        let asked = Instant::now();
        let state = self.ask("GET", &path, &Value::Null, 200)?;
        self.note(&state, Some(asked));
        Some(state)
    }

    /// Sends a request to random servers until a server responds with the expected status. Returns `None` if the test run ends
    /// first.
    fn ask(&mut self, method: &str, path: &str, body: &Value, expected: u16) -> Option<Value> {
        self.ask_for(method, path, body, &[expected]).map(|(_, answer)| answer)
    }

    /// Sends a request to random servers until a server responds with one of the expected statuses. Returns `None` if the test run
    /// ends first.
    pub(super) fn ask_for(
        &mut self,
        method: &str,
        path: &str,
        body: &Value,
        expected: &[u16],
    ) -> Option<(u16, Value)> {
        while !self.stop.load(Ordering::Relaxed) {
            let address = &self.addresses[self.random.usize(..self.addresses.len())];
            let refusal = match self.client.send(address, method, path, body) {
                Some(answer) if expected.contains(&answer.0) => return Some(answer),
                // A server responds with a status from 500 to 599 if it cannot reach the database or is about to stop.
                Some((status @ 500..600, _)) => status,
                None => 0,
                Some(other) => panic!("{method} {path} {body}: {other:?}"),
            };
            *self.refusals.entry(refusal).or_default() += 1;
            thread::sleep(PAUSE);
        }
        None
    }

    pub(super) fn advance(&self, number: u64, sequence: u64) {
        advance(&self.progress, number, sequence);
    }

    /// Adds the match state from a response to the history of the test run.
    pub(super) fn note(&mut self, state: &Value, asked: Option<Instant>) {
        self.history.told.push(told(state, asked));
    }
}
