//! Tests that copying a database from SQLite to PostgreSQL and back preserves all data of a server.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::Path;
use std::time::Duration;

use axum::http::StatusCode;
use futures_util::FutureExt as _;
use overmate_rules::Player;
use overmate_server::wire::{
    Export, MadeOffer, MatchView, MyAccount, PlayerWire, PuzzleWire, SeenEvent, SharedDeals,
};
use overmate_server::{
    Admin, Copied, CopyError, Database, Measure, Server, Settings, Unsound, copy_database,
};
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection, Row as _};
use test_postgres::Postgres;

use crate::bots::use_bot;
use crate::passkeys::{use_passkeys, with_site};
use crate::ratings::resigned;
use crate::support::{Browser, SOON, Table, run, turn, two};
use crate::talk::talk;

/// Names of the tables that a copy of a server's database must contain.
const TABLES: [&str; 36] = [
    "secrets",
    "matches",
    "seats",
    "log",
    "puzzle_attempts",
    "puzzle_players",
    "puzzle_ratings",
    "operator_acts",
    "leases",
    "beats",
    "offers",
    "versions",
    "browsers",
    "codes",
    "accounts",
    "passkeys",
    "passkey_challenges",
    "bot_tokens",
    "former_handles",
    "absences",
    "feeds",
    "push_subscriptions",
    "mail_addresses",
    "mail_messages",
    "turn_mails",
    "ratings",
    "rating_changes",
    "relations",
    "talk",
    "reports",
    "measures",
    "visibility",
    "events",
    "event_players",
    "event_deals",
    "event_boards",
];

