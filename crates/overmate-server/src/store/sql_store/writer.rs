//! Executes all database writes of the server. The writer commits all queued writes together (group commit), so that many matches
//! share each wait for the disk.

use std::slice;
use std::time::Instant;

use sha2::{Digest as _, Sha256};
use sqlx::Error;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::clock::now;
use crate::settings::Limits;
use crate::store::connection::fault::{lost, store_error};
use crate::store::connection::link::Link;
use crate::store::connection::sql::{Connection, statement};
use crate::store::interface::absence::AbsenceChange;
use crate::store::interface::bot::BotChange;
use crate::store::interface::event::EventChange;
use crate::store::interface::holder::Holder;
use crate::store::interface::mail::MailChange;
use crate::store::interface::outcome::{Appended, StoreError};
use crate::store::interface::passkey::PasskeyChange;
use crate::store::interface::person::{Joined, PersonChange};
use crate::store::interface::push::PushChange;
use crate::store::interface::rating::RatedEnd;
use crate::store::interface::relation::{RelationChange, RelationKind};
use crate::store::interface::report::ReportChange;
use crate::store::interface::seat::SeatTextChange;
use crate::store::interface::store::{Addition, Attempt, OfferChange};
use crate::store::interface::talk::NewTalk;
use crate::store::interface::visibility::{Present, VisibilityChange};
use crate::store::queries::appending::{append, append_alone, remove};
use crate::store::queries::clocks::{self, ClockWrite};
use crate::store::queries::leases::{self, LeaseWrite};
use crate::store::queries::new_matches::{Creation, create, holders};
use crate::store::queries::person_sql::person_of;
use crate::store::queries::{
    absences, events, feeds, fold, offers, operators, people, push, puzzles, relations, reports,
    seats, talk, visibility,
};
use crate::telemetry;

/// Maximum number of queued writes in one database transaction.
const BATCH: usize = 512;

/// Queued write to the database.
#[derive(Debug)]
pub(super) enum Write {
    Create(Box<Creation>),
    Append(Box<Addition>),
    /// Removes a match, if the last log entry still has a given sequence number.
    Remove {
        id: String,
        sequence: u64,
    },
    /// Folds (packs) the log of a finished match into one database row.
    Fold(String),
    /// Records a puzzle attempt.
    Attempt(Box<Attempt>),
    /// Changes the data of a person, such as their browsers, their account or their recovery codes.
    Person(Box<PersonChange>),
    /// Removes old entries from the operators' log: all acts that precede a Unix time in seconds.
    ForgetActs {
        before: i64,
    },
    /// Changes the conditional answers or the private note of a player.
    SeatText(Box<SeatTextChange>),
    /// Begins or ends the days off of a person.
    Absence(AbsenceChange),
    /// Replaces or removes the token in the secret URL of a person's turn feed (list of the matches in which it is their turn). The
    /// request comes from one of the person's browsers.
    Feed {
        person: Holder,
        browser: Holder,
        token: Option<String>,
    },
    /// Changes a push subscription.
    Push(Box<PushChange>),
    /// Changes the database leases by which servers reserve background work.
    Lease(LeaseWrite),
    /// Writes the clock deadline of a match, or a heartbeat of the server.
    Clock(ClockWrite),
    /// Changes match offers.
    Offer(Box<OfferChange>),
    /// Changes tournament events.
    Event(Box<EventChange>),
    /// Changes the favourites, mutes or blocks between two persons.
    Relation(RelationChange),
    /// Changes reports about players, or the measures that operators take against persons.
    Report(Box<ReportChange>),
    /// Stores a chat message of a player.
    Talk(Box<NewTalk>),
    /// Removes the chat messages that were sent before a Unix time in seconds.
    ForgetTalk {
        before: i64,
    },
    /// Replaces the visibility settings of a person.
    Visibility(VisibilityChange),
    /// Replaces one server's stored list of the people who are connected to it.
    Present(Box<Present>),
    /// Stores the current time in seconds, to test whether the database is writable.
    Check,
}

/// Queued database write, with the channel that returns the result of the write.
pub(super) struct WriteJob {
    pub(super) write: Write,
    pub(super) done: oneshot::Sender<Result<Appended, StoreError>>,
}

