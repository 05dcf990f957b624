//! Reads the databases of servers for tests, without code of the server.

use std::process::Command;
use std::thread;
use std::time::Duration;

use test_postgres::Postgres;

use crate::serve::ServerProcess;
use crate::support::Home;

/// Pause between two reads of a database.
const PAUSE: Duration = Duration::from_millis(10);

/// Python script that prints the rows of an SQL query on an SQLite file.
const ROWS: &str = "import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep='\\t')";

/// Database of a test server.
pub(crate) enum Database {
    Sqlite,
    Postgres(Postgres, String),
}

impl Database {
    /// Starts a server that uses the database.
    pub(crate) fn start_server(&self, home: &Home) -> ServerProcess {
        match self {
            Self::Sqlite => ServerProcess::start(home, &[]),
            Self::Postgres(_, database) => {
                let mut command = home.command(["serve", "--listen", "localhost:0", "--no-limits"]);
                command.env("OVERMATE_DATABASE", database);
                ServerProcess::of(command)
            }
        }
    }

    /// Waits until all other connections to the PostgreSQL database have ended, so that the database executes no more statements of a
    /// killed server.
    pub(crate) fn wait_for_rest(&self) {
        let others = "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()";
        if let Self::Postgres(postgres, database) = self {
            while postgres.rows(database, others) != [["0"]] {
                thread::sleep(PAUSE);
            }
        }
    }

    /// Returns the result rows of an SQL query, each as a list of strings. If the database is SQLite, the server must not
    /// run.
    pub(crate) fn rows(&self, home: &Home, query: &str) -> Vec<Vec<String>> {
        match self {
            Self::Postgres(postgres, database) => postgres.rows(database, query),
            Self::Sqlite => {
                // The query runs on a copy of the database, so that the original file stays unchanged. The next server must recover the
                // original file from its write-ahead log.
                let [copy, log] = ["copy.sqlite", "copy.sqlite-wal"].map(|name| home.path(name));
                let file = home.path("server/overmate.sqlite");
                std::fs::copy(&file, &copy).unwrap();
                let _ = std::fs::remove_file(&log);
                let _ = std::fs::copy(file.with_extension("sqlite-wal"), &log);
                let output =
                    Command::new("python3").args(["-c", ROWS]).arg(copy).arg(query).output();
                let output = output.expect("python3 is needed, to read the database");
                assert!(output.status.success(), "{output:?}");
                let text = String::from_utf8(output.stdout).unwrap();
                text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
            }
        }
    }
}
