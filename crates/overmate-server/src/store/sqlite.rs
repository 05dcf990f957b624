//! Stores matches in a SQLite database, with one connection for writes and a pool of connections for reads.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, TryFutureExt as _};
use overmate_rules::{ByPlayer, Player};
use serde_json::{Value, json};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteRow, SqliteSynchronous,
};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::inspect::MIGRATIONS;
use super::types::{
    Addition, Appended, Attempt, Cause, CountedAttempt, Entry, EntryKind, Holder, Listed,
    MatchInfo, NewMatchRequest, Occupant, SeatInfo, Selection, SharedDealMatch, Store, StoreError,
    StoreFuture, Unfinished,
};
use super::writer::{self, Write, WriteJob, player_text, signed, store_error};
use super::{operators, puzzles};
use crate::data_folder;
use crate::names;
use crate::puzzle_rating::PuzzleRating;
use crate::settings::Settings;
use crate::shared_deal::SharedDealKey;

/// Longest time for which a read waits for a free database connection.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Largest number of database writes that wait in the queue. A full queue is back-pressure: the caller waits.
const QUEUE: usize = 4_096;

/// SQL query for the matches in which a browser holds a seat: both seats of each match, and the sequence number of its last log entry.
const HELD_BY: &str =
    "SELECT id, rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, player, name, seats.holder, bot, seed, deleted_at,
        (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = id) AS sequence
     FROM (SELECT * FROM matches WHERE id IN (SELECT match_id FROM seats WHERE holder = ?1)
           ORDER BY ended_at IS NOT NULL, created_at DESC, id LIMIT ?2)
     JOIN seats ON seats.match_id = id
     ORDER BY ended_at IS NOT NULL, created_at DESC, id, player";

/// SQL query for a batch of the matches in which a browser holds a seat, in the order of their ids.
const BATCH_OF: &str =
    "SELECT id, rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, player, name, seats.holder, bot, seed, deleted_at,
        (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = id) AS sequence
     FROM (SELECT * FROM matches WHERE id IN (SELECT match_id FROM seats WHERE holder = ?1 AND match_id > ?3)
           ORDER BY id LIMIT ?2)
     JOIN seats ON seats.match_id = id
     ORDER BY id, player";

/// SQL query for the running matches in which a browser plays against another person, waits for an invited person, or plays a shared deal.
const WITHOUT_HELP: &str =
    "SELECT id, rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, player, name, seats.holder, bot, seed, deleted_at,
        (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = id) AS sequence
     FROM (SELECT m.* FROM seats mine JOIN matches m ON m.id = mine.match_id
           JOIN seats theirs ON theirs.match_id = m.id AND theirs.player != mine.player
           WHERE mine.holder = ?1 AND m.ended_at IS NULL
           AND (theirs.bot IS NULL AND theirs.holder IS NOT mine.holder OR m.shared_deal IS NOT NULL) LIMIT ?2)
     JOIN seats ON seats.match_id = id
     ORDER BY id, player";

/// SQL query for the latest finished matches in which a browser holds exactly one seat.
const FINISHED: &str =
    "SELECT id, rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, player, name, seats.holder, bot, seed, deleted_at,
        (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = id) AS sequence
     FROM (SELECT m.* FROM seats mine JOIN matches m ON m.id = mine.match_id
           JOIN seats theirs ON theirs.match_id = m.id AND theirs.player != mine.player
           WHERE mine.holder = ?1 AND theirs.holder IS NOT ?1 AND m.ended_at IS NOT NULL
           ORDER BY m.ended_at DESC, m.id LIMIT ?2)
     JOIN seats ON seats.match_id = id
     ORDER BY ended_at DESC, id, player";

/// SQL query for the matches with the ids in a JSON list.
const BY_IDS: &str =
    "SELECT id, rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, player, name, seats.holder, bot, seed, deleted_at,
        (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = id) AS sequence
     FROM (SELECT * FROM matches WHERE id IN (SELECT value FROM json_each(?1)))
     JOIN seats ON seats.match_id = id
     ORDER BY id, player";

