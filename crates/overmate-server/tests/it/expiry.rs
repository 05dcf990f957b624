//! Tests the quotas of matches for each browser, and the removal of expired matches.

use std::time::Duration;

use axum::http::StatusCode;
use futures_util::StreamExt as _;
use overmate_server::wire::{Code, MatchList, MatchView, ServerMessage};
use overmate_server::{Limits, Settings};
use serde_json::json;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::days_off::begun;
use crate::sockets::{Socket, served};
use crate::support::{Answer, Browser, DAY, SOON, Table, client_id, now, run, two};

async fn status(browser: &mut Browser, id: &str) -> StatusCode {
    browser.get(&format!("/api/v1/matches/{id}")).await.status
}

async fn create(browser: &mut Browser, opponent: &str) -> Answer {
    let new = json!({"rules": "bga", "opponent": {"kind": opponent}, "client_id": client_id()});
    browser.post("/api/v1/matches", new).await
}

#[test]
fn an_unfinished_match_expires_90_days_after_its_last_action() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let idle = browser.begin("bga", json!({"kind": "both"})).await;
        let acted = browser.begin("bga", json!({"kind": "both"})).await;
        let over = browser.begin("bga", json!({"kind": "both"})).await;
        let idle: MatchView = browser.act(&idle, &idle.current.legal[0].action).await.ok();
        table.execute("UPDATE matches SET created_at = created_at - 100 * 24 * 60 * 60").await;
        table.execute("UPDATE log SET at = at - 100 * 24 * 60 * 60").await;
        let _: MatchView = browser.act(&acted, &acted.current.legal[0].action).await.ok();
        let _: MatchView = browser.ask(&over.id, "resign").await.ok();
        let start = now();
        assert_eq!(table.server.remove_expired(start - 11 * DAY).await, 0);
        assert_eq!(table.server.remove_expired(start).await, 1);
        assert_eq!(status(&mut browser, &idle.id).await, StatusCode::NOT_FOUND);
        assert_eq!(browser.ask(&idle.id, "undo").await.code(), Code::NotFound);
        let refused = browser.act(&idle, &idle.current.legal[0].action).await;
        assert_eq!(refused.code(), Code::NotFound);
        assert_eq!(table.server.remove_expired(start + 89 * DAY).await, 0);
        assert_eq!(browser.ids().await.len(), 2);
        // After a restart, the server continues to remove expired matches. A finished match stays.
        let table = table.restart().await;
        assert_eq!(table.server.remove_expired(start + 91 * DAY).await, 1);
        assert_eq!(table.server.remove_expired(start + 1_000 * DAY).await, 0);
        let mut browser = browser.at(&table.server);
        assert_eq!(browser.ids().await, [over.id]);
    });
}

#[test]
fn a_match_does_not_expire_while_the_time_of_a_player_runs() {
    run(async {
        let chosen = |settings: Settings| {
            let limits =
                Limits { unfinished_match_time: Duration::from_hours(24), ..settings.limits };
            Settings { limits, ..settings }
        };
        let table = Table::with(chosen).await;
        let (mut acting, _, state) = begun(&table).await;
        let start = now();
        assert_eq!(table.server.remove_expired(start + 2 * DAY).await, 0);
        assert_eq!(status(&mut acting, &state.id).await, StatusCode::OK);
        assert_eq!(table.server.remove_expired(start + 4 * DAY).await, 1);
        assert_eq!(status(&mut acting, &state.id).await, StatusCode::NOT_FOUND);
    });
}

#[test]
fn a_match_in_which_no_person_has_acted_expires_after_a_day() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let leads =
            json!({"rules": "bga", "opponent": {"kind": "level", "level": 1}, "lead": "other"});
        let empty: MatchView = browser.post("/api/v1/matches", leads).await.ok();
        browser.wait(&empty.id, |state| state.sequence > 0).await;
        let acted = browser.begin("bga", json!({"kind": "level", "level": 1})).await;
        let _: MatchView = browser.act(&acted, &acted.current.legal[0].action).await.ok();
        let list: MatchList = browser.get("/api/v1/matches").await.ok();
        let begun = |id: &str| list.matches.iter().find(|found| found.id == id).unwrap().begun;
        assert_eq!((begun(&empty.id), begun(&acted.id)), (false, true));
        let start = now();
        assert_eq!(table.server.remove_expired(start).await, 0);
        assert_eq!(table.server.remove_expired(start + 2 * DAY).await, 1);
        assert_eq!(browser.ids().await, [acted.id]);
    });
}

#[test]
fn a_rematch_between_people_waits_longer_than_a_day_for_the_first_action() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let _: MatchView = guest.ask(&state.id, "resign").await.ok();
        let _: MatchView = guest.ask(&state.id, "rematch").await.ok();
        let agreed: MatchView = host.ask(&state.id, "rematch").await.ok();
        let id = agreed.rematch.and_then(|rematch| rematch.match_id).expect("a match");
        assert_eq!(table.server.remove_expired(now() + 2 * DAY).await, 0);
        let rematch = guest.look(&id).await;
        let _: MatchView = guest.act(&rematch, &rematch.current.legal[0].action).await.ok();
        assert_eq!(host.look(&id).await.sequence, rematch.sequence + 1);
    });
}

