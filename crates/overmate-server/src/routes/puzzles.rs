//! Serves the routes of puzzles.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Body, Options, PathParameter};
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{Identity, IssuedIdentity};
use crate::limits::{Dear, Limiter};
use crate::services::{PuzzleService, WantedPuzzle};
use crate::wire::checks::{Checked, text_fault, too_large};
use crate::wire::{AttemptResult, Problem, PuzzleAttempt, PuzzleOverview, PuzzleTheme, PuzzleWire};

/// Query parameters of a request for a puzzle.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct NextQuery {
    /// Name of the rule set of the wanted puzzle.
    #[param(max_length = 200)]
    rules: String,
    /// Theme of the wanted puzzle. By default the puzzle may have any theme.
    #[param(required = false)]
    theme: Option<PuzzleTheme>,
    /// Wanted rating of the puzzle. The default is the rating of this browser.
    #[param(minimum = 0, maximum = 4000, required = false)]
    rating: Option<u16>,
    /// Exclusive lower bound on the rating of the puzzle. In a streak (a run of ever harder puzzles), the client sends the rating of the
    /// last puzzle.
    #[param(minimum = 0, maximum = 4000, required = false)]
    above: Option<f64>,
}

impl Checked for NextQuery {
    fn fault(&self) -> Option<String> {
        text_fault("rules", Some(&self.rules), 200)
            .or_else(|| too_large("rating", self.rating.unwrap_or_default(), 4000))
            .or_else(|| match self.above {
                Some(above) if !(0.0..=4000.0).contains(&above) => {
                    Some("`above` must be from 0 to 4000".to_owned())
                }
                Some(_) | None => None,
            })
    }
}

/// Lists the puzzle sets, with your puzzle rating and your latest attempts
#[utoipa::path(get, path = "/puzzles", operation_id = "list_puzzles", tag = "puzzles",
    responses(
        (status = 200, description = "The sets of puzzles and the rating of this browser", body = PuzzleOverview),
        ApiError,
    ))]
pub(super) async fn overview(
    State(puzzles): State<Arc<PuzzleService>>,
    Identity(holder): Identity,
) -> Result<Json<PuzzleOverview>, ApiError> {
    Ok(Json(puzzles.overview(holder).await?))
}

/// Returns a puzzle that this browser has not tried
///
/// The current rating of the returned puzzle is near the wanted rating. The puzzle holds all
/// positions that right actions reach, so that a client needs no rules and no further request.
#[utoipa::path(get, path = "/puzzles/next", operation_id = "next_puzzle", tag = "puzzles", params(NextQuery),
    responses(
        (status = 200, description = "The puzzle", body = PuzzleWire),
        (status = 404, description = "The rule set has no puzzle with the theme above the rating", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn next(
    State(puzzles): State<Arc<PuzzleService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(holder): Identity,
    Options(query): Options<NextQuery>,
) -> Result<Json<PuzzleWire>, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let NextQuery { rules, theme, rating, above } = query;
    let wanted = WantedPuzzle { theme, rating: rating.map(f64::from), above };
    Ok(Json(puzzles.next(&rules, wanted, holder).await?))
}

/// Returns the puzzle with the given id
#[utoipa::path(get, path = "/puzzles/{id}", operation_id = "read_puzzle", tag = "puzzles",
    params(("id" = String, Path, description = "Id of the puzzle", max_length = 64)),
    responses(
        (status = 200, description = "The puzzle", body = PuzzleWire),
        (status = 404, description = "No puzzle has this id", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn read(
    State(puzzles): State<Arc<PuzzleService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(holder): Identity,
    PathParameter(id): PathParameter,
) -> Result<Json<PuzzleWire>, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    Ok(Json(puzzles.read(&id, holder).await?))
}

/// Checks an attempt at a puzzle
///
/// Only the first attempt of a browser changes its rating and, after about six attempts at other
/// puzzles, the rating of the puzzle. Later attempts change nothing.
#[utoipa::path(post, path = "/puzzles/{id}/attempts", operation_id = "attempt_puzzle", tag = "puzzles", request_body = PuzzleAttempt,
    params(("id" = String, Path, description = "Id of the puzzle", max_length = 64)),
    responses(
        (status = 200, description = "The result; the identity is in the cookie", body = AttemptResult),
        (status = 404, description = "No puzzle has this id", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn attempt(
    State(puzzles): State<Arc<PuzzleService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: IssuedIdentity,
    PathParameter(id): PathParameter,
    Body(attempt): Body<PuzzleAttempt>,
) -> Result<impl IntoResponse, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    // A puzzle attempt without a cookie creates a browser identity, as a new match does. Therefore the attempt counts against the limit on
    // new matches.
    if client.browser().is_none() {
        limiter.count_dear(client, Dear::NewMatch).await?;
    }
    let result = puzzles.attempt(&id, &attempt, issued.holder).await?;
    Ok(([(header::SET_COOKIE, issued.cookie)], Json(result)))
}
