//! What an operator decides.

use std::path::PathBuf;
use std::time::Duration;

/// How a server is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of the database; it is made if it is missing.
    pub data: PathBuf,
    /// Origins besides the server's own whose pages may change things: `https://mate.example`.
    pub origins: Vec<String>,
    /// Whether a reverse proxy stands in front: clients are then told apart by the last address in `X-Forwarded-For`.
    pub behind_proxy: bool,
    /// What one client may ask for.
    pub limits: Limits,
    /// How long a write waits for another process that writes, before it fails.
    pub patience: Duration,
    /// For tests of what survives: ends the process without a word after so many commits, before anybody is told of the last.
    pub die_after_commits: Option<u64>,
}

impl Settings {
    /// The settings that suit most, with the database in this folder.
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

/// What one client may ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Requests a second on average, by address; `None` is no limit.
    pub requests_per_second: Option<u32>,
    /// Requests at once after a pause.
    pub requests_at_once: u32,
    /// Analyses, reviews and hints a minute, by address; `None` is no limit.
    pub analyses_per_minute: Option<u32>,
    /// New matches an hour, by address; `None` is no limit.
    pub matches_per_hour: Option<u32>,
    /// Live connections at once, by address; `None` is no limit.
    pub connections_per_client: Option<u32>,
    /// Live connections at once in all.
    pub connections: usize,
    /// Other connections at once, by address; `None` is no limit. Behind a proxy they are the proxy's, and have none.
    pub sockets_per_client: Option<u32>,
    /// Other connections at once in all.
    pub sockets: usize,
    /// How long a connection may take to say what it wants, at first and between requests.
    pub head_time: Duration,
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Bytes of a message on a live connection.
    pub message_bytes: usize,
    /// How long a request may take, without those that wait on purpose.
    pub request_time: Duration,
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
            request_time: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// The same without limits by client: for a load test on one machine, and nothing else.
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
