//! Starts test servers, and provides test clients that send requests to the servers.

use std::future::Future;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use overmate_rules::{Game, Match, Record};
use overmate_server::wire::{Code, MadeCodes, MatchList, MatchView, PlayerWire, Problem};
use overmate_server::{Limits, Server, Settings, app};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use tower::ServiceExt as _;

/// Runs an asynchronous test on a new Tokio runtime.
pub(crate) fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test);
}

/// Server under test with its own database. The database folder is deleted when the value is dropped.
pub(crate) struct Table {
    pub(crate) server: Server,
    pub(crate) router: Router,
    pub(crate) folder: tempfile::TempDir,
}

impl Table {
    pub(crate) async fn new() -> Self {
        Self::with(|settings| settings).await
    }

    pub(crate) async fn with(change: impl FnOnce(Settings) -> Settings) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let server = open(folder.path(), change).await;
        Self { router: app(server.clone()), server, folder }
    }

    /// Opens a test server after the function `change` has changed the server's limits.
    pub(crate) async fn limited(change: impl FnOnce(&mut Limits)) -> Self {
        Self::with(|mut settings| {
            change(&mut settings.limits);
            settings
        })
        .await
    }

    /// Returns a test client without an identity cookie.
    pub(crate) fn browser(&self) -> Browser {
        Browser { router: self.router.clone(), cookie: None, address: None }
    }

    /// Returns a test client with a given IP address, but without an identity cookie. The client's
    /// header reports the address as a reverse proxy would.
    pub(crate) fn browser_at(&self, address: &str) -> Browser {
        Browser { address: Some(address.to_owned()), ..self.browser() }
    }

    /// Stops a test server, and opens a new server on the same data folder, like a restart of the process.
    pub(crate) async fn restart(self) -> Self {
        self.server.close().await;
        let server = open(self.folder.path(), |settings| settings).await;
        Self { router: app(server.clone()), server, folder: self.folder }
    }

    /// Opens a separate connection to the database of the test server.
    pub(crate) async fn connect(&self) -> SqliteConnection {
        let file = Server::database(self.folder.path());
        SqliteConnectOptions::new().filename(file).connect().await.expect("a database")
    }

    /// Executes an SQL statement on the database of the running server.
    pub(crate) async fn execute(&self, statement: &'static str) {
        let mut connection = self.connect().await;
        sqlx::query(statement).execute(&mut connection).await.expect("a valid statement");
        connection.close().await.expect("a connection");
    }

    /// Moves all log entries and deadlines of the test server into the past by a number of seconds, as if this time had passed. The
    /// last heartbeat of the servers is then `silence` seconds old.
    pub(crate) async fn let_pass(&self, seconds: i64, silence: i64) {
        let mut connection = self.connect().await;
        for (statement, value) in [
            ("UPDATE log SET at_ms = at_ms - 1000 * $1, at = at - $1", seconds),
            ("UPDATE matches SET deadline = deadline - 1000 * $1", seconds),
            ("UPDATE beats SET at = (unixepoch() - $1) * 1000", silence),
        ] {
            let statement = sqlx::query(statement).bind(value);
            statement.execute(&mut connection).await.expect("a valid statement");
        }
        connection.close().await.expect("a connection");
    }
}

async fn open(folder: &Path, change: impl FnOnce(Settings) -> Settings) -> Server {
    let mut settings = Settings::new(folder.to_owned());
    // In tests, an IP address has the same limits as a single browser, unless the test changes this setting.
    settings.limits = Limits {
        browsers_per_address: 1,
        refusal_time: Duration::ZERO,
        ..Limits::default().lifted()
    };
    Server::open(change(settings)).await.expect("a server")
}

/// Response of the server to a test client.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json<T: DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.text()))
    }

    #[track_caller]
    pub(crate) fn ok<T: DeserializeOwned>(self) -> T {
        assert!(self.status.is_success(), "{} {}", self.status, self.text());
        self.json()
    }

    /// Returns the error code of a problem response, and checks that the response has the form of RFC 9457.
    #[track_caller]
    pub(crate) fn code(&self) -> Code {
        assert!(!self.status.is_success(), "{}", self.text());
        assert_eq!(self.headers[header::CONTENT_TYPE], "application/problem+json");
        let problem: Problem = self.json();
        assert_eq!(problem.status, self.status.as_u16());
        assert!(!problem.detail.is_empty() && problem.request_id.is_some(), "{problem:?}");
        problem.code
    }
}

/// Test client of the server, with its identity cookie.
#[derive(Clone)]
pub(crate) struct Browser {
    router: Router,
    pub(crate) cookie: Option<String>,
    /// IP address that the client sends in the header `X-Forwarded-For`, or `None` for no such header.
    pub(crate) address: Option<String>,
}

