//! Tests the export and the erasure of the data of a browser identity.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::StreamExt as _;
use overmate_rules::Record;
use overmate_server::Server;
use overmate_server::wire::{
    Code, Export, MatchList, MatchView, PlayerKind, PlayerWire, Privacy, ServerMessage,
};
use serde_json::json;
use sqlx::Connection as _;
use tower::ServiceExt as _;

use crate::sockets::{Socket, served};
use crate::support::{Answer, Browser, Table, begin_between, play_out, run, two};

async fn delete(browser: &mut Browser, id: &str) -> Answer {
    let request = Request::delete(format!("/api/v1/matches/{id}")).body(Body::empty());
    browser.send(request.expect("a request")).await
}

async fn listed(browser: &mut Browser) -> usize {
    browser.get("/api/v1/matches").await.ok::<MatchList>().matches.len()
}

#[test]
fn an_export_holds_every_match_with_its_record_and_the_own_entries_only() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "denexa").await;
        // Both players foreplace a card face down.
        let state = host.look(&state.id).await;
        let state: MatchView = host.act(&state, &state.current.legal[1].action).await.ok();
        let state = guest.look(&state.id).await;
        let hidden = state.current.legal[2].action.clone();
        let _: MatchView = guest.act(&state, &hidden).await.ok();
        // The browser has more matches than the server puts into one batch of the export.
        for _ in 0..60 {
            host.begin("bga", json!({"kind": "both"})).await;
        }
        let open = host.begin("bga", json!({"kind": "friend"})).await;
        let answer = host.get("/api/v1/me/export").await;
        assert_eq!(
            answer.headers[header::CONTENT_DISPOSITION],
            "attachment; filename=\"overmate.json\""
        );
        let text = answer.text();
        let export: Export = answer.ok();
        assert_eq!(export.matches.len(), 62);
        assert!(export.matches.windows(2).all(|pair| pair[0].summary.id < pair[1].summary.id));
        assert_eq!(export.identity.map(|identity| identity.len()), Some(64));
        let secret = host.cookie.clone().unwrap();
        assert!(!text.contains(secret.split_once('=').unwrap().1), "the token is not exported");
        let of = |id: &str| export.matches.iter().find(|found| found.summary.id == id).unwrap();
        assert_eq!(of(&open.id).invitation, open.invitation);
        let played = of(&state.id);
        assert_eq!(played.entries.len(), 1, "{:?}", played.entries);
        assert_eq!(
            (played.entries[0].player, played.entries[0].kind.as_str()),
            (PlayerWire::A, "act")
        );
        assert!(!serde_json::to_string(played).unwrap().contains(&hidden));
        for found in &export.matches {
            assert!(Record::read(&found.record).is_ok(), "{}", found.record);
        }
        let nobody: Export = table.browser().get("/api/v1/me/export").await.ok();
        assert!(nobody.identity.is_none() && nobody.matches.is_empty());
    });
}

