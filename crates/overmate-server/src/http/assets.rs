//! Serves the web client that is embedded in the binary, and adds security headers to all responses.

use std::borrow::Cow;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use crate::error::ApiError;

/// Files of the web client, embedded at compile time. The list is empty if the client was not built.
#[derive(RustEmbed)]
#[folder = "page"]
#[allow_missing = true]
struct Files;

/// Name of the HTML file that loads the web client.
const INDEX: &str = "index.html";

/// Name of the web client's file with the `link` elements that the server adds only to the HTML of the start page. The browser then loads
/// the scripts and styles of the start page at once, and not only after the common scripts have run.
const START_LINKS: &str = "_app/start-links.txt";

/// Folder of the web client's files whose names contain a hash of their content. Such a file never changes.
const UNCHANGING: &str = "_app/immutable/";

/// Placeholder HTML page of a binary without the web client.
const NOT_BUILT: &str = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><!-- head --><title>Overmate</title><!-- /head --></head>\
    <body><main><h1>Overmate</h1><p>The server is running, but this binary was compiled without the web client. To build both: \
    <code>cargo xtask build</code>.</p><p><a href=\"/api/docs\">The interface for programs</a></p></main></body></html>\n";

/// Returns the response for a URL path: a file of the web client, or a prerendered HTML page. Clients that accept compression get
/// compressed copies.
pub(crate) fn file_at(path: &str, headers: &HeaderMap) -> Option<Response> {
    // The start page is not served as a file, because the server fills its `head` element.
    if path.is_empty() || path == INDEX {
        return None;
    }
    let pages = [format!("{path}.html"), format!("{}/index.html", path.trim_end_matches('/'))];
    file(path, headers).or_else(|| pages.iter().find_map(|page| file(page, headers)))
}

/// Returns whether the last segment of a URL path contains a dot, as file names do.
pub(crate) fn names_file(path: &str) -> bool {
    path != INDEX && path.rsplit('/').next().unwrap_or_default().contains('.')
}

/// Returns the application shell (the HTML page that loads the web client) for a URL path.
pub(crate) fn shell(path: &str) -> Cow<'static, str> {
    let Some(html) = text(INDEX) else { return Cow::Borrowed(NOT_BUILT) };
    let links = if path.is_empty() { text(START_LINKS) } else { None };
    Cow::Owned(match links {
        Some(links) => with_links(&html, &links),
        None => html,
    })
}

/// Returns whether a URL path belongs to the folder of the web client's files that never change. Each new browser requests all of them.
pub(crate) fn is_unchanging(path: &str) -> bool {
    path.trim_start_matches('/').starts_with(UNCHANGING)
}

/// Returns the text of a file of the web client, or `None` if the file does not exist.
fn text(name: &str) -> Option<String> {
    Files::get(name).and_then(|file| String::from_utf8(file.data.into_owned()).ok())
}

/// Returns an HTML page with the given `link` elements added at the end of its `head` element.
fn with_links(html: &str, links: &str) -> String {
    html.replacen("</head>", &format!("{links}</head>"), 1)
}

/// Returns an HTTP response with an HTML page. The Content-Security-Policy of the response allows the inline scripts of the page.
pub(crate) fn page(html: String, headers: &HeaderMap) -> Response {
    let etag = format!("\"{}\"", BASE64_STANDARD.encode(Sha256::digest(html.as_bytes())));
    let response = Response::builder()
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .header(header::VARY, "Accept-Language")
        .header(header::CACHE_CONTROL, "no-cache")
        .header(header::CONTENT_SECURITY_POLICY, policy_of(html.as_bytes()))
        .header(header::ETAG, &etag);
    let response = if is_known(headers, &etag) {
        response.status(StatusCode::NOT_MODIFIED).body(Body::empty())
    } else {
        response.body(Body::from(html))
    };
    response.unwrap_or_else(|error| ApiError::internal(error).into_response())
}

/// Returns an HTTP response with status 404 and an HTML page. The response has no entity tag, because a later request of the same browser
/// may find the page.
pub(crate) fn missing_page(html: String) -> Response {
    let mut response = page(html, &HeaderMap::new());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.headers_mut().remove(header::ETAG);
    // The middleware that turns error responses into JSON problems leaves a response with the extension `PageNotFound` unchanged.
    response.extensions_mut().insert(PageNotFound);
    response
}

/// HTTP response extension that marks the HTML page for an unknown URL path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageNotFound;

/// URL path patterns of the web client's pages, each as a list of path segments. A `*` stands for a parameter.
const PAGES: [&[&str]; 26] = [
    &[""],
    &["analysis"],
    &["confirm-address"],
    &["device"],
    &["events"],
    &["events", "*"],
    &["guide"],
    &["join", "*"],
    &["learn"],
    &["learn", "*"],
    &["match", "*"],
    &["match", "*", "review"],
    &["me"],
    &["daily"],
    &["play"],
    &["players"],
    &["players", "*"],
    &["privacy"],
    &["puzzles"],
    &["puzzles", "*"],
    &["recover"],
    &["rules"],
    &["sign-in"],
    &["unsubscribe", "*"],
    &["watch"],
    &["watch", "*", "*"],
];

/// Returns whether the web client has a page for a URL path.
pub(crate) fn is_page(path: &str) -> bool {
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    PAGES.iter().any(|pattern| {
        pattern.len() == parts.len()
            && pattern
                .iter()
                .zip(&parts)
                .all(|(name, part)| *name == *part || (*name == "*" && !part.is_empty()))
    })
}

