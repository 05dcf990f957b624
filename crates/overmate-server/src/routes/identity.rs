//! Serves the route that issues an identity to a browser.

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use crate::error::ApiError;
use crate::identity::browser::IssuedIdentity;
use crate::wire::Problem;

/// Issues an identity cookie to this browser
///
/// A browser with a valid cookie keeps its identity. Every response that gives a seat also issues a cookie. If such a response is
/// lost, a browser without a cookie cannot repeat the request with the same identity. Send this request first: every later
/// request for a seat is then idempotent.
#[utoipa::path(post, path = "/identity", operation_id = "identify", tag = "matches",
    responses(
        (status = 204, description = "The identity is in the cookie `overmate_seat`, or `__Host-overmate_seat` for a page that was loaded over HTTPS"),
        ApiError,
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn identify(issued: IssuedIdentity) -> impl IntoResponse {
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, issued.cookie)])
}
