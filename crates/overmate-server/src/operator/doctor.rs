//! Examines the database and the machine of a server for faults, and changes neither.

use std::fs::{self, Metadata};
use std::path::Path;

use overmate_rules::error_with_causes;

use crate::clock;
use crate::data_folder::{self, NoDatabase};
use crate::database::{Database, PostgresAddress};
use crate::settings::Limits;
use crate::store::connection::inspect::{self, Contents, Unsound};
use crate::store::connection::sql::statement;
use crate::system;

/// Free disk space, in bytes, below which the disk check reports a fault, because writes will soon fail.
const LEAST_FREE: u64 = 64 << 20;

/// Minimum size of the write-ahead log, in bytes, at which the check of this log gives a warning. A long-running reader has probably kept
/// SQLite from moving the log into the database.
const LARGE_LOG: u64 = 64 << 20;

/// Number of file descriptors that a server needs in addition to those of its client connections.
const OWN_FILES: u64 = 64;

/// Result of one check of the data folder or of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Name of the subject of one check by `overmate doctor`, such as `data folder` or `open files`.
    pub subject: &'static str,
    /// Verdict of one check by `overmate doctor`: no problem, a warning, or a fault.
    pub verdict: Verdict,
    /// Human-readable result of one check by `overmate doctor`, with the remedy after a warning or fault.
    pub text: String,
}

/// Verdict of a check: no problem, a warning, or a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The check found no problem.
    Ok,
    /// The server works, but is slow or may soon stop working.
    Warning,
    /// The server does not work, or its data is damaged or readable by other users.
    Fault,
}

use Verdict::{Fault, Ok as Fine, Warning};

/// Examines a database and this machine for faults, and returns the result of each check. A server may use the database
/// meanwhile.
pub async fn examine(database: &Database) -> Vec<Finding> {
    let finding = |subject, (verdict, text)| Finding { subject, verdict, text };
    let mut found = vec![finding("clock", clock()), finding("open files", open_files())];
    found.extend(match database {
        Database::Sqlite(folder) => examine_folder(folder).await,
        Database::Postgres(address) => examine_postgres(database, address).await,
    });
    found
}

/// Examines a PostgreSQL database. The files and the disk of PostgreSQL are not examined, because the operator of PostgreSQL has
/// to watch them.
async fn examine_postgres(database: &Database, address: &PostgresAddress) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |subject, (verdict, text)| found.push(Finding { subject, verdict, text });
    match examine_database(database).await {
        Ok((contents, newest)) => {
            add("database", (Fine, format!("{} in {address}", counts(&contents))));
            add("schema", schema_version(contents.schema));
            add("times", times(newest));
        }
        Err(fault) => {
            let advice = match fault {
                Unsound::Unreadable(_) => {
                    "check the address and the password, whether PostgreSQL is running, and whether `createdb` has made the database"
                }
                Unsound::Foreign => "`overmate serve` creates the tables in an empty database",
                Unsound::Later { .. } => "install the later version",
                Unsound::Earlier { .. } => "make a backup before the start",
                Unsound::Damaged(_) => "restore a backup with `pg_restore`",
            };
            let text = format!("{address}: {}: {advice}", error_with_causes(&fault));
            add("database", (Fault, text));
        }
    }
    found
}

/// Examines the data folder of a server with an SQLite database.
async fn examine_folder(data: &Path) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |subject, (verdict, text)| found.push(Finding { subject, verdict, text });
    let database = data_folder::existing_database(data);
    if let Err(hidden @ NoDatabase::Hidden { .. }) = &database {
        add("database", (Fault, error_with_causes(hidden)));
        return found;
    }
    let shown = data.display();
    let Ok(folder) = fs::metadata(data) else {
        let text = format!(
            "the data folder {shown} does not exist: give the folder of `overmate serve` with --data"
        );
        add("data folder", (Fault, text));
        return found;
    };
    if !folder.is_dir() {
        add(
            "data folder",
            (Fault, format!("{shown} is not a folder: choose another folder with --data")),
        );
        return found;
    }
    add("data folder", writable(data));
    add("permissions", permissions(data, &folder));
    let file = data_folder::database(data);
    let size_of = |file: &Path| fs::metadata(file).map(|file| file.len()).unwrap_or_default();
    let log = size_of(&data_folder::beside(&file, "-wal"));
    // The size of the database includes the write-ahead log, because only the log contains the latest changes.
    let bytes = size_of(&file) + log;
    add("free disk", free_disk(data, bytes));
    if let Err(NoDatabase::Missing(file)) = database {
        let text = format!(
            "the database {} does not exist yet: start `overmate serve`, which creates the database",
            file.display()
        );
        add("database", (Warning, text));
        return found;
    }
    add("write-ahead log", write_ahead_log(log));
    let (contents, newest) = match examine_database(&Database::Sqlite(data.to_owned())).await {
        Ok(found) => found,
        Err(fault) => {
            let advice = "restore a backup with `overmate restore`";
            let advice = if let Unsound::Later { .. } = fault {
                "install the later version"
            } else {
                advice
            };
            add("database", (Fault, format!("{}: {advice}", error_with_causes(&fault))));
            return found;
        }
    };
    add("database", (Fine, format!("{} in {}", counts(&contents), size(bytes))));
    add("schema", schema_version(contents.schema));
    add("times", times(newest));
    found
}

/// Examines every page and every match of a database. Returns the counts, and the latest time of a
/// match or log entry in seconds since 1970.
async fn examine_database(database: &Database) -> Result<(Contents, Option<i64>), Unsound> {
    let mut connection = inspect::connect_for_all(database, "overmate doctor").await?;
    let contents = inspect::inspect(&mut connection).await?;
    let newest: Option<i64> = statement(
        "SELECT max(at) FROM (SELECT max(created_at) AS at FROM matches UNION ALL SELECT max(at) FROM log) AS times",
    )
    .scalar(&mut connection)
    .await?;
    connection.close().await?;
    Ok((contents, newest))
}