/// SQL query for a batch of the unfinished matches that were created before a time, in the order of their creation.
const UNFINISHED: &str = "SELECT id, created_at,
        (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = id) AS sequence,
        coalesce((SELECT at FROM log WHERE match_id = id ORDER BY sequence DESC LIMIT 1), created_at) AS acted_at,
        EXISTS (SELECT 1 FROM seats WHERE match_id = id AND holder IS NULL AND bot IS NULL AND deleted_at IS NULL) AS is_open,
        shared_deal IS NULL AND NOT EXISTS (SELECT 1 FROM log JOIN seats ON seats.match_id = log.match_id AND seats.player = log.player
                    WHERE log.match_id = id AND seats.bot IS NULL AND kind != 'operator') AS is_empty
     FROM matches
     WHERE ended_at IS NULL AND created_at < ?1 AND (created_at, id) > (?2, ?3)
     ORDER BY created_at, id LIMIT ?4";

/// Store of matches and their logs in a SQLite database file.
pub(crate) struct Sqlite {
    readers: SqlitePool,
    jobs: Mutex<Option<mpsc::Sender<WriteJob>>>,
    sender: mpsc::WeakSender<WriteJob>,
    writer: Mutex<Option<JoinHandle<SqliteConnection>>>,
    shared_deal_key: SharedDealKey,
    identity_key: [u8; 32],
}

impl Sqlite {
    /// Opens a database file, creates the file if it is missing, and migrates its tables to the current schema.
    ///
    /// # Errors
    ///
    /// An error if the file cannot be opened, is no database, or has tables of a later version.
    pub(crate) async fn open(file: &Path, settings: &Settings) -> Result<Self, sqlx::Error> {
        data_folder::restrict(file)?;
        // With `synchronous = FULL`, a commit returns only after the data is on the disk. The writer lets many writes share a commit.
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            // With `secure_delete`, SQLite overwrites erased data in the file with zeros.
            .pragma("secure_delete", "ON")
            .foreign_keys(true)
            .busy_timeout(settings.patience);
        let mut connection = options.connect().await?;
        MIGRATIONS.run(&mut connection).await?;
        let shared_deal_key = secret(&mut connection, "shared deals").await?;
        let identity_key = secret(&mut connection, "identities").await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(4)
            .acquire_timeout(READ_TIMEOUT)
            .connect_with(options.read_only(true).create_if_missing(false))
            .await?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let writer = tokio::spawn(writer::run(
            connection,
            queue,
            settings.limits,
            settings.die_after_commits,
        ));
        Ok(Self {
            readers,
            sender: jobs.downgrade(),
            jobs: Mutex::new(Some(jobs)),
            writer: Mutex::new(Some(writer)),
            shared_deal_key,
            identity_key,
        })
    }

    async fn write(&self, write: Write) -> Result<Appended, StoreError> {
        let stopped = || StoreError::Busy(cause("the server is stopping"));
        let (done, result) = oneshot::channel();
        let sender = self.sender.upgrade().ok_or_else(stopped)?;
        sender.send(WriteJob { write, done }).await.map_err(|_| stopped())?;
        drop(sender);
        result
            .await
            .map_err(|_| StoreError::Failed(cause("the writer of the database has ended")))?
    }
}

