//! Tests that acknowledged writes survive a crash, and that clients are told about failed writes.

use std::time::Duration;

use overmate_server::wire::{Code, MatchView};
use overmate_server::{Server, Settings};
use serde_json::json;
use sqlx::Connection as _;

use crate::support::{Browser, Table, run};

#[test]
fn a_locked_database_is_reported_as_busy_and_changes_nothing() {
    run(async {
        let table =
            Table::with(|settings| Settings { patience: Duration::from_millis(100), ..settings })
                .await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let mut other = table.connect().await;
        sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
        let legal = state.current.legal[0].action.clone();
        let refused = browser.try_act(&state.id, 0, &legal, "the-same-one").await;
        assert_eq!((refused.status.as_u16(), refused.code()), (503, Code::Busy));
        // A request for the match state succeeds while another connection locks the database, because reads need no lock.
        assert_eq!(browser.look(&state.id).await.sequence, 0);
        sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
        let acted: MatchView = browser.try_act(&state.id, 0, &legal, "the-same-one").await.ok();
        assert_eq!(acted.sequence, 1);
        let sound: String =
            sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut other).await.unwrap();
        assert_eq!(sound, "ok");
        other.close().await.unwrap();
    });
}

#[test]
fn two_processes_may_act_in_one_match() {
    run(async {
        let table = Table::new().await;
        let mut here = table.browser();
        let mut state = here.begin("bga", json!({"kind": "both"})).await;
        // A second server on the same database file has its own cache, and learns of changes only from the database.
        let other = Server::open(Settings::new(table.folder.path().to_owned())).await.unwrap();
        let mut there = here.at(&other);
        let mut turns = 0;
        while state.game == 0 {
            let id = state.id.clone();
            let browser = if turns % 2 == 0 { &mut there } else { &mut here };
            let seen = browser.look(&id).await;
            assert_eq!(seen.sequence, turns);
            state = browser.act(&seen, &seen.current.legal[0].action).await.ok();
            turns += 1;
        }
        // Both servers get an action for the same sequence number, and only one action is stored.
        let (a, b) = (&state.current.legal[0].action, &state.current.legal[1].action);
        let (a, b) = tokio::join!(here.act(&state, a), there.act(&state, b));
        assert!(a.status.is_success() != b.status.is_success(), "{} {}", a.status, b.status);
        assert_eq!(here.look(&state.id).await.sequence, there.look(&state.id).await.sequence);
        assert!(turns > 2);
    });
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_unchanged() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let file = Server::database(folder.path());
        let text =
            b"This is not a database, and it is longer than the head of one would be. ".repeat(20);
        std::fs::write(&file, &text).unwrap();
        let error =
            Server::open(Settings::new(folder.path().to_owned())).await.err().expect("an error");
        assert!(error.to_string().contains("overmate.sqlite"), "{error}");
        assert_eq!(std::fs::read(&file).unwrap(), text);
    });
}

#[test]
fn a_match_survives_a_restart() {
    run(async {
        let mut table = Table::new().await;
        let mut browser = table.browser();
        let mut state = browser.begin("denexa+free-move", json!({"kind": "both"})).await;
        let mut restarts = 0;
        while state.finished.is_empty() {
            let legal = &state.current.legal;
            let before: MatchView = browser.act(&state, &legal[legal.len() / 2].action).await.ok();
            table = table.restart().await;
            browser = browser.at(&table.server);
            state = browser.look(&before.id).await;
            assert_eq!(
                serde_json::to_value(&state).unwrap(),
                serde_json::to_value(&before).unwrap()
            );
            restarts += 1;
        }
        assert!(restarts >= 4, "{restarts}");
    });
}

#[test]
fn a_copy_of_the_database_file_alone_is_complete_after_a_stop() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let acted: MatchView = browser.act(&state, &state.current.legal[0].action).await.ok();
        table.server.close().await;
        let copy = tempfile::tempdir().expect("a folder");
        std::fs::copy(Server::database(table.folder.path()), Server::database(copy.path()))
            .expect("a copy");
        let server = Server::open(Settings::new(copy.path().to_owned())).await.expect("a server");
        assert_eq!(browser.at(&server).look(&acted.id).await.sequence, acted.sequence);
    });
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_the_data() {
    use std::os::unix::fs::PermissionsExt as _;
    run(async {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        std::fs::create_dir(&data).expect("a folder");
        std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o755)).expect("a mode");
        let server = Server::open(Settings::new(data.clone())).await.expect("a server");
        let mut browser = Browser::of(&server);
        browser.begin("bga", json!({"kind": "both"})).await;
        let mode = |path: &std::path::Path| {
            std::fs::metadata(path).expect("a file").permissions().mode() & 0o777
        };
        assert_eq!(mode(&data), 0o700);
        let mut files = 0;
        for entry in std::fs::read_dir(&data).expect("a folder") {
            let path = entry.expect("an entry").path();
            assert_eq!(mode(&path), 0o600, "{}", path.display());
            files += 1;
        }
        assert!(files >= 2, "{files}");
    });
}

#[test]
fn healthz_tells_of_the_process_and_not_of_the_database() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        table.execute("ALTER TABLE matches RENAME TO lost").await;
        let record = format!("/api/v1/matches/{}/record", "0".repeat(state.id.len()));
        assert_eq!(browser.get(&record).await.status.as_u16(), 500);
        assert_eq!(browser.get("/healthz").await.status.as_u16(), 200);
    });
}

#[test]
fn readyz_stores_a_page() {
    run(async {
        let table = Table::new().await;
        let mut other = table.connect().await;
        // SQLite changes the number `data_version` when another connection has committed a change.
        let mut versions = Vec::new();
        for _ in 0..2 {
            let version: i64 =
                sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut other).await.unwrap();
            versions.push(version);
            assert_eq!(table.browser().get("/readyz").await.status.as_u16(), 200);
        }
        assert_ne!(versions[0], versions[1]);
        other.close().await.unwrap();
    });
}

#[test]
fn readyz_fails_while_the_database_cannot_be_written_and_healthz_does_not() {
    run(async {
        let table =
            Table::with(|settings| Settings { patience: Duration::from_millis(100), ..settings })
                .await;
        let mut browser = table.browser();
        let mut other = table.connect().await;
        for (statement, ready) in [("ROLLBACK", 200), ("BEGIN IMMEDIATE", 503), ("ROLLBACK", 200)] {
            // The test ignores whether the SQL statement in `statement` succeeds. The first `ROLLBACK` fails, because no transaction is
            // open.
            let _ = sqlx::query(statement).execute(&mut other).await;
            assert_eq!(browser.get("/readyz").await.status.as_u16(), ready, "{statement}");
            assert_eq!(browser.get("/healthz").await.status.as_u16(), 200, "{statement}");
        }
        other.close().await.unwrap();
        table.server.close().await;
        assert_eq!(browser.get("/readyz").await.code(), Code::Busy);
    });
}
