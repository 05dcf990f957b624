//! Refuses changes that pages of other sites request (cross-site request forgery).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::error::ApiError;
use crate::settings::Settings;

/// Refuses requests from pages of other sites, unless the requests only read.
pub(super) async fn refuse_foreign(
    State(settings): State<Arc<Settings>>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let is_upgrade = request.headers().contains_key(header::UPGRADE);
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD) && !is_upgrade;
    if !only_reads && !is_own(request.headers(), &settings.origins) {
        return Err(ApiError::ForeignOrigin);
    }
    Ok(next.run(request).await)
}

/// Returns whether a request comes from a page of this server or of an allowed origin, or from a program without a page.
///
/// Browsers always send the origin of a request that may change something. Other programs have no cookies of a user.
fn is_own(headers: &HeaderMap, allowed: &[String]) -> bool {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(origin) = text(header::ORIGIN) else {
        return !matches!(text(header::HeaderName::from_static("sec-fetch-site")),
            Some(site) if site != "same-origin" && site != "none");
    };
    if allowed.iter().any(|known| known == origin) {
        return true;
    }
    let host = origin.split_once("://").map(|(_, host)| host);
    host.is_some() && host == text(header::HOST)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn own(pairs: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        is_own(&headers, &["https://mate.example".to_owned()])
    }

    #[test]
    fn pages_of_the_server_and_of_allowed_origins_may_change_things() {
        assert!(own(&[("host", "127.0.0.1:2420"), ("origin", "http://127.0.0.1:2420")]));
        assert!(own(&[("host", "inside:1"), ("origin", "https://mate.example")]));
        assert!(own(&[("host", "127.0.0.1:2420")]), "a program without a page");
        assert!(own(&[("host", "a"), ("sec-fetch-site", "same-origin")]));
    }

    #[test]
    fn a_page_of_another_site_may_change_nothing() {
        assert!(!own(&[("host", "127.0.0.1:2420"), ("origin", "https://evil.example")]));
        assert!(!own(&[("host", "127.0.0.1:2420"), ("origin", "http://127.0.0.1:2421")]));
        assert!(!own(&[("host", "a"), ("origin", "null")]));
        assert!(!own(&[("host", "mate.example"), ("origin", "https://mate.example.evil.example")]));
        assert!(!own(&[("host", "a"), ("sec-fetch-site", "cross-site")]));
    }
}