impl Write {
    /// Returns the id of the match that a database write changes, or `None` if the write changes no stored match. For a lease on
    /// other work, returns the name of the lease.
    fn match_id(&self) -> Option<&str> {
        match self {
            Self::Append(addition) => Some(&addition.id),
            Self::Remove { id, .. } | Self::Fold(id) => Some(id),
            Self::Lease(write) => write.name(),
            Self::Clock(write) => write.match_id(),
            Self::SeatText(change) => Some(&change.id),
            Self::Talk(new) => Some(&new.id),
            Self::Person(change) => change.match_id(),
            Self::Create(_)
            | Self::Absence(_)
            | Self::Feed { .. }
            | Self::Push(_)
            | Self::Attempt(_)
            | Self::ForgetActs { .. }
            | Self::Offer(_)
            | Self::Event(_)
            | Self::Relation(_)
            | Self::Report(_)
            | Self::ForgetTalk { .. }
            | Self::Visibility(_)
            | Self::Present(_)
            | Self::Check => None,
        }
    }

    /// Returns the browser and the person that a database write links to each other. The person is given by their identity, or by the hash
    /// of a code that they made. Returns `None` if the write links no browser.
    fn joining(&self) -> Option<(Holder, Joined<'_>)> {
        if let Self::Person(change) = self { change.joining() } else { None }
    }

    /// Returns the person whose account a database write turns into a bot account. Returns `None` for any other kind of write.
    fn marked(&self) -> Option<Holder> {
        let Self::Person(change) = self else { return None };
        match &**change {
            PersonChange::Bot(BotChange::Mark { person, .. }) => Some(*person),
            _ => None,
        }
    }

    /// Returns the PostgreSQL advisory lock keys for the data that a database write reads and changes, such as a person's ratings.
    /// Not included are the lock of the write's match, and the keys of two persons whom the write merges into one person.
    fn keys(&self) -> Vec<i64> {
        match self {
            Self::Create(new) => {
                let asked_by = new.request.as_ref().map(|request| request.holder);
                holders(&new.info).chain(asked_by).map(key_of_holder).collect()
            }
            Self::Append(addition) => {
                let taken = addition.taken.iter();
                let taken =
                    taken.flat_map(|taken| [Some(taken.holder), taken.rated_host]).flatten();
                let begun = addition.begun.iter().flat_map(holders);
                let rated = addition.rated.iter().flat_map(RatedEnd::persons);
                taken.chain(begun).chain(rated).map(key_of_holder).collect()
            }
            Self::Attempt(attempt) => {
                let puzzle = Sha256::digest(attempt.puzzle.as_bytes()).into();
                vec![key_of_holder(attempt.holder), key_of_holder(Holder(puzzle))]
            }
            Self::Absence(change) => vec![key_of_holder(change.person)],
            Self::Feed { person, .. } => vec![key_of_holder(*person)],
            Self::Push(change) => {
                // The endpoint of a push subscription has its own lock, because two persons may send the same endpoint at the same time.
                let endpoint = match &**change {
                    PushChange::Set { subscription, .. } => {
                        Some(Holder(Sha256::digest(subscription.endpoint.as_bytes()).into()))
                    }
                    PushChange::Remove { .. } | PushChange::Sent { .. } => None,
                };
                endpoint.into_iter().chain([change.person()]).map(key_of_holder).collect()
            }
            Self::Person(change) => match **change {
                PersonChange::Forget { person, .. } => {
                    vec![key_of_holder(person), offers::LOCK, events::LOCK]
                }
                // A lock on the person's data keeps browsers from setting a new secret URL of the turn feed during a sign-out or passkey
                // removal.
                PersonChange::Revoke { person, .. }
                | PersonChange::Vacate { person, .. }
                | PersonChange::Passkey(PasskeyChange::Remove { person, .. }) => {
                    vec![key_of_holder(person)]
                }
                PersonChange::Account(ref change) => {
                    // A sign-in, or a change of a profile's visibility, may change the lobby's list of match offers. The write then
                    // increments the version number of the list.
                    change.exposed().map(key_of_holder).chain([offers::LOCK]).collect()
                }
                PersonChange::Bot(ref change) => {
                    vec![key_of_holder(change.person()), offers::LOCK, events::LOCK]
                }
                // A new password for a bot withdraws the match offers of the bot.
                PersonChange::Mail(MailChange::Recover { person, .. }) => {
                    vec![key_of_holder(person), offers::LOCK]
                }
                PersonChange::Mail(ref change) => vec![key_of_holder(change.person())],
                PersonChange::Add { .. } => vec![offers::LOCK],
                PersonChange::Offer(_)
                | PersonChange::Passkey(_)
                | PersonChange::ForgetOld { .. } => Vec::new(),
            },
            Self::Offer(change) => {
                let players = offers::players(change).map(key_of_holder);
                players.chain([offers::LOCK]).collect()
            }
            Self::Event(change) => {
                let persons = events::persons(change).into_iter().map(key_of_holder);
                persons.chain([events::LOCK]).collect()
            }
            Self::Relation(change) => {
                // If a person blocks another person, or ends the block, the two persons see other match offers than before.
                let noted = (change.kind() == RelationKind::Block).then_some(offers::LOCK);
                change.persons().map(key_of_holder).into_iter().chain(noted).collect()
            }
            Self::Visibility(change) => vec![key_of_holder(change.person)],
            // All servers take the same lock to store lists of connected people, because each server also removes the expired lists of
            // other servers.
            Self::Present(_) => vec![visibility::LOCK],
            Self::Report(change) => match &**change {
                // A write that stores a report about a player takes one advisory lock for the reporting person and one for this person's
                // network. The number of reports is limited for both.
                ReportChange::Make(new) => {
                    vec![key_of_holder(new.reporter), i64::from(new.report.network) - i64::MAX]
                }
                ReportChange::Confirm { .. } | ReportChange::Forget { .. } => Vec::new(),
            },
            Self::Remove { .. }
            | Self::Fold(_)
            | Self::SeatText(_)
            | Self::Talk(_)
            | Self::ForgetTalk { .. }
            | Self::ForgetActs { .. }
            | Self::Lease(_)
            | Self::Clock(_)
            | Self::Check => Vec::new(),
        }
    }

