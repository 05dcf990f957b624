//! Opens connections to PostgreSQL databases.

use std::sync::LazyLock;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, Error, Postgres};

use super::connection_pool::{ConnectionPool, PoolLimits};
pub(crate) use super::fault::answered;
use super::migrations;
use super::sql::{Connection, POSTGRES_PATIENCE, Pool};
use crate::database::PostgresAddress;

/// Schema migrations of PostgreSQL databases in this server version, in order.
pub(crate) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(migrations::for_postgres);

/// Session settings of each PostgreSQL connection. With these time limits, PostgreSQL frees the locks of a server that is frozen
/// during a transaction.
const SESSION: [(&str, &str); 3] = [
    ("idle_in_transaction_session_timeout", "5s"),
    ("lock_timeout", "5s"),
    ("statement_timeout", "30s"),
];

/// Application name of the PostgreSQL sessions of servers and operators' commands.
pub(crate) const APPLICATION: &str = "overmate";

/// Maximum number of read connections to a PostgreSQL database.
const READERS: u32 = 8;

/// Timeout of a ping to PostgreSQL. A connection that does not answer is closed.
const PING_TIMEOUT: Duration = Duration::from_secs(2);

fn options(address: &PostgresAddress) -> PgConnectOptions {
    address.options().clone().application_name(APPLICATION).options(SESSION)
}

/// Opens a PostgreSQL connection with the session settings of a server.
pub(crate) async fn connect(address: &PostgresAddress) -> Result<Connection, Error> {
    options(address).connect().await.map(Connection::Postgres)
}

/// Opens a PostgreSQL connection without a statement timeout, for work on the whole database. `application` is the application name of the
/// session.
pub(crate) async fn connect_for_all(
    address: &PostgresAddress,
    application: &str,
) -> Result<PgConnection, Error> {
    let options = address.options().clone().application_name(application);
    options.options([("lock_timeout", "10s"), ("statement_timeout", "0")]).connect().await
}

/// Opens a pool of one PostgreSQL connection, which receives the notices of other servers by `LISTEN`.
pub(crate) async fn listening_pool(address: &PostgresAddress) -> Result<PgPool, Error> {
    PgPoolOptions::new().max_connections(1).connect_with(options(address)).await
}

/// Opens a pool of one PostgreSQL connection, which sends notices to other servers by `NOTIFY`. If a sender gives up, its notice occupies
/// the connection at most for the time limit of a ping.
pub(crate) async fn notifying_pool(
    address: &PostgresAddress,
) -> Result<ConnectionPool<Postgres>, Error> {
    let limits = PoolLimits {
        connections: 1,
        wait: POSTGRES_PATIENCE,
        statement: PING_TIMEOUT,
        test: PING_TIMEOUT,
    };
    ConnectionPool::open(options(address), limits).await
}

/// Sends a ping to PostgreSQL, and waits for the answer.
///
/// # Errors
///
/// Returns an error if the connection is broken, or if PostgreSQL does not answer within
/// [`PING_TIMEOUT`].
pub(crate) async fn ping(connection: &mut PgConnection) -> Result<(), Error> {
    answered(PING_TIMEOUT, connection.ping()).await
}

/// Opens the write connection and the read connections to a PostgreSQL database, and migrates its tables to the current schema.
/// If several servers start together, one server migrates, and the others wait.
pub(crate) async fn open(
    address: &PostgresAddress,
    read_timeout: Duration,
) -> Result<(Connection, Pool), Error> {
    // The schema migration runs without the timeouts that [`SESSION`] sets for other connections. A migration may take longer than these
    // timeouts, and so may the wait for the migration of another server.
    let migrating = address.options().clone().application_name(APPLICATION);
    let mut migrating = migrating.connect().await?;
    MIGRATIONS.run(&mut migrating).await?;
    migrating.close().await?;
    let limits = PoolLimits {
        connections: READERS,
        wait: read_timeout,
        statement: POSTGRES_PATIENCE,
        test: PING_TIMEOUT,
    };
    let readers = ConnectionPool::open(options(address), limits).await?;
    Ok((connect(address).await?, Pool::Postgres(readers)))
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{UnixListener, UnixStream};
    use tokio::time::{sleep, timeout};

    use super::*;
    use crate::database::Database;
    use crate::store::connection::connection_pool::FRESH;
    use crate::store::connection::sql::{On, statement};

    /// File name of the Unix socket on which PostgreSQL listens.
    const SOCKET: &str = ".s.PGSQL.5432";

    /// Simulates a network that loses answers: forwards each connection on the Unix socket `socket` to PostgreSQL's socket `target`.
    /// PostgreSQL's answers on the first `forgotten` connections are lost, without an error for the clients.
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
        let limits = PoolLimits {
            connections: 1,
            wait: Duration::from_mins(1),
            statement: PING_TIMEOUT,
            test: PING_TIMEOUT,
        };
        let pool = Pool::Postgres(ConnectionPool::open(options, limits).await.expect("a pool"));
        let read = || statement("SELECT pg_backend_pid()::BIGINT").scalar::<i64>(&pool);
        let first = read().await.expect("an answer");

        // A simulated network loses PostgreSQL's answer to a read, and the test cancels the read after a short time. A web request cancels
        // its reads in the same way at its time limit.
        forgotten.store(1, Ordering::Relaxed);
        timeout(Duration::from_millis(100), read()).await.expect_err("the answer is lost");
        let second = read().await.expect("an answer on a new connection");
        assert_ne!(second, first);

        // If a PostgreSQL connection is lost in a pause between two reads, the later read succeeds on a new connection.
        sleep(FRESH).await;
        forgotten.store(2, Ordering::Relaxed);
        let third = read().await.expect("an answer on a new connection");
        assert!(third != first && third != second);
        relayed.abort();
    }

    #[tokio::test]
    async fn a_read_without_its_caller_keeps_its_connection_until_its_end() {
        let postgres = test_postgres::Postgres::start();
        let text = postgres.database();
        let Ok(Database::Postgres(address)) = text.parse() else { panic!("{text}") };
        let limits = PoolLimits {
            connections: 1,
            wait: Duration::from_mins(1),
            statement: POSTGRES_PATIENCE,
            test: PING_TIMEOUT,
        };
        let pool = ConnectionPool::open(options(&address), limits).await.expect("a pool");
        let pool = Pool::Postgres(pool);
        let running = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1%' \
                       AND state = 'active' AND pid != pg_backend_pid()";
        let read = || statement("SELECT pg_backend_pid()::BIGINT").scalar::<i64>(&pool);
        let first = read().await.expect("an answer");
        let slow = statement("SELECT pg_sleep(1)").execute(&pool);
        timeout(Duration::from_millis(200), slow).await.expect_err("the caller gives up");
        assert_eq!(postgres.rows(&text, running), [["1"]]);
        assert_eq!(read().await.expect("an answer"), first);
        assert_eq!(postgres.rows(&text, running), [["0"]]);
        // An SQL statement that fails does not close its PostgreSQL connection.
        statement("SELECT 1 / 0").execute(&pool).await.expect_err("a division by zero");
        assert_eq!(read().await.expect("an answer"), first);
    }

    #[tokio::test]
    async fn work_on_the_whole_database_has_a_name_and_no_limit_for_statements() {
        let postgres = test_postgres::Postgres::start();
        let text = postgres.database();
        let Ok(Database::Postgres(address)) = text.parse() else { panic!("{text}") };
        // An operator may set a statement timeout for the servers, whose statements are short. This timeout must not apply to work on the
        // whole database.
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
