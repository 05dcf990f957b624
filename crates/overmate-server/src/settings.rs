//! Defines the settings and limits that the operator of a server chooses.

use std::time::Duration;

use crate::database::Database;
use crate::notice_channel::NoticeChannel;

/// Work that a server does for the other servers on its database.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum ServerRole {
    /// The server answers requests, and does background work: turns of computer opponents, and the removal of expired data.
    #[default]
    All,
    /// The server answers requests, and leaves background work to servers with another role.
    Web,
    /// The server does background work, and answers only `/healthz` and `/readyz`.
    Worker,
}

/// Settings with which a server is opened.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Database that holds the matches.
    pub database: Database,
    /// Way on which servers that share the database tell each other of changes; `None` for `LISTEN` and `NOTIFY` with PostgreSQL, and none with SQLite.
    pub events: Option<NoticeChannel>,
    /// Work that the server does for the other servers on its database. With SQLite the server does all work.
    pub role: ServerRole,
    /// Web origins, besides the server's own, whose pages may send requests that change matches, such as `https://mate.example`.
    pub origins: Vec<String>,
    /// Host names at which browsers may reach the server, besides IP addresses, names of the local network, and the hosts of `origins`. Without a
    /// name here, a server behind a proxy answers for every host name, because the proxy chooses the names.
    pub hosts: Vec<String>,
    /// Whether clients reach the server through a reverse proxy, so that their addresses are read from its headers. Limits then hold for the last
    /// address in `X-Forwarded-For` or, without that header, in `Forwarded`.
    pub behind_proxy: bool,
    /// Lines of the operator's list of words that names may not contain, where `word` refuses a whole word, `*word*` a text anywhere in a name.
    pub refused_words: Vec<String>,
    /// Limits on requests and connections of clients.
    pub limits: Limits,
    /// Longest time for which a database write waits for the lock of another process before the write fails.
    pub patience: Duration,
    /// Number of database commits after which the process aborts before it acknowledges the last commit. Only tests of durability set this field.
    pub die_after_commits: Option<u64>,
}

impl Settings {
    /// Returns the default settings for a server with the given database, or with SQLite in the given data folder.
    #[must_use]
    pub fn new(database: impl Into<Database>) -> Self {
        Self {
            database: database.into(),
            events: None,
            role: ServerRole::All,
            origins: Vec::new(),
            hosts: Vec::new(),
            behind_proxy: false,
            refused_words: Vec::new(),
            limits: Limits::default(),
            patience: Duration::from_secs(5),
            die_after_commits: None,
        }
    }
}

