//! Defines the settings and limits that the operator of a server chooses.

use std::time::Duration;

use overmate_json::{ENTRIES_WITH_UNDOS, UNDOS_PER_GAME};

use crate::clocks::absence::DAYS_OFF;
use crate::database::Database;
use crate::http::public_url::PublicUrl;
use crate::mail::MailSettings;
use crate::notices::channel::NoticeChannel;
use crate::programs::OfferedProgram;
use crate::push::{PushContact, PushTest};

/// Role of a server among the servers that share a database.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum ServerRole {
    /// The server answers requests and does background work.
    #[default]
    All,
    /// The server answers requests, and does no background work. Servers with another role do the background work.
    Web,
    /// The server only does background work. It answers only requests for `/healthz`, `/readyz` and, if the operator has set an address for
    /// metrics, `/metrics`.
    Worker,
}

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Database that holds the matches.
    pub database: Database,
    /// Channel by which servers that share a database notify each other of changes. `None` stands for `LISTEN` and `NOTIFY` with
    /// PostgreSQL, and for no channel with SQLite.
    pub events: Option<NoticeChannel>,
    /// Role of the server among the servers that share a database. With SQLite, the server does all work.
    pub role: ServerRole,
    /// URL at which browsers reach the server. Passkeys are bound to the host name of this URL, and pages at this URL may send requests
    /// that change matches. `None` restricts passkeys to `localhost`.
    pub public_url: Option<PublicUrl>,
    /// Address at which push services can contact the operator. `None` stands for an `https` address in `public_url`; without
    /// both, the server sends no push messages.
    pub push_contact: Option<PushContact>,
    /// Simulated push service, which replaces all push services in a test. Only tests set this field; `None` on every other server.
    #[doc(hidden)]
    pub push_test: Option<PushTest>,
    /// Settings for e-mails from the server: the SMTP server and the sender address. The server sends e-mail only if
    /// this field and `public_url` are set, because the messages contain links.
    pub mail: Option<MailSettings>,
    /// Web origins, such as `https://mate.example`, whose pages may send requests that change data, in addition to the server's own pages.
    pub origins: Vec<String>,
    /// Host names at which browsers may reach the server. IP addresses, local names and the hosts of `origins` are always
    /// allowed. If the list is empty behind a proxy, all host names are allowed, because the proxy chooses the names.
    pub hosts: Vec<String>,
    /// Whether clients reach the server through a reverse proxy. If so, the last address in the header `X-Forwarded-For` or,
    /// without this header, in `Forwarded` identifies the client.
    pub behind_proxy: bool,
    /// Lines of the operator's list of banned words, which the server refuses in names, handles, event titles and free chat texts. A line
    /// `word` refuses a whole word, and `*word*` refuses the text anywhere in a name.
    pub refused_words: Vec<String>,
    /// Opponent programs that the operator offers to all players.
    pub programs: Vec<OfferedProgram>,
    /// Limits on the requests and connections of clients.
    pub limits: Limits,
    /// Lock timeout of a write to an SQLite database: the maximum time for which the write waits for a lock of another
    /// process before the write fails.
    pub patience: Duration,
    /// Number of database commits after which the server process aborts without acknowledging the last commit. Commits that hold only
    /// leases, clock deadlines, heartbeats and lists of connected people do not count. Only tests of durability set this field.
    pub die_after_commits: Option<u64>,
}

impl Settings {
    /// Returns the default settings for a server with the given database. The path of a folder stands for an SQLite database in this
    /// folder.
    #[must_use]
    pub fn new(database: impl Into<Database>) -> Self {
        Self {
            database: database.into(),
            events: None,
            role: ServerRole::All,
            public_url: None,
            push_contact: None,
            push_test: None,
            mail: None,
            origins: Vec::new(),
            hosts: Vec::new(),
            behind_proxy: false,
            refused_words: Vec::new(),
            programs: Vec::new(),
            limits: Limits::default(),
            patience: Duration::from_secs(5),
            die_after_commits: None,
        }
    }
}