#[test]
fn the_number_of_exports_at_a_time_is_limited_by_browser_and_network() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.behind_proxy = true;
            settings.limits.browsers_per_address = 2;
            settings
        })
        .await;
        let mut browser = table.browser();
        for _ in 0..20 {
            browser.begin("bga", json!({"kind": "both"})).await;
        }
        let begun = async |browser: &Browser| {
            let mut request = Request::get("/api/v1/me/export")
                .header(header::COOKIE, browser.cookie.clone().expect("a cookie"));
            if let Some(address) = &browser.address {
                request = request.header("x-forwarded-for", address);
            }
            let request = request.body(Body::empty()).expect("a request");
            let answer = table.router.clone().oneshot(request).await.expect("never fails");
            assert_eq!(answer.status(), StatusCode::OK);
            answer
        };
        // The body of the first export is read only after the second export was refused.
        let first = begun(&browser).await;
        assert_eq!(browser.get("/api/v1/me/export").await.code(), Code::TooMany);
        let mut other = table.browser();
        other.begin("bga", json!({"kind": "both"})).await;
        assert_eq!(other.get("/api/v1/me/export").await.ok::<Export>().matches.len(), 1);
        let second = begun(&other).await;
        let mut third = table.browser();
        third.begin("bga", json!({"kind": "both"})).await;
        assert_eq!(third.get("/api/v1/me/export").await.code(), Code::TooMany);
        drop(second);
        assert_eq!(third.get("/api/v1/me/export").await.ok::<Export>().matches.len(), 1);
        let mut pieces = first.into_body().into_data_stream();
        let mut body = Vec::new();
        while let Some(piece) = pieces.next().await {
            let piece = piece.expect("a piece of the body");
            let matches = String::from_utf8_lossy(&piece).matches("\"record\":").count();
            assert!(matches <= 1, "the server writes match after match: {matches}");
            body.extend(piece);
        }
        let export: Export = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(export.matches.len(), 20);
        // Each network of 64 bits counts like an address, and larger networks have multiples.
        let at = async |address: &str| {
            let mut browser = table.browser_at(address);
            browser.begin("bga", json!({"kind": "both"})).await;
            browser
        };
        let mut running = Vec::new();
        for address in ["2001:db8:1:100::1", "2001:db8:1:100::2"] {
            running.push(begun(&at(address).await).await);
        }
        let refused = at("2001:db8:1:100::3").await.get("/api/v1/me/export").await;
        assert_eq!(refused.code(), Code::TooMany);
        for subnet in 0x101..=0x102 {
            running.push(begun(&at(&format!("2001:db8:1:{subnet:x}::1")).await).await);
        }
        let refused = at("2001:db8:1:103::1").await.get("/api/v1/me/export").await;
        assert_eq!(refused.code(), Code::TooMany, "the network of 56 bits has twice the exports");
        running.push(begun(&at("2001:db8:1:200::1").await).await);
    });
}

#[test]
fn an_erasure_removes_all_data_of_a_browser_and_keeps_the_games_of_opponents() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, running) = two(&table, "bga").await;
        let token = {
            let names = json!({"me": "Zacharias"});
            let new = json!({"rules": "bga", "opponent": {"kind": "friend"}, "names": names,
                "client_id": "a-request"});
            let state: MatchView = guest.post("/api/v1/matches", new).await.ok();
            state.invitation.expect("an invitation")
        };
        let path = format!("/api/v1/invitations/{}", token.trim_start_matches("/join/"));
        let finished: MatchView = host.post(&path, json!({})).await.ok();
        let finished: MatchView = host.ask(&finished.id, "resign").await.ok();
        let alone = guest.begin("bga", json!({"kind": "both"})).await;
        let computer = guest.begin("bga", json!({"kind": "level", "level": 1})).await;
        let invited = guest.begin("bga", json!({"kind": "friend"})).await;
        for _ in 0..60 {
            guest.begin("bga", json!({"kind": "both"})).await;
        }
        let former = guest.clone();
        let answer = guest.erase().await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT);
        let cookies: Vec<_> = answer.headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(cookies.len(), 2);
        assert!(cookies.iter().all(|cookie| cookie.to_str().unwrap().contains("Max-Age=0")));
        // After a player has erased their data, the former cookie of their browser gives no access to any match.
        let mut guest = former.clone();
        assert_eq!(listed(&mut guest).await, 0);
        for state in [&running, &finished, &alone, &computer, &invited] {
            let found = guest.get(&format!("/api/v1/matches/{}", state.id)).await;
            assert_eq!(found.code(), Code::NotFound);
        }
        let token = invited.invitation.expect("an invitation");
        let path = format!("/api/v1/invitations/{}", token.trim_start_matches("/join/"));
        assert_eq!(host.get(&path).await.code(), Code::NotFound);
        // After a player has erased their data, the opponent still lists the two matches against this player. The match that was still
        // running has ended by this player's resignation.
        assert_eq!(listed(&mut host).await, 2);
        let after = host.look(&running.id).await;
        assert_eq!((after.players.b.kind, after.players.b.name), (PlayerKind::Deleted, None));
        assert_eq!(after.result.unwrap().resigned, Some(PlayerWire::B));
        assert_eq!(host.ask(&running.id, "rematch").await.code(), Code::NotAllowed);
        let after = host.look(&finished.id).await;
        assert_eq!(after.result.unwrap().resigned, finished.result.unwrap().resigned);
        let record = host.get(&format!("/api/v1/matches/{}/record", finished.id)).await.text();
        assert!(!record.contains("Zacharias"), "{record}");
        // A repeated erasure and an erasure without a cookie change nothing.
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(table.browser().erase().await.status, StatusCode::NO_CONTENT);
        assert_eq!(listed(&mut host).await, 2);
        // The database file does not contain the name of the player who has erased their data. After the other player has also left, the
        // matches are removed.
        let table = table.restart().await;
        let file = std::fs::read(Server::database(table.folder.path())).unwrap();
        assert!(!file.windows(9).any(|bytes| bytes == b"Zacharias"));
        let mut host = host.at(&table.server);
        assert_eq!(host.look(&running.id).await.players.b.kind, PlayerKind::Deleted);
        let mut former = host.clone();
        assert_eq!(host.erase().await.status, StatusCode::NO_CONTENT);
        let found = former.get(&format!("/api/v1/matches/{}", running.id)).await;
        assert_eq!(found.code(), Code::NotFound);
        assert_eq!(table.server.remove_expired(i64::MAX).await, 0);
    });
}

