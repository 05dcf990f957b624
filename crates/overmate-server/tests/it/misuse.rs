//! Tests that the server refuses invalid and hostile requests.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use futures_util::stream;
use overmate_server::wire::{Code, Export, MatchView, Problem};
use overmate_server::{Limits, Settings};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use sqlx::Connection as _;

use crate::support::{Browser, Table, run, two};

#[test]
fn requests_with_a_wrong_type_size_or_method_get_their_problem() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let request = |kind: &str, body: Vec<u8>| {
            let request = Request::post("/api/v1/matches").header(header::CONTENT_TYPE, kind);
            request.body(Body::from(body)).unwrap()
        };
        for (kind, body, code) in [
            ("text/plain", b"{}".to_vec(), Code::UnsupportedMediaType),
            ("application/json", b"{".to_vec(), Code::BadRequest),
            ("application/json", vec![0xff; 40], Code::BadRequest),
            ("application/json", b"[".repeat(30_000), Code::BadRequest),
        ] {
            let answer = browser.send(request(kind, body)).await;
            assert_eq!(answer.code(), code, "{kind}");
        }
        let large = browser.send(request("application/json", vec![b' '; 300_000])).await;
        assert_eq!(large.code(), Code::TooLarge);
        assert!(large.text().contains("more than 262144 bytes"), "{}", large.text());
        for (method, path, code, allowed) in [
            (Method::DELETE, "/api/v1/matches", Code::MethodNotAllowed, Some("GET,HEAD,POST")),
            (Method::POST, "/api/v1/rules", Code::MethodNotAllowed, Some("GET,HEAD")),
            (Method::POST, "/", Code::MethodNotAllowed, Some("GET,HEAD")),
            (Method::PUT, "/rules/bga", Code::MethodNotAllowed, Some("GET,HEAD")),
            (Method::DELETE, "/unsubscribe/x", Code::MethodNotAllowed, Some("GET,HEAD,POST")),
            (Method::GET, "/api/v2/matches", Code::NotFound, None),
            (Method::GET, "/api/v1/nothing", Code::NotFound, None),
            (Method::GET, "/nothing.js", Code::NotFound, None),
        ] {
            let request = Request::builder().method(method.clone()).uri(path).body(Body::empty());
            let answer = browser.send(request.unwrap()).await;
            assert_eq!(answer.code(), code, "{method} {path}");
            let found = answer.headers.get(header::ALLOW).map(|value| {
                let mut methods: Vec<&str> = value.to_str().unwrap().split(',').collect();
                methods.sort_unstable();
                methods.join(",")
            });
            assert_eq!(found.as_deref(), allowed, "{method} {path}");
        }
    });
}

#[test]
fn a_request_whose_body_never_arrives_gets_a_title_that_names_the_request() {
    run(async {
        let table = Table::limited(|limits| limits.request_time = Duration::ZERO).await;
        let body = Body::from_stream(stream::pending::<Result<Vec<u8>, Infallible>>());
        let request = Request::post("/api/v1/matches")
            .header(header::CONTENT_TYPE, "application/json")
            .body(body);
        let problem: Problem = table.browser().send(request.unwrap()).await.json();
        assert_eq!((problem.status, problem.code), (408, Code::Timeout));
        assert_eq!(problem.title, "Request took too long");
    });
}

#[test]
fn null_characters_are_refused_in_addresses_and_texts() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        for path in [
            "/api/v1/matches/%00",
            "/api/v1/invitations/a%00",
            "/api/v1/matches/0?watch=%00",
            "/api/v1/players/%00",
        ] {
            assert_eq!(browser.get(path).await.code(), Code::BadRequest, "{path}");
        }
        let token = Request::delete("/api/v1/me/account/tokens/%00").body(Body::empty());
        assert_eq!(browser.send(token.unwrap()).await.code(), Code::BadRequest);
        let path = format!("/api/v1/matches/{}/note", state.id);
        let note = Request::put(path).header(header::CONTENT_TYPE, "application/json");
        let note = note.body(Body::from(json!({"text": "a\0"}).to_string()));
        assert_eq!(browser.send(note.unwrap()).await.code(), Code::BadRequest);
    });
}

