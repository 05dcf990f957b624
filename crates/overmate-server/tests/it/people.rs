//! Tests that several browsers of one person share the person's matches.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::StreamExt as _;
use overmate_server::wire::{
    Code, Export, MatchView, MyBrowsers, PlayerWire, PuzzleOverview, ServerMessage,
};
use overmate_server::{Limits, Settings};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::sockets::{Socket, served};
use crate::support::{Answer, Browser, Table, run, two};

async fn browsers(browser: &mut Browser) -> MyBrowsers {
    browser.get("/api/v1/me/browsers").await.ok()
}

async fn sign_out(browser: &mut Browser, id: &str) -> Answer {
    let request = Request::delete(format!("/api/v1/me/browsers/{id}")).body(Body::empty());
    browser.send(request.expect("a request")).await
}

#[test]
fn a_link_adds_a_browser_once_and_both_play_the_same_matches() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, running) = two(&table, "bga").await;
        assert_eq!(browsers(&mut host).await, MyBrowsers::default());
        let made = host.make_codes("link").await;
        assert!(made.until.is_some());
        assert_eq!(made.codes[0].len(), 19);
        // A new browser that uses a person's linking code plays as this person in their matches.
        let mut phone = table.browser();
        let listed: MyBrowsers = phone.join(&made.codes[0].to_lowercase()).await.ok();
        assert_eq!(listed.browsers.len(), 2);
        assert_eq!(listed.browsers.iter().filter(|known| known.current).count(), 1);
        let named = listed.browsers.iter().find(|known| !known.current).expect("the other browser");
        assert_eq!(named.name.as_deref(), Some("Test"));
        let seen = phone.look(&running.id).await;
        assert_eq!(seen.you, host.look(&running.id).await.you);
        let moved: MatchView = phone.act(&seen, &seen.current.legal[0].action).await.ok();
        assert_eq!(host.look(&running.id).await.sequence, moved.sequence);
        // Each of a person's two browsers lists the matches that either browser has begun.
        let begun = phone.begin("bga", json!({"kind": "both"})).await;
        assert!(host.ids().await.contains(&begun.id));
        assert_eq!(host.ids().await, phone.ids().await);
        // If a browser sends the same linking code again, the server accepts the request. Another browser cannot use the used code.
        assert_eq!(phone.join(&made.codes[0]).await.status, StatusCode::OK);
        assert_eq!(guest.join(&made.codes[0]).await.code(), Code::CodeRefused);
        assert_eq!(guest.ids().await.len(), 1);
        // After a restart of the server, the linked browsers `host` and `phone` still belong to one person.
        let cookies = (host.cookie.clone(), phone.cookie.clone());
        let table = table.restart().await;
        for cookie in [cookies.0, cookies.1] {
            let mut browser = table.browser();
            browser.cookie = cookie;
            assert_eq!(browser.ids().await.len(), 2);
        }
    });
}

#[test]
fn what_a_browser_did_comes_along() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, between) = two(&table, "bga").await;
        let mut other = table.browser();
        let own = other.begin("bga", json!({"kind": "both"})).await;
        let (mut third, mut opponent, running) = two(&table, "denexa").await;
        // The browser `third` uses a recovery code of the browser `other`. Then `other` uses a code of `host`, so that all three browsers
        // belong to one person.
        let made = other.make_codes("recovery").await;
        assert_eq!(made.until, None);
        assert_eq!(third.join(&made.codes[0]).await.status, StatusCode::OK);
        let made = host.make_codes("recovery").await;
        assert_eq!(made.codes.len(), 10);
        let left = |listed: MyBrowsers| listed.recovery_codes.map(|codes| codes.left);
        assert_eq!(left(browsers(&mut host).await), Some(10));
        assert_eq!(other.join(&made.codes[0]).await.status, StatusCode::OK);
        assert_eq!(left(browsers(&mut host).await), Some(9));
        let mut expected = vec![own.id.clone(), between.id.clone(), running.id.clone()];
        expected.sort();
        for browser in [&mut host, &mut other, &mut third] {
            assert_eq!(browser.ids().await, expected);
            assert_eq!(browsers(browser).await.browsers.len(), 3);
        }
        // The browser `host` takes an action in a match that the browser `third` of the same person began. The opponent sees the action.
        let state = host.look(&running.id).await;
        let _: MatchView = host.act(&state, &state.current.legal[0].action).await.ok();
        assert_eq!(opponent.look(&running.id).await.sequence, state.sequence + 1);
        let export: Export = host.get("/api/v1/me/export").await.ok();
        assert_eq!((export.matches.len(), export.browsers.browsers.len()), (3, 3));
        // If the two players of a match become one person, this person has both seats of the match.
        let made = guest.make_codes("link").await;
        assert_eq!(host.join(&made.codes[0]).await.status, StatusCode::OK);
        let state = third.look(&between.id).await;
        assert_eq!(guest.look(&between.id).await.you, state.you);
        assert_eq!(guest.ids().await, expected);
    });
}

