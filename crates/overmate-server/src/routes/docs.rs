//! Serves the OpenAPI document and its HTML page.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::{Html, IntoResponse};
use serde_json::{Value, json};

use super::bots;
use super::interface::INTERFACE;
use crate::http::openapi;

/// Returns the OpenAPI document of the HTTP interface. The file `openapi.json` of this crate holds the same text.
#[must_use]
pub fn openapi_json() -> String {
    let (_, api) = &*INTERFACE;
    let mut api = serde_json::to_value(api).unwrap_or_default();
    add_security(&mut api);
    // The keys of the JSON document are sorted, so that the text depends neither on the order of the code nor on the feature
    // `preserve_order`.
    api.sort_all_objects();
    // The version number in the OpenAPI document is that of the HTTP interface, as in the URL path `/api/v1`.
    if let Some(version) = api.pointer_mut("/info/version") {
        *version = Value::from("1");
    }
    if let Some(info) = api.pointer_mut("/info").and_then(Value::as_object_mut) {
        // The library `utoipa` writes an empty contact into the OpenAPI document. This contact is removed.
        info.remove("contact");
    }
    let mut text = serde_json::to_string_pretty(&api).unwrap_or_default();
    text.push('\n');
    text
}

/// Adds both authentication schemes (browser cookies and bot tokens) to the OpenAPI document, and marks the operations that accept bot
/// tokens.
fn add_security(api: &mut Value) {
    if let Some(components) = api.pointer_mut("/components").and_then(Value::as_object_mut) {
        let schemes = json!({
            "browser": {
                "type": "apiKey", "in": "cookie", "name": "overmate_seat",
                "description": "Identity of a browser, which the server sets",
            },
            "bot": {
                "type": "http", "scheme": "bearer", "bearerFormat": "overmate_ and 64 hexadecimal digits",
                "description": "Token of a bot, made in the settings of its account",
            },
        });
        components.insert("securitySchemes".to_owned(), schemes);
    }
    for (method, path) in bots::routes() {
        let operation = api
            .get_mut("paths")
            .and_then(|paths| paths.get_mut(path))
            .and_then(|item| item.get_mut(method.as_str().to_ascii_lowercase()))
            .and_then(Value::as_object_mut);
        if let Some(operation) = operation {
            operation.insert("security".to_owned(), json!([{}, {"browser": []}, {"bot": []}]));
        }
    }
}

static DOCUMENT: LazyLock<String> = LazyLock::new(openapi_json);

static PAGE: LazyLock<String> = LazyLock::new(|| {
    let document = serde_json::from_str(&DOCUMENT).unwrap_or_default();
    openapi::page_of(&document)
});

/// Serves the OpenAPI document.
pub(super) async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}

/// Serves the HTML page of the OpenAPI document.
pub(super) async fn page() -> Html<&'static str> {
    Html(PAGE.as_str())
}

/// Serves the CSS style sheet of the OpenAPI document's HTML page.
pub(super) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], openapi::STYLE)
}