#[test]
fn a_damaged_match_is_left_out_of_lists_and_exports_and_an_erasure_vacates_it() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, sound) = two(&table, "bga").await;
        let mut ids = Vec::new();
        for number in 0..5 {
            let state = match number {
                0 | 1 => begin_between(&mut host, &mut guest, "bga").await,
                _ => host.begin("bga", json!({"kind": "both"})).await,
            };
            play_out(
                &mut host.clone(),
                if number < 2 { &mut guest } else { &mut host },
                &state.id,
                1,
            )
            .await;
            ids.push(state.id);
        }
        let mut database = table.connect().await;
        for (id, damage) in ids.iter().zip([
            "UPDATE log SET detail = 'Zz' WHERE match_id = $1 AND sequence = 5",
            "UPDATE log SET kind = 'later' WHERE match_id = $1 AND sequence = 5",
            "DELETE FROM log WHERE match_id = $1 AND sequence = 2",
            "UPDATE matches SET deals = 'none' WHERE id = $1",
            "DELETE FROM seats WHERE match_id = $1 AND player = 'b'",
        ]) {
            let done = sqlx::query(damage).bind(id).execute(&mut database).await;
            assert_eq!(done.expect("a valid statement").rows_affected(), 1, "{damage}");
        }
        // The restarted server has no cached state.
        let table = table.restart().await;
        let (mut host, mut guest) = (host.at(&table.server), guest.at(&table.server));
        for id in &ids {
            let answer = host.get(&format!("/api/v1/matches/{id}")).await;
            assert_eq!(answer.code(), Code::Internal);
        }
        for browser in [&mut host, &mut guest] {
            assert_eq!(browser.ids().await, [&*sound.id]);
            let export: Export = browser.get("/api/v1/me/export").await.ok();
            let exported = export.matches.iter().map(|found| &found.summary.id);
            assert_eq!(exported.collect::<Vec<_>>(), [&sound.id]);
        }
        // The server refuses each analysis for a player of a damaged match, because it does not know the deal of this match.
        let deal = json!({"rules": "bga", "deal": "1"});
        assert_eq!(host.post("/api/v1/analysis", deal).await.code(), Code::Internal);

        assert_eq!(host.erase().await.status, StatusCode::NO_CONTENT);
        let kept: Vec<String> = sqlx::query_scalar("SELECT id FROM matches ORDER BY created_at")
            .fetch_all(&mut database)
            .await
            .expect("a valid query");
        assert_eq!(kept.len(), 3);
        assert!(kept.iter().all(|id| *id == sound.id || ids[..2].contains(id)), "{kept:?}");
        let holders: i64 = sqlx::query_scalar("SELECT count(DISTINCT holder) FROM seats")
            .fetch_one(&mut database)
            .await
            .expect("a valid query");
        assert_eq!(holders, 1);
        assert_eq!(guest.ids().await, [&*sound.id]);
        // After a repair of the match's log, the match has ended by the resignation of the host.
        let repair = sqlx::query("UPDATE log SET kind = 'act' WHERE kind = 'later'");
        let repaired = repair.execute(&mut database).await.expect("a valid statement");
        assert_eq!(repaired.rows_affected(), 1);
        let table = table.restart().await;
        let mut guest = guest.at(&table.server);
        assert!(guest.look(&ids[1]).await.result.is_some_and(|result| result.resigned.is_some()));

        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        for query in ["SELECT count(*) FROM matches", "SELECT count(*) FROM log"] {
            let rows: i64 =
                sqlx::query_scalar(query).fetch_one(&mut database).await.expect("a row");
            assert_eq!(rows, 0, "{query}");
        }
        database.close().await.expect("a connection");
    });
}