#[test]
fn a_wrong_a_used_and_an_old_code_have_one_answer_and_attempts_are_limited() {
    run(async {
        let table = Table::with(|settings| Settings {
            limits: Limits { codes_per_hour: Some(5), ..settings.limits },
            behind_proxy: true,
            ..settings
        })
        .await;
        let mut host = table.browser_at("192.0.2.1");
        let made = host.make_codes("link").await;
        let replaced = host.make_codes("link").await;
        let mut thief = table.browser_at("192.0.2.2");
        let mut answers = Vec::new();
        for text in [&*made.codes[0], "0000-0000-0000-0000", "", "not a code"] {
            let answer = thief.join(text).await;
            assert_eq!(answer.code(), Code::CodeRefused, "{text}");
            let mut problem: serde_json::Value = answer.json();
            problem["request_id"] = json!(null);
            answers.push((answer.status, problem));
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
        assert_eq!(thief.join("1").await.code(), Code::CodeRefused);
        assert_eq!(thief.join(&replaced.codes[0]).await.code(), Code::TooMany);
        // A new cookie does not permit further attempts to guess a code.
        assert_eq!(table.browser_at("192.0.2.2").join("1").await.code(), Code::TooMany);
        let mut phone = table.browser_at("192.0.2.3");
        assert_eq!(phone.join(&replaced.codes[0]).await.status, StatusCode::OK);
        // The database file does not contain the text of a linking code.
        table.server.close().await;
        let file = std::fs::read(overmate_server::Server::database(table.folder.path())).unwrap();
        for code in [&made.codes[0], &replaced.codes[0]] {
            let digits = code.replace('-', "");
            for text in [code.as_bytes(), digits.as_bytes()] {
                assert!(!file.windows(text.len()).any(|bytes| bytes == text));
            }
        }
    });
}

#[test]
fn a_browser_that_is_signed_out_begins_anew_and_loses_its_live_connection() {
    run(async {
        let table = Table::new().await;
        let (mut host, _, running) = two(&table, "bga").await;
        let made = host.make_codes("link").await;
        let mut phone = table.browser();
        let _: MyBrowsers = phone.join(&made.codes[0]).await.ok();
        let puzzles: PuzzleOverview = phone.get("/api/v1/puzzles").await.ok();
        assert_eq!(puzzles.attempts, 0);
        let served = served(&table).await;
        let mut socket = Socket::open(&served, &host, &format!("{}/live", running.id)).await;
        socket.hello().await;
        let known = browsers(&mut phone).await.browsers;
        let first = known.iter().find(|known| !known.current).expect("the first browser");
        let mut stranger = table.browser();
        stranger.begin("bga", json!({"kind": "both"})).await;
        assert_eq!(sign_out(&mut stranger, &first.id).await.code(), Code::NotFound);
        assert_eq!(sign_out(&mut table.browser(), &first.id).await.code(), Code::NotFound);
        assert_eq!(sign_out(&mut phone, "x").await.code(), Code::NotFound);
        // The browser `phone` signs out the browser `host` of the same person. A recovery code that `host` made earlier is then refused.
        let kept = host.make_codes("recovery").await;
        assert_eq!(sign_out(&mut phone, &first.id).await.status, StatusCode::NO_CONTENT);
        assert_eq!(sign_out(&mut phone, &first.id).await.code(), Code::NotFound);
        loop {
            match socket.0.next().await.expect("a message").expect("a message") {
                Message::Close(frame) => {
                    assert_eq!(u16::from(frame.expect("a frame").code), 1013);
                    break;
                }
                Message::Text(text) => {
                    let message: ServerMessage = serde_json::from_str(&text).expect("a message");
                    assert!(!matches!(message, ServerMessage::Problem { .. }), "{message:?}");
                }
                _ => {}
            }
        }
        drop(served.stop);
        assert_eq!(host.ids().await, Vec::<String>::new());
        let found = host.get(&format!("/api/v1/matches/{}", running.id)).await;
        assert_eq!((found.status, found.code()), (StatusCode::UNAUTHORIZED, Code::SignedOut));
        assert_eq!(found.headers.get(header::SET_COOKIE), None);
        assert_eq!(table.browser().join(&kept.codes[0]).await.code(), Code::CodeRefused);
        assert_eq!(browsers(&mut phone).await.recovery_codes, None);
        // The server refuses the next request by which a signed-out browser would change data. Otherwise the browser would act for a new,
        // empty identity without notice.
        let mut former = host.clone();
        let resign = format!("/api/v1/matches/{}/resign", running.id);
        let refused = host.clone().post(&resign, json!({})).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, Code::SignedOut));
        let account = json!({"handle": "Anna", "password": "correct horse battery"});
        let refused = host.clone().post("/api/v1/me/account", account).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, Code::SignedOut));
        // A signed-out browser may still ask for a sign-in challenge. This server offers no passkeys.
        let challenge = host.clone().post("/api/v1/me/sign-in/challenge", json!({})).await;
        assert_ne!(challenge.code(), Code::SignedOut);
        let refused = host.post("/api/v1/me/codes", json!({"kind": "recovery"})).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, Code::SignedOut));
        let begun = host.begin("bga", json!({"kind": "both"})).await;
        assert_ne!(host.cookie, former.cookie, "a new identity");
        assert_eq!(host.ids().await, [begun.id]);
        assert_eq!(phone.ids().await, std::slice::from_ref(&running.id));
        // A browser that signs itself out loses its cookie. The recovery code brings the matches back.
        let made = phone.make_codes("recovery").await;
        let own = browsers(&mut phone).await.browsers.into_iter().find(|known| known.current);
        let answer = sign_out(&mut phone, &own.expect("this browser").id).await;
        let cookies: Vec<_> = answer.headers.get_all(header::SET_COOKIE).iter().collect();
        assert_eq!(cookies.len(), 2);
        assert!(cookies.iter().all(|cookie| cookie.to_str().unwrap().contains("Max-Age=0")));
        assert_eq!(phone.ids().await, Vec::<String>::new());
        let mut new = table.browser();
        assert_eq!(new.join(&made.codes[0]).await.status, StatusCode::OK);
        assert_eq!(new.ids().await, std::slice::from_ref(&running.id));
        // A signed-out browser uses a recovery code of its former person, and then belongs to this person again.
        assert_eq!(former.join(&made.codes[1]).await.status, StatusCode::OK);
        assert_eq!(former.ids().await, [running.id]);
    });
}

#[test]
fn an_erasure_erases_what_all_browsers_of_a_person_did() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, between) = two(&table, "bga").await;
        let mut phone = table.browser();
        phone.begin("bga", json!({"kind": "both"})).await;
        let made = host.make_codes("link").await;
        let recovery = host.make_codes("recovery").await;
        let _: MyBrowsers = phone.join(&made.codes[0]).await.ok();
        assert_eq!(phone.clone().erase().await.status, StatusCode::NO_CONTENT);
        for browser in [&mut host, &mut phone] {
            assert_eq!(browser.ids().await, Vec::<String>::new());
            assert_eq!(browsers(browser).await, MyBrowsers::default());
        }
        assert_eq!(table.browser().join(&recovery.codes[0]).await.code(), Code::CodeRefused);
        let left = guest.look(&between.id).await;
        assert_eq!(left.result.unwrap().resigned, Some(PlayerWire::A));
    });
}
