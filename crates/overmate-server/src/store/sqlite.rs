//! Matches in SQLite: one connection that writes, a few that read.

use std::path::Path;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use overmate_rules::{ByPlayer, Player};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions as _, Row as _};
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::writer::{self, Job, Write, player_text, signed, store_error};
use super::{
    Addition, Answer, Appended, Entry, Head, Holder, Request, SeatHead, Sitter, Store, StoreError,
    What,
};
use crate::settings::Settings;

/// How long a read waits for a connection.
const READ_TIMEOUT: Duration = Duration::from_secs(5);

/// Writes that may wait in memory; beyond that, who asks waits.
const QUEUE: usize = 4_096;

/// A database file.
pub(crate) struct Sqlite {
    readers: SqlitePool,
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    sender: mpsc::WeakSender<Job>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Sqlite {
    /// Opens a database file, makes it if it is missing, and brings its tables up to date.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, is no database, or is of a later version of this program.
    pub(crate) async fn open(file: &Path, settings: &Settings) -> Result<Self, sqlx::Error> {
        // FULL: a commit is on the disk before it is acknowledged. Many share one commit, see the writer.
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(settings.patience);
        let mut connection = options.connect().await?;
        sqlx::migrate!("./migrations").run(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(4)
            .acquire_timeout(READ_TIMEOUT)
            .connect_with(options.read_only(true).create_if_missing(false))
            .await?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let writer = tokio::spawn(writer::run(connection, queue, settings.die_after_commits));
        Ok(Self {
            readers,
            sender: jobs.downgrade(),
            jobs: Mutex::new(Some(jobs)),
            writer: Mutex::new(Some(writer)),
        })
    }

    async fn write(&self, write: Write) -> Result<Appended, StoreError> {
        let stopped = || StoreError::Busy("the server is stopping".to_owned());
        let (done, result) = oneshot::channel();
        let sender = self.sender.upgrade().ok_or_else(stopped)?;
        sender.send(Job { write, done }).await.map_err(|_| stopped())?;
        drop(sender);
        result.await.map_err(|_| StoreError::Failed("the writer of the database is gone".into()))?
    }

    async fn ids(
        &self,
        query: &'static str,
        holder: Option<Holder>,
        limit: u32,
    ) -> Result<Vec<String>, StoreError> {
        let holder = holder.map(|holder| holder.0.to_vec());
        sqlx::query_scalar(query)
            .bind(holder)
            .bind(limit)
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)
    }
}

impl Store for Sqlite {
    fn create(&self, new: Head, request: Option<Request>) -> Answer<'_, Appended> {
        self.write(Write::Create(Box::new((new, request)))).boxed()
    }

    fn begun_by<'a>(&'a self, request: &'a Request) -> Answer<'a, Option<String>> {
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

    fn head<'a>(&'a self, id: &'a str) -> Answer<'a, Option<Head>> {
        async move {
            let rows = sqlx::query(
                "SELECT rules, deals, watch, invitation, created_at, player, name, holder, bot, seed
                 FROM matches JOIN seats ON match_id = id WHERE id = ?1",
            )
            .bind(id)
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
            if rows.is_empty() { Ok(None) } else { head_of(id, &rows).map(Some) }
        }
        .boxed()
    }

    fn entries<'a>(&'a self, id: &'a str, after: u64) -> Answer<'a, Vec<Entry>> {
        async move {
            let rows = sqlx::query(
                "SELECT sequence, player, kind, detail, client_id, at FROM log
                 WHERE match_id = ?1 AND sequence > ?2 ORDER BY sequence",
            )
            .bind(id)
            .bind(signed(after))
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
            rows.iter().map(entry_of).collect()
        }
        .boxed()
    }

    fn append(&self, addition: Addition) -> Answer<'_, Appended> {
        self.write(Write::Append(Box::new(addition))).boxed()
    }

