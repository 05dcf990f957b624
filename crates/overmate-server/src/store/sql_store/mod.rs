//! Stores the data of the server in a database. One connection serves writes, and a pool of connections serves reads.

mod absence;
mod bot;
mod clock;
mod event;
mod lobby;
mod mail;
mod person;
mod push;
mod rating;
mod relation;
mod report;
mod seat;
mod talk;
mod visibility;
mod writer;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, TryFutureExt as _};
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use self::writer::{Write, WriteJob};
use crate::data_folder;
use crate::database::Database;
use crate::random::hexadecimal;
use crate::rating::glicko2::Rating;
use crate::settings::{ServerRole, Settings};
use crate::shared_deal::SharedDealKey;
use crate::store::connection::fault::{cause, store_error};
use crate::store::connection::link::Link;
use crate::store::connection::sql::{Connection, Pool, Row, statement};
use crate::store::connection::{postgres, sqlite};
use crate::store::interface::entry::Entry;
use crate::store::interface::holder::Holder;
use crate::store::interface::match_info::MatchInfo;
use crate::store::interface::outcome::{Appended, StoreError, StoreFuture};
use crate::store::interface::store::{
    Addition, Attempt, Counted, CountedAttempt, Listed, Logs, NewMatchRequest, PuzzleCounts,
    Selection, SharedDealMatch, Store, TriedPuzzles, Unfinished,
};
use crate::store::queries::leases::{self, LeaseWrite};
use crate::store::queries::matches::{
    BATCH_OF, BY_IDS, ENDED_ON, ENTRIES_OF, FINISHED, HAS_PLAYED, HELD_BY, INFO, LONGEST_LOG,
    SEQUENCES, SHARED_DEALS_OF, UNFINISHED, WITHOUT_HELP,
};
use crate::store::queries::new_matches::Creation;
use crate::store::queries::person_sql::owned;
use crate::store::queries::rows::{
    column, entries_of, entry_of, info_of, logs_of, sequence_of, signed,
};
use crate::store::queries::{counts, operators, people, puzzles, secrets};

/// Timeout of a database read that waits for a free connection.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of queued database writes. If the queue is full, callers wait (back-pressure).
const QUEUE: usize = 4_096;

/// Store of matches and all other server data in an SQLite or PostgreSQL database.
pub(crate) struct SqlStore {
    readers: Pool,
    jobs: Mutex<Option<mpsc::Sender<WriteJob>>>,
    sender: mpsc::WeakSender<WriteJob>,
    writer: Mutex<Option<JoinHandle<Link>>>,
    shared_deal_key: SharedDealKey,
    identity_key: [u8; 32],
    push_key: [u8; 32],
    /// Id that identifies this server as the holder of database leases (claims on background work).
    server: String,
}

impl SqlStore {
    /// Opens the database that is given in the settings, and migrates its tables to the current schema. A missing SQLite file is
    /// created.
    ///
    /// # Errors
    ///
    /// Returns an error if the database cannot be opened, or has tables of a later version.
    pub(crate) async fn open(settings: &Settings) -> Result<Self, sqlx::Error> {
        let (mut connection, readers, address) = match &settings.database {
            Database::Sqlite(folder) => {
                let file = data_folder::database(folder);
                let (connection, readers) =
                    sqlite::open(&file, settings.patience, READ_TIMEOUT).await?;
                (connection, readers, None)
            }
            Database::Postgres(address) => {
                let (connection, readers) = postgres::open(address, READ_TIMEOUT).await?;
                (connection, readers, Some(address.clone()))
            }
        };
        let shared_deal_key = secrets::secret(&mut connection, "shared deals").await?;
        let identity_key = secrets::secret(&mut connection, "identities").await?;
        let push_key = secrets::secret(&mut connection, "push").await?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let link = Link::new(connection, address);
        let server = hexadecimal(&secrets::drawn::<16>()?);
        let writer = tokio::spawn(writer::run(
            link,
            queue,
            Box::new(settings.limits),
            (settings.role != ServerRole::Web).then(|| server.clone()),
            settings.die_after_commits,
        ));
        Ok(Self {
            readers,
            sender: jobs.downgrade(),
            jobs: Mutex::new(Some(jobs)),
            writer: Mutex::new(Some(writer)),
            shared_deal_key,
            identity_key,
            push_key,
            server,
        })
    }

