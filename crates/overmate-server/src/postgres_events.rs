//! Tells the servers that share a PostgreSQL database which matches have changed, by `NOTIFY` and `LISTEN`.
//!
//! A notice is a hint. Each server also reads from time to time how far the logs of the watched matches are, because a notice is lost with the server or
//! the connection that carries it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use sqlx::Error;
use sqlx::postgres::{PgListener, PgPool};
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::database::PostgresAddress;
use crate::events::{Events, InProcess};
use crate::store::Store;
use crate::store::postgres::notice_pool;

/// Channel of the notices. PostgreSQL keeps the channels of different databases apart.
const CHANNEL: &str = "overmate";

/// Time between two reads of the logs of all watched matches.
const REREAD_INTERVAL: Duration = Duration::from_secs(3);

/// Time between two attempts to connect the listener.
const RECONNECT_INTERVAL: Duration = Duration::from_secs(1);

/// Largest number of changes in one statement.
const BATCH: usize = 512;

/// Largest number of bytes in the text of a notice, below the limit of PostgreSQL.
const NOTICE: usize = 7_900;

/// Largest number of matches in one query.
const MATCHES: usize = 1_000;

/// Events of the servers that share a database.
pub(crate) struct PostgresEvents {
    local: InProcess,
    /// Changes that the other servers are to hear of.
    changes: mpsc::UnboundedSender<(Box<str>, u64)>,
}

impl PostgresEvents {
    /// Starts to listen to the other servers.
    ///
    /// # Errors
    ///
    /// An error if PostgreSQL does not accept a connection.
    pub(crate) async fn start(
        address: &PostgresAddress,
        store: Arc<dyn Store>,
        stop: &CancellationToken,
        tasks: &TaskTracker,
    ) -> Result<Self, Error> {
        Self::with_interval(address, store, stop, tasks, REREAD_INTERVAL).await
    }

    /// Starts to listen to the other servers, and to read the logs of all watched matches again after each interval.
    async fn with_interval(
        address: &PostgresAddress,
        store: Arc<dyn Store>,
        stop: &CancellationToken,
        tasks: &TaskTracker,
        interval: Duration,
    ) -> Result<Self, Error> {
        let pool = notice_pool(address).await?;
        let local = InProcess::default();
        let (changes, queue) = mpsc::unbounded_channel();
        tasks.spawn(tell(pool.clone(), queue, stop.clone()));
        let listening = listen(pool, local.clone(), Arc::clone(&store));
        tasks.spawn(until(stop.clone(), listening));
        tasks.spawn(until(stop.clone(), reread_again_and_again(local.clone(), store, interval)));
        Ok(Self { local, changes })
    }
}

impl Events for PostgresEvents {
    fn publish(&self, id: &str, sequence: u64) {
        self.local.publish(id, sequence);
        // The receiver is gone when the server stops.
        let _ = self.changes.send((id.into(), sequence));
    }

    fn subscribe(&self, id: &str) -> watch::Receiver<u64> {
        self.local.subscribe(id)
    }
}

async fn until(stop: CancellationToken, work: impl Future<Output = ()>) {
    tokio::select! {
        () = work => {}
        () = stop.cancelled() => {}
    }
}

/// Sends the changes of this server to the others. While one statement runs, the next changes wait for the next statement, because the commits of all
/// notices of a database take turns.
async fn tell(
    pool: PgPool,
    mut queue: mpsc::UnboundedReceiver<(Box<str>, u64)>,
    stop: CancellationToken,
) {
    let mut batch = Vec::new();
    loop {
        let received = tokio::select! {
            received = queue.recv_many(&mut batch, BATCH) => received,
            () = stop.cancelled() => 0,
        };
        if received == 0 {
            // The changes until the stop are still told.
            while let Ok(change) = queue.try_recv() {
                batch.push(change);
            }
        }
        if !batch.is_empty() {
            let notices = notices(&batch);
            let told =
                sqlx::query("SELECT pg_notify($1, notice) FROM unnest($2) AS notices (notice)")
                    .bind(CHANNEL)
                    .bind(notices)
                    .execute(&pool);
            match timeout(REREAD_INTERVAL, told).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) => tracing::warn!(%error, "the other servers miss some notices"),
                Err(_) => tracing::warn!("PostgreSQL takes no notices"),
            }
            batch.clear();
        }
        if received == 0 {
            return;
        }
    }
}

/// Returns the notices for changes, one line for each change.
fn notices(changes: &[(Box<str>, u64)]) -> Vec<String> {
    let mut notices = vec![String::new()];
    for (id, sequence) in changes {
        let line = format!("{id} {sequence}\n");
        match notices.last_mut() {
            Some(last) if last.len() + line.len() <= NOTICE => last.push_str(&line),
            _ => notices.push(line),
        }
    }
    notices
}

/// Returns the changes in a notice, without lines that this version of the server cannot read.
fn changes(notice: &str) -> impl Iterator<Item = (&str, u64)> {
    notice.lines().filter_map(|line| {
        let (id, sequence) = line.split_once(' ')?;
        Some((id, sequence.parse().ok()?))
    })
}

