//! What is stored survives, and what cannot be stored is told.

use std::time::Duration;

use overmate_server::wire::{Code, MatchState};
use overmate_server::{Server, Settings};
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};

use crate::support::{Table, run};

#[test]
fn a_locked_database_is_told_as_busy_and_harms_nothing() {
    run(async {
        let table =
            Table::with(|settings| Settings { patience: Duration::from_millis(100), ..settings })
                .await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let file = Server::database(table.folder.path());
        let mut other = SqliteConnectOptions::new().filename(&file).connect().await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
        let legal = state.current.legal[0].action.clone();
        let refused = browser.try_act(&state.id, 0, &legal, "the-same-one").await;
        assert_eq!((refused.status.as_u16(), refused.code()), (503, Code::Busy));
        // Looking needs no lock.
        assert_eq!(browser.look(&state.id).await.sequence, 0);
        sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
        let acted: MatchState = browser.try_act(&state.id, 0, &legal, "the-same-one").await.ok();
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
        // Another server with the same file: it has caches of its own, and no hints from this one.
        let other = Table {
            server: Server::open(Settings::new(table.folder.path().to_owned())).await.unwrap(),
            ..Table::new().await
        };
        let other = Table { router: overmate_server::app(other.server.clone()), ..other };
        let mut there = other.browser();
        there.cookie = here.cookie.clone();
        let mut turns = 0;
        while state.game == 0 {
            let id = state.id.clone();
            let browser = if turns % 2 == 0 { &mut there } else { &mut here };
            let seen = browser.look(&id).await;
            assert_eq!(seen.sequence, turns);
            state = browser.act(&seen, &seen.current.legal[0].action).await.ok();
            turns += 1;
        }
        // Both act on the same state: one wins.
        let (a, b) = (&state.current.legal[0].action, &state.current.legal[1].action);
        let (a, b) = tokio::join!(here.act(&state, a), there.act(&state, b));
        assert!(a.status.is_success() != b.status.is_success(), "{} {}", a.status, b.status);
        assert_eq!(here.look(&state.id).await.sequence, there.look(&state.id).await.sequence);
        assert!(turns > 2);
    });
}

#[test]
fn a_file_that_is_no_database_is_an_error_and_stays_as_it_is() {
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
fn what_was_played_is_there_after_a_restart() {
    run(async {
        let mut table = Table::new().await;
        let mut browser = table.browser();
        let mut state = browser.begin("denexa+free-move", json!({"kind": "both"})).await;
        let cookie = browser.cookie.clone();
        let mut restarts = 0;
        while state.finished.is_empty() {
            let legal = &state.current.legal;
            let before: MatchState = browser.act(&state, &legal[legal.len() / 2].action).await.ok();
            table = table.restart().await;
            browser = table.browser();
            browser.cookie.clone_from(&cookie);
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