    /// Returns the key by which database writes are sorted within a transaction. Matches are sorted by id, so that the transactions
    /// of several servers cannot deadlock. A write to many leases comes last, so that a transaction that has changed these leases
    /// waits for no other server.
    fn place(&self) -> (bool, Option<&str>) {
        let is_of_many = matches!(self, Self::Lease(write) if write.name().is_none());
        (is_of_many, self.match_id())
    }
}

/// Returns the PostgreSQL lock key that belongs to the identity hash of a person or browser.
fn key_of_holder(Holder(hash): Holder) -> i64 {
    hash.first_chunk().copied().map_or(0, i64::from_be_bytes)
}

/// Commits queued writes to the database until the queue is closed. The writer takes leases for a server until the server retires.
/// For tests of durability, the process aborts after `die_after_commits` commits. A commit that holds only leases, deadlines,
/// heartbeats and lists of connected people does not count.
///
/// Returns the connection without an open transaction.
pub(super) async fn run(
    mut link: Link,
    mut jobs: mpsc::Receiver<WriteJob>,
    limits: Box<Limits>,
    mut server: Option<String>,
    die_after_commits: Option<u64>,
) -> Link {
    let mut batch = Vec::new();
    let mut commits = 0;
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        batch.sort_by(|a, b| a.write.place().cmp(&b.write.place()));
        let results = write(&mut link, &batch, &limits, server.as_deref()).await;
        if batch.iter().any(|job| matches!(job.write, Write::Lease(LeaseWrite::Retire))) {
            server = None;
        }
        let is_counted =
            |(job, result): (&WriteJob, &Result<_, _>)| result.is_ok() && !is_routine(&job.write);
        commits += u64::from(batch.iter().zip(&results).any(is_counted));
        if die_after_commits == Some(commits) {
            std::process::abort();
        }
        telemetry::set("overmate_writes_waiting", jobs.len() as u64);
        for (job, result) in batch.drain(..).zip(results) {
            // The result of `send` is ignored, because the database write is committed even if its caller was cancelled.
            let _ = job.done.send(result);
        }
    }
    link
}