#[test]
fn requests_out_of_bounds_are_refused() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let path = |rest: &str| format!("/api/v1/matches/{}{rest}", state.id);
        let long = "0".repeat(65);
        for rest in [
            format!("?watch={long}"),
            "?after=1000001".to_owned(),
            "?after=0&wait=26".to_owned(),
            "?after=-1".to_owned(),
            "/review?game=201".to_owned(),
            format!("/record?watch={long}"),
        ] {
            assert_eq!(browser.get(&path(&rest)).await.code(), Code::BadRequest, "{rest}");
        }
        let many: Vec<_> = (0..61).map(|_| "-").collect();
        for body in [
            json!({"rules": "bga", "deal": "0".repeat(21)}),
            json!({"rules": "bga", "deal": "1", "actions": many}),
            json!({"rules": format!("bga{}", "+free-move".repeat(30)), "deal": "1"}),
            json!({"record": "x".repeat(20_001)}),
        ] {
            let answer = browser.post("/api/v1/analysis", body.clone()).await;
            assert_eq!(answer.code(), Code::BadRequest, "{body}");
        }
        let answer = browser.try_act(&state.id, 1_000_001, "Tc", "12345678").await;
        assert_eq!(answer.code(), Code::BadRequest);
    });
}

#[test]
fn a_client_id_of_another_request_is_refused() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let ask = |what: &str| format!("/api/v1/matches/{}/{what}", state.id);
        let body = json!({"client_id": "the-same-one"});
        for what in ["resign", "rematch", "undo", "hint", "resign"] {
            let answer = browser.post(&ask(what), body.clone()).await;
            if what == "resign" {
                let _: MatchView = answer.ok();
            } else {
                assert_eq!(answer.code(), Code::BadRequest, "{what}");
            }
            let after = browser.look(&state.id).await;
            assert_eq!((after.sequence, after.rematch.is_none()), (1, true), "{what}");
        }
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let legal = host.look(&state.id).await.current.legal;
        let path = format!("/api/v1/matches/{}/resign", state.id);
        let acted = host.try_act(&state.id, 1, &legal[0].action, "the-same-one").await;
        assert_eq!(acted.ok::<MatchView>().sequence, 2);
        // The server refuses a used idempotency key (client id) for another action of the same player, and also for a request of the
        // opponent.
        let other = host.try_act(&state.id, 1, &legal[1].action, "the-same-one").await;
        assert_eq!(other.code(), Code::BadRequest);
        assert_eq!(guest.post(&path, body.clone()).await.code(), Code::BadRequest);
        assert_eq!(guest.look(&state.id).await.sequence, 2);
    });
}

#[test]
fn a_page_of_another_site_changes_nothing() {
    run(async {
        let table = Table::with(|settings| Settings { behind_proxy: true, ..settings }).await;
        let mut browser = table.browser();
        let body = json!({"rules": "bga", "opponent": {"kind": "both"}}).to_string();
        let request = |name: &str, value: &str| {
            let request = Request::post("/api/v1/matches")
                .header(header::HOST, "mate.example")
                .header(header::CONTENT_TYPE, "application/json")
                .header(name, value);
            request.body(Body::from(body.clone())).unwrap()
        };
        for (name, value) in [
            ("origin", "https://evil.example"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let answer = browser.send(request(name, value)).await;
            assert_eq!(
                (answer.status, answer.code()),
                (StatusCode::FORBIDDEN, Code::ForeignOrigin)
            );
        }
        assert_eq!(browser.cookie, None);
        let answer = browser.send(request("origin", "https://mate.example")).await;
        assert_eq!(answer.status, StatusCode::CREATED);
        let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap();
        for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Secure"] {
            assert!(cookie.contains(part), "{cookie}");
        }
    });
}

#[test]
fn an_invalid_cookie_is_no_identity() {
    run(async {
        let table = Table::new().await;
        let state = table.browser().begin("bga", json!({"kind": "both"})).await;
        for cookie in [
            "overmate_seat=",
            "overmate_seat=abc",
            "overmate_seat=%00",
            "a=b; ;;=",
            "overmate_seat=\u{7f}",
        ] {
            let mut browser = table.browser();
            browser.cookie = Some(cookie.replace('\u{7f}', "x"));
            let answer = browser.get(&format!("/api/v1/matches/{}", state.id)).await;
            assert_eq!(answer.code(), Code::NotFound, "{cookie}");
            let own = browser.begin("bga", json!({"kind": "both"})).await;
            let _: MatchView = browser.look(&own.id).await;
        }
    });
}

