//! Pages, and what keeps them to themselves; what operators ask.

use axum::http::{StatusCode, header};
use serde_json::json;

use crate::support::{Table, run};

#[test]
fn every_answer_keeps_to_itself() {
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
            assert!(!policy.contains("unsafe") && !policy.contains("http"), "{path}: {policy}");
            assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
            assert_eq!(answer.headers[header::REFERRER_POLICY], "no-referrer");
            assert_eq!(answer.headers["x-request-id"].len(), 36, "{path}");
        }
    });
}

#[test]
fn the_page_is_there_for_every_path_that_is_no_file() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let start = browser.get("/").await;
        assert_eq!(start.status, StatusCode::OK);
        assert!(start.text().to_lowercase().starts_with("<!doctype html>"));
        for path in ["/join/0123", "/watch/0123/4567", "/analysis?deal=1"] {
            let page = browser.get(path).await;
            assert_eq!(page.status, StatusCode::OK, "{path}");
            assert!(page.text().to_lowercase().starts_with("<!doctype html>"), "{path}");
        }
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/missing.css"] {
            assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
    });
}

#[test]
fn health_and_metrics_tell_how_it_goes() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        assert_eq!(browser.get("/healthz").await.text(), "ok\n");
        browser.begin("bga", json!({"kind": "both"})).await;
        let metrics = browser.get("/metrics").await.text();
        for name in
            ["overmate_matches_total", "overmate_commit_seconds_bucket", "overmate_requests_total"]
        {
            assert!(metrics.contains(name), "{name}: {metrics}");
        }
        assert!(!metrics.contains(&browser.cookie.unwrap()), "nothing secret");
        table.server.close().await;
        assert_eq!(table.browser().get("/healthz").await.status, StatusCode::SERVICE_UNAVAILABLE);
    });
}