/// Executes a batch of database writes, and returns each write's result.
async fn write(
    link: &mut Link,
    batch: &[WriteJob],
    limits: &Limits,
    server: Option<&str>,
) -> Vec<Result<Appended, StoreError>> {
    match commit(link, batch, limits, server).await {
        Ok(results) => results.into_iter().map(Ok).collect(),
        // A write that the database refuses must not make the other writes of the batch fail.
        Err(StoreError::Failed(_)) if batch.len() > 1 => {
            let mut results = Vec::with_capacity(batch.len());
            for job in batch {
                let alone = commit(link, slice::from_ref(job), limits, server).await;
                results.push(alone.map(|results| results[0]));
            }
            results
        }
        Err(error) => batch.iter().map(|_| Err(error.clone())).collect(),
    }
}

/// Executes a batch of database writes in one transaction, with a timeout on PostgreSQL.
async fn commit(
    link: &mut Link,
    batch: &[WriteJob],
    limits: &Limits,
    server: Option<&str>,
) -> Result<Vec<Appended>, StoreError> {
    let start = Instant::now();
    let patience = link.patience();
    let written = transact(link, batch, limits, server);
    let results = match patience {
        Some(patience) => timeout(patience, written).await.unwrap_or_else(|_| Err(lost())),
        None => written.await,
    };
    metrics::histogram!("overmate_commit_seconds").record(start.elapsed().as_secs_f64());
    metrics::counter!("overmate_commits_total").increment(1);
    results
}

/// Returns whether a database write is regular background work of a server: a change of leases, match clocks, or the list of
/// connected people.
fn is_routine(write: &Write) -> bool {
    matches!(write, Write::Lease(_) | Write::Clock(_) | Write::Present(_))
}

/// Executes a batch of database writes in one transaction. After an error, the database holds no write of the batch, with one
/// exception: if the connection to PostgreSQL was lost during the commit, the database may hold the whole batch.
async fn transact(
    link: &mut Link,
    batch: &[WriteJob],
    limits: &Limits,
    server: Option<&str>,
) -> Result<Vec<Appended>, StoreError> {
    let mut connection = link.take().await?;
    let written = write_all(&mut connection, batch, limits, server).await;
    link.put(connection, written.is_ok()).await;
    written.map_err(store_error)
}

async fn write_all(
    connection: &mut Connection,
    batch: &[WriteJob],
    limits: &Limits,
    server: Option<&str>,
) -> Result<Vec<Appended>, Error> {
    if let [WriteJob { write: Write::Append(addition), .. }] = batch
        && let Some(appended) = append_alone(connection, addition).await?
    {
        return Ok(vec![appended]);
    }
    connection.begin().await?;
    lock(connection, batch).await?;
    let mut results = Vec::with_capacity(batch.len());
    for job in batch {
        results.push(match &job.write {
            Write::Create(new) => create(connection, new, limits, server).await?,
            Write::Append(addition) => append(connection, addition, limits, server).await?,
            Write::Remove { id, sequence } => remove(connection, id, *sequence).await?,
            Write::Fold(id) => fold::fold_log(connection, id).await?,
            Write::Attempt(attempt) => puzzles::count(connection, attempt).await?,
            Write::Person(change) => people::write(connection, change, limits.days_off).await?,
            Write::ForgetActs { before } => operators::forget(connection, *before).await?,
            Write::Feed { person, browser, token } => {
                feeds::write(connection, (*person, *browser), token.as_deref()).await?
            }
            Write::Push(change) => push::write(connection, change).await?,
            Write::Absence(change) => absences::write(connection, *change).await?,
            Write::SeatText(change) => seats::write(connection, change).await?,
            Write::Lease(write) => leases::write(connection, write, server).await?,
            Write::Clock(write) => clocks::write(connection, write).await?,
            Write::Offer(change) => offers::write(connection, change, limits, server).await?,
            Write::Event(change) => events::write(connection, change, server).await?,
            Write::Relation(change) => relations::write(connection, *change).await?,
            Write::Report(change) => reports::write(connection, change).await?,
            Write::Talk(new) => talk::send(connection, new).await?,
            Write::ForgetTalk { before } => talk::forget(connection, *before).await?,
            Write::Visibility(change) => visibility::set(connection, *change).await?,
            Write::Present(present) => visibility::set_present(connection, present).await?,
            Write::Check => check(connection).await?,
        });
    }
    connection.commit().await?;
    Ok(results)
}

