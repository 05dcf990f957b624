//! Opens PostgreSQL databases.

use std::sync::LazyLock;
use std::time::Duration;

use futures_util::{FutureExt as _, TryFutureExt as _};
use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, Error};

pub(crate) use super::fault::answered;
use super::migrations;
use super::sql::{Connection, POSTGRES_PATIENCE, Pool};
use crate::database::PostgresAddress;

/// Schema migrations of this server version, in order.
pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(migrations::for_postgres);

/// Session settings of each PostgreSQL connection. With these time limits, PostgreSQL frees the locks of a server that is frozen
/// during a transaction.
const SESSION: [(&str, &str); 3] = [
    ("idle_in_transaction_session_timeout", "5s"),
    ("lock_timeout", "5s"),
    ("statement_timeout", "30s"),
];

/// PostgreSQL application name of the sessions of servers and operators' commands.
pub(super) const APPLICATION: &str = "overmate";

/// Maximum number of read connections.
const READERS: u32 = 8;

/// Maximum time for PostgreSQL's answer to a ping. A connection without an answer is closed.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

fn options(address: &PostgresAddress) -> PgConnectOptions {
    address.options().clone().application_name(APPLICATION).options(SESSION)
}

/// Opens a connection for writing.
pub(crate) async fn connect(address: &PostgresAddress) -> Result<Connection, Error> {
    options(address).connect().await.map(Connection::Postgres)
}

/// Opens a connection for long statements on the whole database. `name` is the application name of
/// the session.
pub(crate) async fn connect_for_all(
    address: &PostgresAddress,
    application: &str,
) -> Result<PgConnection, Error> {
    let options = address.options().clone().application_name(application);
    options.options([("lock_timeout", "10s"), ("statement_timeout", "0")]).connect().await
}

/// Opens a pool of one connection for notices between servers, to listen or to send.
pub(crate) async fn notice_pool(address: &PostgresAddress) -> Result<PgPool, Error> {
    pool_options(PING_TIMEOUT).max_connections(1).connect_with(options(address)).await
}

/// Returns options for a pool that closes a connection if PostgreSQL does not answer a ping in time. PostgreSQL may go on with a
/// read after its caller has given up, so that the connection waits for the end of the read, at most for `end_of_read`.
///
/// sqlx pings each connection before its return to the pool, without a time limit. A network device
/// may forget a connection without telling either side. The unanswered ping would then take the
/// place of the connection in the pool for ever.
fn pool_options(end_of_read: Duration) -> PgPoolOptions {
    PgPoolOptions::new()
        .test_before_acquire(false)
        .before_acquire(|connection, _| ping(connection).map_ok(|()| true).boxed())
        .after_release(move |connection, _| {
            answered(end_of_read, connection.ping()).map_ok(|()| true).boxed()
        })
}

/// Waits for PostgreSQL's answer to a ping.
///
/// # Errors
///
/// Returns an error if the connection is broken, or if PostgreSQL does not answer within
/// [`PING_TIMEOUT`].
pub(crate) async fn ping(connection: &mut PgConnection) -> Result<(), Error> {
    answered(PING_TIMEOUT, connection.ping()).await
}

