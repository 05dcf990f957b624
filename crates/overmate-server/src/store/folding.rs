//! Tests that every server reads the same entries from a folded (compressed) match log as from the original log, on every database.

use overmate_rules::Player;

use super::connection::inspect;
use super::connection::sql::{Connection, Sql, statement};
use super::{Addition, Appended, Entry, EntryKind, MatchInfo, SqlStore, Store as _};
use crate::database::Database;
use crate::settings::{Limits, Settings};

/// Unix time, in seconds, that lies after the end of all test matches. The tests fold the logs of matches that ended before this
/// time.
const UNTIL: i64 = 2_000_000_000;

async fn open(database: &Database) -> (SqlStore, SqlStore, Connection) {
    let limits = Limits::default().lifted();
    let settings = Settings { limits, ..Settings::new(database.clone()) };
    let a = SqlStore::open(&settings).await.expect("a store");
    let b = SqlStore::open(&settings).await.expect("a store");
    (a, b, inspect::connect_to(database).await.expect("a connection"))
}

fn id(number: u64) -> String {
    format!("{number:032x}")
}

/// Returns a log entry of typical size: its action has two characters, and its idempotency key (client id) is a UUID.
fn entry(sequence: u64) -> Entry {
    Entry {
        sequence,
        player: if sequence % 2 == 1 { Player::A } else { Player::B },
        kind: EntryKind::Act("Tc".to_owned()),
        client_id: format!("01234567-89ab-4def-8123-{sequence:012x}"),
        at_ms: 1_700_000_000_000 + 9_000 * sequence.cast_signed(),
        given_ms: 0,
    }
}

/// Returns a log entry reduced to the fields that folding (compression of the log) preserves.
fn folded(entry: Entry) -> Entry {
    Entry { client_id: String::new(), ..entry }
}

/// Stores a finished match with `length` log entries.
async fn play(store: &SqlStore, number: u64, length: u64) {
    let info =
        MatchInfo { id: id(number), watch: format!("watch {number}"), ..MatchInfo::sample() };
    assert_eq!(store.create(info, None).await.expect("a write"), Appended::Stored);
    for sequence in 1..=length {
        let ends = sequence == length;
        let addition = Addition { ends, ..Addition::of(&id(number), entry(sequence)) };
        assert_eq!(store.append(addition).await.expect("a write"), Appended::Stored);
    }
}

fn run(test: impl Future<Output = ()>) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(test);
}

async fn fold_and_read(database: &Database) {
    let (a, b, mut operator) = open(database).await;
    play(&a, 1, 40).await;
    play(&a, 2, 3).await;
    // The logs of the test's matches 3 and 4 are not due for folding: match 3 is unfinished, and match 4 ended too late.
    play(&a, 3, 0).await;
    play(&a, 4, 1).await;
    let late = Entry { at_ms: 1_000 * UNTIL, ..entry(2) };
    let late = Addition { ends: true, ..Addition::of(&id(4), late) };
    assert_eq!(a.append(late).await.expect("a write"), Appended::Stored);
    let before = a.entries(&id(1), 0).await.expect("a read").expect("a match");
    let contents = inspect::inspect(&mut operator).await.expect("a sound database");
    assert_eq!(a.foldable(UNTIL, 1).await.expect("a read"), [id(2)]);
    assert_eq!(a.foldable(UNTIL, 9).await.expect("a read"), [id(2), id(1)]);

    // If two servers fold the log of a match at the same time, exactly one server succeeds.
    let (by_a, by_b) = tokio::join!(a.fold(id(1)), b.fold(id(1)));
    let stored = [by_a, by_b].map(|done| done.expect("a write") == Appended::Stored);
    assert_ne!(stored[0], stored[1]);
    assert_eq!(a.fold(id(3)).await.expect("a write"), Appended::Conflict, "not finished");
    assert_eq!(a.fold(id(99)).await.expect("a write"), Appended::Conflict, "no match");
    assert_eq!(b.foldable(UNTIL, 9).await.expect("a read"), [id(2)]);

    let log: Vec<Entry> = before.into_iter().map(folded).collect();
    let rows: i64 = statement("SELECT count(*) FROM log WHERE match_id = $1")
        .bind(id(1))
        .scalar(&mut operator)
        .await
        .expect("a read");
    assert_eq!((rows, log.len()), (1, 40));
    for after in [0, 17, 39, 40, 41] {
        let expected = log.get(after.min(40)..).expect("entries");
        let found = b.entries(&id(1), after as u64).await.expect("a read");
        assert_eq!(found.as_deref(), Some(expected));
        let wanted = vec![(id(2), 1), (id(1), after as u64)];
        let mut found = b.entries_of(wanted).await.expect("a read");
        let log = found.remove(&id(1)).unwrap_or_else(|| Ok(Vec::new())).expect("a log");
        assert_eq!(log, expected);
        let log = found.remove(&id(2)).expect("a match").expect("a log");
        assert_eq!(log, [entry(2), entry(3)]);
    }
    let mut sequences = b.sequences(vec![id(1), id(2)]).await.expect("a read");
    sequences.sort();
    assert_eq!(sequences, [(id(1), 40), (id(2), 3)]);
    assert_eq!(b.entry_of_request(&id(1), &entry(7).client_id).await.expect("a read"), None);
    assert_eq!(b.entry_of_request(&id(1), "").await.expect("a read"), None);
    assert_eq!(inspect::inspect(&mut operator).await.expect("a sound database"), contents);

    // A server can append further entries to the log of a match after the log was folded.
    let conflict = a.append(Addition::of(&id(1), entry(40))).await;
    assert_eq!(conflict.expect("a write"), Appended::Conflict);
    let leave = Entry { player: Player::A, kind: EntryKind::Leave, ..entry(41) };
    let left = a.append(Addition::of(&id(1), leave.clone())).await;
    assert_eq!(left.expect("a write"), Appended::Stored);
    let found = b.entries(&id(1), 38).await.expect("a read");
    assert_eq!(found, Some(vec![log[38].clone(), log[39].clone(), leave]));
    let entries = inspect::inspect(&mut operator).await.expect("a sound database").entries;
    assert_eq!(entries, contents.entries + 1);

    // The removal of a match also removes its folded log.
    assert_eq!(a.remove(id(1), 41).await.expect("a write"), Appended::Stored);
    assert_eq!(b.entries(&id(1), 0).await.expect("a read"), None);
    let entries = inspect::inspect(&mut operator).await.expect("a sound database").entries;
    assert_eq!(entries, contents.entries - 40);

    // The examination of a database finds a folded log that lacks an entry.
    assert_eq!(a.fold(id(2)).await.expect("a write"), Appended::Stored);
    let damage = "UPDATE log SET detail = 'a 1 act Tc' WHERE match_id = $1 AND kind = 'fold'";
    statement(damage).bind(id(2)).execute(&mut operator).await.expect("a write");
    let found = inspect::inspect(&mut operator).await;
    assert!(matches!(found, Err(inspect::Unsound::Damaged(_))), "{found:?}");
    assert!(b.entries(&id(2), 0).await.is_err());
    operator.close().await.expect("a connection");
    a.close().await;
    b.close().await;
}