/// Takes the PostgreSQL locks on all data that a batch of database writes reads and changes, until the end of the transaction. In
/// SQLite, the transaction itself prevents all other writes.
async fn lock(connection: &mut Connection, batch: &[WriteJob]) -> Result<(), Error> {
    if let Connection::Sqlite(_) = connection {
        return Ok(());
    }
    // The lock on the data of all persons comes first, so that no person changes while the locks of single persons are collected.
    if batch.iter().any(|job| matches!(job.write, Write::Person(_))) {
        people::lock(connection).await?;
    }
    let mut ids: Vec<String> =
        batch.iter().filter_map(|job| job.write.match_id()).map(str::to_owned).collect();
    let mut keys: Vec<i64> = batch.iter().flat_map(|job| job.write.keys()).collect();
    for person in batch.iter().filter_map(|job| job.write.marked()) {
        ids.extend(people::matches_of(connection, person).await?);
    }
    for (browser, joined) in batch.iter().filter_map(|job| job.write.joining()) {
        let former = person_of(connection, browser).await?;
        let person = people::joined(connection, joined).await?;
        ids.extend(people::matches_of(connection, former).await?);
        keys.extend([former].into_iter().chain(person).map(key_of_holder));
    }
    ids.sort_unstable();
    ids.dedup();
    if !ids.is_empty() {
        statement("SELECT 1 FROM matches WHERE id = ANY($1) ORDER BY id FOR UPDATE")
            .bind(ids)
            .execute(&mut *connection)
            .await?;
    }
    keys.sort_unstable();
    keys.dedup();
    if !keys.is_empty() {
        statement("SELECT pg_advisory_xact_lock(key) FROM unnest($1) AS keys (key)")
            .bind(keys)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Tests whether the database is writable, by storing the current time. SQLite writes a page only if its values change. All tests
/// within one second therefore cost one write together.
async fn check(connection: &mut Connection) -> Result<Appended, Error> {
    statement(
        "INSERT INTO beats (name, at) VALUES ('readiness', $1)
         ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE beats.at <> excluded.at",
    )
    .bind(now())
    .execute(connection)
    .await?;
    Ok(Appended::Stored)
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::database::Database;
    use crate::settings::Settings;
    use crate::store::Store as _;
    use crate::store::connection::sql::POSTGRES_PATIENCE;
    use crate::store::sql_store::SqlStore;

    #[tokio::test]
    async fn a_store_closes_although_postgres_does_not_answer() {
        let postgres = test_postgres::Postgres::start();
        let text = postgres.database();
        let database: Database = text.parse().expect("an address");
        let store = Arc::new(SqlStore::open(&Settings::new(database)).await.expect("a store"));
        assert!(store.check_writable().await.is_ok());
        let sessions = "SELECT pid FROM pg_stat_activity \
                        WHERE datname = current_database() AND pid != pg_backend_pid()";
        let sessions = postgres.rows(&text, sessions).concat();
        assert!(!sessions.is_empty());
        let signal = |name| Command::new("kill").arg(name).args(&sessions).status();
        assert!(signal("-STOP").is_ok_and(|status| status.success()));
        let writing = tokio::spawn({
            let store = Arc::clone(&store);
            async move { store.check_writable().await }
        });
        tokio::time::sleep(Duration::from_millis(100)).await;
        let closed = timeout(POSTGRES_PATIENCE / 2, store.close()).await;
        assert!(signal("-CONT").is_ok_and(|status| status.success()));
        assert!(closed.is_ok(), "the store waits for the answer to its last write");
        assert!(writing.await.expect("no panic").is_err());
    }
}