/// Opens the write and read connections, and migrates the tables to the current schema. If several
/// servers start together, one server migrates, and the others wait.
pub(super) async fn open(
    address: &PostgresAddress,
    read_timeout: Duration,
) -> Result<(Connection, Pool), Error> {
    // The migration runs without the limits of [`SESSION`]. A migration may take longer than these limits, and so may the wait
    // for the migration of another server.
    let migrating = address.options().clone().application_name(APPLICATION);
    let mut migrating = migrating.connect().await?;
    MIGRATIONS.run(&mut migrating).await?;
    migrating.close().await?;
    let readers = pool_options(POSTGRES_PATIENCE)
        .max_connections(READERS)
        .acquire_timeout(read_timeout)
        .connect_with(options(address))
        .await?;
    Ok((connect(address).await?, Pool::Postgres(readers)))
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{UnixListener, UnixStream};
    use tokio::time::timeout;

    use super::*;
    use crate::database::Database;
    use crate::store::sql::{On, statement};

    /// File name of PostgreSQL's socket.
    const SOCKET: &str = ".s.PGSQL.5432";

    /// Forwards the connections from one Unix socket to another. The answers on the first `forgotten` connections are lost, without
    /// an error for their clients.
    async fn relay(socket: UnixListener, target: PathBuf, forgotten: Arc<AtomicU64>) {
        for number in 1.. {
            let (client, _) = socket.accept().await.expect("a client");
            let server = UnixStream::connect(&target).await.expect("PostgreSQL");
            let (mut asks, mut hears) = client.into_split();
            let (mut answers, mut receives) = server.into_split();
            tokio::spawn(async move { tokio::io::copy(&mut asks, &mut receives).await });
            let forgotten = Arc::clone(&forgotten);
            tokio::spawn(async move {
                let mut piece = vec![0; 4096];
                while let Ok(length @ 1..) = answers.read(&mut piece).await {
                    let is_lost = forgotten.load(Ordering::Relaxed) >= number;
                    if !is_lost && hears.write_all(&piece[..length]).await.is_err() {
                        return;
                    }
                }
            });
        }
    }

    #[tokio::test]
    async fn a_connection_without_answers_loses_its_place_in_the_pool() {
        let postgres = test_postgres::Postgres::start();
        let text = postgres.database();
        let Ok(Database::Postgres(address)) = text.parse() else { panic!("{text}") };
        let target = address.options().get_socket().expect("a socket").join(SOCKET);
        let folder = tempfile::tempdir().expect("a folder");
        let socket = UnixListener::bind(folder.path().join(SOCKET)).expect("a socket");
        let forgotten = Arc::new(AtomicU64::new(0));
        let relayed = tokio::spawn(relay(socket, target, Arc::clone(&forgotten)));
        let options = options(&address).socket(folder.path());
        let one_place =
            pool_options(PING_TIMEOUT).max_connections(1).acquire_timeout(Duration::from_mins(1));
        let pool = Pool::Postgres(one_place.connect_with(options).await.expect("a pool"));
        let read = || statement("SELECT pg_backend_pid()::BIGINT").scalar::<i64>(&pool);
        let first = read().await.expect("an answer");

        // The caller gives up before the answer, as a web request with a time limit does.
        forgotten.store(1, Ordering::Relaxed);
        timeout(Duration::from_millis(100), read()).await.expect_err("the answer is lost");
        let second = read().await.expect("an answer on a new connection");
        assert_ne!(second, first);

        // If a connection is lost between two reads, no read fails.
        forgotten.store(2, Ordering::Relaxed);
        let third = read().await.expect("an answer on a new connection");
        assert!(third != first && third != second);
        relayed.abort();
    }

    #[tokio::test]
    async fn work_on_the_whole_database_has_a_name_and_no_limit_for_statements() {
        let postgres = test_postgres::Postgres::start();
        let text = postgres.database();
        let Ok(Database::Postgres(address)) = text.parse() else { panic!("{text}") };
        // An operator may limit the statements of servers, because these statements are short.
        let limit = "ALTER ROLE overmate SET statement_timeout = '7s'";
        assert_eq!(postgres.rows(&text, limit), [["ALTER ROLE"]]);
        let mut connection = connect_for_all(&address, "overmate test").await.expect("a session");
        let mut found: Vec<String> = Vec::new();
        for name in ["application_name", "statement_timeout", "lock_timeout"] {
            let show = statement("SELECT current_setting($1)").bind(name);
            found.push(show.scalar(On::Postgres(&mut connection)).await.expect("a setting"));
        }
        let expected: [String; 3] = ["overmate test", "0", "10s"].map(str::to_owned);
        assert_eq!(found, expected);
    }
}
