//! Executes all writes to the database, in transactions of many writes each.
//! The writer commits all queued writes in one transaction (group commit), so
//! that many matches share each wait for the disk.

use std::sync::Arc;
use std::time::Instant;

use overmate_rules::Player;
use sqlx::Error;
use sqlx::error::DatabaseError;
use sqlx::sqlite::{SqliteConnection, SqliteQueryResult};
use tokio::sync::{mpsc, oneshot};

use crate::telemetry;

use super::operators;
use super::puzzles;
use super::types::{
    Addition, Appended, Attempt, Cause, EntryKind, Holder, MatchInfo, NewMatchRequest, Occupant,
    Quota, SeatTaken, StoreError,
};
use crate::settings::Limits;

/// Largest number of queued writes in one transaction.
const BATCH: usize = 512;

/// Write to the database that waits in the queue.
#[derive(Debug)]
pub(super) enum Write {
    Create(Box<(MatchInfo, Option<NewMatchRequest>)>),
    Append(Box<Addition>),
    /// Removes a match, if its last log entry has this sequence number.
    Remove {
        id: String,
        sequence: u64,
    },
    /// Counts an attempt at a puzzle.
    Attempt(Box<Attempt>),
    /// Removes the attempts of a browser at puzzles.
    ForgetAttempts(Holder),
    /// Removes the acts of operators that began before a time, in seconds since 1970.
    ForgetActs {
        before: i64,
    },
    /// Write that changes no data, and tests whether the database can be written.
    Check,
}

/// Queued write to the database, and the channel for its result.
pub(super) struct WriteJob {
    pub(super) write: Write,
    pub(super) done: oneshot::Sender<Result<Appended, StoreError>>,
}

/// Commits queued writes to the database until the queue is closed. For tests of durability, aborts the process after `die_after_commits` commits.
///
/// Returns the connection, which has no open transaction.
pub(super) async fn run(
    mut connection: SqliteConnection,
    mut jobs: mpsc::Receiver<WriteJob>,
    limits: Limits,
    die_after_commits: Option<u64>,
) -> SqliteConnection {
    let mut batch = Vec::new();
    let mut commits = 0;
    let mut longest = 0;
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        let start = Instant::now();
        let results = write_all(&mut connection, &batch, &limits).await;
        metrics::histogram!("overmate_commit_seconds").record(start.elapsed().as_secs_f64());
        metrics::counter!("overmate_commits_total").increment(1);
        match results {
            Ok(results) => {
                commits += 1;
                if die_after_commits == Some(commits) {
                    std::process::abort();
                }
                let appended = batch.iter().filter_map(|job| match &job.write {
                    Write::Append(addition) => Some(addition.entry.sequence),
                    Write::Create(_)
                    | Write::Remove { .. }
                    | Write::Attempt(_)
                    | Write::ForgetAttempts(_)
                    | Write::ForgetActs { .. }
                    | Write::Check => None,
                });
                longest = appended.fold(longest, u64::max);
                telemetry::set("overmate_longest_log_rows", longest);
                telemetry::set("overmate_writes_waiting", jobs.len() as u64);
                for (job, result) in batch.drain(..).zip(results) {
                    // An error is ignored: the write is committed even if the caller was cancelled.
                    let _ = job.done.send(Ok(result));
                }
            }
            Err(error) => {
                // An error is ignored, because SQLite may have rolled the transaction back already.
                let _ = sqlx::query("ROLLBACK").execute(&mut connection).await;
                for job in batch.drain(..) {
                    let _ = job.done.send(Err(error.clone()));
                }
            }
        }
    }
    connection
}

/// Executes a batch of writes in one transaction, so that an error leaves the database unchanged.
async fn write_all(
    connection: &mut SqliteConnection,
    batch: &[WriteJob],
    limits: &Limits,
) -> Result<Vec<Appended>, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.map_err(store_error)?;
    let mut results = Vec::with_capacity(batch.len());
    for job in batch {
        let result = match &job.write {
            Write::Create(new) => create(connection, &new.0, new.1.as_ref(), limits).await,
            Write::Append(addition) => append(connection, addition, limits).await,
            Write::Remove { id, sequence } => remove(connection, id, *sequence).await,
            Write::Attempt(attempt) => puzzles::count(connection, attempt).await,
            Write::ForgetAttempts(holder) => puzzles::forget(connection, *holder).await,
            Write::ForgetActs { before } => operators::forget(connection, *before).await,
            Write::Check => check(connection).await,
        };
        results.push(result.map_err(store_error)?);
    }
    sqlx::query("COMMIT").execute(&mut *connection).await.map_err(store_error)?;
    Ok(results)
}