/// Adds rows to each database table in [`TABLES`], by requests of test clients, by operators' commands and by SQL statements. Returns the
/// test clients.
async fn use_everything(table: &Table) -> Vec<Browser> {
    let (mut host, guest, state) = two(table, "sackson").await;
    let foreplaced = host.act(&state, "-").await;
    assert!(foreplaced.status.is_success(), "{}", foreplaced.text());
    host.begin("bga", json!({"kind": "friend"})).await;
    // A test client that plays both seats of a match takes an action back. The host may not do so, because the host plays the same deal
    // against the guest.
    let mut alone = table.browser();
    let played = alone.begin("bga", json!({"kind": "both"})).await;
    alone.act(&played, "Tc").await;
    let undone = alone.ask(&played.id, "undo").await;
    assert!(undone.status.is_success(), "{}", undone.text());
    host.begin("bga", json!({"kind": "level", "level": 3})).await;
    let clock = json!({"kind": "days", "days": 3});
    let timed = json!({"rules": "bga", "opponent": {"kind": "perfect"}, "lead": "me", "clock": clock.clone()});
    let _: MatchView = host.post("/api/v1/matches", timed).await.ok();
    let offer = json!({"rules": "bga", "clock": clock, "client_id": "offer-of-host"});
    let _: MadeOffer = host.post("/api/v1/offers", offer).await.ok();
    let (mut leaving, stays, ended) = two(table, "bga").await;
    let mut admin = Admin::open(&table.folder.path().to_owned().into()).await.unwrap();
    let name = Some("Zo\u{eb} \u{1f600} \\ 'x' \"y\"");
    admin.rename(&ended.id, Some(Player::B), name, "a\ttab and\na line").await.unwrap();
    admin.end(&ended.id, Player::A, "a test").await.unwrap();
    admin.close().await.unwrap();
    assert_eq!(leaving.erase().await.status, StatusCode::NO_CONTENT);
    let mut solver = table.browser();
    let puzzle: PuzzleWire = solver.get("/api/v1/puzzles/next?rules=bga").await.ok();
    let attempts = format!("/api/v1/puzzles/{}/attempts", puzzle.id);
    let attempt = json!({"actions": [], "run": "storm:01234567"});
    let _: Value = solver.post(&attempts, attempt).await.ok();
    let deals: SharedDeals = solver.get("/api/v1/shared-deals").await.ok();
    let deal = &deals.today[0];
    let path = format!("/api/v1/shared-deals/{}/{}", deal.name, deal.rules);
    let state: MatchView = solver.post(&path, json!({})).await.ok();
    // The test waits until no computer opponent has to act. A later action of the computer opponent would make the copies of the database
    // differ.
    solver.wait(&state.id, |state| turn(state) == Some(PlayerWire::A)).await;
    let account = json!({"handle": "Solver", "password": "correct horse battery"});
    let _: MyAccount = solver.post("/api/v1/me/account", account).await.ok();
    use_passkeys(&mut solver, &mut table.browser()).await;
    solver.make_codes("recovery").await;
    let handle = json!({"handle": "Puzzler"});
    let renamed = solver.put("/api/v1/me/account/handle", handle).await;
    assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.text());
    for away in [true, false] {
        let set = solver.put("/api/v1/me/days-off", json!({"away": away})).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());
    }
    let feed = solver.post("/api/v1/me/feed", json!({})).await;
    assert_eq!(feed.status, StatusCode::CREATED, "{}", feed.text());
    table
        .execute(
            "INSERT INTO push_subscriptions (browser, person, endpoint, key, secret, language, made_at, told)
             SELECT browser, person, 'https://push.example/' || hex(browser), zeroblob(65), zeroblob(16), 'de', 1700000000, 'turn:1 2'
             FROM browsers WHERE NOT revoked AND person IN (SELECT person FROM accounts)",
        )
        .await;
    for statement in [
        "INSERT INTO mail_addresses (person, address, folded, language, recovery, confirmed_at, turns, refusals, retry_at)
         SELECT person, 'Puzzler@mate.example', 'puzzler@mate.example', 'de', 1, 1700000000, 1, 2, 1700000001 FROM accounts",
        "INSERT INTO turn_mails (hash, person, match_id, turn, tries, failed, at, until)
         SELECT person, person, 'a match', 3, 4, 1, 1700000002, 9000000000 FROM accounts",
        "INSERT INTO mail_messages (person, kind, address, language, recovery, made_at, hash, tries, retry_at, until)
         SELECT person, 'recover', 'Puzzler@mate.example', 'de', 1, 1700000000, person, 7, 1700000000, 9000000000 FROM accounts",
    ] {
        table.execute(statement).await;
    }
    use_bot(table).await;
    let (mut one, mut other, rated) = resigned(table, ["Anna", "Bert"]).await;
    talk(&mut one, &mut other, &rated.id).await;
    let report = json!({"reason": "other", "text": "a\\ttext"});
    let made = one.post(&format!("/api/v1/matches/{}/report", rated.id), report).await;
    assert_eq!(made.status, StatusCode::NO_CONTENT, "{}", made.text());
    let mut admin = Admin::open(&table.folder.path().to_owned().into()).await.unwrap();
    let warn = Measure::Warn("a warning".to_owned());
    admin.take_measure("@Bert", &warn, "a test", None).await.unwrap();
    admin.close().await.unwrap();
    let shown = json!({"watching": "never", "presence": "nobody"});
    let shown = one.put("/api/v1/me/visibility", shown).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.text());
    let event = json!({
        "kind": {"kind": "swiss", "rounds": 3}, "title": "Friday", "rules": "bga", "base": 300,
        "increment": 5, "starts_in": 60, "client_id": "event-of-one",
    });
    let event: SeenEvent = one.post("/api/v1/events", event).await.ok();
    let join = format!("/api/v1/events/{}/join", event.shown.event.id);
    let _: SeenEvent = one.post(&join, json!({})).await.ok();
    table
        .execute("INSERT INTO event_deals (event_id, place, number, value) SELECT id, 0, 20010, -16 FROM events")
        .await;
    table
        .execute("INSERT INTO event_boards (event_id, number, round, a, began_at) SELECT id, 1, 1, 1, 1700000000 FROM events")
        .await;
    vec![host, guest, alone, stays, solver, one, other]
}

/// Returns the rows of each table of an SQLite database, as SQL literals.
async fn dump(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let options = SqliteConnectOptions::new().filename(folder.join("overmate.sqlite"));
    let mut connection = options.connect().await.unwrap();
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name != '_sqlx_migrations' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'present_%'";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut connection).await.unwrap();
    let mut dump = BTreeMap::new();
    for table in tables {
        let columns = "SELECT group_concat('quote(' || name || ')', ' || '','' || ') FROM pragma_table_info($1)";
        let columns: String =
            sqlx::query_scalar(columns).bind(&table).fetch_one(&mut connection).await.unwrap();
        let rows = AssertSqlSafe(format!("SELECT {columns} FROM {table} ORDER BY 1"));
        let rows = sqlx::query_scalar(rows).fetch_all(&mut connection).await.unwrap();
        dump.insert(table, rows);
    }
    connection.close().await.unwrap();
    dump
}

