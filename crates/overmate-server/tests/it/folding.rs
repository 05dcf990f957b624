//! Tests that the state, the export and the review of a match stay the same after its log has been folded (compressed). Also
//! tests that a match with a folded log can be erased.

use axum::http::StatusCode;
use overmate_server::wire::MatchView;
use serde_json::{Value, json};
use sqlx::Connection as _;

use crate::support::{Browser, DAY, Table, now, play_out, run, two};

/// Returns the kinds of all match log entries in the database.
async fn kinds(table: &Table) -> Vec<String> {
    let mut other = table.connect().await;
    let kinds = "SELECT kind FROM log ORDER BY match_id, sequence";
    let kinds = sqlx::query_scalar(kinds).fetch_all(&mut other).await.unwrap();
    other.close().await.unwrap();
    kinds
}

/// Removes expired data and folds (compresses) old match logs on a server, as if a number of days had passed.
async fn sweep_in(table: &Table, days: i64) {
    table.server.remove_expired(now() + days * DAY).await;
}

/// Returns the server's responses about a match (state, record and review) and about a test client (list of matches,
/// progress and export).
async fn seen(browser: &mut Browser, id: &str) -> Vec<Value> {
    let mut seen = Vec::new();
    let state: Value = browser.get(&format!("/api/v1/matches/{id}")).await.ok();
    seen.push(state);
    let record = browser.get(&format!("/api/v1/matches/{id}/record")).await;
    assert_eq!(record.status, StatusCode::OK);
    seen.push(record.text().into());
    seen.push(browser.get(&format!("/api/v1/matches/{id}/review?game=0")).await.ok());
    seen.push(browser.get("/api/v1/matches").await.ok());
    seen.push(browser.get("/api/v1/me/progress").await.ok());
    let mut export: Value = browser.get("/api/v1/me/export").await.ok();
    export.as_object_mut().unwrap().remove("exported_at");
    // The folding of a log removes the client ids of requests, so that the test does not compare these ids.
    export["requests"].as_array_mut().unwrap().retain(|request| request["match_id"] != id);
    for exported in export["matches"].as_array_mut().unwrap() {
        for entry in exported["entries"].as_array_mut().unwrap() {
            entry.as_object_mut().unwrap().remove("client_id").unwrap();
            // The folded log of a match without clocks stores times in whole seconds.
            entry.as_object_mut().unwrap().remove("at_ms").unwrap();
        }
    }
    seen.push(export);
    seen
}

#[test]
fn a_match_with_a_folded_log_is_shown_reviewed_exported_and_erased_as_before() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        play_out(&mut host, &mut guest, &state.id, 1).await;
        let _: MatchView = host.ask(&state.id, "resign").await.ok();
        let unfinished = host.begin("bga", json!({"kind": "both"})).await;
        let _: MatchView = host.act(&unfinished, "Tc").await.ok();
        let before = (seen(&mut host, &state.id).await, seen(&mut guest, &state.id).await);
        let rows = kinds(&table).await;
        assert!(rows.len() > 5 && rows.iter().all(|kind| kind != "fold"), "{rows:?}");

        sweep_in(&table, 29).await;
        assert_eq!(kinds(&table).await, rows);
        sweep_in(&table, 31).await;
        let mut folded = kinds(&table).await;
        folded.sort();
        assert_eq!(folded, ["act", "fold"]);
        // A restarted server reads the folded log.
        let table = table.restart().await;
        let [mut host, mut guest] = [host, guest].map(|browser| browser.at(&table.server));
        let after = (seen(&mut host, &state.id).await, seen(&mut guest, &state.id).await);
        assert_eq!(after, before);

        // If one player erases their data, the server adds an entry to the folded log of their match. After both players have erased their
        // data, the log is removed.
        let played = guest.record(&state.id).await.games().len();
        assert_eq!(host.erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(kinds(&table).await, ["fold", "leave"]);
        let kept = guest.record(&state.id).await;
        assert_eq!((played, kept.games().len()), (2, 2));
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        assert!(kinds(&table).await.is_empty());
    });
}
