//! Shares notices of changed matches between servers over core NATS.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectError, ConnectOptions, Event};
use futures_util::future::{BoxFuture, FutureExt as _};
use futures_util::stream::StreamExt as _;
use sha2::{Digest as _, Sha256};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::channel::NatsAddress;
use super::events::InProcess;
use super::room_sharing;
use super::sharing::{
    Carrier, RECONNECT_INTERVAL, SharedEvents, hear, report_connected, reread, until,
};
use crate::presence::Rooms;
use crate::random::hexadecimal;
use crate::store::Store;

/// Interval between pings that detect a broken connection to NATS.
const PING_INTERVAL: Duration = Duration::from_secs(5);

/// State of the server's connection to NATS.
#[derive(Default)]
struct Connection {
    /// Whether the server's log already reports that NATS is unreachable.
    is_reported: AtomicBool,
    /// Signal that the connection to NATS was interrupted, so that notices may have been lost.
    gap: Notify,
}

impl Connection {
    fn observe(&self, event: &Event) {
        match event {
            Event::Connected => {
                report_connected(true);
                if self.is_reported.swap(false, Ordering::Relaxed) {
                    tracing::info!("NATS carries notices between the servers again");
                }
                self.gap.notify_one();
            }
            Event::SlowConsumer(_) => self.gap.notify_one(),
            event => {
                let Some(fault) = fault(event) else { return };
                report_connected(false);
                // Only the first NATS fault since the last connection is logged, because each failed attempt to connect to NATS reports
                // another fault.
                if !self.is_reported.swap(true, Ordering::Relaxed) {
                    tracing::warn!(%event, "{fault}: changes at other servers are seen some seconds late");
                }
            }
        }
    }
}

/// Returns the description of the fault that a NATS event reports, or `None` for an event without a fault.
fn fault(event: &Event) -> Option<&'static str> {
    match event {
        Event::Disconnected | Event::Closed | Event::ClientError(_) => {
            Some("NATS cannot be reached")
        }
        // NATS keeps the connection open after NATS has reported an error, such as a missing permission.
        Event::ServerError(_) => Some("NATS reports an error"),
        Event::Connected | Event::SlowConsumer(_) | Event::LameDuckMode | Event::Draining => None,
    }
}

/// Starts to exchange notices with other servers over NATS. The notices report changes of matches, and the presence and chat phrases of
/// players. The server also begins to reread the logs of all watched matches at an interval. While NATS cannot be reached, the server
/// continues without notices.
///
/// # Errors
///
/// Returns an error if the address of NATS is not valid.
pub(crate) async fn start(
    address: &NatsAddress,
    store: Arc<dyn Store>,
    rooms: &Rooms,
    (stop, tasks): (&CancellationToken, &TaskTracker),
    interval: Duration,
) -> Result<SharedEvents, ConnectError> {
    report_connected(false);
    let connection = Arc::new(Connection::default());
    let observed = Arc::clone(&connection);
    let mut options = ConnectOptions::new()
        .name("overmate")
        .no_echo()
        .retry_on_initial_connect()
        .reconnect_delay_callback(|_| RECONNECT_INTERVAL)
        .ping_interval(PING_INTERVAL)
        .event_callback(move |event| {
            observed.observe(&event);
            std::future::ready(())
        });
    if let Some(login) = address.login() {
        options = options.user_and_password(login.user.clone(), login.password.clone());
    }
    let client = options.connect(address.servers()).await?;
    let subject = subject(&*store);
    let local = InProcess::default();
    let carrier = Subject { client, subject };
    let listening =
        listen(carrier.clone(), local.clone(), rooms.clone(), Arc::clone(&store), connection);
    tasks.spawn(until(stop.clone(), listening));
    room_sharing::start(rooms, carrier.clone(), (stop, tasks));
    Ok(SharedEvents::start(local, carrier, store, (stop, tasks), interval))
}

