//! Tests that the schema migrations preserve the contents of a database of an earlier version.

use std::path::Path;

use super::connection::sql::{Connection, statement};
use super::connection::{inspect, postgres};
use super::{Account, Attempt, Holder, People as _, SqlStore, Store as _};
use crate::data_folder;
use crate::database::Database;
use crate::rating::puzzle_rating;
use crate::settings::Settings;

/// Connects to an empty database, and creates the tables of an earlier schema version.
async fn create(database: &Database, schema: i64) -> Connection {
    if let Database::Sqlite(folder) = database {
        std::fs::write(data_folder::database(folder), "").expect("a file");
    }
    let mut connection = inspect::connect_to(database).await.expect("a connection");
    let migrated = match &mut connection {
        Connection::Sqlite(sqlite) => inspect::MIGRATIONS.run_to(schema, sqlite).await,
        Connection::Postgres(server) => postgres::MIGRATIONS.run_to(schema, server).await,
    };
    migrated.expect("an earlier schema");
    connection
}

/// Runs an asynchronous test on a new runtime with a single thread.
fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(test);
}

/// Checks that a schema migration assigns numbers to the stored puzzle attempts in chronological order, and that later
/// attempts get the next numbers.
fn number_attempts(database: &Database) {
    const BROWSER: Holder = Holder([1; 32]);
    let attempts = |puzzles: &[(&str, i64)]| -> Vec<(String, i64)> {
        puzzles.iter().map(|(puzzle, at)| ((*puzzle).to_owned(), *at)).collect()
    };
    run(async {
        let mut connection = create(database, 8).await;
        for (puzzle, at) in attempts(&[("c", 7), ("b", 7), ("a", 9), ("d", 3)]) {
            statement(
                "INSERT INTO puzzle_attempts (holder, puzzle, rules, solved, rating, at)
                 VALUES ($1, $2, 'bga', $3, 1234.5, $4)",
            )
            .bind(BROWSER)
            .bind(&puzzle)
            .bind(at == 7)
            .bind(at)
            .execute(&mut connection)
            .await
            .expect("a write");
        }
        connection.close().await.expect("a connection");

        let store = SqlStore::open(&Settings::new(database.clone())).await.expect("a store");
        let attempt = Attempt {
            holder: BROWSER,
            puzzle: "aa".to_owned(),
            rules: "bga".to_owned(),
            new_puzzle: puzzle_rating::of_new_puzzle(1_500),
            solved: true,
            at: 5,
            run: None,
        };
        store.attempt(attempt).await.expect("a write");
        let found = store.puzzle_attempts(BROWSER, 9).await.expect("a read");
        assert!(found[1..].iter().all(|attempt| attempt.solved == (attempt.at == 7)));
        assert!(found[1..].iter().all(|attempt| (attempt.rating - 1234.5).abs() < 1e-9));
        let found: Vec<_> = found.into_iter().map(|found| (found.puzzle, found.at)).collect();
        assert_eq!(found, attempts(&[("aa", 5), ("a", 9), ("c", 7), ("b", 7), ("d", 3)]));
        store.close().await;
    });
}

/// Checks that all accounts, and the uniqueness of their handles, survive the schema migration that makes passwords
/// optional.
fn preserve_accounts(database: &Database) {
    let accounts: Vec<_> = (1..=3_u8)
        .map(|number| Account {
            person: Holder([number; 32]),
            handle: format!("player{number}"),
            password: Some(format!("hash {number}")),
            made_at: i64::from(number),
            handle_at: 10 + i64::from(number),
            is_private: number == 2,
            is_bot: false,
        })
        .collect();
    let tag = |account: &Account| [account.person.0[0] + 100; 32];
    run(async {
        let mut connection = create(database, 22).await;
        for account in &accounts {
            statement(
                "INSERT INTO accounts (person, handle, tag, password, made_at, handle_at, private)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(account.person)
            .bind(&account.handle)
            .bind(&tag(account)[..])
            .bind(account.password.as_deref())
            .bind(account.made_at)
            .bind(account.handle_at)
            .bind(account.is_private)
            .execute(&mut connection)
            .await
            .expect("a write");
        }
        connection.close().await.expect("a connection");

        let store = SqlStore::open(&Settings::new(database.clone())).await.expect("a store");
        let stranger = Holder([9; 32]);
        for account in &accounts {
            let found = store.account(account.person).await.expect("a read");
            assert_eq!(found.as_ref(), Some(account));
            let found = store.account_by_tag(tag(account)).await.expect("a read");
            assert_eq!(found.as_ref(), Some(account));
            assert!(store.passkeys(account.person).await.expect("a read").is_empty());
            assert!(!store.is_handle_free(tag(account), stranger, 99).await.expect("a read"));
        }
        assert_eq!(store.account(stranger).await.expect("a read"), None);
        store.close().await;
    });
}

#[test]
fn sqlite_numbers_the_attempts_of_an_earlier_version() {
    let folder = tempfile::tempdir().expect("a folder");
    number_attempts(&Database::Sqlite(Path::to_owned(folder.path())));
}

#[cfg(unix)]
#[test]
fn postgres_numbers_the_attempts_of_an_earlier_version() {
    let server = test_postgres::Postgres::start();
    number_attempts(&server.database().parse().expect("an address"));
}

#[test]
fn sqlite_preserves_the_accounts_of_an_earlier_version() {
    let folder = tempfile::tempdir().expect("a folder");
    preserve_accounts(&Database::Sqlite(Path::to_owned(folder.path())));
}

#[cfg(unix)]
#[test]
fn postgres_preserves_the_accounts_of_an_earlier_version() {
    let server = test_postgres::Postgres::start();
    preserve_accounts(&server.database().parse().expect("an address"));
}