/// Overwrites a row with its present values, and so tests whether the database can be written. SQLite writes the page of the row all the same.
async fn check(connection: &mut SqliteConnection) -> Result<Appended, Error> {
    sqlx::query("UPDATE _sqlx_migrations SET success = success").execute(connection).await?;
    Ok(Appended::Stored)
}

async fn append(
    connection: &mut SqliteConnection,
    addition: &Addition,
    limits: &Limits,
) -> Result<Appended, Error> {
    let Addition { id, entry, ends, taken, begun } = addition;
    let holders = taken.iter().map(|taken| taken.holder).chain(begun.iter().flat_map(holders));
    for holder in holders {
        if let Some(quota) = full_quota(connection, holder, limits).await? {
            return Ok(Appended::Full(quota));
        }
    }
    // The seat is taken before the log entry is inserted, so that the entry of a second friend is refused.
    if let Some(SeatTaken { player, holder, name }) = taken
        && !take_seat(connection, id, *player, holder, name.as_deref()).await?
    {
        return Ok(Appended::Conflict);
    }
    let (kind, detail) = entry.kind.texts();
    let inserted = sqlx::query(
        "INSERT INTO log (match_id, sequence, player, kind, detail, client_id, at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
         WHERE ?2 = 1 + (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = ?1)
         AND EXISTS (SELECT 1 FROM matches WHERE id = ?1)
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
        if let Some(taken) = taken {
            leave_seat(connection, id, taken.player).await?;
        }
        return Ok(Appended::Conflict);
    }
    if entry.kind == EntryKind::Leave {
        delete_seat(connection, id, entry.player, entry.at).await?;
    }
    if *ends {
        sqlx::query("UPDATE matches SET ended_at = ?2 WHERE id = ?1")
            .bind(id)
            .bind(entry.at)
            .execute(&mut *connection)
            .await?;
    }
    if let Some(info) = begun {
        insert(connection, info, None).await?;
    }
    Ok(Appended::Stored)
}

async fn remove(
    connection: &mut SqliteConnection,
    id: &str,
    sequence: u64,
) -> Result<Appended, Error> {
    let is_unchanged: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM matches WHERE id = ?1)
         AND ?2 = (SELECT coalesce(max(sequence), 0) FROM log WHERE match_id = ?1)",
    )
    .bind(id)
    .bind(signed(sequence))
    .fetch_one(&mut *connection)
    .await?;
    if !is_unchanged {
        return Ok(Appended::Conflict);
    }
    for statement in [
        "DELETE FROM log WHERE match_id = ?1",
        "DELETE FROM seats WHERE match_id = ?1",
        "DELETE FROM matches WHERE id = ?1",
    ] {
        sqlx::query(statement).bind(id).execute(&mut *connection).await?;
    }
    Ok(Appended::Stored)
}

/// Returns the browsers that hold a seat of a match, without repetition.
fn holders(info: &MatchInfo) -> impl Iterator<Item = Holder> {
    let holder = |player: Player| match info.seats[player].occupant {
        Occupant::Holder(holder) => Some(holder),
        Occupant::Open | Occupant::Deleted | Occupant::Bot(..) => None,
    };
    let (a, b) = (holder(Player::A), holder(Player::B));
    a.into_iter().chain(b.filter(|_| a != b))
}

/// Returns the quota that a browser has reached, beyond which the browser may take no further seat, or `None` below all quotas.
async fn full_quota(
    connection: &mut SqliteConnection,
    holder: Holder,
    limits: &Limits,
) -> Result<Option<Quota>, Error> {
    if (limits.unfinished_matches, limits.kept_matches) == (None, None) {
        return Ok(None);
    }
    let (unfinished, kept): (u32, u32) = sqlx::query_as(
        "SELECT count(DISTINCT id) FILTER (WHERE ended_at IS NULL), count(DISTINCT id)
         FROM seats JOIN matches ON id = match_id WHERE holder = ?1",
    )
    .bind(&holder.0[..])
    .fetch_one(connection)
    .await?;
    let is_reached = |count: u32, most: Option<u32>| most.is_some_and(|most| count >= most);
    Ok(if is_reached(unfinished, limits.unfinished_matches) {
        Some(Quota::Unfinished)
    } else {
        is_reached(kept, limits.kept_matches).then_some(Quota::Kept)
    })
}

/// Gives an open seat of a match to a browser. Returns whether the seat was open.
async fn take_seat(
    connection: &mut SqliteConnection,
    id: &str,
    player: Player,
    holder: &Holder,
    name: Option<&str>,
) -> Result<bool, Error> {
    let taken: SqliteQueryResult = sqlx::query(
        "UPDATE seats SET holder = ?3, name = ?4
         WHERE match_id = ?1 AND player = ?2
         AND holder IS NULL AND bot IS NULL AND deleted_at IS NULL",
    )
    .bind(id)
    .bind(player_text(player))
    .bind(&holder.0[..])
    .bind(name)
    .execute(connection)
    .await?;
    Ok(taken.rows_affected() == 1)
}

