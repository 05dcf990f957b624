//! Embeds the database schema migrations in the server program. The build script `build.rs` lists the migrations.
//!
//! The macro `migrate!` of sqlx would do the same, but would compile sqlx, SQLite and their dependencies a second time for the compiler.

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Embedded database schema migration: its version, its description, and its SQL text.
type MigrationFile = (i64, &'static str, &'static str);

/// Returns the schema migrations of SQLite databases, in order.
pub(crate) fn for_sqlite() -> Migrator {
    migrator(SQLITE)
}

/// Returns the schema migrations of PostgreSQL databases, in order.
pub(crate) fn for_postgres() -> Migrator {
    migrator(POSTGRES)
}

fn migrator(files: &[MigrationFile]) -> Migrator {
    let migrations = files.iter().map(|&(version, description, sql)| {
        let (description, sql) = (description.into(), sql.into_sql_str());
        Migration::new(version, description, MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Asserts that the embedded schema migrations equal the migrations that sqlx reads from a folder.
    async fn compare(embedded: &Migrator, folder: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let read = Migrator::new(folder).await.expect("a folder of migrations");
        let parts = |migration: &Migration| {
            let Migration { version, description, migration_type, sql, checksum, no_tx } =
                migration.clone();
            (version, description, migration_type, sql.as_str().to_owned(), checksum, no_tx)
        };
        let read: Vec<_> = read.iter().map(parts).collect();
        assert!(read.len() > 20, "{read:?}");
        assert_eq!(embedded.iter().map(parts).collect::<Vec<_>>(), read);
    }

    #[tokio::test]
    async fn embedded_migrations_are_those_that_sqlx_reads_from_the_folders() {
        compare(&for_sqlite(), "migrations").await;
        compare(&for_postgres(), "migrations/postgres").await;
    }
}