impl Browser {
    /// Returns a test client of a server, without an identity cookie.
    pub(crate) fn of(server: &Server) -> Self {
        Self { router: app(server.clone()), cookie: None, address: None }
    }

    /// Returns a copy of this test client that has the same identity cookie, but sends its requests to another server on the
    /// same database.
    pub(crate) fn at(&self, server: &Server) -> Self {
        Self { router: app(server.clone()), ..self.clone() }
    }

    pub(crate) async fn send(&mut self, request: Request<Body>) -> Answer {
        let (mut parts, body) = request.into_parts();
        if let Some(cookie) = &self.cookie {
            parts.headers.insert(header::COOKIE, cookie.parse().expect("a header"));
        }
        if let Some(address) = &self.address {
            parts.headers.insert("x-forwarded-for", address.parse().expect("a header"));
        }
        let request = Request::from_parts(parts, body);
        let response = self.router.clone().oneshot(request).await.expect("never fails");
        let (parts, body) = response.into_parts();
        if let Some(cookie) = parts.headers.get(header::SET_COOKIE) {
            let text = cookie.to_str().expect("a text");
            self.cookie = text.split(';').next().map(str::to_owned);
        }
        let body = to_bytes(body, usize::MAX).await.expect("a body").to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        let request = Request::get(path).body(Body::empty());
        self.send(request.expect("a request")).await
    }

    /// Returns the Prometheus metrics of the test process in the form in which a server's metrics listener sends them.
    pub(crate) async fn metrics(server: &Server) -> String {
        let router = overmate_server::metrics_app(server.clone());
        Self { router, cookie: None, address: None }.get("/metrics").await.text()
    }

    pub(crate) async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.change(Method::POST, path, body).await
    }

    pub(crate) async fn put(&mut self, path: &str, body: Value) -> Answer {
        self.change(Method::PUT, path, body).await
    }

    async fn change(&mut self, method: Method, path: &str, body: Value) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()));
        self.send(request.expect("a request")).await
    }

    /// Creates a match in which this test client leads first. The match has the deal 20010. If the server refuses this
    /// deal, because the client's person already plays it without help, the match has another deal.
    pub(crate) async fn begin(&mut self, rules: &str, opponent: Value) -> MatchView {
        let mut new = json!({"rules": rules, "opponent": opponent, "lead": "me", "deal": "20010"});
        let answer = self.post("/api/v1/matches", new.clone()).await;
        if answer.status.is_success() || answer.code() != Code::MatchRunning {
            return answer.ok();
        }
        new["deal"] = json!("20011");
        self.post("/api/v1/matches", new).await.ok()
    }

    pub(crate) async fn look(&mut self, id: &str) -> MatchView {
        self.get(&format!("/api/v1/matches/{id}")).await.ok()
    }

    pub(crate) async fn act(&mut self, state: &MatchView, action: &str) -> Answer {
        self.try_act(&state.id, state.sequence, action, &client_id()).await
    }

    pub(crate) async fn try_act(
        &mut self,
        id: &str,
        sequence: u64,
        action: &str,
        client_id: &str,
    ) -> Answer {
        let body = json!({"sequence": sequence, "action": action, "client_id": client_id});
        self.post(&format!("/api/v1/matches/{id}/actions"), body).await
    }

    /// Returns the sorted ids of the matches of the person to whom this test client belongs.
    pub(crate) async fn ids(&mut self) -> Vec<String> {
        let list: MatchList = self.get("/api/v1/matches").await.ok();
        let mut ids: Vec<String> = list.matches.into_iter().map(|summary| summary.id).collect();
        ids.sort();
        ids
    }

    /// Creates a linking code or recovery codes, with which other test clients sign in as the person of this client.
    pub(crate) async fn make_codes(&mut self, kind: &str) -> MadeCodes {
        self.post("/api/v1/me/codes", json!({"kind": kind, "name": "Test"})).await.ok()
    }

    /// Adds this test client to the browsers of the person who created a given linking or recovery code.
    pub(crate) async fn join(&mut self, code: &str) -> Answer {
        self.post("/api/v1/me/browsers", json!({"code": code})).await
    }

    /// Erases all data of the person to whom this test client belongs.
    pub(crate) async fn erase(&mut self) -> Answer {
        let request = Request::delete("/api/v1/me").body(Body::empty());
        self.send(request.expect("a request")).await
    }

    pub(crate) async fn delete(&mut self, path: &str) -> Answer {
        let request = Request::delete(path).body(Body::empty());
        self.send(request.expect("a request")).await
    }

    /// Sends the request `what` (such as `undo`) about a match. The only parameter of the request is a new client id.
    pub(crate) async fn ask(&mut self, id: &str, what: &str) -> Answer {
        self.post(&format!("/api/v1/matches/{id}/{what}"), json!({"client_id": client_id()})).await
    }

    /// Polls a match until its state satisfies a condition. Returns the state.
    pub(crate) async fn wait(&mut self, id: &str, what: impl Fn(&MatchView) -> bool) -> MatchView {
        let mut state = self.look(id).await;
        for _ in 0..100 {
            if what(&state) {
                return state;
            }
            let path = format!("/api/v1/matches/{id}?after={}&wait=5", state.sequence);
            state = self.get(&path).await.ok();
        }
        panic!("the match never meets the condition: {state:?}");
    }

    /// Downloads the game record of a match, and returns the match that the record describes.
    pub(crate) async fn record(&mut self, id: &str) -> Match {
        let text = self.get(&format!("/api/v1/matches/{id}/record")).await.text();
        Record::read(&text).expect("a record").played_match().clone()
    }

    /// Plays a match to its end as player A. The function `choose` selects player A's actions.
    pub(crate) async fn finish(
        &mut self,
        mut state: MatchView,
        mut choose: impl FnMut(&MatchView, &Game) -> String,
    ) -> MatchView {
        loop {
            let is_ready =
                |state: &MatchView| state.result.is_some() || turn(state) == Some(PlayerWire::A);
            state = self.wait(&state.id, is_ready).await;
            if state.result.is_some() {
                return state;
            }
            let action = choose(&state, self.record(&state.id).await.current());
            state = self.act(&state, &action).await.ok();
        }
    }
}