    fn entry_named<'a>(&'a self, id: &'a str, client_id: &'a str) -> Answer<'a, Option<Entry>> {
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

    fn invited_to<'a>(&'a self, invitation: &'a str) -> Answer<'a, Option<String>> {
        async move {
            sqlx::query_scalar("SELECT id FROM matches WHERE invitation = ?1")
                .bind(invitation)
                .fetch_optional(&self.readers)
                .await
                .map_err(store_error)
        }
        .boxed()
    }

    fn held_by(&self, holder: Holder, limit: u32) -> Answer<'_, Vec<String>> {
        let query = "SELECT DISTINCT id FROM matches JOIN seats ON match_id = id WHERE holder = ?1
             ORDER BY ended_at IS NOT NULL, created_at DESC, id LIMIT ?2";
        self.ids(query, Some(holder), limit).boxed()
    }

    fn running_between_people(&self, holder: Holder) -> Answer<'_, Vec<String>> {
        let query = "SELECT DISTINCT m.id FROM seats mine JOIN matches m ON m.id = mine.match_id
             JOIN seats theirs ON theirs.match_id = m.id AND theirs.player != mine.player
             WHERE mine.holder = ?1 AND m.ended_at IS NULL
             AND theirs.bot IS NULL AND theirs.holder IS NOT mine.holder LIMIT ?2";
        self.ids(query, Some(holder), u32::MAX).boxed()
    }

    fn running_with_bots(&self) -> Answer<'_, Vec<String>> {
        let query = "SELECT DISTINCT id FROM matches JOIN seats ON match_id = id
             WHERE ended_at IS NULL AND bot IS NOT NULL AND ?1 IS NULL LIMIT ?2";
        self.ids(query, None, u32::MAX).boxed()
    }

    fn check(&self) -> Answer<'_, ()> {
        async move {
            let query = sqlx::query("SELECT 1 FROM matches LIMIT 1");
            query.fetch_optional(&self.readers).await.map(|_| ()).map_err(store_error)
        }
        .boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        async move {
            // The writer ends when it has written what waits and nobody can ask for more.
            drop(self.jobs.lock().await.take());
            if let Some(writer) = self.writer.lock().await.take()
                && let Err(error) = writer.await
            {
                tracing::error!(%error, "the writer of the database failed");
            }
            self.readers.close().await;
        }
        .boxed()
    }
}

/// What is stored and cannot be read: somebody else wrote it, or a later version.
fn unreadable(what: &str) -> StoreError {
    StoreError::Failed(format!("the database holds {what} that this version cannot read"))
}

fn column<'r, T>(row: &'r SqliteRow, name: &str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(name).map_err(store_error)
}

fn head_of(id: &str, rows: &[SqliteRow]) -> Result<Head, StoreError> {
    let [first, second] = rows else { return Err(unreadable("a match without two seats")) };
    let seat = |player: Player| {
        let row = [first, second]
            .into_iter()
            .find(|row| row.try_get("player").is_ok_and(|text: &str| text == player_text(player)));
        row.ok_or_else(|| unreadable("a match without two seats")).and_then(seat_of)
    };
    let deals: String = column(first, "deals")?;
    let deals: Result<Vec<u64>, _> = deals.split(' ').map(str::parse).collect();
    Ok(Head {
        id: id.to_owned(),
        rules: column(first, "rules")?,
        deals: deals.map_err(|_| unreadable("a deal"))?,
        watch: column(first, "watch")?,
        invitation: column(first, "invitation")?,
        created_at: column(first, "created_at")?,
        seats: ByPlayer { a: seat(Player::A)?, b: seat(Player::B)? },
    })
}

fn seat_of(row: &SqliteRow) -> Result<SeatHead, StoreError> {
    let holder: Option<Vec<u8>> = column(row, "holder")?;
    let bot: Option<String> = column(row, "bot")?;
    let seed: Option<i64> = column(row, "seed")?;
    let sitter = match (holder, bot) {
        (Some(hash), _) => {
            let hash = hash.try_into().map_err(|_| unreadable("a holder"))?;
            Sitter::Holder(Holder(hash))
        }
        (None, Some(bot)) => {
            let bot = bot.parse().map_err(|_| unreadable("an opponent"))?;
            Sitter::Bot(bot, seed.unwrap_or_default().cast_unsigned())
        }
        (None, None) => Sitter::Open,
    };
    Ok(SeatHead { name: column(row, "name")?, sitter })
}

fn entry_of(row: &SqliteRow) -> Result<Entry, StoreError> {
    let sequence: i64 = column(row, "sequence")?;
    let kind: &str = column(row, "kind")?;
    let detail: Option<String> = column(row, "detail")?;
    let what = match (kind, detail) {
        ("act", Some(action)) => What::Act(action),
        ("resign", None) => What::Resign,
        ("undo", None) => What::Undo,
        ("hint", None) => What::Hint,
        ("join", None) => What::Join,
        ("offer", None) => What::Offer,
        ("accept", Some(id)) => What::Accept(id),
        _ => return Err(unreadable("an entry of a log")),
    };
    let player = match column(row, "player")? {
        "a" => Player::A,
        _ => Player::B,
    };
    Ok(Entry {
        sequence: u64::try_from(sequence).map_err(|_| unreadable("a sequence"))?,
        player,
        what,
        client_id: column(row, "client_id")?,
        at: column(row, "at")?,
    })
}
