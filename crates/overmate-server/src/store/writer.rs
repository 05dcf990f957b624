//! The one writer of the database: it gathers what waits to be written into one transaction, so that many matches
//! share each wait for the disk.

use std::time::Instant;

use overmate_rules::Player;
use sqlx::error::DatabaseError;
use sqlx::sqlite::{SqliteConnection, SqliteQueryResult};
use sqlx::{Connection as _, Error};
use tokio::sync::{mpsc, oneshot};

use super::{Addition, Appended, Head, Holder, Request, Sitter, StoreError, What};

/// The most writes that share a transaction.
const BATCH: usize = 512;

/// Something to be written.
#[derive(Debug)]
pub(super) enum Write {
    Create(Box<(Head, Option<Request>)>),
    Append(Box<Addition>),
}

/// Something to be written, and who waits for it.
pub(super) struct Job {
    pub(super) write: Write,
    pub(super) done: oneshot::Sender<Result<Appended, StoreError>>,
}

/// Writes until nobody can ask for it any more, or, in a test, until so many commits.
pub(super) async fn run(
    mut connection: SqliteConnection,
    mut jobs: mpsc::Receiver<Job>,
    die_after_commits: Option<u64>,
) {
    let mut batch = Vec::new();
    let mut commits = 0;
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        let start = Instant::now();
        let results = write_all(&mut connection, &batch).await;
        metrics::histogram!("overmate_commit_seconds").record(start.elapsed().as_secs_f64());
        metrics::counter!("overmate_commits_total").increment(1);
        match results {
            Ok(results) => {
                commits += 1;
                if die_after_commits == Some(commits) {
                    std::process::abort();
                }
                for (job, result) in batch.drain(..).zip(results) {
                    // Who asked may be gone; it is written all the same.
                    let _ = job.done.send(Ok(result));
                }
            }
            Err(error) => {
                // SQLite may have rolled back already, and says so with an error.
                let _ = sqlx::query("ROLLBACK").execute(&mut connection).await;
                for job in batch.drain(..) {
                    let _ = job.done.send(Err(error.clone()));
                }
            }
        }
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the database did not close in order");
    }
}

/// All in one transaction: after an error nothing is written.
async fn write_all(
    connection: &mut SqliteConnection,
    batch: &[Job],
) -> Result<Vec<Appended>, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.map_err(store_error)?;
    let mut results = Vec::with_capacity(batch.len());
    for job in batch {
        let result = match &job.write {
            Write::Create(new) => create(connection, &new.0, new.1.as_ref()).await,
            Write::Append(addition) => append(connection, addition).await,
        };
        results.push(result.map_err(store_error)?);
    }
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(store_error)?;
    Ok(results)
}

async fn append(connection: &mut SqliteConnection, addition: &Addition) -> Result<Appended, Error> {
    let Addition { id, entry, ends, taken, begun } = addition;
    // The seat first: a second friend changes nothing, and then his entry is not tried.
    if let Some((player, holder, name)) = taken
        && !take_seat(connection, id, *player, holder, name.as_deref()).await?
    {
        return Ok(Appended::Taken);
    }
    let (kind, detail) = kind_and_detail(&entry.what);
    let inserted = sqlx::query(
        "INSERT INTO log (match_id, sequence, player, kind, detail, client_id, at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
         WHERE ?2 = 1 + (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = ?1)
         ON CONFLICT DO NOTHING",
    )
    .bind(id)
    .bind(signed(entry.sequence))
    .bind(player_text(entry.player))
    .bind(kind)
    .bind(detail)
    .bind(&entry.client_id)
    .bind(entry.at)
    .execute(&mut *connection)
    .await?;
    if inserted.rows_affected() == 0 {
        if let Some((player, ..)) = taken {
            leave_seat(connection, id, *player).await?;
        }
        return Ok(Appended::Taken);
    }
    if *ends {
        sqlx::query("UPDATE matches SET ended_at = ?2 WHERE id = ?1")
            .bind(id)
            .bind(entry.at)
            .execute(&mut *connection)
            .await?;
    }
    if let Some(head) = begun {
        create(connection, head, None).await?;
    }
    Ok(Appended::Stored)
}

