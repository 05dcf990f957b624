//! Serves the routes of the shared deals: deals of the day and of the week.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::extract::{Body, PathParameter};
use crate::clock::now;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::IssuedIdentity;
use crate::limits::{Dear, Limiter};
use crate::services::SharedDealService;
use crate::show::matches::view;
use crate::wire::{MatchView, PlaySharedDeal, SharedDealResult, SharedDeals};

/// Lists the shared deals of today, yesterday and this week
///
/// All players play the same deals. A day begins at midnight in UTC, a week on Monday. The number
/// of a deal is secret until you have played the deal, or until its time is over.
#[utoipa::path(get, path = "/shared-deals", operation_id = "list_shared_deals", tag = "shared deals",
    responses(
        (status = 200, description = "The deals, with your results", body = SharedDeals),
        ApiError,
    ))]
pub(super) async fn list(
    State(shared_deals): State<Arc<SharedDealService>>,
    client: Client,
) -> Result<Json<SharedDeals>, ApiError> {
    Ok(Json(shared_deals.list(client, now()).await?))
}

/// Returns the results of a shared deal
///
/// The response counts the players by the points that they lost to best play. After you have finished the deal, the response also
/// holds the loss of each of your decisions.
#[utoipa::path(get, path = "/shared-deals/{name}/{rules}", operation_id = "read_shared_deal", tag = "shared deals",
    params(
        ("name" = String, Path, description = "Name of the deal, such as `2026-11-21` or `2026-W47-3`", max_length = 64),
        ("rules" = String, Path, description = "Name of the rule set, such as `bga`", max_length = 64),
    ),
    responses(
        (status = 200, description = "The results", body = SharedDealResult),
        ApiError,
    ))]
pub(super) async fn read(
    State(shared_deals): State<Arc<SharedDealService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    PathParameter((name, rules)): PathParameter<(String, String)>,
) -> Result<Json<SharedDealResult>, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    Ok(Json(shared_deals.result(&name, &rules, client, now()).await?))
}

/// Begins a match on a shared deal
///
/// You play both games of the deal against the perfect opponent, without undos and hints. Each browser has one match on a deal,
/// so that a repeated request gets the same match.
#[utoipa::path(post, path = "/shared-deals/{name}/{rules}", operation_id = "play_shared_deal", tag = "shared deals",
    request_body = PlaySharedDeal,
    params(
        ("name" = String, Path, description = "Name of the deal, such as `2026-11-21` or `2026-W47-3`", max_length = 64),
        ("rules" = String, Path, description = "Name of the rule set, such as `bga`", max_length = 64),
    ),
    responses(
        (status = 201, description = "The match. The identity of this browser is in the cookie `overmate_seat`", body = MatchView),
        ApiError,
    ))]
pub(super) async fn play(
    State(shared_deals): State<Arc<SharedDealService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: IssuedIdentity,
    PathParameter((name, rules)): PathParameter<(String, String)>,
    Body(request): Body<PlaySharedDeal>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::NewMatch).await?;
    let player = (issued.holder, request.name.as_deref());
    let state = shared_deals.play(&name, &rules, player, client, now()).await?;
    let role = state.role_of(Some(issued.holder)).ok_or(ApiError::NotAPlayer)?;
    let headers = [(header::SET_COOKIE, issued.cookie)];
    Ok((StatusCode::CREATED, headers, Json(view(&state, role, 0))).into_response())
}