/// Returns a file of the web client as a response, or `None` if the file does not exist. The file is compressed if the
/// request's headers accept compression.
fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    // A compressed copy (`.br` or `.gz`) is served only under the URL path of its original file.
    if matches!(extension(path), "br" | "gz") {
        return None;
    }
    let plain = Files::get(path)?;
    let etag = format!("\"{}\"", BASE64_STANDARD.encode(plain.metadata.sha256_hash()));
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let accepts = |name: &str| accepted.is_some_and(|list| accepts(list, name));
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
    if is_known(headers, &etag) {
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

/// Returns whether the header `Accept-Encoding` of a request names an encoding with a quality above 0 (RFC 9110, section 12.5.3).
fn accepts(list: &str, encoding: &str) -> bool {
    list.split(',').any(|one| {
        let (name, parameters) = one.split_once(';').unwrap_or((one, ""));
        let quality =
            parameters.trim().strip_prefix("q=").and_then(|text| text.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case(encoding) && quality != Some(0.0)
    })
}

/// Returns whether the client of a request has the version of a resource with the given entity tag: the header `If-None-Match` names the
/// tag or `*`. A compressing proxy marks the tag as weak with `W/`, and the comparison ignores this mark (RFC 9110, section 13.1.2).
pub(crate) fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut known = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
    known.any(|tag| {
        let tag = tag.trim();
        tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag
    })
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns the header `Content-Type` for a file of the web client. Text files get the charset
/// UTF-8.
fn content_type(path: &str, guessed: &str) -> String {
    let is_text = guessed.starts_with("text/") || matches!(extension(path), "js" | "json");
    if is_text { format!("{guessed}; charset=utf-8") } else { guessed.to_owned() }
}

/// Returns the header `Cache-Control` for a file of the web client. Files with a hash in their name
/// never change; other files are revalidated.
fn cache_control(path: &str) -> &'static str {
    if is_unchanging(path) { "public, max-age=31536000, immutable" } else { "no-cache" }
}

/// Content-Security-Policy of all pages. The policy allows no content from other sites, and only the scripts of the web client. The
/// source `'wasm-unsafe-eval'` permits the compilation of the web client's engine, which is WebAssembly.
const POLICY: &str = "default-src 'none'; img-src 'self' data:; font-src 'self'; style-src 'self'; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'; script-src 'self' 'wasm-unsafe-eval'";

/// Returns the Content-Security-Policy of an HTML page. The policy allows the page's inline scripts by their hashes.
fn policy_of(html: &[u8]) -> String {
    format!("{POLICY}{}", script_hashes(&String::from_utf8_lossy(html)))
}

/// Returns the hashes of an HTML page's inline scripts as a source list of the
/// Content-Security-Policy. A blank precedes each hash.
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

/// Adds the security headers to every HTTP response.
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
    fn inline_scripts_are_allowed_by_their_hash() {
        let html = "<p></p><script src=\"/a.js\"></script><script>let a = 1;</script>";
        // Command that prints the hash of the inline script: printf 'let a = 1;' | openssl dgst -sha256 -binary | base64
        let hash = BASE64_STANDARD.encode(Sha256::digest(b"let a = 1;"));
        assert_eq!(script_hashes(html), format!(" 'sha256-{hash}'"));
        assert_eq!(script_hashes("<script>never ends"), "");
    }

    #[test]
    fn entity_tags_are_compared_without_the_mark_of_weak_tags() {
        let known = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::IF_NONE_MATCH, HeaderValue::from_static(line));
            }
            is_known(&headers, "\"a\"")
        };
        for lines in
            [&["\"a\""][..], &["W/\"a\""], &["\"b\", W/\"a\""], &["\"b\"", "\"a\""], &["*"]]
        {
            assert!(known(lines), "{lines:?}");
        }
        for lines in [&[][..], &["\"b\""], &["a"], &["W/\"b\", \"ab\""]] {
            assert!(!known(lines), "{lines:?}");
        }
    }

    #[test]
    fn an_encoding_with_quality_0_is_refused() {
        for list in ["br", "gzip, br", "gzip;q=0, BR; q=0.1", "br;q=1"] {
            assert!(accepts(list, "br"), "{list}");
        }
        for list in ["", "gzip", "br;q=0", "gzip, br; q=0.0", "brotli"] {
            assert!(!accepts(list, "br"), "{list}");
        }
    }

    #[test]
    fn further_links_stand_at_the_end_of_the_head() {
        let html = "<head><title></title></head><body></head></body>";
        let expected = "<head><title></title><link></head><body></head></body>";
        assert_eq!(with_links(html, "<link>"), expected);
    }

    #[test]
    fn every_route_of_the_web_client_is_a_known_page() {
        let routes = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/routes");
        let mut folders = vec![(routes, Vec::new())];
        let mut pages = Vec::new();
        while let Some((folder, parts)) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("the routes of the web client") {
                let entry = entry.expect("an entry of a folder");
                let name = entry.file_name().into_string().expect("a name in UTF-8");
                if entry.path().is_dir() {
                    let part = if name.starts_with('[') { "x".to_owned() } else { name };
                    folders.push((entry.path(), [parts.as_slice(), &[part]].concat()));
                } else if name == "+page.svelte" {
                    pages.push(parts.join("/"));
                }
            }
        }
        assert!(pages.len() > 3, "{pages:?}");
        for page in pages {
            assert!(is_page(&page), "{page}");
        }
        assert!(!is_page("nowhere") && !is_page("match") && !is_page("match/x/nowhere"));
    }
}
