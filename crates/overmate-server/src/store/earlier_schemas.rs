//! Tests that the migration of an earlier version's database preserves its contents.

use std::path::Path;

use super::sql::{Connection, statement};
use super::{Attempt, Holder, SqlStore, Store as _, inspect, postgres};
use crate::data_folder;
use crate::database::Database;
use crate::puzzle_rating;
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

/// Checks that the migration numbers unnumbered puzzle attempts by time, and that later attempts
/// continue the numbers.
fn number_attempts(database: &Database) {
    const BROWSER: Holder = Holder([1; 32]);
    let attempts = |puzzles: &[(&str, i64)]| -> Vec<(String, i64)> {
        puzzles.iter().map(|(puzzle, at)| ((*puzzle).to_owned(), *at)).collect()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
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