/// Publishes the changes that other servers tell, in this process.
async fn listen(pool: PgPool, local: InProcess, store: Arc<dyn Store>) {
    loop {
        if let Err(error) = listen_once(&pool, &local, &*store).await {
            tracing::warn!(%error, "the listener to other servers is cut off");
        }
        sleep(RECONNECT_INTERVAL).await;
    }
}

async fn listen_once(pool: &PgPool, local: &InProcess, store: &dyn Store) -> Result<(), Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    loop {
        // Before this moment notices were lost.
        reread(local, store).await;
        while let Some(notice) = listener.try_recv().await? {
            for (id, sequence) in changes(notice.payload()) {
                local.publish(id, sequence);
            }
        }
    }
}

async fn reread_again_and_again(local: InProcess, store: Arc<dyn Store>, interval: Duration) {
    loop {
        sleep(interval).await;
        reread(&local, &*store).await;
    }
}

/// Publishes how far the logs of all watched matches are.
async fn reread(local: &InProcess, store: &dyn Store) {
    for ids in local.watched().chunks(MATCHES) {
        let found = match store.sequences(ids.to_vec()).await {
            Ok(found) => HashMap::<String, u64>::from_iter(found),
            Err(error) => {
                tracing::debug!(%error, "the watched matches cannot be read");
                return;
            }
        };
        for id in ids {
            // Live connections of a removed match read the match, and learn that it is gone.
            local.publish(id, found.get(id).copied().unwrap_or(u64::MAX));
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;
    use crate::database::Database;
    use crate::settings::Settings;
    use crate::store::{Addition, Appended, Entry, EntryKind, MatchInfo, SqlStore};

    /// Time that ends only a test that hangs.
    const SOON: Duration = Duration::from_mins(1);

    const NEVER: Duration = Duration::from_hours(1);

    /// Starts the events of a server.
    async fn start(database: &Database, interval: Duration) -> (Arc<dyn Store>, PostgresEvents) {
        let Database::Postgres(address) = database else { panic!("an address of PostgreSQL") };
        let settings = Settings::new(database.clone());
        let store: Arc<dyn Store> = Arc::new(SqlStore::open(&settings).await.expect("a store"));
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let (of, stop) = (Arc::clone(&store), &stop);
        let events = PostgresEvents::with_interval(address, of, stop, &tasks, interval).await;
        (store, events.expect("events"))
    }

    async fn reaches(changes: &mut watch::Receiver<u64>, sequence: u64) {
        let reached = timeout(SOON, changes.wait_for(|latest| *latest == sequence)).await;
        reached.expect("the change is told").expect("the events go on");
    }

    #[cfg(unix)]
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn servers_tell_each_other_of_changes_and_read_again_what_they_missed() {
        let mut postgres = test_postgres::Postgres::start();
        let database: Database = postgres.database().parse().expect("an address");
        let (store, a) = start(&database, NEVER).await;
        let (_, b) = start(&database, NEVER).await;
        let [one, two] = ["1", "2"].map(|digit| MatchInfo {
            id: digit.repeat(32),
            watch: digit.to_owned(),
            ..MatchInfo::sample()
        });
        for info in [&one, &two] {
            let created = store.create(info.clone(), None).await.expect("a write");
            assert_eq!(created, Appended::Stored);
        }
        // The notices before the listener of the other server has begun are lost.
        let mut heard = b.subscribe(&one.id);
        let mut sequence = 0;
        while *heard.borrow() == 0 {
            sequence += 1;
            assert!(sequence < 1_000, "no notice is heard");
            a.publish(&one.id, sequence);
            // The time passes without a change until the listener has begun.
            let _ = timeout(Duration::from_millis(50), heard.changed()).await;
        }
        // A change without a notice is found after a loss of the connection.
        let mut missed = b.subscribe(&two.id);
        let act = EntryKind::Act("Tc".to_owned());
        let (client_id, player) = ("1".to_owned(), overmate_rules::Player::A);
        let entry = Entry { sequence: 1, player, kind: act, client_id, at: 0 };
        let appended = store.append(Addition::of(&two.id, entry)).await;
        assert_eq!(appended.expect("a write"), Appended::Stored);
        assert_eq!(*missed.borrow_and_update(), 0);
        postgres.crash_and_restart();
        reaches(&mut missed, 1).await;
        // Without a loss it is found after an interval.
        let (_, c) = start(&database, Duration::from_millis(50)).await;
        reaches(&mut c.subscribe(&two.id), 1).await;
        let gone = "3".repeat(32);
        reaches(&mut c.subscribe(&gone), u64::MAX).await;
    }

    #[test]
    fn notices_are_split_below_the_limit_and_read_again() {
        let id = "0123456789abcdef".repeat(2);
        let all: Vec<(Box<str>, u64)> =
            (0..1_000).map(|sequence| (id.as_str().into(), u64::MAX - sequence)).collect();
        let notices = notices(&all);
        assert!(notices.len() > 1 && notices.iter().all(|notice| notice.len() < 8_000));
        let read = notices.iter().flat_map(|notice| changes(notice));
        assert!(read.eq(all.iter().map(|(id, sequence)| (&**id, *sequence))));
        assert_eq!(
            changes("of a later version\nid 7 more\nid 8\n").collect::<Vec<_>>(),
            [("id", 8)]
        );
    }
}
