//! Exact values.

#![allow(unused_qualifications, reason = "what utoipa generates qualifies names that are in scope")]

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Body, Options, Part};
use crate::error::ApiError;
use crate::identity::Identity;
use crate::limits::{Client, Costly};
use crate::server::Server;
use crate::wire::checks::{Checked, LAST_GAME, TOKEN, too_large, too_long};
use crate::wire::{Analysis, AnalysisRequest, Problem, Review};

/// Which game to review.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// The index of the game, from 0.
    #[serde(default)]
    #[param(minimum = 0, maximum = 200, required = false)]
    game: usize,
    /// The token of the spectators' link, for those who hold no seat.
    #[param(max_length = 64, required = false)]
    watch: Option<String>,
}

impl Checked for Which {
    fn fault(&self) -> Option<String> {
        too_large("game", self.game, LAST_GAME)
            .or_else(|| too_long("watch", self.watch.as_ref(), TOKEN))
    }
}

/// What each action of a finished game was worth
///
/// Between people it comes when both games of the deal are over; and not while you play the deal against somebody elsewhere.
#[utoipa::path(get, path = "/matches/{id}/review", operation_id = "review", tag = "values",
    params(("id" = String, Path, description = "The match", max_length = 64), Which),
    responses(
        (status = 200, description = "The review", body = Review),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn review(
    State(server): State<Server>,
    client: Client,
    Identity(holder): Identity,
    Part(id): Part,
    Options(which): Options<Which>,
) -> Result<Json<Review>, ApiError> {
    server.limiter.count(client, Costly::Analysis)?;
    let (contest, _) = server.seen_by(&id, holder, which.watch.as_deref()).await?;
    Ok(Json(server.review(&contest, which.game, holder).await?))
}

/// What a deal, a game or a position is worth, and every action in it
///
/// With 20 cards everything is exact. With more the search stops after a second or two, and says what it has proved.
#[utoipa::path(post, path = "/analysis", operation_id = "analyse", tag = "values", request_body = AnalysisRequest,
    responses(
        (status = 200, description = "The analysis", body = Analysis),
        (status = 403, description = "You are playing this deal against somebody", body = Problem, content_type = "application/problem+json"),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn analyse(
    State(server): State<Server>,
    client: Client,
    Identity(holder): Identity,
    Body(request): Body<AnalysisRequest>,
) -> Result<Json<Analysis>, ApiError> {
    server.limiter.count(client, Costly::Analysis)?;
    Ok(Json(server.analyse(request, holder).await?))
}