/// Limits on the requests and connections of clients.
///
/// A client is a browser, which is known by its cookie. An IPv4 address or an IPv6 network of 64 bits has the limits of
/// [`browsers_per_address`](Self::browsers_per_address) clients together, an IPv6 network of 56 bits those of twice as many, and a network of 48
/// bits those of four times as many. A request without a cookie counts for its address and networks only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Factor by which the limits of an IP address exceed the limits of a client, so that a school
    /// behind one address can play.
    pub browsers_per_address: u32,
    /// Factor by which the limit of the whole site on dear requests (analyses, new matches and codes) exceeds the limit of an address, or `None` without a
    /// limit. Beyond it the server refuses those who have not played before.
    pub addresses_on_site: Option<u32>,
    /// Largest average number of requests a second, for each client, or `None` without a limit.
    pub requests_per_second: Option<u32>,
    /// Largest number of requests that each client may send at once after a pause.
    pub requests_at_once: u32,
    /// Largest number of analyses, reviews and hints a minute, for each client, or `None` without a limit.
    pub analyses_per_minute: Option<u32>,
    /// Largest number of new matches an hour, for each client, or `None` without a limit.
    pub matches_per_hour: Option<u32>,
    /// Largest number of codes an hour that each client may make and try, to add a browser to a person, together with the passwords that the client tries and the
    /// handles that it wants, or `None` without a limit.
    pub codes_per_hour: Option<u32>,
    /// Largest number of passwords an hour that all clients together may try with one handle, or `None` without a limit.
    pub sign_ins_per_hour: Option<u32>,
    /// Largest number of open live connections (WebSocket connections for match updates), for each client, or `None` without a limit.
    pub connections_per_client: Option<u32>,
    /// Largest number of open live connections (WebSocket connections for match updates) of all clients together.
    pub connections: usize,
    /// Largest number of open TCP connections that are not live connections, for each client, or `None` without a limit. A new connection has no
    /// cookie yet, so it counts for its address and networks only. Behind a proxy this limit does not apply, because all connections are the proxy's.
    pub sockets_per_client: Option<u32>,
    /// Largest number of open TCP connections, without live connections, of all clients together.
    pub sockets: usize,
    /// Time limit for receiving the head of a request, on a new connection and between requests.
    pub head_time: Duration,
    /// Largest size of a request body, in bytes.
    pub body_bytes: usize,
    /// Largest size, in bytes, of a message that a client sends on a live connection.
    pub message_bytes: usize,
    /// Delay of the refusal of a request beyond the rate limit, which slows down a client that
    /// repeats the request at once.
    pub refusal_time: Duration,
    /// Number of unreadable messages after which a live connection is closed. As many messages in a row beyond the rate limit
    /// also close the connection.
    pub faulty_messages: u32,
    /// Time for which a write waits for a client that does not read, before the connection is closed.
    pub write_time: Duration,
    /// Time limit for the server's answer to a request.
    pub request_time: Duration,
    /// Number of log entries from which a match accepts no more undos and hints. The remaining actions are always taken.
    pub log_entries: u64,
    /// Largest number of undos in each game of a match.
    pub undos_per_game: usize,
    /// Largest number of unfinished matches in which a browser holds a seat, among them its unused invitations, or `None` without a limit.
    pub unfinished_matches: Option<u32>,
    /// Largest number of matches, unfinished and finished, in which a browser holds a seat, or `None` without a limit.
    pub kept_matches: Option<u32>,
    /// Time for which an unfinished match is kept after its last action.
    pub unfinished_match_time: Duration,
    /// Time for which a match without an action by a person is kept after its creation.
    pub empty_match_time: Duration,
    /// Time for which an unused invitation is kept after the creation of its match. The match expires with the invitation.
    pub invitation_time: Duration,
    /// Number of days after the end of a match after which its log is folded into one row, or `None` if logs are never folded.
    pub fold_days: Option<u32>,
    /// Time for which an act of an operator is kept in the operators' log.
    pub operator_log_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            browsers_per_address: 8,
            addresses_on_site: Some(16),
            requests_per_second: Some(20),
            requests_at_once: 200,
            analyses_per_minute: Some(120),
            matches_per_hour: Some(120),
            codes_per_hour: Some(20),
            sign_ins_per_hour: Some(60),
            connections_per_client: Some(60),
            connections: 20_000,
            sockets_per_client: Some(50),
            sockets: 20_000,
            head_time: Duration::from_secs(20),
            body_bytes: 256 * 1_024,
            message_bytes: 4 * 1_024,
            refusal_time: Duration::from_millis(500),
            faulty_messages: 10,
            write_time: Duration::from_secs(20),
            request_time: Duration::from_secs(30),
            log_entries: 2_000,
            undos_per_game: 100,
            unfinished_matches: Some(100),
            kept_matches: Some(10_000),
            unfinished_match_time: Duration::from_hours(90 * 24),
            empty_match_time: Duration::from_hours(24),
            invitation_time: Duration::from_hours(30 * 24),
            fold_days: Some(30),
            operator_log_time: Duration::from_hours(365 * 24),
        }
    }
}

impl Limits {
    /// Returns a copy of the limits in which each client is unlimited, and limits for all clients together stay. Only a load test on one machine
    /// needs this.
    #[must_use]
    pub fn lifted(self) -> Self {
        Self {
            addresses_on_site: None,
            requests_per_second: None,
            analyses_per_minute: None,
            matches_per_hour: None,
            codes_per_hour: None,
            sign_ins_per_hour: None,
            connections_per_client: None,
            sockets_per_client: None,
            unfinished_matches: None,
            kept_matches: None,
            ..self
        }
    }
}