/// Limits on the requests and connections of clients.
///
/// A client is a browser, identified by its cookie. The limits of an IPv4 address, or of a 64-bit IPv6 network, are
/// [`browsers_per_address`](Self::browsers_per_address) times those of a client. A 56-bit network has twice the limits of an
/// address, and a 48-bit network has four times as much. A request without a cookie counts only for its address and networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Limits of an IP address, as a multiple of the limits of a single client (browser). The multiple lets a school behind one address
    /// play.
    pub browsers_per_address: u32,
    /// Common limit of all clients on expensive requests, as a multiple of the limit of one IP address; `None` for no
    /// common limit. Beyond the common limit, the server refuses clients who have not played before.
    pub addresses_on_site: Option<u32>,
    /// Rate limit of each client, in requests per second; `None` for no limit.
    pub requests_per_second: Option<u32>,
    /// Burst size of the rate limit: the maximum number of requests that a client may send without a pause.
    pub requests_at_once: u32,
    /// Maximum number of analyses, reviews and hints per minute for each client; `None` for no
    /// limit.
    pub analyses_per_minute: Option<u32>,
    /// Maximum number of new matches per hour for each client; `None` for no limit.
    pub matches_per_hour: Option<u32>,
    /// Maximum number of requests about accounts, days off, linking codes and recovery codes, for each client per hour;
    /// `None` for no limit. Such a request makes or tries a code, tries a password, requests a handle or a passkey,
    /// begins or ends days off, or makes the URL of a feed.
    pub codes_per_hour: Option<u32>,
    /// Maximum number of sign-in attempts per hour for each handle, by all clients together; `None`
    /// for no limit.
    pub sign_ins_per_hour: Option<u32>,
    /// Maximum number of e-mails per hour for each requesting client, and for each recipient's address; `None` for no
    /// limit.
    pub mails_per_hour: Option<u32>,
    /// Maximum number of open live connections (WebSocket connections of matches and of the lobby)
    /// for each client; `None` for no limit.
    pub connections_per_client: Option<u32>,
    /// Maximum number of open live connections (WebSocket connections of matches and of the lobby)
    /// of all clients together.
    pub connections: usize,
    /// Maximum number of TCP connections of each client, not counting WebSocket connections; `None` for no limit. A new connection has no
    /// cookie yet, so that it counts only for its address and networks. Behind a proxy the limit does not apply, because all connections
    /// are the proxy's.
    pub sockets_per_client: Option<u32>,
    /// Maximum number of TCP connections of all clients together, not counting WebSocket connections.
    pub sockets: usize,
    /// Maximum time for which the server waits on a connection for the complete head of the next HTTP request.
    pub head_time: Duration,
    /// Maximum size of a request body, in bytes.
    pub body_bytes: usize,
    /// Maximum size of a client's message on a live connection, in bytes.
    pub message_bytes: usize,
    /// Delay before the server refuses a request above the rate limit. The delay slows down a client that repeats its request at once.
    pub refusal_time: Duration,
    /// Number of unreadable messages after which the server closes a live connection. The same
    /// number of consecutive messages beyond the rate limit also closes the connection.
    pub faulty_messages: u32,
    /// Write timeout for a connection whose client reads nothing. The connection is then closed.
    pub write_time: Duration,
    /// Timeout for the processing of an HTTP request until the response.
    pub request_time: Duration,
    /// Number of log entries at which a match stops accepting undos and hints. Actions are always accepted.
    pub log_entries: u64,
    /// Maximum number of undos in each game of a match.
    pub undos_per_game: usize,
    /// Quota of unfinished matches and unused invitations for each browser identity; `None` for no limit.
    pub unfinished_matches: Option<u32>,
    /// Quota of unfinished and finished matches for each browser identity; `None` for no limit.
    pub kept_matches: Option<u32>,
    /// Quota of open offers for each person; `None` for no limit. The quota of a network is
    /// [`browsers_per_address`](Self::browsers_per_address) times as large.
    pub open_offers: Option<u32>,
    /// Quota of open offers of all persons together.
    pub all_open_offers: u32,
    /// Maximum number of processes of opponent programs, at least 1. Each IP network may use at most half of this number, rounded up, for
    /// turns that run at the same time.
    pub program_processes: usize,
    /// Idle timeout of an opponent program: the time without a turn after which the server terminates the program's process. The next
    /// turn starts the program again.
    pub program_idle_time: Duration,
    /// Maximum number of days off of each person in a calendar year.
    pub days_off: u32,
    /// Maximum number of rated matches that two persons may begin with each other within 24 hours; `None` for no limit.
    pub rated_matches_of_pair: Option<u32>,
    /// Maximum number of rated matches per day that an account may resign before both players have acted; `None` for no limit. The
    /// allowance refills evenly over a day.
    pub abandoned_rated_per_day: Option<u32>,
    /// Minimum time between the end of a player's match in a tournament event and the start of the player's next match.
    pub event_pause: Duration,
    /// Time limit for the first action of the player who leads first in a tournament match, from the start of the match. The other player
    /// has twice that time.
    pub event_show_time: Duration,
    /// Retention period of a tournament event after its end.
    pub event_time: Duration,
    /// Retention period of an unfinished match after its last action.
    pub unfinished_match_time: Duration,
    /// Retention period of a match against the computer, or of one person alone, in which no person has acted, from the match's creation.
    pub empty_match_time: Duration,
    /// Retention period of an unused invitation after the creation of its match. The match is
    /// removed with the invitation.
    pub invitation_time: Duration,
    /// Number of days after the end of a match until the server folds (packs) the match log into one row; `None` for no folding.
    pub fold_days: Option<u32>,
    /// Retention period of entries in the operators' log.
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
            mails_per_hour: Some(4),
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
            log_entries: ENTRIES_WITH_UNDOS as u64,
            undos_per_game: UNDOS_PER_GAME,
            unfinished_matches: Some(100),
            kept_matches: Some(10_000),
            open_offers: Some(5),
            all_open_offers: 10_000,
            program_processes: 4,
            program_idle_time: Duration::from_mins(5),
            days_off: DAYS_OFF,
            rated_matches_of_pair: Some(12),
            abandoned_rated_per_day: Some(3),
            event_pause: Duration::from_secs(5),
            event_show_time: Duration::from_secs(90),
            event_time: Duration::from_hours(365 * 24),
            unfinished_match_time: Duration::from_hours(90 * 24),
            empty_match_time: Duration::from_hours(24),
            invitation_time: Duration::from_hours(30 * 24),
            fold_days: Some(30),
            operator_log_time: Duration::from_hours(365 * 24),
        }
    }
}

impl Limits {
    /// Returns a copy of the server's limits in which no single client or person has limits on requests, connections, matches and offers.
    /// The limits on sign-ins for a handle and on expensive requests of the whole site are also removed. Other limits stay, such as the
    /// maximum numbers of connections and open offers of all clients together. Only a load test on one machine needs such limits.
    #[must_use]
    pub fn lifted(self) -> Self {
        Self {
            addresses_on_site: None,
            requests_per_second: None,
            analyses_per_minute: None,
            matches_per_hour: None,
            codes_per_hour: None,
            sign_ins_per_hour: None,
            mails_per_hour: None,
            connections_per_client: None,
            sockets_per_client: None,
            unfinished_matches: None,
            kept_matches: None,
            open_offers: None,
            rated_matches_of_pair: None,
            abandoned_rated_per_day: None,
            ..self
        }
    }
}
