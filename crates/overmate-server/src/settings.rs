//! Settings that an operator decides.

use std::path::PathBuf;
use std::time::Duration;

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folder of the database. A missing folder is created.
    pub data: PathBuf,
    /// Origins besides the server's own whose pages may send changes: `https://mate.example`.
    pub origins: Vec<String>,
    /// Whether a reverse proxy stands in front. Limits then hold for the last address in `X-Forwarded-For` or,
    /// without that header, in `Forwarded`.
    pub behind_proxy: bool,
    /// Limits of requests and connections.
    pub limits: Limits,
    /// Time for which a write waits for another process that writes, before it fails.
    pub patience: Duration,
    /// Count of commits after which the process aborts, before it acknowledges the last one. Only tests of durability set
    /// this field.
    pub die_after_commits: Option<u64>,
}

impl Settings {
    /// Returns the default settings with a data folder.
    #[must_use]
    pub fn new(data: PathBuf) -> Self {
        Self {
            data,
            origins: Vec::new(),
            behind_proxy: false,
            limits: Limits::default(),
            patience: Duration::from_secs(5),
            die_after_commits: None,
        }
    }
}

/// Limits of requests and connections. A client is an IPv4 address or an IPv6 network of 64 bits; an IPv6
/// network of 56 bits has the limits of 2 clients, and one of 48 bits those of 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Largest average number of requests a second, for each client; `None` is unlimited.
    pub requests_per_second: Option<u32>,
    /// Largest number of requests at once after a pause, for each client.
    pub requests_at_once: u32,
    /// Largest number of analyses, reviews and hints a minute, for each client; `None` is unlimited.
    pub analyses_per_minute: Option<u32>,
    /// Largest number of new matches an hour, for each client; `None` is unlimited.
    pub matches_per_hour: Option<u32>,
    /// Largest number of open live connections, for each client; `None` is unlimited.
    pub connections_per_client: Option<u32>,
    /// Largest number of open live connections of all clients.
    pub connections: usize,
    /// Largest number of other open connections, for each client; `None` is unlimited. Behind a proxy this limit does not
    /// apply, because all connections are the proxy's.
    pub sockets_per_client: Option<u32>,
    /// Largest number of other open connections of all clients.
    pub sockets: usize,
    /// Time limit for the head of a request, on a new connection and between requests.
    pub head_time: Duration,
    /// Largest size of a request's body in bytes.
    pub body_bytes: usize,
    /// Largest size of a message on a live connection in bytes.
    pub message_bytes: usize,
    /// Unreadable messages after which a live connection is closed. As many messages in a row beyond the rate limit close it too.
    pub faulty_messages: u32,
    /// Time for which a write waits for a client that does not read, before the connection is closed.
    pub write_time: Duration,
    /// Time limit for the answer to a request.
    pub request_time: Duration,
    /// Entries in the log of a match beyond which the match takes no more undos and hints. The remaining actions are always taken.
    pub log_entries: u64,
    /// Undos in each game of a match.
    pub undos_per_game: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests_per_second: Some(20),
            requests_at_once: 200,
            analyses_per_minute: Some(120),
            matches_per_hour: Some(120),
            connections_per_client: Some(60),
            connections: 20_000,
            sockets_per_client: Some(100),
            sockets: 20_000,
            head_time: Duration::from_secs(20),
            body_bytes: 256 * 1_024,
            message_bytes: 4 * 1_024,
            faulty_messages: 10,
            write_time: Duration::from_secs(20),
            request_time: Duration::from_secs(30),
            log_entries: 2_000,
            undos_per_game: 100,
        }
    }
}

impl Limits {
    /// Returns a copy without the limits for each client. Only a load test on one machine needs this.
    #[must_use]
    pub fn lifted(self) -> Self {
        Self {
            requests_per_second: None,
            analyses_per_minute: None,
            matches_per_hour: None,
            connections_per_client: None,
            sockets_per_client: None,
            ..self
        }
    }
}
