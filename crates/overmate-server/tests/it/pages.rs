//! Tests the web client's pages, their security headers, and the health check.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::future::join_all;
use overmate_server::Settings;
use serde_json::json;

use crate::support::{Table, run, two};

#[test]
fn every_response_has_security_headers() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for path in
            ["/", "/play/anything", "/api/docs", "/api/v1/rules", "/api/v1/nothing", "/healthz"]
        {
            let answer = browser.get(path).await;
            let policy =
                answer.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
            for part in ["default-src 'none'", "frame-ancestors 'none'", "script-src 'self'"] {
                assert!(policy.contains(part), "{path}: {policy}");
            }
            // The content security policy permits nothing unsafe except the compilation of WebAssembly.
            let rest = policy.replace("'wasm-unsafe-eval'", "");
            assert!(!rest.contains("unsafe") && !rest.contains("http"), "{path}: {policy}");
            assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
            assert_eq!(answer.headers[header::REFERRER_POLICY], "no-referrer");
            assert_eq!(answer.headers["x-request-id"].len(), 36, "{path}");
        }
    });
}

#[test]
fn known_paths_get_the_page_and_unknown_paths_get_status_404() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let start = browser.get("/").await;
        assert_eq!(start.status, StatusCode::OK);
        assert!(start.text().to_lowercase().starts_with("<!doctype html>"));
        for (path, status) in [
            ("/analysis?deal=1", StatusCode::OK),
            ("/privacy", StatusCode::OK),
            ("/daily", StatusCode::OK),
            ("/puzzles", StatusCode::OK),
            ("/events", StatusCode::OK),
            ("/learn/foreplace", StatusCode::OK),
            ("/nowhere", StatusCode::NOT_FOUND),
            ("/learn/nothing", StatusCode::NOT_FOUND),
            ("/match/0123", StatusCode::NOT_FOUND),
            ("/match/0123/nowhere", StatusCode::NOT_FOUND),
            ("/match/0123/review", StatusCode::NOT_FOUND),
            ("/join/0123", StatusCode::NOT_FOUND),
            ("/watch/0123/4567", StatusCode::NOT_FOUND),
            ("/puzzles/0123", StatusCode::NOT_FOUND),
            ("/events/x", StatusCode::NOT_FOUND),
            ("/events/0123456789abcdef0123456789abcdef", StatusCode::NOT_FOUND),
        ] {
            let page = browser.get(path).await;
            assert_eq!(page.status, status, "{path}");
            assert!(page.text().to_lowercase().starts_with("<!doctype html>"), "{path}");
        }
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/missing.css"] {
            assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
    });
}

#[test]
fn a_missing_file_is_a_page_for_clients_that_read_html_only() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        for path in ["/_app/nope.js", "/200.html", "/favicon.gif", "/join/0123.4567"] {
            for (accept, is_page) in [
                ("text/html,application/xhtml+xml,*/*;q=0.8", true),
                ("*/*", false),
                ("image/avif,image/webp,*/*;q=0.8", false),
            ] {
                let request = Request::get(path).header(header::ACCEPT, accept);
                let answer = browser.send(request.body(Body::empty()).expect("a request")).await;
                assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path} {accept}");
                let kind = answer.headers[header::CONTENT_TYPE].to_str().expect("a text");
                assert_eq!(kind.starts_with("text/html"), is_page, "{path} {accept}: {kind}");
            }
        }
    });
}

#[test]
fn the_pages_of_a_match_exist_for_its_players_and_its_spectators_only() {
    run(async {
        let table = Table::new().await;
        let (mut host, mut guest, state) = two(&table, "bga").await;
        let mut stranger = table.browser();
        let (own, watch) = (format!("/match/{}", state.id), state.watch.clone());
        let token = watch.rsplit('/').next().expect("the token of the spectators");
        let review = format!("{own}/review");
        let watched = format!("{review}?game=0&watch={token}");
        let (ok, missing) = (StatusCode::OK, StatusCode::NOT_FOUND);
        for (path, player, other) in [
            (own.clone(), ok, missing),
            (review.clone(), ok, missing),
            (format!("{review}?game=1"), missing, missing),
            (format!("{review}?game=x"), missing, missing),
            (format!("{review}?watch=0123"), ok, missing),
            (watched, ok, ok),
            (watch, ok, ok),
            (format!("{own}{}", "x".repeat(100)), missing, missing),
        ] {
            assert_eq!(host.get(&path).await.status, player, "{path}");
            assert_eq!(guest.get(&path).await.status, player, "{path}");
            assert_eq!(stranger.get(&path).await.status, other, "{path}");
        }
        // A stranger cannot distinguish an existing match from an unknown match.
        let unknown = stranger.get("/match/0123").await;
        assert_eq!(stranger.get(&own).await.body, unknown.body);
        assert!(!unknown.headers.contains_key(header::ETAG));
    });
}

#[test]
fn health_is_served_until_the_stop() {
    run(async {
        let table = Table::new().await;
        assert_eq!(table.browser().get("/healthz").await.text(), "ok\n");
        table.server.close().await;
        assert_eq!(table.browser().get("/healthz").await.status, StatusCode::SERVICE_UNAVAILABLE);
    });
}

#[test]
fn every_request_gets_an_id_of_the_server() {
    run(async {
        let table = Table::new().await;
        let request = Request::get("/healthz").header("x-request-id", "chosen-by-the-client");
        let request = request.body(Body::empty()).expect("a request");
        let answer = table.browser().send(request).await;
        let id = answer.headers["x-request-id"].to_str().expect("a text").to_owned();
        assert!(id.len() == 36 && id != "chosen-by-the-client", "{id}");
    });
}

#[cfg(unix)]
#[test]
fn pages_and_files_need_no_database() {
    let postgres = test_postgres::Postgres::start();
    let database = postgres.database().parse().expect("an address");
    run(async {
        let table = Table::with(|settings| Settings { database, ..settings }).await;
        let mut browser = table.browser();
        browser.begin("bga", json!({"kind": "both"})).await;
        assert!(browser.cookie.is_some());
        drop(postgres);
        // The test sends all requests at the same time, so that it waits only once for the timeout of the stopped database.
        let paths = ["/", "/healthz", "/match/0123", "/api/v1/me/browsers", "/api/v1/rules"];
        let answers = join_all(paths.map(|path| {
            let mut browser = browser.clone();
            async move { browser.get(path).await.status }
        }));
        let (ok, away) = (StatusCode::OK, StatusCode::SERVICE_UNAVAILABLE);
        let missing = StatusCode::NOT_FOUND;
        assert_eq!(answers.await, [ok, ok, missing, away, away]);
    });
}
