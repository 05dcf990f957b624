//! The web client inside the binary, and the headers that keep pages to themselves.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use crate::error::ApiError;

/// What `web` was built to when this crate was compiled; nothing, if it was not built.
#[derive(RustEmbed)]
#[folder = "page"]
#[allow_missing = true]
struct Files;

/// The page that loads the client, whatever path it is asked for.
const INDEX: &str = "index.html";

/// What stands there when the client was not built.
const NOT_BUILT: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Overmate</title></head>\
    <body><main><h1>Overmate</h1><p>The server runs, but this binary was compiled without the web client. To build both: \
    <code>cargo xtask build</code>.</p><p><a href=\"/api/docs\">The interface for programs</a></p></main></body></html>\n";

/// Answers with a file of the client, or with the page that finds its way itself.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::MethodNotAllowed.into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if let Some(response) = file(path, &headers) {
        return response;
    }
    // Pages that were rendered at build time have files of their own.
    let pages = [format!("{path}.html"), format!("{}/index.html", path.trim_end_matches('/'))];
    if let Some(response) = pages.iter().find_map(|page| file(page, &headers)) {
        return response;
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    if last.contains('.') {
        return ApiError::NotFound("file").into_response();
    }
    file(INDEX, &headers).unwrap_or_else(|| Html(NOT_BUILT).into_response())
}

/// A file, packed as the browser likes it, if it is there.
fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    // The packed copies are no files of their own.
    if matches!(extension(path), "br" | "gz") {
        return None;
    }
    let plain = Files::get(path)?;
    let etag = format!("\"{}\"", BASE64_STANDARD.encode(plain.metadata.sha256_hash()));
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let accepts = |name: &str| {
        accepted.is_some_and(|list| {
            list.split(',').any(|one| one.trim().split(';').next() == Some(name))
        })
    };
    let packed = [("br", ".br"), ("gzip", ".gz")].into_iter().find_map(|(name, extension)| {
        let copy = accepts(name).then(|| Files::get(&format!("{path}{extension}")))??;
        Some((name, copy))
    });
    let mut response = Response::builder()
        .header(header::CONTENT_TYPE, content_type(path, plain.metadata.mimetype()))
        .header(header::ETAG, &etag)
        .header(header::VARY, "Accept-Encoding")
        .header(header::CACHE_CONTROL, cache_control(path));
    if extension(path) == "html" {
        response = response.header(header::CONTENT_SECURITY_POLICY, policy_of(&plain.data));
    }
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == etag.as_bytes()) {
        return response.status(StatusCode::NOT_MODIFIED).body(Body::empty()).ok();
    }
    let data = match packed {
        Some((name, copy)) => {
            response = response.header(header::CONTENT_ENCODING, name);
            copy.data
        }
        None => plain.data,
    };
    response.body(Body::from(data.into_owned())).ok()
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Texts are in UTF-8.
fn content_type(path: &str, guessed: &str) -> String {
    let is_text = guessed.starts_with("text/") || matches!(extension(path), "js" | "json");
    if is_text { format!("{guessed}; charset=utf-8") } else { guessed.to_owned() }
}

/// Files with a hash in their name never change; all others are asked for again.
fn cache_control(path: &str) -> &'static str {
    if path.starts_with("_app/immutable/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    }
}

/// Nothing from elsewhere, and no script that is not the client's own.
const POLICY: &str = "default-src 'none'; img-src 'self' data:; font-src 'self'; style-src 'self'; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'; script-src 'self'";

/// The policy of a page: the scripts that stand in it are allowed by their hashes.
fn policy_of(html: &[u8]) -> String {
    format!("{POLICY}{}", script_hashes(&String::from_utf8_lossy(html)))
}

/// The hashes of the scripts in a page, each after a blank.
fn script_hashes(html: &str) -> String {
    let mut hashes = String::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once("<script") {
        let Some((attributes, after)) = after.split_once('>') else { break };
        let Some((script, after)) = after.split_once("</script>") else { break };
        if !attributes.contains("src=") {
            let hash = BASE64_STANDARD.encode(Sha256::digest(script.as_bytes()));
            hashes.extend([" 'sha256-", &hash, "'"]);
        }
        rest = after;
    }
    hashes
}

/// The layer that adds to every answer what keeps pages safe.
pub(crate) async fn secure(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (
            header::HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        ),
    ] {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_within_a_page_are_allowed_by_hash_and_others_are_not() {
        let html = "<p></p><script src=\"/a.js\"></script><script>let a = 1;</script>";
        // printf 'let a = 1;' | openssl dgst -sha256 -binary | base64
        let hash = BASE64_STANDARD.encode(Sha256::digest(b"let a = 1;"));
        assert_eq!(script_hashes(html), format!(" 'sha256-{hash}'"));
        assert_eq!(script_hashes("<script>never ends"), "");
    }
}