/// Returns the number of rows of each table in a PostgreSQL database.
fn counts(postgres: &Postgres, address: &str) -> BTreeMap<String, usize> {
    let count = |table: &str| {
        let rows = postgres.rows(address, &format!("SELECT count(*) FROM {table}"));
        rows.concat().concat().parse().unwrap()
    };
    TABLES.into_iter().map(|table| (table.to_owned(), count(table))).collect()
}

/// Returns the personal data that a server sends to each of several test clients.
async fn seen(server: &Server, browsers: &[Browser]) -> Vec<Value> {
    let mut seen = Vec::new();
    for browser in browsers {
        let mut browser = browser.at(server);
        let mut export: Value = browser.get("/api/v1/me/export").await.ok();
        let typed: Export = serde_json::from_value(export.clone()).unwrap();
        assert!(!typed.matches.is_empty());
        // The test removes the time of the export from the data to compare, because this time differs between exports.
        export.as_object_mut().unwrap().retain(|name, _| name != "exported_at");
        let puzzles: Value = browser.get("/api/v1/puzzles").await.ok();
        let deals: Value = browser.get("/api/v1/shared-deals").await.ok();
        seen.extend([export, puzzles, deals]);
    }
    seen
}

async fn open(database: &Database) -> Server {
    Server::open(Settings::new(database.clone())).await.unwrap()
}

async fn copy(from: &Database, to: &Database) -> Result<Copied, CopyError> {
    copy_database(from, to, &mut |_, _| ()).await
}

#[test]
fn a_server_moves_to_postgres_and_back_with_every_row() {
    let postgres = Postgres::start();
    let address = postgres.database();
    run(async {
        let table = Table::with(with_site).await;
        let browsers = use_everything(&table).await;
        table.server.close().await;
        let first = Database::from(table.folder.path().to_owned());
        let second: Database = address.parse().unwrap();
        let back = tempfile::tempdir().unwrap();
        let third = Database::from(back.path().join("new"));
        let before = dump(table.folder.path()).await;
        assert_eq!(before.len(), TABLES.len());
        assert!(before.iter().all(|(_, rows)| !rows.is_empty()), "{before:?}");

        let mut told = Vec::new();
        let to_postgres =
            copy_database(&first, &second, &mut |done, total| told.push((done, total))).await;
        let to_postgres = to_postgres.unwrap();
        let rows: usize = before.values().map(Vec::len).sum();
        assert_eq!(told, [(2 * rows as u64, 2 * rows as u64)]);
        let counted = counts(&postgres, &address);
        let expected: BTreeMap<_, _> =
            before.iter().map(|(table, rows)| (table.clone(), rows.len())).collect();
        assert_eq!(counted, expected);

        let to_sqlite = copy(&second, &third).await.unwrap();
        assert_eq!(to_sqlite, to_postgres);
        assert_eq!(dump(&back.path().join("new")).await, before);

        let mut views = Vec::new();
        for database in [&first, &second, &third] {
            let server = open(database).await;
            views.push(seen(&server, &browsers).await);
            server.close().await;
        }
        assert_eq!(views[0].len(), 21);
        assert!(views[0] == views[1] && views[1] == views[2], "{views:#?}");

        // A new entry in the operators' log of the copied database gets an unused number.
        let mut admin = Admin::open(&second).await.unwrap();
        // The operator removes the name from a seat that a browser holds. The first columns of a seat are the match, the player, the name
        // and the browser.
        let seats = before["seats"].iter().map(|row| row.split(',').collect::<Vec<_>>());
        let seat = seats.into_iter().find(|seat| seat[3].starts_with("X'")).unwrap();
        let player = if seat[1] == "'a'" { Player::A } else { Player::B };
        admin.rename(seat[0].trim_matches('\''), Some(player), None, "a later act").await.unwrap();
        assert_eq!(admin.acts().await.unwrap().len(), before["operator_acts"].len() + 1);
        admin.close().await.unwrap();
    });
}