impl Store for Sqlite {
    fn create(
        &self,
        new: MatchInfo,
        request: Option<NewMatchRequest>,
    ) -> StoreFuture<'_, Appended> {
        self.write(Write::Create(Box::new((new, request)))).boxed()
    }

    fn created_by<'a>(&'a self, request: &'a NewMatchRequest) -> StoreFuture<'a, Option<String>> {
        async move {
            sqlx::query_scalar("SELECT id FROM matches WHERE asked_by = ?1 AND client_id = ?2")
                .bind(&request.holder.0[..])
                .bind(&request.client_id)
                .fetch_optional(&self.readers)
                .await
                .map_err(store_error)
        }
        .boxed()
    }

    fn info<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<MatchInfo>> {
        async move {
            let rows = sqlx::query(
                "SELECT rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, player, name, holder, bot, seed, deleted_at
                 FROM matches JOIN seats ON match_id = id WHERE id = ?1",
            )
            .bind(id)
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
            if rows.is_empty() { Ok(None) } else { info_of(id, &rows).map(Some) }
        }
        .boxed()
    }

    fn entries<'a>(&'a self, id: &'a str, after: u64) -> StoreFuture<'a, Option<Vec<Entry>>> {
        async move {
            // A match without later entries gives one row, whose sequence is null.
            let rows = sqlx::query(
                "SELECT sequence, player, kind, detail, log.client_id, at
                 FROM matches LEFT JOIN log ON match_id = id AND sequence > ?2
                 WHERE id = ?1 ORDER BY sequence",
            )
            .bind(id)
            .bind(signed(after))
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
            let Some(first) = rows.first() else { return Ok(None) };
            if column::<Option<i64>>(first, "sequence")?.is_none() {
                return Ok(Some(Vec::new()));
            }
            rows.iter().map(entry_of).collect::<Result<_, _>>().map(Some)
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
            let row = sqlx::query(
                "SELECT sequence, player, kind, detail, client_id, at FROM log
                 WHERE match_id = ?1 AND client_id = ?2",
            )
            .bind(id)
            .bind(client_id)
            .fetch_optional(&self.readers)
            .await
            .map_err(store_error)?;
            row.as_ref().map(entry_of).transpose()
        }
        .boxed()
    }

    fn invited_to<'a>(&'a self, invitation: &'a str) -> StoreFuture<'a, Option<String>> {
        async move {
            sqlx::query_scalar("SELECT id FROM matches WHERE invitation = ?1")
                .bind(invitation)
                .fetch_optional(&self.readers)
                .await
                .map_err(store_error)
        }
        .boxed()
    }

    fn entries_of(&self, matches: Vec<(String, u64)>) -> StoreFuture<'_, Vec<(String, Entry)>> {
        async move {
            let wanted = matches.into_iter().map(|(id, after)| json!({"id": id, "after": after}));
            let wanted = wanted.collect::<Value>().to_string();
            let rows = sqlx::query(
                "SELECT match_id, sequence, player, kind, detail, client_id, at
                 FROM json_each(?1) JOIN log ON match_id = value ->> 'id' AND sequence > value ->> 'after'
                 ORDER BY match_id, sequence",
            )
            .bind(wanted)
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
            rows.iter().map(|row| Ok((column(row, "match_id")?, entry_of(row)?))).collect()
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
            sqlx::query_scalar(
                "SELECT id FROM matches WHERE shared_deal = ?1 AND rules = ?2 AND ended_at >= ?3",
            )
            .bind(shared_deal)
            .bind(rules)
            .bind(since)
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)
        }
        .boxed()
    }

    fn shared_deals_of(&self, holder: Holder, limit: u32) -> StoreFuture<'_, Vec<SharedDealMatch>> {
        async move {
            let rows = sqlx::query(
                "SELECT DISTINCT id, shared_deal, rules, created_at, ended_at IS NOT NULL AS is_over
                 FROM seats JOIN matches ON id = match_id
                 WHERE holder = ?1 AND shared_deal IS NOT NULL
                 ORDER BY created_at DESC, id LIMIT ?2",
            )
            .bind(holder.0.to_vec())
            .bind(limit)
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
            let read = |row: &SqliteRow| {
                Ok(SharedDealMatch {
                    id: column(row, "id")?,
                    shared_deal: column(row, "shared_deal")?,
                    rules: column(row, "rules")?,
                    is_over: column(row, "is_over")?,
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
            sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM seats WHERE holder = ?1)
                 OR EXISTS (SELECT 1 FROM puzzle_attempts WHERE holder = ?1)",
            )
            .bind(holder.0.to_vec())
            .fetch_one(&self.readers)
            .await
            .map_err(store_error)
        }
        .boxed()
    }

    fn list(&self, selection: Selection) -> StoreFuture<'_, Vec<Listed>> {
        async move {
            let held = |query, holder: Holder, limit: u32| {
                sqlx::query(query).bind(holder.0.to_vec()).bind(limit)
            };
            let query = match selection {
                Selection::HeldBy { holder, limit } => held(HELD_BY, holder, limit),
                Selection::Batch { holder, after, limit } => {
                    held(BATCH_OF, holder, limit).bind(after)
                }
                Selection::Finished { holder, limit } => held(FINISHED, holder, limit),
                Selection::WithoutHelp { holder } => held(WITHOUT_HELP, holder, u32::MAX),
                Selection::Ids(ids) => sqlx::query(BY_IDS).bind(json!(ids).to_string()),
            };
            let rows = query.fetch_all(&self.readers).await.map_err(store_error)?;
            // The two rows of a match's seats are adjacent.
            let seats = rows.chunks(2);
            seats
                .map(|rows| {
                    let first = rows.first().ok_or_else(|| unreadable("an empty list"))?;
                    let id: String = column(first, "id")?;
                    Ok(Listed { info: info_of(&id, rows)?, sequence: sequence_of(first)? })
                })
                .collect()
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
            let rows = sqlx::query(UNFINISHED)
                .bind(created_before)
                .bind(time)
                .bind(id)
                .bind(limit)
                .fetch_all(&self.readers)
                .await
                .map_err(store_error)?;
            rows.iter()
                .map(|row| {
                    Ok(Unfinished {
                        id: column(row, "id")?,
                        sequence: sequence_of(row)?,
                        created_at: column(row, "created_at")?,
                        acted_at: column(row, "acted_at")?,
                        is_open: column(row, "is_open")?,
                        is_empty: column(row, "is_empty")?,
                    })
                })
                .collect()
        }
        .boxed()
    }

    fn attempt(&self, attempt: Attempt) -> StoreFuture<'_, Appended> {
        self.write(Write::Attempt(Box::new(attempt))).boxed()
    }

    fn puzzle_attempts(&self, holder: Holder) -> StoreFuture<'_, Vec<CountedAttempt>> {
        puzzles::attempts(&self.readers, holder).map_err(store_error).boxed()
    }

    fn puzzle_player(&self, holder: Holder) -> StoreFuture<'_, Option<PuzzleRating>> {
        puzzles::player(&self.readers, holder).map_err(store_error).boxed()
    }

    fn puzzle_rating<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<PuzzleRating>> {
        puzzles::puzzle(&self.readers, id).map_err(store_error).boxed()
    }

    fn forget_attempts(&self, holder: Holder) -> StoreFuture<'_, Appended> {
        self.write(Write::ForgetAttempts(holder)).boxed()
    }

    fn act_targets(&self, since: i64) -> StoreFuture<'_, Vec<String>> {
        operators::targets(&self.readers, since).map_err(store_error).boxed()
    }

    fn forget_acts(&self, before: i64) -> StoreFuture<'_, Appended> {
        async move {
            // The check avoids a write without effect, which would still wait for the disk.
            if operators::has_acts_before(&self.readers, before).await.map_err(store_error)? {
                return self.write(Write::ForgetActs { before }).await;
            }
            Ok(Appended::Stored)
        }
        .boxed()
    }

    fn check(&self) -> StoreFuture<'_, ()> {
        async move {
            let query = sqlx::query("SELECT 1 FROM matches LIMIT 1");
            query.fetch_optional(&self.readers).await.map(|_| ()).map_err(store_error)
        }
        .boxed()
    }

    fn check_writable(&self) -> StoreFuture<'_, ()> {
        async move { self.write(Write::Check).await.map(|_| ()) }.boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        async move {
            // The writer ends when the queue is closed and empty.
            drop(self.jobs.lock().await.take());
            let writer = self.writer.lock().await.take();
            // The readers are closed first, because an open reader would keep the checkpoint from truncating the write-ahead log.
            self.readers.close().await;
            let Some(writer) = writer else { return };
            match writer.await {
                Ok(connection) => checkpoint(connection).await,
                Err(error) => tracing::error!(%error, "the writer of the database failed"),
            }
        }
        .boxed()
    }
}