#[test]
fn an_unused_invitation_expires_30_days_after_its_creation() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, used) = two(&table, "bga").await;
        let open = host.begin("bga", json!({"kind": "friend"})).await;
        let token = open.invitation.expect("an invitation");
        let path = format!("/api/v1/invitations/{}", token.trim_start_matches("/join/"));
        let start = now();
        assert_eq!(table.server.remove_expired(start + 29 * DAY).await, 0);
        assert_eq!(guest.get(&path).await.status, StatusCode::OK);
        assert_eq!(table.server.remove_expired(start + 31 * DAY).await, 1);
        assert_eq!(guest.get(&path).await.code(), Code::NotFound);
        assert_eq!(guest.post(&path, json!({})).await.code(), Code::NotFound);
        assert_eq!(host.ids().await, std::slice::from_ref(&used.id));
        assert_eq!(table.server.remove_expired(start + 91 * DAY).await, 1);
        assert_eq!(status(&mut guest, &used.id).await, StatusCode::NOT_FOUND);
    });
}

#[test]
fn a_sweep_of_several_batches_removes_exactly_the_expired_matches() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for _ in 0..250 {
            assert_eq!(create(&mut browser, "both").await.status, StatusCode::CREATED);
        }
        // A third of the matches keep their creation time, and the others get one of two earlier creation times.
        let age = "UPDATE matches SET created_at = created_at - (rowid % 3) * 100 * 24 * 60 * 60";
        table.execute(age).await;
        assert_eq!(table.server.remove_expired(now()).await, 167);
        assert_eq!(table.server.remove_expired(now()).await, 0);
        assert_eq!(browser.ids().await.len(), 83);
    });
}

#[test]
fn a_live_connection_to_a_removed_match_is_told_and_closed() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let served = served(&table).await;
        let mut socket = Socket::open(&served, &browser, &format!("{}/live", state.id)).await;
        socket.hello().await;
        assert_eq!(table.server.remove_expired(now() + 91 * DAY).await, 1);
        match socket.next().await {
            ServerMessage::Problem { problem, .. } => assert_eq!(problem.code, Code::NotFound),
            other => panic!("{other:?}"),
        }
        let closed = timeout(SOON, socket.0.next()).await.expect("in time").expect("a message");
        assert!(matches!(closed, Ok(Message::Close(Some(frame))) if u16::from(frame.code) == 1008));
        drop(served.stop);
    });
}

#[test]
fn a_browser_has_a_limited_number_of_unfinished_matches() {
    run(async {
        let table = Table::limited(|limits| {
            limits.unfinished_matches = Some(2);
        })
        .await;
        let mut browser = table.browser();
        let first = json!({"rules": "bga", "opponent": {"kind": "both"}, "client_id": client_id()});
        let begun: MatchView = browser.post("/api/v1/matches", first.clone()).await.ok();
        let other: MatchView = create(&mut browser, "both").await.ok();
        let refused = create(&mut browser, "friend").await;
        assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, Code::MatchesFull));
        assert!(refused.text().contains("at most 2 unfinished matches"), "{}", refused.text());
        let again: MatchView = browser.post("/api/v1/matches", first).await.ok();
        assert_eq!(again.id, begun.id, "a repeated request is answered");
        // The quota of unfinished matches also applies to accepted invitations and to rematches.
        let mut host = table.browser();
        let state: MatchView = create(&mut host, "friend").await.ok();
        let token = state.invitation.expect("an invitation");
        let path = format!("/api/v1/invitations/{}", token.trim_start_matches("/join/"));
        assert_eq!(browser.post(&path, json!({})).await.code(), Code::MatchesFull);
        let _: MatchView = browser.ask(&other.id, "resign").await.ok();
        let joined: MatchView = browser.post(&path, json!({})).await.ok();
        assert_eq!(joined.id, state.id);
        assert_eq!(browser.ask(&other.id, "rematch").await.code(), Code::MatchesFull);
        let _: MatchView = browser.ask(&begun.id, "resign").await.ok();
        let _: MatchView = browser.ask(&other.id, "rematch").await.ok();
    });
}

#[test]
fn a_browser_has_a_limited_number_of_matches_in_all() {
    run(async {
        let table = Table::limited(|limits| {
            limits.kept_matches = Some(3);
        })
        .await;
        let mut browser = table.browser();
        for _ in 0..3 {
            let state: MatchView = create(&mut browser, "both").await.ok();
            let _: MatchView = browser.ask(&state.id, "resign").await.ok();
        }
        let refused = create(&mut browser, "both").await;
        assert_eq!(refused.code(), Code::MatchesFull);
        assert!(refused.text().contains("at most 3 matches"), "{}", refused.text());
        assert_eq!(create(&mut table.browser(), "both").await.status, StatusCode::CREATED);
    });
}