    async fn write(&self, write: Write) -> Result<Appended, StoreError> {
        let stopped = || StoreError::Busy(cause("the server is stopping"));
        let (done, result) = oneshot::channel();
        let sender = self.sender.upgrade().ok_or_else(stopped)?;
        sender.send(WriteJob { write, done }).await.map_err(|_| stopped())?;
        drop(sender);
        result.await.map_err(|_| {
            StoreError::Failed(cause(
                "the task that writes to the database has ended: restart the server",
            ))
        })?
    }
}

impl Store for SqlStore {
    fn create(
        &self,
        new: MatchInfo,
        request: Option<NewMatchRequest>,
    ) -> StoreFuture<'_, Appended> {
        self.write(Write::Create(Box::new(Creation { info: new, request, log: Vec::new() })))
            .boxed()
    }

    fn hand_in(
        &self,
        new: MatchInfo,
        request: NewMatchRequest,
        log: Vec<Entry>,
    ) -> StoreFuture<'_, Appended> {
        let request = Some(request);
        self.write(Write::Create(Box::new(Creation { info: new, request, log }))).boxed()
    }

    fn created_by<'a>(&'a self, request: &'a NewMatchRequest) -> StoreFuture<'a, Option<String>> {
        async move {
            // Two browsers may have used the same idempotency key (client id) to create matches before they became browsers of one person.
            // The latest match counts.
            statement(concat!(
                "SELECT id FROM matches WHERE asked_by IN ",
                owned!("$1"),
                " AND client_id = $2 ORDER BY created_at DESC, id LIMIT 1"
            ))
            .bind(request.holder)
            .bind(&request.client_id)
            .optional_scalar(&self.readers)
            .await
            .map_err(store_error)
        }
        .boxed()
    }

    fn info<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<MatchInfo>> {
        async move {
            let rows = statement(INFO).bind(id).rows(&self.readers).await.map_err(store_error)?;
            if rows.is_empty() { Ok(None) } else { info_of(id, &rows).map(Some) }
        }
        .boxed()
    }

    fn entries<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Option<Vec<Entry>>> {
        async move {
            // If the match's log has no entries after the given sequence number, the query returns one row, whose sequence number is null.
            let rows = statement(
                "SELECT sequence, player, kind, detail, log.client_id, at, at_ms, given_ms
                 FROM matches LEFT JOIN log ON match_id = id AND sequence > $2
                 WHERE id = $1 ORDER BY sequence",
            )
            .bind(id)
            .bind(signed(after))
            .rows(&self.readers)
            .await
            .map_err(store_error)?;
            let Some(first) = rows.first() else { return Ok(None) };
            if column::<Option<i64>>(first, "sequence")?.is_none() {
                return Ok(Some(Vec::new()));
            }
            let mut entries = Vec::with_capacity(rows.len());
            for row in &rows {
                entries.extend(entries_of(row)?.into_iter().filter(|entry| entry.sequence > after));
            }
            Ok(Some(entries))
        }
        .boxed()
    }

    fn append(&self, addition: Addition) -> StoreFuture<'_, Appended> {
        self.write(Write::Append(Box::new(addition))).boxed()
    }

    fn entry_of_request<'a>(
        &'a self,
        id: &'a str,
        client_id: &'a str,
    ) -> StoreFuture<'a, Option<Entry>> {
        async move {
            let row = statement(
                "SELECT sequence, player, kind, detail, client_id, at, at_ms, given_ms FROM log
                 WHERE match_id = $1 AND client_id = $2 AND kind != 'fold'",
            )
            .bind(id)
            .bind(client_id)
            .row(&self.readers)
            .await
            .map_err(store_error)?;
            row.as_ref().map(entry_of).transpose()
        }
        .boxed()
    }

    fn invited_to<'a>(&'a self, invitation: &'a str) -> StoreFuture<'a, Option<String>> {
        async move {
            operators::id_by_invitation(&self.readers, invitation).await.map_err(store_error)
        }
        .boxed()
    }

    fn entries_of(&self, matches: Vec<(String, u64)>) -> StoreFuture<'_, Logs> {
        async move {
            let wanted = matches.iter().map(|(id, after)| json!({"id": id, "after": after}));
            let wanted = wanted.collect::<Value>().to_string();
            let after: HashMap<String, u64> = matches.into_iter().collect();
            let rows = statement(ENTRIES_OF).bind(wanted).rows(&self.readers).await;
            let rows = rows.map_err(store_error)?;
            // A folded log is one row of thousands of entries, which take longer to decode than a request may hold up other requests.
            let decoded = tokio::task::spawn_blocking(move || logs_of(&rows, &after)).await;
            decoded.map_err(|error| StoreError::Failed(Arc::new(error)))?
        }
        .boxed()
    }

    fn sequences(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<(String, u64)>> {
        async move {
            let rows = statement(SEQUENCES).bind(ids).rows(&self.readers).await;
            let rows = rows.map_err(store_error)?;
            rows.iter().map(|row| Ok((column(row, "id")?, sequence_of(row)?))).collect()
        }
        .boxed()
    }

    fn ended_on<'a>(
        &'a self,
        shared_deal: &'a str,
        rules: &'a str,
        since: i64,
    ) -> StoreFuture<'a, Vec<String>> {
        async move {
            let ended = statement(ENDED_ON).bind(shared_deal).bind(rules).bind(since);
            ended.scalars(&self.readers).await.map_err(store_error)
        }
        .boxed()
    }

    fn shared_deals_of(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<SharedDealMatch>> {
        async move {
            let rows =
                statement(SHARED_DEALS_OF).bind(holder).bind(limit).rows(&self.readers).await;
            let rows = rows.map_err(store_error)?;
            let read = |row: &Row| {
                Ok(SharedDealMatch {
                    id: column(row, "id")?,
                    shared_deal: column(row, "shared_deal")?,
                    rules: column(row, "rules")?,
                    is_finished: column(row, "is_finished")?,
                })
            };
            rows.iter().map(read).collect()
        }
        .boxed()
    }

    fn shared_deal_key(&self) -> SharedDealKey {
        self.shared_deal_key
    }

    fn identity_key(&self) -> [u8; 32] {
        self.identity_key
    }

    fn is_known(&self, holder: Holder) -> StoreFuture<'_, bool> {
        async move {
            statement(
                "SELECT EXISTS (SELECT 1 FROM seats WHERE holder = $1)
                 OR EXISTS (SELECT 1 FROM puzzle_attempts WHERE holder = $1)
                 OR EXISTS (SELECT 1 FROM browsers WHERE browser = $1)",
            )
            .bind(holder)
            .scalar(&self.readers)
            .await
            .map_err(store_error)
        }
        .boxed()
    }

    fn has_played(&self, holder: Holder, before: i64) -> StoreFuture<'_, bool> {
        async move {
            statement(HAS_PLAYED)
                .bind(holder)
                .bind(before)
                .scalar(&self.readers)
                .await
                .map_err(store_error)
        }
        .boxed()
    }

    fn longest_log(&self) -> StoreFuture<'_, u64> {
        async move {
            let longest: i64 =
                statement(LONGEST_LOG).scalar(&self.readers).await.map_err(store_error)?;
            Ok(longest.unsigned_abs())
        }
        .boxed()
    }

    fn list(&self, selection: Selection) -> StoreFuture<'_, Vec<Listed>> {
        async move {
            let held = |query: &'static str, holder: Holder, limit: u32| {
                statement(query).bind(holder).bind(limit)
            };
            let query = match selection {
                Selection::HeldBy { holder, limit } => held(HELD_BY, holder, limit),
                Selection::Batch { holder, after, limit } => {
                    held(BATCH_OF, holder, limit).bind(after)
                }
                Selection::Finished { holder, limit } => held(FINISHED, holder, limit),
                Selection::WithoutHelp { holder } => held(WITHOUT_HELP, holder, u32::MAX),
                Selection::Ids(ids) => statement(BY_IDS).bind(ids),
            };
            let rows = query.rows(&self.readers).await.map_err(store_error)?;
            let mut matches: Vec<(String, Vec<Row>)> = Vec::new();
            // The query returns two adjacent rows for each match, one for each seat. A damaged match may lack a row.
            for row in rows {
                let id: String = column(&row, "id")?;
                match matches.last_mut().filter(|(last, _)| *last == id) {
                    Some((_, seats)) => seats.push(row),
                    None => matches.push((id, vec![row])),
                }
            }
            Ok(matches.into_iter().map(|(id, seats)| listed(id, &seats)).collect())
        }
        .boxed()
    }

    fn remove(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended> {
        self.write(Write::Remove { id, sequence }).boxed()
    }

    fn unfinished(
        &self,
        created_before: i64,
        after: Option<Unfinished>,
        limit: u32,
    ) -> StoreFuture<'_, Vec<Unfinished>> {
        async move {
            let (time, id) =
                after.map_or((i64::MIN, String::new()), |last| (last.created_at, last.id));
            let rows = statement(UNFINISHED)
                .bind(created_before)
                .bind(time)
                .bind(id)
                .bind(limit)
                .rows(&self.readers)
                .await
                .map_err(store_error)?;
            rows.iter()
                .map(|row| {
                    Ok(Unfinished {
                        id: column(row, "id")?,
                        sequence: sequence_of(row)?,
                        created_at: column(row, "created_at")?,
                        acted_at: column(row, "acted_at")?,
                        deadline: column(row, "deadline")?,
                        is_open: column(row, "is_open")?,
                        is_empty: column(row, "is_empty")?,
                    })
                })
                .collect()
        }
        .boxed()
    }

    fn foldable(&self, ended_before: i64, limit: u32) -> StoreFuture<'_, Vec<String>> {
        async move {
            statement(
                "SELECT id FROM matches
                 WHERE ended_at IS NOT NULL AND NOT folded AND ended_at < $1 ORDER BY ended_at, id LIMIT $2",
            )
            .bind(ended_before)
            .bind(limit)
            .scalars(&self.readers)
            .await
            .map_err(store_error)
        }
        .boxed()
    }

    fn fold(&self, id: String) -> StoreFuture<'_, Appended> {
        self.write(Write::Fold(id)).boxed()
    }

    fn attempt(&self, attempt: Attempt) -> StoreFuture<'_, Appended> {
        self.write(Write::Attempt(Box::new(attempt))).boxed()
    }

    fn puzzle_attempts(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<CountedAttempt>> {
        puzzles::attempts(&self.readers, holder, limit).map_err(store_error).boxed()
    }

    fn puzzle_counts(&self, holder: Holder) -> StoreFuture<'_, PuzzleCounts> {
        puzzles::counts(&self.readers, holder).map_err(store_error).boxed()
    }

    fn puzzle_results(&self, holder: Holder) -> StoreFuture<'_, Vec<bool>> {
        puzzles::results(&self.readers, holder).map_err(store_error).boxed()
    }

    fn tried_puzzles<'a>(
        &'a self,
        holder: Holder,
        from: i64,
        asked: &'a str,
    ) -> StoreFuture<'a, TriedPuzzles> {
        puzzles::tried(&self.readers, holder, from, asked).map_err(store_error).boxed()
    }

    fn puzzle_player(&self, holder: Holder) -> StoreFuture<'_, Option<Rating>> {
        puzzles::player(&self.readers, holder).map_err(store_error).boxed()
    }

    fn puzzle_rating<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<Rating>> {
        puzzles::puzzle(&self.readers, id).map_err(store_error).boxed()
    }

    fn puzzle_ratings(&self) -> StoreFuture<'_, HashMap<String, f64>> {
        puzzles::ratings(&self.readers).map_err(store_error).boxed()
    }

    fn take_lease<'a>(&'a self, name: &'a str) -> StoreFuture<'a, Appended> {
        async move {
            // A query first checks whether another server holds the lease, because even a write that changes nothing would wait for the
            // disk. With several servers, another server usually holds the lease when a server reads a match.
            let is_held = leases::is_held_by_other(&self.readers, name, &self.server).await;
            if is_held.map_err(store_error)? {
                return Ok(Appended::Conflict);
            }
            self.write(Write::Lease(LeaseWrite::Take { name: name.to_owned() })).await
        }
        .boxed()
    }

    fn keep_leases(&self) -> StoreFuture<'_, Vec<String>> {
        async move {
            // A query first checks whether leases must be renewed or taken over, because even a write that changes nothing would wait for
            // the disk.
            if leases::is_needed(&self.readers, &self.server).await.map_err(store_error)? {
                self.write(Write::Lease(LeaseWrite::Keep)).await?;
            }
            leases::held(&self.readers, &self.server).await.map_err(store_error)
        }
        .boxed()
    }

    fn release_lease(&self, name: String, pause: Duration) -> StoreFuture<'_, Appended> {
        self.write(Write::Lease(LeaseWrite::Release { name, pause })).boxed()
    }

    fn retire(&self) -> StoreFuture<'_, Appended> {
        self.write(Write::Lease(LeaseWrite::Retire)).boxed()
    }

    fn remove_lease(&self, id: String, sequence: u64) -> StoreFuture<'_, Appended> {
        self.write(Write::Lease(LeaseWrite::Remove { id, sequence })).boxed()
    }

    fn act_targets(&self, seconds: i64) -> StoreFuture<'_, Vec<String>> {
        async move {
            let mut targets = operators::targets(&self.readers, seconds).await?;
            let changed = people::changed(&self.readers, seconds).await?;
            targets.extend(changed.iter().map(ToString::to_string));
            Ok(targets)
        }
        .map_err(store_error)
        .boxed()
    }

    fn forget_acts(&self, before: i64) -> StoreFuture<'_, Appended> {
        async move {
            // The method first looks for old entries in the operators' log, and writes only if it finds any. Every write waits for the
            // disk, even if the write removes nothing.
            if operators::has_acts_before(&self.readers, before).await.map_err(store_error)? {
                return self.write(Write::ForgetActs { before }).await;
            }
            Ok(Appended::Stored)
        }
        .boxed()
    }

    fn count(&self, counted: Vec<Counted>, window: Duration) -> StoreFuture<'_, Option<Duration>> {
        counts::count(&self.readers, counted, window).map_err(store_error).boxed()
    }

    fn forget_counts(&self) -> StoreFuture<'_, ()> {
        counts::forget(&self.readers).map_err(store_error).boxed()
    }

    fn check_writable(&self) -> StoreFuture<'_, ()> {
        async move { self.write(Write::Check).await.map(|_| ()) }.boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        async move {
            // The queue of database writes is closed when its sender is dropped. The writer ends when the queue is closed and empty.
            drop(self.jobs.lock().await.take());
            let writer = self.writer.lock().await.take();
            // The read connections are closed before the write connection. An open read connection would prevent the checkpoint from
            // truncating the write-ahead log.
            self.readers.close().await;
            let Some(writer) = writer else { return };
            let abort = writer.abort_handle();
            let closed = async {
                match writer.await {
                    Ok(link) => close(link).await,
                    Err(error) => tracing::error!(%error, "the writer of the database failed"),
                }
            };
            if timeout(self.readers.close_time(), closed).await.is_err() {
                // The waiting writes are not acknowledged.
                abort.abort();
                tracing::warn!("PostgreSQL did not answer in time before the stop of the server");
            }
        }
        .boxed()
    }
}

/// Converts the database rows of a match, one for each seat, to an item of a list of matches.
fn listed(id: String, seats: &[Row]) -> Listed {
    let sequence = seats.first().map_or(Ok(0), sequence_of);
    let (info, sequence) = match sequence {
        Ok(sequence) => (info_of(&id, seats), sequence),
        Err(error) => (Err(error), 0),
    };
    Listed { id, info, sequence }
}

/// Closes the write connection to the database.
async fn close(link: Link) {
    let Some(mut connection) = link.into_connection() else { return };
    if let Connection::Sqlite(connection) = &mut connection {
        sqlite::checkpoint(connection).await;
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "closing the database failed");
    }
}
