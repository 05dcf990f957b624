//! Serves the route by which the web client submits a match that was played offline.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use overmate_json::OwnMatch;

use super::extract::Body;
use super::matches::created;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::IssuedIdentity;
use crate::limits::{Dear, Limiter};
use crate::services::HandInService;
use crate::wire::{MatchView, Problem};

/// Submits a finished match that was played offline against a computer opponent
///
/// The server replays the match by the rules, and keeps it with its log, marked `offline`. The server cannot know whether the computer
/// opponent chose its actions, so that the match is never rated. A name that the server refuses is left out. The request is idempotent: a
/// repetition by the same person returns the first match, and another match with the same `id` is refused. The request counts as a new
/// match for the rate limits.
#[utoipa::path(post, path = "/matches/offline", operation_id = "hand_in", tag = "matches", request_body = OwnMatch,
    responses(
        (status = 201, description = "The match on the server. The identity of this browser is in the cookie `overmate_seat`", body = MatchView,
            headers(("Location" = String, description = "Path of the match"))),
        (status = 400, description = "An entry is not legal, or the id belongs to another match", body = Problem, content_type = "application/problem+json"),
        (status = 403, description = "The match is not over", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn hand_in(
    State(service): State<Arc<HandInService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: IssuedIdentity,
    Body(own): Body<OwnMatch>,
) -> Result<Response, ApiError> {
    let own = Arc::new(own);
    let state = if let Some(stored) = service.find(&own, issued.holder, client).await? {
        stored
    } else {
        limiter.count_dear(client, Dear::NewMatch).await?;
        service.hand_in(&own, issued.holder, client).await?
    };
    created(&state, issued)
}