/// Formats the numbers of matches and log entries in a database.
fn counts(contents: &Contents) -> String {
    let Contents { matches, entries, .. } = contents;
    let match_noun = if *matches == 1 { "match" } else { "matches" };
    let entry_noun = if *entries == 1 { "entry" } else { "entries" };
    format!("{matches} {match_noun} with {entries} log {entry_noun}")
}

fn clock() -> (Verdict, String) {
    match clock::checked() {
        Ok(now) => (Fine, format!("the time is {}", clock::rfc3339(now))),
        Err(fault) => (Fault, fault.to_string()),
    }
}

fn open_files() -> (Verdict, String) {
    let limits = Limits::default();
    let needed = (limits.connections + limits.sockets) as u64 + OWN_FILES;
    match system::open_files() {
        None => (Fine, "without a limit".to_owned()),
        Some(limit) if limit >= needed => (Fine, format!("at most {limit}")),
        Some(limit) => {
            let text = format!(
                "the limit of open files is {limit}, enough for only {} connections: raise the limit with `ulimit -n {needed}`, or with \
                 LimitNOFILE={needed} in the systemd unit",
                limit.saturating_sub(OWN_FILES)
            );
            (Warning, text)
        }
    }
}

fn writable(data: &Path) -> (Verdict, String) {
    match tempfile::tempfile_in(data) {
        Ok(_) => (Fine, format!("files can be created in {}", data.display())),
        Err(error) => {
            let text = format!("no file can be created in {}: {error}", data.display());
            (Fault, text)
        }
    }
}

#[cfg(unix)]
fn permissions(data: &Path, folder: &Metadata) -> (Verdict, String) {
    use std::os::unix::fs::MetadataExt as _;
    let mode = |metadata: &Metadata| metadata.mode() & 0o777;
    if mode(folder) != 0o700 {
        let shown = data.display();
        if data_folder::is_shared(data).unwrap_or(false) {
            return (Fault, format!("{shown}: {}", data_folder::SHARED));
        }
        return (
            Fault,
            format!(
                "other users may use the folder {shown} (mode {:o}): run `chmod 700 {shown}`",
                mode(folder)
            ),
        );
    }
    let entries = match fs::read_dir(data) {
        Ok(entries) => entries.flatten(),
        Err(error) => {
            return (
                Fault,
                format!("the files in the folder {} cannot be listed: {error}", data.display()),
            );
        }
    };
    let mut files = 0;
    // A file whose metadata cannot be read is skipped, because it may be a temporary file that was deleted a moment ago.
    for (path, file) in entries.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?))) {
        let shown = path.display();
        if file.is_file() && mode(&file) & 0o077 != 0 {
            let text = format!(
                "other users may use the file {shown} (mode {:o}): run `chmod 600 {shown}`",
                mode(&file)
            );
            return (Fault, text);
        }
        if file.uid() != folder.uid() {
            let text = format!(
                "{shown} belongs to another user than the folder: run `chown --reference={} {shown}`",
                data.display()
            );
            return (Fault, text);
        }
        files += 1;
    }
    (Fine, format!("only the owner may use the folder and its {files} files"))
}

#[cfg(not(unix))]
fn permissions(_: &Path, _: &Metadata) -> (Verdict, String) {
    (
        Warning,
        "the permissions cannot be checked on this system: let only the user of the server read the data folder".to_owned(),
    )
}

fn free_disk(data: &Path, database: u64) -> (Verdict, String) {
    let Some(free) = system::free_bytes(data) else {
        return (
            Warning,
            "the free disk space cannot be measured on this system: watch the disk yourself"
                .to_owned(),
        );
    };
    let text = size(free);
    if free < LEAST_FREE {
        (
            Fault,
            format!(
                "the disk has only {text} of free space: free some space, because the server will soon refuse every change"
            ),
        )
    } else if free < database.saturating_mul(2) {
        (
            Warning,
            format!(
                "the disk has only {text} of free space, less than twice the size of the database: free some space"
            ),
        )
    } else {
        (Fine, text)
    }
}

/// Formats a size in bytes in the largest decimal unit that the size reaches, such as `75.1 GB` or `0 B`.
fn size(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    let fitting = units.into_iter().find(|(unit, _)| bytes >= *unit);
    fitting.map_or_else(
        || format!("{bytes} B"),
        |(unit, name)| {
            let tenths = bytes / (unit / 10);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        },
    )
}

fn write_ahead_log(bytes: u64) -> (Verdict, String) {
    if bytes < LARGE_LOG {
        return (Fine, size(bytes));
    }
    let text = format!(
        "the write-ahead log has {}, because another program has kept the database open for long: end that program, or restart the server",
        size(bytes)
    );
    (Warning, text)
}

fn schema_version(found: i64) -> (Verdict, String) {
    let known = inspect::latest_schema();
    if found == known {
        return (Fine, format!("version {found}"));
    }
    let text = format!(
        "the schema has version {found}, and the next start of the server changes it to version {known}: make a backup first"
    );
    (Warning, text)
}

fn times(newest: Option<i64>) -> (Verdict, String) {
    match newest {
        Some(newest) if newest > clock::now() => {
            let newest = clock::rfc3339(newest);
            (
                Warning,
                format!(
                    "the newest log entry is from {newest}, a time in the future: set the clock of this machine"
                ),
            )
        }
        Some(newest) => (Fine, format!("the newest entry is from {}", clock::rfc3339(newest))),
        None => (Fine, "there is no match yet".to_owned()),
    }
}