/// Copies the database of a closed server, and tries again as long as another process locks the data folder. A child process that another
/// test starts at this moment holds the lock of the folder until it runs its program.
async fn copy_unlocked(from: &Database, to: &Database) -> Result<Copied, CopyError> {
    for _ in 0..100 {
        match copy(from, to).await {
            Err(CopyError::InUse(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            other => return other,
        }
    }
    copy(from, to).await
}

#[test]
fn a_copy_refuses_databases_with_data_or_in_use_or_of_another_schema() {
    let postgres = Postgres::start();
    let [address, other] = [postgres.database(), postgres.database()];
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        browser.begin("bga", json!({"kind": "both"})).await;
        let sqlite = Database::from(table.folder.path().to_owned());
        let folder = tempfile::tempdir().unwrap();
        let missing = Database::from(folder.path().join("missing"));
        let [first, second]: [Database; 2] = [&address, &other].map(|text| text.parse().unwrap());
        assert!(matches!(copy(&sqlite, &first).await, Err(CopyError::InUse(_))));
        assert!(matches!(copy(&missing, &first).await, Err(CopyError::NoDatabase(_))));
        assert!(matches!(copy(&sqlite, &sqlite).await, Err(CopyError::Same(_))));
        table.server.close().await;
        // A database cannot be copied to a target database that a server uses. The copy succeeds after this server has stopped and left no
        // match in the target database.
        let running = open(&first).await;
        let refused = copy_unlocked(&sqlite, &first).await;
        assert!(matches!(refused, Err(CopyError::Sessions { sessions: 1.., .. })), "{refused:?}");
        running.close().await;
        drop(running);
        copy_unlocked(&sqlite, &first).await.unwrap();
        let refused = copy_unlocked(&sqlite, &first).await;
        assert!(
            matches!(refused, Err(CopyError::HoldsData { table: "matches", .. })),
            "{refused:?}"
        );
        let refused = copy_unlocked(&first, &sqlite).await;
        assert!(
            matches!(refused, Err(CopyError::HoldsData { table: "matches", .. })),
            "{refused:?}"
        );
        let refused = copy(&second, &missing).await;
        assert!(
            matches!(refused, Err(CopyError::Source { source: Unsound::Foreign, .. })),
            "{refused:?}"
        );
        let mut connection = table.connect().await;
        let latest: i64 = sqlx::query("DELETE FROM _sqlx_migrations WHERE version = (SELECT max(version) FROM _sqlx_migrations) RETURNING version")
            .fetch_one(&mut connection).await.unwrap().get(0);
        connection.close().await.unwrap();
        let refused = copy_unlocked(&sqlite, &second).await;
        let Err(CopyError::Source { source: Unsound::Earlier { found, known }, .. }) = refused
        else {
            panic!("{refused:?}")
        };
        assert!(found < known && known == latest);
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
        assert_eq!(postgres.rows(&other, OWN_TABLES), NO_ROWS);
    });
}

/// SQL query for the names of all tables of a PostgreSQL database.
const OWN_TABLES: &str = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = 'public'";

/// Empty result of an SQL query.
const NO_ROWS: [Vec<String>; 0] = [];