/// Returns the stored secret with a name, or draws and stores a secret if the database has none with this name.
async fn secret(
    connection: &mut SqliteConnection,
    name: &'static str,
) -> Result<[u8; 32], sqlx::Error> {
    let mut drawn = [0; 32];
    getrandom::fill(&mut drawn).map_err(|error| sqlx::Error::Configuration(error.into()))?;
    sqlx::query("INSERT INTO secrets (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
        .bind(name)
        .bind(&drawn[..])
        .execute(&mut *connection)
        .await?;
    let stored: Vec<u8> = sqlx::query_scalar("SELECT value FROM secrets WHERE name = ?1")
        .bind(name)
        .fetch_one(connection)
        .await?;
    stored.try_into().map_err(|_| {
        sqlx::Error::Decode(format!("the secret `{name}` does not have 32 bytes").into())
    })
}

/// Copies the write-ahead log into the database file and closes the database, so that a backup of this file alone is complete. With another process
/// on the same file the log may stay.
async fn checkpoint(mut connection: SqliteConnection) {
    let checkpointed =
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await;
    if let Err(error) = checkpointed {
        tracing::warn!(%error, "the write-ahead log stays beside the database file");
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "closing the database failed");
    }
}

/// Returns the error for stored data that this version of the server cannot read.
fn unreadable(what: &str) -> StoreError {
    StoreError::Failed(cause(format!("the database holds {what} that this version cannot read")))
}

