//! Tests that the OpenAPI document describes the server's HTTP interface.

use serde_json::Value;

use crate::support::{Table, run};

#[test]
fn the_committed_document_matches_the_code() {
    let committed = include_str!("../../openapi.json");
    assert!(
        committed == overmate_server::openapi_json(),
        "openapi.json is stale; to write it: cargo xtask generate"
    );
}

#[test]
fn the_document_names_this_project_only() {
    let document: Value = serde_json::from_str(&overmate_server::openapi_json()).unwrap();
    let info = document["info"].as_object().unwrap();
    assert_eq!(info["title"], "Overmate");
    assert!(!info.contains_key("contact"), "{info:?}");
    assert!(!document.to_string().contains('@'), "an e-mail address");
}

#[test]
fn the_document_names_the_requests_of_programs() {
    let document: Value = serde_json::from_str(&overmate_server::openapi_json()).unwrap();
    assert_eq!(document["components"]["securitySchemes"]["bot"]["scheme"], "bearer");
    let operations = document["paths"].as_object().unwrap().values();
    let operations = operations.flat_map(|item| item.as_object().unwrap().values());
    let with_token = operations.filter(|operation| {
        let security = operation["security"].as_array();
        security.is_some_and(|ways| ways.iter().any(|way| way.get("bot").is_some()))
    });
    let mut ids: Vec<&str> =
        with_token.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    ids.sort_unstable();
    let expected = [
        "accept_offer",
        "account",
        "act",
        "connect",
        "decline_challenge",
        "list_matches",
        "list_offers",
        "list_rules",
        "make_offer",
        "pause",
        "read_match",
        "read_record",
        "read_rules",
        "rematch",
        "resign",
        "watch_offers",
        "withdraw_offer",
    ];
    assert_eq!(ids, expected);
}

#[test]
fn the_document_and_its_page_refer_to_nothing_outside_of_them() {
    run(async {
        let table = Table::new().await;
        let mut browser = table.browser();
        let document: Value = browser.get("/api/openapi.json").await.ok();
        assert!(document["paths"].as_object().unwrap().len() >= 14);
        let page = browser.get("/api/docs").await.text();
        for (name, _) in document["components"]["schemas"].as_object().unwrap() {
            assert!(page.contains(&format!("id=\"{name}\"")), "{name}");
        }
        assert!(
            !page.contains("http://") && !page.contains("https://") && !page.contains("<script")
        );
        // The page `/api/docs` shows the allowed values and the limits of JSON properties, and which JSON properties are optional.
        for shown in ["<code>&quot;level&quot;</code>", "integer from 1 to 9.", ", optional."] {
            assert!(page.contains(shown), "{shown}");
        }
        let style = browser.get("/api/docs/style.css").await;
        assert!(style.status.is_success());
        assert_references(&document, &document);
    });
}

/// Asserts that all references in a JSON value refer to existing parts of the OpenAPI document.
fn assert_references(document: &Value, part: &Value) {
    match part {
        Value::Object(map) => {
            if let Some(Value::String(path)) = map.get("$ref") {
                assert!(document.pointer(path.trim_start_matches('#')).is_some(), "{path}");
            }
            map.values().for_each(|part| assert_references(document, part));
        }
        Value::Array(list) => list.iter().for_each(|part| assert_references(document, part)),
        _ => {}
    }
}
