//! Opens PostgreSQL databases.

use std::sync::LazyLock;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, Error};

use super::migrations;
use super::sql::{Connection, Pool};
use crate::database::PostgresAddress;

/// Schema migrations of this server version, in order.
pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(migrations::for_postgres);

/// Session settings of each PostgreSQL connection. They free the locks of a server that is frozen
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

/// Opens the two connections for notices between servers, one to listen and one to send.
pub(crate) async fn notice_pool(address: &PostgresAddress) -> Result<PgPool, Error> {
    PgPoolOptions::new().max_connections(2).connect_with(options(address)).await
}

/// Opens the write and read connections, and migrates the tables to the current schema. If several
/// servers start together, one server migrates, and the others wait.
pub(super) async fn open(
    address: &PostgresAddress,
    read_timeout: Duration,
) -> Result<(Connection, Pool), Error> {
    // A migration may take longer than the statements of a session. The wait for another server's migration may take as long.
    let migrating = address.options().clone().application_name(APPLICATION);
    let mut migrating = migrating.connect().await?;
    MIGRATIONS.run(&mut migrating).await?;
    migrating.close().await?;
    let readers = PgPoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(read_timeout)
        .connect_with(options(address))
        .await?;
    Ok((connect(address).await?, Pool::Postgres(readers)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::database::Database;
    use crate::store::sql::{On, statement};

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