/// Wraps an error or a text as the shared cause of a failed store operation.
fn cause(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Cause {
    Arc::from(error.into())
}

fn column<'r, T>(row: &'r SqliteRow, name: &str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(name).map_err(store_error)
}

fn info_of(id: &str, rows: &[SqliteRow]) -> Result<MatchInfo, StoreError> {
    let [first, second] = rows else { return Err(unreadable("a match without two seats")) };
    let seat = |player: Player| {
        let row = [first, second]
            .into_iter()
            .find(|row| row.try_get("player").is_ok_and(|text: &str| text == player_text(player)));
        row.ok_or_else(|| unreadable("a match without two seats")).and_then(seat_of)
    };
    let deals: String = column(first, "deals")?;
    let deals: Result<Vec<u64>, _> = deals.split(' ').map(str::parse).collect();
    Ok(MatchInfo {
        id: id.to_owned(),
        rules: column(first, "rules")?,
        deals: deals.map_err(|_| unreadable("a deal"))?,
        watch: column(first, "watch")?,
        invitation: column(first, "invitation")?,
        created_at: column(first, "created_at")?,
        shared_deal: column(first, "shared_deal")?,
        deal_chosen: column(first, "deal_chosen")?,
        seats: ByPlayer { a: seat(Player::A)?, b: seat(Player::B)? },
    })
}

fn seat_of(row: &SqliteRow) -> Result<SeatInfo, StoreError> {
    let holder: Option<Vec<u8>> = column(row, "holder")?;
    let bot: Option<String> = column(row, "bot")?;
    let seed: Option<i64> = column(row, "seed")?;
    let occupant = match (holder, bot) {
        (Some(hash), _) => {
            let hash = hash.try_into().map_err(|_| unreadable("a holder"))?;
            Occupant::Holder(Holder(hash))
        }
        (None, Some(bot)) => {
            let bot = bot.parse().map_err(|_| unreadable("an opponent"))?;
            Occupant::Bot(bot, seed.unwrap_or_default().cast_unsigned())
        }
        (None, None) if column::<Option<i64>>(row, "deleted_at")?.is_some() => Occupant::Deleted,
        (None, None) => Occupant::Open,
    };
    let name: Option<&str> = column(row, "name")?;
    Ok(SeatInfo { name: name.and_then(names::shown), occupant })
}

fn entry_of(row: &SqliteRow) -> Result<Entry, StoreError> {
    let kind: &str = column(row, "kind")?;
    let detail: Option<String> = column(row, "detail")?;
    let kind = EntryKind::of_texts(kind, detail).ok_or_else(|| unreadable("an entry of a log"))?;
    let player = match column(row, "player")? {
        "a" => Player::A,
        "b" => Player::B,
        _ => return Err(unreadable("an unknown player")),
    };
    Ok(Entry {
        sequence: sequence_of(row)?,
        player,
        kind,
        client_id: column(row, "client_id")?,
        at: column(row, "at")?,
    })
}

fn sequence_of(row: &SqliteRow) -> Result<u64, StoreError> {
    let sequence: i64 = column(row, "sequence")?;
    u64::try_from(sequence).map_err(|_| unreadable("a negative sequence"))
}
