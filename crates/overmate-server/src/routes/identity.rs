//! Who a browser is, settled before it takes a seat.

#![allow(unused_qualifications, reason = "what utoipa generates qualifies names that are in scope")]

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;

use crate::identity::Known;
use crate::wire::Problem;

/// Makes this browser somebody, if it is nobody yet
///
/// Every answer that gives a seat does so too. But if the very first one is lost, so is the seat: whoever asks again is nobody again.
/// Who asks here before can take seats again and again, and gets the first one each time. Here nothing is lost with an answer.
#[utoipa::path(post, path = "/identity", operation_id = "identify", tag = "matches",
    responses(
        (status = 204, description = "Who this browser is comes back in the cookie `overmate_seat`"),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn identify(known: Known) -> impl IntoResponse {
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, known.cookie)])
}