#[test]
fn an_interrupted_copy_leaves_nothing_behind() {
    let postgres = Postgres::start();
    let address = postgres.database();
    run(async {
        let table = Table::with(with_site).await;
        use_everything(&table).await;
        table.server.close().await;
        let sqlite = Database::from(table.folder.path().to_owned());
        let folder = tempfile::tempdir().unwrap();
        let other = Database::from(folder.path().join("new/nested"));
        let to_postgres: Database = address.parse().unwrap();
        for target in [&to_postgres, &other] {
            loop {
                // The test interrupts the copying of the database after all rows are written and compared, but before the transaction is
                // committed.
                let mut tell = |done, total| {
                    if done == total {
                        resume_unwind(Box::new("interrupted"));
                    }
                };
                let copy = AssertUnwindSafe(copy_database(&sqlite, target, &mut tell));
                let Ok(copied) = copy.catch_unwind().await else { break };
                // A child process that another test starts can keep the data folder locked for a moment. The child process releases the
                // lock when it executes its program.
                assert!(matches!(copied, Err(CopyError::InUse(_))), "{copied:?}");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        assert_eq!(postgres.rows(&address, OWN_TABLES), NO_ROWS);
        assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
        // After an interrupted attempt to copy the database, a new attempt succeeds.
        copy_unlocked(&sqlite, &to_postgres).await.unwrap();
        copy_unlocked(&sqlite, &other).await.unwrap();
    });
}

/// Waits until a PostgreSQL session is blocked by a lock, and returns the application name of the session.
async fn waiting(address: &str) -> String {
    let mut connection = PgConnection::connect(address).await.unwrap();
    let query = "SELECT application_name FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0";
    let look = async {
        loop {
            let found = sqlx::query_scalar(query).fetch_optional(&mut connection).await.unwrap();
            if let Some(name) = found {
                break name;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, look).await.expect("a session waits for a lock")
}

/// Begins a PostgreSQL transaction, and executes an SQL statement in the transaction. The changes are invisible to other sessions
/// until the commit.
async fn begin(address: &str, change: &'static str) -> PgConnection {
    let mut writer = PgConnection::connect(address).await.unwrap();
    for sql in ["BEGIN", change] {
        sqlx::query(sql).execute(&mut writer).await.unwrap();
    }
    writer
}

/// Waits until a writer's open transaction blocks another session, and then commits the transaction. Returns the application name
/// of the blocked session.
async fn commit_awaited(address: &str, writer: &mut PgConnection) -> String {
    let name = waiting(address).await;
    sqlx::query("COMMIT").execute(writer).await.unwrap();
    name
}

/// SQL statement that adds an entry to the operators' log, as an operator's command does.
const ACT: &str =
    "INSERT INTO operator_acts (at, act, target, reason) VALUES (1, 'end', 'a match', 'a test')";

#[test]
fn a_copy_waits_for_a_running_write_and_sees_its_rows() {
    let postgres = Postgres::start();
    let address = postgres.database();
    run(async {
        let database: Database = address.parse().unwrap();
        open(&database).await.close().await;
        let folder = tempfile::tempdir().unwrap();
        let other = Database::from(folder.path().join("new"));
        let mut writer = begin(&address, ACT).await;
        let (copied, name) =
            tokio::join!(copy(&database, &other), commit_awaited(&address, &mut writer));
        assert_eq!(name, "overmate database copy");
        let acts = copied.unwrap().tables.into_iter().find(|table| table.name == "operator_acts");
        assert_eq!(acts.unwrap().rows, 1);
        // A copy is refused if a concurrent write fills the target database while the copy waits for the lock on the tables.
        let table = Table::new().await;
        table.server.close().await;
        let sqlite = Database::from(table.folder.path().to_owned());
        sqlx::query("DELETE FROM operator_acts").execute(&mut writer).await.unwrap();
        let mut writer = begin(&address, ACT).await;
        let (refused, _) =
            tokio::join!(copy(&sqlite, &database), commit_awaited(&address, &mut writer));
        assert!(
            matches!(refused, Err(CopyError::HoldsData { table: "operator_acts", .. })),
            "{refused:?}"
        );
    });
}

#[test]
fn a_copy_refuses_a_database_in_which_a_server_starts_while_the_copy_waits_for_the_lock() {
    let postgres = Postgres::start();
    let address = postgres.database();
    run(async {
        let database: Database = address.parse().unwrap();
        open(&database).await.close().await;
        let table = Table::new().await;
        table.server.close().await;
        let sqlite = Database::from(table.folder.path().to_owned());
        let folder = tempfile::tempdir().unwrap();
        let other = Database::from(folder.path().join("new"));
        for (from, to) in [(&database, &other), (&sqlite, &database)] {
            let mut writer = begin(&address, ACT).await;
            let start = async {
                waiting(&address).await;
                let options: PgConnectOptions = address.parse().unwrap();
                let server = options.application_name("overmate").connect().await.unwrap();
                sqlx::query("ROLLBACK").execute(&mut writer).await.unwrap();
                server
            };
            let (refused, server) = tokio::join!(copy(from, to), start);
            assert!(matches!(refused, Err(CopyError::Sessions { sessions: 1, .. })), "{refused:?}");
            server.close().await.unwrap();
        }
    });
}

#[test]
fn a_copy_refuses_a_database_that_a_starting_server_migrates() {
    let postgres = Postgres::start();
    let address = postgres.database();
    run(async {
        let database: Database = address.parse().unwrap();
        open(&database).await.close().await;
        let folder = tempfile::tempdir().unwrap();
        let other = Database::from(folder.path().join("new"));
        let mut migration = begin(&address, "LOCK TABLE _sqlx_migrations").await;
        let refuse = async {
            let name = waiting(&address).await;
            let refused = copy(&database, &other).await;
            sqlx::query("ROLLBACK").execute(&mut migration).await.unwrap();
            (name, refused)
        };
        let (server, (name, refused)) = tokio::join!(open(&database), refuse);
        assert_eq!(name, "overmate");
        assert!(matches!(refused, Err(CopyError::Sessions { sessions: 1, .. })), "{refused:?}");
        server.close().await;
    });
}