/// Returns the NATS subject of the notices that the servers on a database exchange. Servers of one database share a subject;
/// servers of other databases use other subjects.
fn subject(store: &dyn Store) -> String {
    let hash = Sha256::new().chain_update("notices").chain_update(store.identity_key()).finalize();
    format!("overmate.{}", hexadecimal(hash.get(..16).unwrap_or_default()))
}

/// Publisher of change notices on a NATS subject.
#[derive(Clone)]
struct Subject {
    client: Client,
    subject: String,
}

impl Carrier for Subject {
    fn send(
        &self,
        notices: Vec<String>,
    ) -> BoxFuture<'_, Result<(), Box<dyn Error + Send + Sync>>> {
        async move {
            // Without a connection to NATS, the notices are dropped. After the reconnection, each server reads all watched matches again.
            if self.client.connection_state() != State::Connected {
                return Ok(());
            }
            for notice in notices {
                self.client.publish(self.subject.clone(), notice.into()).await?;
            }
            self.client.flush().await?;
            Ok(())
        }
        .boxed()
    }
}

/// Receives the notices of other servers, and publishes the notices to the subscribers in this process.
async fn listen(
    Subject { client, subject }: Subject,
    local: InProcess,
    rooms: Rooms,
    store: Arc<dyn Store>,
    connection: Arc<Connection>,
) {
    let mut notices = match client.subscribe(subject).await {
        Ok(notices) => notices,
        Err(error) => {
            tracing::error!(%error, "the notices of other servers cannot be received");
            return;
        }
    };
    loop {
        tokio::select! {
            notice = notices.next() => match notice {
                Some(notice) => hear(&local, &rooms, &String::from_utf8_lossy(&notice.payload)),
                None => return,
            },
            // The signal `gap` means that notices from other servers may have been lost. Therefore the server asks the other servers for
            // the presence of players, and reads all watched matches again.
            () = connection.gap.notified() => {
                rooms.ask();
                reread(&local, &*store).await;
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use async_nats::ServerError;

    use super::*;
    use crate::notices::sharing::tests::{NEVER, reads_again, tell_each_other};
    use crate::settings::Settings;
    use crate::store::SqlStore;

    /// Starts the exchange of notices for a test server whose SQLite database lies in a given folder.
    async fn server(
        folder: &std::path::Path,
        address: &str,
        interval: Duration,
    ) -> (Arc<dyn Store>, SharedEvents) {
        let address = address.parse().expect("an address");
        let settings = Settings::new(folder.to_owned());
        let store: Arc<dyn Store> = Arc::new(SqlStore::open(&settings).await.expect("a store"));
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let rooms = Rooms::default();
        let events = start(&address, Arc::clone(&store), &rooms, (&stop, &tasks), interval).await;
        (store, events.expect("events"))
    }

    #[test]
    fn an_error_that_nats_reports_is_no_lost_connection() {
        let refused = ServerError::Other("Permissions Violation for Publish to \"a\"".to_owned());
        assert_eq!(fault(&Event::ServerError(refused)), Some("NATS reports an error"));
        assert_eq!(fault(&Event::Disconnected), Some("NATS cannot be reached"));
        assert_eq!(fault(&Event::Connected), None);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn servers_tell_each_other_over_nats_and_read_again_what_they_missed() {
        let folder = tempfile::tempdir().expect("a folder");
        // The test starts two servers before it starts NATS. NATS requires a password.
        let mut nats = test_postgres::Nats::stopped();
        let address = nats.address();
        let (store, a) = server(folder.path(), &address, NEVER).await;
        let (_, b) = server(folder.path(), &address, NEVER).await;
        nats.restart();
        tell_each_other(&*store, (&a, &b), || nats.restart()).await;
        nats.kill();
        let (_, c) = server(folder.path(), &address, Duration::from_millis(50)).await;
        reads_again(&c).await;
    }
}
