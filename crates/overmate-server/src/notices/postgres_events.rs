//! Shares notices of changed matches between the Overmate servers that use one PostgreSQL database, by `NOTIFY` and `LISTEN`.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _};
use sqlx::postgres::PgListener;
use sqlx::{Acquire as _, Postgres};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::events::InProcess;
use super::room_sharing;
use super::sharing::{
    Carrier, RECONNECT_INTERVAL, SharedEvents, hear, report_connected, reread, until,
};
use crate::database::PostgresAddress;
use crate::presence::Rooms;
use crate::store::Store;
use crate::store::connection::connection_pool::ConnectionPool;
use crate::store::connection::postgres::{answered, listening_pool, notifying_pool, ping};

/// Time without a notice after which the server checks the connection to PostgreSQL.
const QUIET: Duration = Duration::from_secs(30);

/// Name of the PostgreSQL channel that carries the notices. Each database of PostgreSQL has its own channels.
const CHANNEL: &str = "overmate";

/// Starts to exchange notices with other servers over PostgreSQL. The notices report changes of matches, and the presence and chat phrases
/// of players. The server also begins to reread the logs of all watched matches at an interval.
///
/// # Errors
///
/// Returns an error if PostgreSQL accepts no connection.
pub(crate) async fn start(
    address: &PostgresAddress,
    store: Arc<dyn Store>,
    rooms: &Rooms,
    (stop, tasks): (&CancellationToken, &TaskTracker),
    interval: Duration,
) -> Result<SharedEvents, sqlx::Error> {
    let carrier = Notify(notifying_pool(address).await?);
    let local = InProcess::default();
    let listening = listen(address.clone(), local.clone(), rooms.clone(), Arc::clone(&store));
    tasks.spawn(until(stop.clone(), listening));
    // Messages about match rooms have a database connection of their own, so that notices of actions do not wait for these messages.
    room_sharing::start(rooms, Notify(notifying_pool(address).await?), (stop, tasks));
    Ok(SharedEvents::start(local, carrier, store, (stop, tasks), interval))
}

/// Sender of notices by the PostgreSQL command `NOTIFY`. All notices go in one statement.
struct Notify(ConnectionPool<Postgres>);

impl Carrier for Notify {
    fn send(
        &self,
        notices: Vec<String>,
    ) -> BoxFuture<'_, Result<(), Box<dyn Error + Send + Sync>>> {
        async move {
            let text = "SELECT pg_notify($1, notice) FROM unnest($2) AS notices (notice)";
            let sent = self.0.run(|connection| {
                let notify = sqlx::query(text).bind(CHANNEL).bind(notices.clone());
                notify.execute(connection).boxed()
            });
            sent.await?;
            Ok(())
        }
        .boxed()
    }
}

/// Receives the notices of other servers, and publishes the notices to the subscribers in this process.
async fn listen(address: PostgresAddress, local: InProcess, rooms: Rooms, store: Arc<dyn Store>) {
    loop {
        if let Err(error) = listen_once(&address, &local, &rooms, &*store).await {
            report_connected(false);
            tracing::warn!(%error, "the connection for notices of other servers is lost: the server connects to PostgreSQL again");
        }
        sleep(RECONNECT_INTERVAL).await;
    }
}

/// Listens to notices of other servers until the connection to PostgreSQL is lost.
async fn listen_once(
    address: &PostgresAddress,
    local: &InProcess,
    rooms: &Rooms,
    store: &dyn Store,
) -> Result<(), sqlx::Error> {
    // Each attempt to connect to PostgreSQL uses a new connection pool. A pool has a single connection, and a lost connection occupies its
    // pool until the operating system gives the connection up.
    let pool = listening_pool(address).await?;
    let mut listener = PgListener::connect_with(&pool).await?;
    // The future of the statement `LISTEN` is boxed, because it would otherwise make the future of this function larger than 16 kB.
    answered(QUIET, Box::pin(listener.listen(CHANNEL))).await?;
    loop {
        report_connected(true);
        // Notices that other servers sent while this server had no connection may have been lost. Therefore the server asks the other
        // servers for the presence of players, and reads all watched matches again.
        rooms.ask();
        reread(local, store).await;
        loop {
            match timeout(QUIET, listener.try_recv()).await {
                Ok(Ok(Some(notice))) => hear(local, rooms, notice.payload()),
                Ok(Ok(None)) => break,
                Ok(Err(error)) => return Err(error),
                Err(_) => {
                    ping(answered(QUIET, listener.acquire()).await?).await?;
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::database::Database;
    use crate::notices::sharing::tests::{NEVER, reads_again, tell_each_other};
    use crate::settings::Settings;
    use crate::store::SqlStore;

    /// Starts the exchange of notices for a test server on a PostgreSQL database.
    async fn server(database: &Database, interval: Duration) -> (Arc<dyn Store>, SharedEvents) {
        let Database::Postgres(address) = database else { panic!("an address of PostgreSQL") };
        let settings = Settings::new(database.clone());
        let store: Arc<dyn Store> = Arc::new(SqlStore::open(&settings).await.expect("a store"));
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let rooms = Rooms::default();
        let events = start(address, Arc::clone(&store), &rooms, (&stop, &tasks), interval).await;
        (store, events.expect("events"))
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn servers_tell_each_other_of_changes_and_read_again_what_they_missed() {
        let mut postgres = test_postgres::Postgres::start();
        let database: Database = postgres.database().parse().expect("an address");
        let (store, a) = server(&database, NEVER).await;
        let (_, b) = server(&database, NEVER).await;
        tell_each_other(&*store, (&a, &b), || postgres.crash_and_restart()).await;
        let (_, c) = server(&database, Duration::from_millis(50)).await;
        reads_again(&c).await;
    }
}