/// Removes the name and the browser of a seat, and the stored request with which this browser
/// created the match.
async fn delete_seat(
    connection: &mut SqliteConnection,
    id: &str,
    player: Player,
    at: i64,
) -> Result<(), Error> {
    sqlx::query(
        "UPDATE matches SET asked_by = NULL, client_id = NULL
         WHERE id = ?1 AND asked_by = (SELECT holder FROM seats WHERE match_id = ?1 AND player = ?2)",
    )
    .bind(id)
    .bind(player_text(player))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "UPDATE seats SET holder = NULL, name = NULL, deleted_at = ?3
         WHERE match_id = ?1 AND player = ?2",
    )
    .bind(id)
    .bind(player_text(player))
    .bind(at)
    .execute(connection)
    .await?;
    Ok(())
}

/// Reopens a seat that an earlier statement of the transaction has taken.
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
    info: &MatchInfo,
    request: Option<&NewMatchRequest>,
    limits: &Limits,
) -> Result<Appended, Error> {
    if is_known(connection, request).await? {
        return Ok(Appended::Conflict);
    }
    for holder in holders(info) {
        if let Some(quota) = full_quota(connection, holder, limits).await? {
            return Ok(Appended::Full(quota));
        }
    }
    insert(connection, info, request).await?;
    Ok(Appended::Stored)
}

/// Returns whether an identical request has already created a match.
async fn is_known(
    connection: &mut SqliteConnection,
    request: Option<&NewMatchRequest>,
) -> Result<bool, Error> {
    let Some(NewMatchRequest { holder, client_id }) = request else { return Ok(false) };
    sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM matches WHERE asked_by = ?1 AND client_id = ?2)",
    )
    .bind(&holder.0[..])
    .bind(client_id)
    .fetch_one(connection)
    .await
}

async fn insert(
    connection: &mut SqliteConnection,
    info: &MatchInfo,
    request: Option<&NewMatchRequest>,
) -> Result<(), Error> {
    let deals: Vec<String> = info.deals.iter().map(ToString::to_string).collect();
    sqlx::query(
        "INSERT INTO matches (id, rules, deals, watch, invitation, created_at, shared_deal, deal_chosen, asked_by, client_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )
    .bind(&info.id)
    .bind(&info.rules)
    .bind(deals.join(" "))
    .bind(&info.watch)
    .bind(info.invitation.as_deref())
    .bind(info.created_at)
    .bind(info.shared_deal.as_deref())
    .bind(info.deal_chosen)
    .bind(request.map(|request| request.holder.0.to_vec()))
    .bind(request.map(|request| request.client_id.as_str()))
    .execute(&mut *connection)
    .await?;
    for player in Player::BOTH {
        let seat = &info.seats[player];
        let (holder, bot, seed) = match seat.occupant {
            Occupant::Open | Occupant::Deleted => (None, None, None),
            Occupant::Holder(holder) => (Some(holder.0.to_vec()), None, None),
            Occupant::Bot(bot, seed) => (None, Some(bot.to_string()), Some(seed.cast_signed())),
        };
        sqlx::query(
            "INSERT INTO seats (match_id, player, name, holder, bot, seed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .bind(&info.id)
        .bind(player_text(player))
        .bind(seat.name.as_deref())
        .bind(holder)
        .bind(bot)
        .bind(seed)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Returns the text that stands for a player in the database.
pub(super) fn player_text(player: Player) -> &'static str {
    match player {
        Player::A => "a",
        Player::B => "b",
    }
}

/// Converts a sequence number to the signed integer that SQLite stores. No stored sequence number exceeds its maximum.
pub(super) fn signed(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

/// Converts a database error to a store error.
pub(super) fn store_error(error: Error) -> StoreError {
    /// Primary SQLite result codes of temporary failures, and of failures that end when an operator frees disk space.
    const BUSY: [i32; 4] =
        [5 /* busy */, 6 /* locked */, 10 /* input or output */, 13 /* full */];
    let code = error.as_database_error().and_then(DatabaseError::code);
    let primary = code.and_then(|code| code.parse::<i32>().ok()).map(|code| code & 0xff);
    let is_busy = match primary {
        Some(code) => BUSY.contains(&code),
        None => matches!(error, Error::PoolTimedOut),
    };
    let cause: Cause = Arc::new(error);
    if is_busy { StoreError::Busy(cause) } else { StoreError::Failed(cause) }
}