#[test]
fn a_folded_log_reads_the_same_in_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    run(fold_and_read(&Database::Sqlite(folder.path().to_owned())));
}

#[cfg(unix)]
#[test]
fn a_folded_log_reads_the_same_in_postgres() {
    let server = test_postgres::Postgres::start();
    run(fold_and_read(&server.database().parse().expect("an address")));
}

/// Returns the size of the database table `log` with its indexes, in bytes.
async fn bytes_of_log(operator: &mut Connection) -> i64 {
    let vacuum = Sql::Each { sqlite: "VACUUM", postgres: "VACUUM FULL log" };
    statement(vacuum).execute(&mut *operator).await.expect("a vacuum");
    // In SQLite, the size of the whole database is measured. Folding logs changes the size of no other table than `log`.
    let size = Sql::Each {
        sqlite: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        postgres: "SELECT pg_total_relation_size('log')",
    };
    statement(size).scalar(operator).await.expect("a size")
}

/// Prints the database size of test matches before and after each match log is folded into one row. Each log has 80 entries. A thorough
/// test run measures 200 matches, and any other test run 40.
async fn measure(database: &Database, name: &str) {
    const LENGTH: u64 = 80;
    let matches = test_sample::cases(40, 200);
    let (a, b, mut operator) = open(database).await;
    let empty = bytes_of_log(&mut operator).await;
    for number in 1..=matches {
        play(&a, number, 0).await;
    }
    for sequence in 1..=LENGTH {
        let appends = (1..=matches).map(|number| {
            let ends = sequence == LENGTH;
            a.append(Addition { ends, ..Addition::of(&id(number), entry(sequence)) })
        });
        for appended in futures_util::future::join_all(appends).await {
            assert_eq!(appended.expect("a write"), Appended::Stored);
        }
    }
    let before = bytes_of_log(&mut operator).await - empty;
    for id in a.foldable(UNTIL, 1_000).await.expect("a read") {
        assert_eq!(a.fold(id).await.expect("a write"), Appended::Stored);
    }
    let after = bytes_of_log(&mut operator).await - empty;
    println!("{name}: {matches} matches of {LENGTH} entries: {before} bytes, folded {after} bytes");
    assert!(5 * after < before, "{name}: {before} {after}");
    operator.close().await.expect("a connection");
    a.close().await;
    b.close().await;
}

#[test]
fn folding_saves_bytes_in_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    run(measure(&Database::Sqlite(folder.path().to_owned()), "SQLite, whole file"));
}

#[cfg(unix)]
#[test]
fn folding_saves_bytes_in_postgres() {
    let server = test_postgres::Postgres::start();
    let database = server.database().parse().expect("an address");
    run(measure(&database, "PostgreSQL, log with indexes"));
}