#[test]
fn requests_beyond_a_limit_are_refused_with_retry_after() {
    run(async {
        let table = Table::with(|mut settings| {
            settings.limits = Limits {
                requests_per_second: Some(1),
                requests_at_once: 20,
                matches_per_hour: Some(3),
                analyses_per_minute: Some(2),
                ..settings.limits
            };
            settings
        })
        .await;
        let mut browser = table.browser();
        let new = json!({"rules": "bga", "opponent": {"kind": "both"}});
        let mut statuses = Vec::new();
        for _ in 0..4 {
            statuses.push(browser.post("/api/v1/matches", new.clone()).await.status.as_u16());
        }
        assert_eq!(statuses, [201, 201, 201, 429]);
        let analysis = json!({"rules": "bga", "deal": "1"});
        let mut statuses = Vec::new();
        for _ in 0..3 {
            statuses.push(browser.post("/api/v1/analysis", analysis.clone()).await.status.as_u16());
        }
        assert_eq!(statuses, [200, 200, 429]);
        let mut refused = 0;
        for _ in 0..20 {
            let answer = browser.get("/api/v1/rules").await;
            if answer.status == StatusCode::TOO_MANY_REQUESTS {
                assert_eq!(answer.code(), Code::TooMany);
                let seconds: u64 =
                    answer.headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
                assert!((1..60).contains(&seconds));
                refused += 1;
            }
        }
        assert!(refused >= 5, "{refused}");
        // The unchanging files of the page have ten times the limit. This one does not exist.
        let mut statuses = Vec::new();
        while statuses.last() != Some(&StatusCode::TOO_MANY_REQUESTS) {
            statuses.push(browser.get("/_app/immutable/none.js").await.status);
        }
        let served = statuses.len() - 1;
        assert!(statuses[..served].iter().all(|status| *status == StatusCode::NOT_FOUND));
        assert!(served >= 200, "{served}");
    });
}

#[test]
fn an_unchanging_file_is_served_without_a_look_at_the_cookie() {
    run(async {
        let table = Table::limited(|limits| {
            limits.requests_per_second = Some(1);
            limits.requests_at_once = 5;
            limits.browsers_per_address = 2;
        })
        .await;
        let mut browser = table.browser();
        browser.begin("bga", json!({"kind": "both"})).await;
        let mut served = 0;
        while browser.get("/_app/immutable/none.js").await.status == StatusCode::NOT_FOUND {
            served += 1;
        }
        // The files have ten times the limit of requests. A browser whose cookie is read could request 50 files at once.
        assert!(served >= 100, "{served} files for the whole address");
    });
}

#[test]
fn a_request_for_a_foreign_host_name_is_refused() {
    run(async {
        let table =
            Table::with(|settings| Settings { hosts: vec!["mate.example".to_owned()], ..settings })
                .await;
        let mut browser = table.browser();
        let look = |host: &str| {
            Request::get("/api/v1/rules").header(header::HOST, host).body(Body::empty()).unwrap()
        };
        for host in ["mate.example", "127.0.0.1:2420", "localhost"] {
            assert_eq!(browser.send(look(host)).await.status, StatusCode::OK, "{host}");
        }
        // The header `Host` names another site, as after DNS rebinding.
        let answer = browser.send(look("evil.example:2420")).await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::MISDIRECTED_REQUEST, Code::ForeignOrigin)
        );
        assert!(answer.text().contains("--host"), "{}", answer.text());
    });
}

