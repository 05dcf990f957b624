//! Serves the HTTP routes of reviews and analyses, which contain the exact values of actions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Body, Options, PathParameter};
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::Identity;
use crate::limits::{Dear, Limiter};
use crate::services::{AnalysisService, MatchService};
use crate::wire::checks::{Checked, LAST_GAME, TOKEN, text_fault, too_large};
use crate::wire::{AnalysisRequest, AnalysisWire, Problem, ReviewWire};

/// Query parameters of a request for a review.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ReviewQuery {
    /// Index of the game to review, from 0. The default is the first game.
    #[serde(default)]
    #[param(minimum = 0, maximum = 200, required = false)]
    game: usize,
    /// Spectator token of the match, or `public` for a public match, sent by a browser that holds no seat in the match.
    #[param(max_length = 64, required = false)]
    watch: Option<String>,
}

impl Checked for ReviewQuery {
    fn fault(&self) -> Option<String> {
        too_large("game", self.game, LAST_GAME)
            .or_else(|| text_fault("watch", self.watch.as_ref(), TOKEN))
    }
}

/// Reviews a finished game
///
/// The review shows the points that each action lost to best play. Between two people a review is possible when both games of the deal are
/// over, and in a match with clocks after the end of the match. While you play the same deal against somebody in another match, the review
/// is refused.
#[utoipa::path(get, path = "/matches/{id}/review", operation_id = "review", tag = "values",
    params(("id" = String, Path, description = "Id of the match", max_length = 64), ReviewQuery),
    responses(
        (status = 200, description = "The review", body = ReviewWire),
        ApiError,
    ))]
pub(super) async fn review(
    State(matches): State<Arc<MatchService>>,
    State(analysis): State<Arc<AnalysisService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(holder): Identity,
    PathParameter(id): PathParameter,
    Options(query): Options<ReviewQuery>,
) -> Result<Json<ReviewWire>, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let (state, _) = matches.read(&id, holder, query.watch.as_deref()).await?;
    Ok(Json(analysis.review(&state, query.game, client).await?))
}

/// Analyses a deal, a game or a position
///
/// The analysis gives the value of the position and of every legal action. With 20 cards all values are exact. With more cards
/// the search stops after a second or two, and gives the proved bounds.
#[utoipa::path(post, path = "/analysis", operation_id = "analyse", tag = "values", request_body = AnalysisRequest,
    responses(
        (status = 200, description = "The analysis", body = AnalysisWire),
        (status = 403, description = "You are playing this deal against somebody", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn analyse(
    State(analysis): State<Arc<AnalysisService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Body(request): Body<AnalysisRequest>,
) -> Result<Json<AnalysisWire>, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    Ok(Json(analysis.analyse(request, client).await?))
}

/// Checks whether you may analyse a deal, a game or a position
///
/// A page that computes the values by itself asks first, so that it shows no values of a deal that you are playing without help.
#[utoipa::path(post, path = "/analysis/check", operation_id = "checkAnalysis", tag = "values", request_body = AnalysisRequest,
    responses(
        (status = 204, description = "You may analyse it"),
        (status = 403, description = "You are playing this deal against somebody", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn check_analysis(
    State(analysis): State<Arc<AnalysisService>>,
    client: Client,
    Body(request): Body<AnalysisRequest>,
) -> Result<StatusCode, ApiError> {
    analysis.check(&request, client).await?;
    Ok(StatusCode::NO_CONTENT)
}