#[test]
fn a_deleted_match_is_removed_and_a_friend_keeps_a_common_match() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, shared) = two(&table, "bga").await;
        let alone = host.begin("bga", json!({"kind": "both"})).await;
        let kept = host.begin("bga", json!({"kind": "both"})).await;
        let mut stranger = table.browser();
        stranger.begin("bga", json!({"kind": "both"})).await;
        assert_eq!(delete(&mut stranger, &kept.id).await.code(), Code::NotFound);
        assert_eq!(delete(&mut table.browser(), &kept.id).await.code(), Code::NotFound);
        for id in [&alone.id, &shared.id] {
            assert_eq!(delete(&mut host, id).await.status, StatusCode::NO_CONTENT);
            let found = host.get(&format!("/api/v1/matches/{id}")).await;
            assert_eq!(found.code(), Code::NotFound);
            assert_eq!(delete(&mut host, id).await.code(), Code::NotFound);
        }
        assert_eq!((listed(&mut host).await, listed(&mut guest).await), (1, 1));
        let left = guest.look(&shared.id).await;
        assert_eq!(left.players.a.kind, PlayerKind::Deleted);
        assert_eq!(left.result.unwrap().resigned, Some(PlayerWire::A));
    });
}

#[test]
fn the_refusals_to_delete_or_repeat_a_match_of_an_event_name_the_event() {
    run(async {
        let table = Table::new().await;
        let (mut host, _, state) = two(&table, "bga").await;
        let _: MatchView = host.ask(&state.id, "resign").await.ok();
        // The test changes the match in the database to a match of a tournament event, which has one round.
        let one_round = "UPDATE matches SET shared_deal = 'event-' || id, deals = substr(deals, 1, instr(deals, ' ') - 1)";
        table.execute(one_round).await;
        let table = table.restart().await;
        let mut host = host.at(&table.server);
        for refused in [delete(&mut host, &state.id).await, host.ask(&state.id, "rematch").await] {
            assert_eq!(refused.code(), Code::NotAllowed);
            assert!(refused.text().contains("event"), "{}", refused.text());
        }
    });
}

#[test]
fn live_connections_see_that_the_opponent_has_erased_their_data() {
    run(async {
        let table = Table::new().await;
        let (host, mut guest, state) = two(&table, "bga").await;
        let served = served(&table).await;
        let path = format!("{}/live", state.id);
        let mut watching = Socket::open(&served, &host, &path).await;
        watching.hello().await;
        let mut former = Socket::open(&served, &guest, &path).await;
        former.hello().await;
        assert_eq!(guest.erase().await.status, StatusCode::NO_CONTENT);
        loop {
            match watching.next().await {
                ServerMessage::Changed { state, .. } => {
                    if state.players.b.kind == PlayerKind::Deleted {
                        break;
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        // The live connection of the player who has erased their data closes without a message about the erasure.
        loop {
            use futures_util::StreamExt as _;
            match former.0.next().await.expect("a message").expect("a message") {
                tokio_tungstenite::tungstenite::Message::Close(frame) => {
                    assert_eq!(u16::from(frame.expect("a frame").code), 1008);
                    break;
                }
                message => assert!(!message.to_string().contains("deleted"), "{message}"),
            }
        }
        drop(served.stop);
    });
}

#[test]
fn the_privacy_facts_follow_the_configuration() {
    run(async {
        let table = Table::limited(|limits| {
            limits.invitation_time = std::time::Duration::from_hours(7 * 24);
            limits.unfinished_matches = Some(5);
            limits.fold_days = Some(9);
        })
        .await;
        let facts: Privacy = table.browser().get("/api/v1/privacy").await.ok();
        let expected = Privacy {
            report_days: 180,
            cookie_days: 400,
            unfinished_match_days: 90,
            empty_match_days: 1,
            invitation_days: 7,
            unfinished_matches: Some(5),
            kept_matches: None,
            log_entries: 2_000,
            fold_after_days: Some(9),
            operator_log_days: 365,
            event_days: 365,
            message_days: 90,
            former_handle_days: 365,
            handle_change_days: 30,
            offer_days: 14,
            code_minutes: 10,
            mail: false,
            challenge_minutes: 5,
        };
        assert_eq!(facts, expected);
    });
}