/// Whether the seat was open.
async fn take_seat(
    connection: &mut SqliteConnection,
    id: &str,
    player: Player,
    holder: &Holder,
    name: Option<&str>,
) -> Result<bool, Error> {
    let taken: SqliteQueryResult = sqlx::query(
        "UPDATE seats SET holder = ?3, name = ?4
         WHERE match_id = ?1 AND player = ?2 AND holder IS NULL AND bot IS NULL",
    )
    .bind(id)
    .bind(player_text(player))
    .bind(&holder.0[..])
    .bind(name)
    .execute(connection)
    .await?;
    Ok(taken.rows_affected() == 1)
}

/// Opens a seat again that was taken a moment ago in the same transaction.
async fn leave_seat(
    connection: &mut SqliteConnection,
    id: &str,
    player: Player,
) -> Result<(), Error> {
    sqlx::query("UPDATE seats SET holder = NULL, name = NULL WHERE match_id = ?1 AND player = ?2")
        .bind(id)
        .bind(player_text(player))
        .execute(connection)
        .await?;
    Ok(())
}

async fn create(
    connection: &mut SqliteConnection,
    head: &Head,
    request: Option<&Request>,
) -> Result<Appended, Error> {
    let deals: Vec<String> = head.deals.iter().map(ToString::to_string).collect();
    let inserted = sqlx::query(
        "INSERT INTO matches (id, rules, deals, watch, invitation, created_at, asked_by, client_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
         ON CONFLICT (asked_by, client_id) WHERE client_id IS NOT NULL DO NOTHING",
    )
    .bind(&head.id)
    .bind(&head.rules)
    .bind(deals.join(" "))
    .bind(&head.watch)
    .bind(head.invitation.as_deref())
    .bind(head.created_at)
    .bind(request.map(|request| request.holder.0.to_vec()))
    .bind(request.map(|request| request.client_id.as_str()))
    .execute(&mut *connection)
    .await?;
    if inserted.rows_affected() == 0 {
        return Ok(Appended::Taken);
    }
    for player in Player::BOTH {
        let seat = &head.seats[player];
        let (holder, bot, seed) = match seat.sitter {
            Sitter::Open => (None, None, None),
            Sitter::Holder(holder) => (Some(holder.0.to_vec()), None, None),
            Sitter::Bot(bot, seed) => (None, Some(bot.to_string()), Some(seed.cast_signed())),
        };
        sqlx::query(
            "INSERT INTO seats (match_id, player, name, holder, bot, seed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(&head.id)
        .bind(player_text(player))
        .bind(seat.name.as_deref())
        .bind(holder)
        .bind(bot)
        .bind(seed)
        .execute(&mut *connection)
        .await?;
    }
    Ok(Appended::Stored)
}

/// How a player is stored.
pub(super) fn player_text(player: Player) -> &'static str {
    match player {
        Player::A => "a",
        Player::B => "b",
    }
}

fn kind_and_detail(what: &What) -> (&'static str, Option<&str>) {
    match what {
        What::Act(action) => ("act", Some(action)),
        What::Resign => ("resign", None),
        What::Undo => ("undo", None),
        What::Hint => ("hint", None),
        What::Join => ("join", None),
        What::Offer => ("offer", None),
        What::Accept(id) => ("accept", Some(id)),
    }
}

/// A sequence as SQLite counts; beyond its range there is none.
pub(super) fn signed(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

/// What a failure of the database means to who waits.
pub(super) fn store_error(error: Error) -> StoreError {
    /// The primary result codes of SQLite that pass by themselves or when an operator makes room.
    const BUSY: [i32; 4] =
        [5 /* busy */, 6 /* locked */, 10 /* input or output */, 13 /* full */];
    let cause = error.to_string();
    let code = error.as_database_error().and_then(DatabaseError::code);
    let primary = code.and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff);
    match (primary, error) {
        (Some(code), _) if BUSY.contains(&code) => StoreError::Busy(cause),
        (None, Error::PoolTimedOut) => StoreError::Busy(cause),
        _ => StoreError::Failed(cause),
    }
}