/// Returns the last action in the list of legal actions of a match state.
pub(crate) fn last_action(state: &MatchView, _: &Game) -> String {
    state.current.legal.last().expect("an action").action.clone()
}

/// Returns a client id (idempotency key) that no other request of this process has.
pub(crate) fn client_id() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("request-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Returns the player whose turn it is in a match, or `None` after the end of the match.
pub(crate) fn turn(state: &MatchView) -> Option<PlayerWire> {
    let seat = state.current.to_act?;
    let other = match state.current.first {
        PlayerWire::A => PlayerWire::B,
        PlayerWire::B => PlayerWire::A,
    };
    let is_first = seat == overmate_server::wire::SeatWire::First;
    Some(if is_first { state.current.first } else { other })
}

/// Creates a match between two new test clients. The first client leads.
pub(crate) async fn two(table: &Table, rules: &str) -> (Browser, Browser, MatchView) {
    let (mut host, mut guest) = (table.browser(), table.browser());
    let state = begin_between(&mut host, &mut guest, rules).await;
    (host, guest, state)
}

/// Creates a match between two given test clients. The first client leads.
pub(crate) async fn begin_between(
    host: &mut Browser,
    guest: &mut Browser,
    rules: &str,
) -> MatchView {
    let state = host.begin(rules, json!({"kind": "friend"})).await;
    let token = state.invitation.clone().expect("an invitation");
    let token = token.trim_start_matches("/join/");
    let path = format!("/api/v1/invitations/{token}");
    guest.post(&path, json!({"name": "Guest"})).await.ok()
}

/// Plays a match between two test clients with the first legal actions, until `games` games are over.
pub(crate) async fn play_out(
    host: &mut Browser,
    guest: &mut Browser,
    id: &str,
    games: usize,
) -> MatchView {
    play_by(host, guest, id, games, |_, _| 0).await
}

/// Plays a match between two test clients with the actions that `choose` selects, until `games` games are over.
/// `choose` gets the player whose turn it is (A is the host) and the number of legal actions, and returns the index of
/// the chosen action.
pub(crate) async fn play_by(
    host: &mut Browser,
    guest: &mut Browser,
    id: &str,
    games: usize,
    choose: impl Fn(PlayerWire, usize) -> usize,
) -> MatchView {
    let mut state = host.look(id).await;
    while state.result.is_none() && state.finished.len() < games {
        let player = turn(&state).expect("a player to act");
        let browser = if player == PlayerWire::A { &mut *host } else { &mut *guest };
        let seen = browser.look(id).await;
        let legal = &seen.current.legal;
        state = browser.act(&seen, &legal[choose(player, legal.len())].action).await.ok();
    }
    state
}

/// Number of seconds in a day.
pub(crate) const DAY: i64 = 24 * 60 * 60;

/// Returns the current Unix time in seconds.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970");
    i64::try_from(since.as_secs()).expect("a time before 9999")
}

/// Timeout for operations that normally complete immediately. Only a hanging test reaches the limit.
pub(crate) const SOON: Duration = Duration::from_secs(10);
