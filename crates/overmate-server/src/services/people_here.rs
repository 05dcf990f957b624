//! Counts the people who are online, summed over all servers, and reports which of a person's favourites are online.
//!
//! Each server reports the people with a live connection to it every twenty seconds, by one write. The report holds for less than a
//! minute, so that the people of a server that ended are soon gone.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::failure_log::FailureLog;
use super::repository::MatchRepository;
use crate::error::ApiError;
use crate::present::PeopleConnected;
use crate::random::random_id;
use crate::store::{Holder, KnownPresence, Present};

/// Interval at which a server stores the number and the identities of the people connected to it.
const INTERVAL: Duration = Duration::from_secs(20);

/// Validity period, in seconds, of a server's report of its connected people.
const REPORT_TIME: i64 = 50;

/// Cache lifetime of the number of people connected to other servers.
const FRESH: Duration = Duration::from_secs(2);

/// Service that reports the people who are connected to this server, and counts the people who are online.
pub(crate) struct PeopleHereService {
    repository: Arc<MatchRepository>,
    connected: PeopleConnected,
    /// Id under which this server process stores its report of the people who are connected to it.
    server: String,
    /// Number of people connected to other servers, with the time at which the number was read; `None` before the first read.
    elsewhere: tokio::sync::Mutex<Option<(Instant, u64)>>,
    stop: CancellationToken,
}

impl PeopleHereService {
    pub(crate) fn new(
        repository: Arc<MatchRepository>,
        connected: PeopleConnected,
        stop: CancellationToken,
    ) -> Self {
        // If the random generator fails, the id of this server process stays empty. The empty id does no harm: without random numbers, no
        // request gets an identity, so that there is nobody to report.
        let server = random_id().unwrap_or_default();
        Self { repository, connected, server, elsewhere: tokio::sync::Mutex::default(), stop }
    }

    /// Regularly stores the number and the identities of the people connected to this server, until the server stops.
    pub(crate) async fn run(&self) {
        let mut is_reported = false;
        let mut failures = FailureLog::default();
        while timeout(INTERVAL, self.stop.cancelled()).await.is_err() {
            let people = self.connected.count();
            // After the last person has disconnected, the server reports the number 0 once, and then nothing until another person connects.
            if people == 0 && !is_reported {
                continue;
            }
            if failures.note(self.report(people).await).is_some() {
                is_reported = people > 0;
            }
        }
    }

    async fn report(&self, people: u64) -> Result<(), ApiError> {
        let at = self.repository.time().now();
        let persons = self.connected.persons();
        let (server, until) = (self.server.clone(), at + REPORT_TIME);
        let present = Present { server, people, persons, at, until };
        self.repository.store().set_present(present).await?;
        Ok(())
    }

    /// Returns the number of people who are online, summed over all servers.
    pub(crate) async fn count(&self) -> Result<u64, ApiError> {
        let mut elsewhere = self.elsewhere.lock().await;
        let others = match *elsewhere {
            Some((at, others)) if at.elapsed() < FRESH => others,
            _ => {
                let begin = Instant::now();
                let store = self.repository.store();
                let others =
                    store.people_elsewhere(&self.server, self.repository.time().now()).await?;
                *elsewhere = Some((begin, others));
                others
            }
        };
        Ok(self.connected.count() + others)
    }

    /// Returns a person's mutual favourites who share their online presence, each as a handle and a flag that is true if the favourite is
    /// online.
    pub(crate) async fn favourites(
        &self,
        person: Option<Holder>,
    ) -> Result<Vec<(String, bool)>, ApiError> {
        let Some(person) = person else { return Ok(Vec::new()) };
        let known = self
            .repository
            .store()
            .favourites_present(person, self.repository.time().now())
            .await?;
        let shown = |KnownPresence { person, handle, is_here }| {
            (handle, is_here || self.connected.has(person))
        };
        Ok(known.into_iter().map(shown).collect())
    }
}