#[test]
fn an_https_page_gets_a_host_cookie_and_the_old_cookie_stays_valid() {
    run(async {
        let table = Table::with(|settings| Settings { behind_proxy: true, ..settings }).await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let old = browser.cookie.clone().unwrap();
        let token = old.strip_prefix("overmate_seat=").expect("the cookie of a page without HTTPS");
        let request = Request::post("/api/v1/identity")
            .header(header::HOST, "mate.example")
            .header(header::ORIGIN, "https://mate.example")
            .body(Body::empty());
        let answer = browser.send(request.unwrap()).await;
        let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap().to_owned();
        let secure = format!("__Host-overmate_seat={token}");
        assert!(cookie.starts_with(&format!("{secure};")), "{cookie}");
        for part in ["; Secure", "; Path=/", "; HttpOnly", "; SameSite=Lax"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert!(!cookie.contains("Domain"), "{cookie}");
        let planted = format!("overmate_seat={}", "0".repeat(64));
        for cookies in [
            old.clone(),
            secure.clone(),
            format!("{planted}; {secure}"),
            format!("{secure}; {planted}"),
        ] {
            browser.cookie = Some(cookies.clone());
            assert!(browser.look(&state.id).await.you.is_some(), "{cookies}");
        }
        browser.cookie = Some(planted);
        assert_eq!(
            browser.get(&format!("/api/v1/matches/{}", state.id)).await.code(),
            Code::NotFound
        );
    });
}

/// Returns the browser identity that the server recognises in a cookie, or `None` if the server
/// refuses the cookie.
async fn identity(browser: &mut Browser, cookie: &str) -> Option<String> {
    browser.cookie = Some(cookie.to_owned());
    browser.get("/api/v1/me/export").await.ok::<Export>().identity
}

#[test]
fn a_cookie_that_the_server_has_not_issued_is_no_identity_and_is_replaced() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        browser.post("/api/v1/identity", json!({})).await;
        let issued = browser.cookie.clone().unwrap();
        assert!(identity(&mut browser, &issued).await.is_some());
        let mut refused = 0;
        for index in issued.len() - 64..issued.len() {
            let mut invented = issued.clone().into_bytes();
            invented[index] = if invented[index] == b'0' { b'1' } else { b'0' };
            let invented = String::from_utf8(invented).unwrap();
            assert_eq!(identity(&mut browser, &invented).await, None, "{invented}");
            refused += 1;
        }
        assert_eq!(refused, 64);
        // The server refuses a cookie whose keyed hash has upper-case hexadecimal digits, although the server issued the same hash in lower
        // case.
        let (kept, hash) = issued.split_at(issued.len() - 32);
        let invented = format!("{kept}{}", hash.to_ascii_uppercase());
        assert_ne!(invented, issued);
        assert_eq!(identity(&mut browser, &invented).await, None, "{invented}");
        let answer = browser.post("/api/v1/identity", json!({})).await;
        assert!(answer.headers.contains_key(header::SET_COOKIE));
        let replaced = browser.cookie.clone().unwrap();
        assert!(identity(&mut browser, &replaced).await.is_some());
        // After a restart, the server accepts the earlier cookies, because its secret key is unchanged. Neither browser holds data.
        let table = table.restart().await;
        let mut browser = table.browser();
        for cookie in [&issued, &replaced] {
            assert!(identity(&mut browser, cookie).await.is_some());
        }
    });
}

#[test]
fn a_cookie_of_an_earlier_version_stays_valid_if_its_browser_has_a_seat() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let state = browser.begin("bga", json!({"kind": "both"})).await;
        let old = "0123456789abcdef".repeat(4);
        let mut connection = table.connect().await;
        let holder = Sha256::digest(old.as_bytes()).to_vec();
        let changed = sqlx::query("UPDATE seats SET holder = ?1").bind(holder);
        assert_eq!(changed.execute(&mut connection).await.unwrap().rows_affected(), 2);
        connection.close().await.unwrap();
        let table = table.restart().await;
        let mut browser = table.browser();
        let cookie = format!("overmate_seat={old}");
        assert!(identity(&mut browser, &cookie).await.is_some());
        assert!(browser.look(&state.id).await.you.is_some());
        browser.post("/api/v1/identity", json!({})).await;
        assert_eq!(browser.cookie.as_deref(), Some(&*cookie));
        let unknown = format!("overmate_seat={}", "fedcba9876543210".repeat(4));
        assert_eq!(identity(&mut browser, &unknown).await, None);
    });
}
