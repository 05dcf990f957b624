//! Serves the routes that create, read and change matches.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Body, Options, PathParameter};
use crate::computing::compute::Class;
use crate::computing::solver_pool::SolverPool;
use crate::error::ApiError;
use crate::http::assets::is_known;
use crate::http::client::Client;
use crate::identity::browser::{Identity, IssuedIdentity, SignedOut};
use crate::limits::{Dear, Limiter};
use crate::matches::match_state::{MatchState, Role};
use crate::services::{HintService, MatchService};
use crate::show::matches::{summary, view};
use crate::wire::checks::{Checked, LAST_SEQUENCE, TOKEN, text_fault, too_large};
use crate::wire::{
    Act, ClientId, Hint, HintRequest, MatchList, MatchView, NewMatch, Problem, Resign,
};

/// Maximum time, in seconds, for which a request may wait for a change of a match.
const LONGEST_WAIT: u8 = 25;

/// Query parameters of a spectator's request.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Watch {
    /// Spectator token of the match, or `public` for a public match, sent by a browser that holds no seat in the match.
    #[param(max_length = 64, required = false)]
    pub(super) watch: Option<String>,
}

/// Query parameters of a request for a match.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct MatchQuery {
    /// Spectator token of the match, or `public` for a public match, sent by a browser that holds no seat in the match.
    #[param(max_length = 64, required = false)]
    watch: Option<String>,
    /// Sequence number of the last match state that the client has received. With `wait`, the
    /// response waits for a greater sequence number.
    #[param(minimum = 0, maximum = 1_000_000, required = false)]
    after: Option<u64>,
    /// Maximum time in seconds, up to 25, for which the response waits for a change of the match; only together with `after`.
    #[param(minimum = 0, maximum = 25, required = false)]
    wait: Option<u8>,
}

impl Checked for Watch {
    fn fault(&self) -> Option<String> {
        text_fault("watch", self.watch.as_ref(), TOKEN)
    }
}

impl Checked for MatchQuery {
    fn fault(&self) -> Option<String> {
        text_fault("watch", self.watch.as_ref(), TOKEN)
            .or_else(|| too_large("after", self.after.unwrap_or_default(), LAST_SEQUENCE))
            .or_else(|| too_large("wait", self.wait.unwrap_or_default(), LONGEST_WAIT))
    }
}

/// Lists your matches, the unfinished matches first
#[utoipa::path(get, path = "/matches", operation_id = "list_matches", tag = "matches",
    responses(
        (status = 200, description = "The matches in which this browser holds a seat", body = MatchList),
        ApiError,
    ))]
pub(super) async fn list(
    State(matches): State<Arc<MatchService>>,
    State(solvers): State<Arc<SolverPool>>,
    client: Client,
    Identity(holder): Identity,
) -> Result<Json<MatchList>, ApiError> {
    let Some(holder) = holder else { return Ok(Json(MatchList { matches: Vec::new() })) };
    let summary_of = |state: &Arc<MatchState>| summary(state, state.role_of(Some(holder))?);
    let states = matches.list(holder, &solvers, client).await?;
    Ok(Json(MatchList { matches: states.iter().filter_map(summary_of).collect() }))
}

/// Creates a match
///
/// The request is idempotent: a repetition by the same browser with the same `client_id` returns
/// the first match. The answer gives a browser without a cookie its cookie. If this answer is lost, the
/// server cannot recognise the browser. Such a browser therefore asks for its cookie first, at `/api/v1/identity`.
#[utoipa::path(post, path = "/matches", operation_id = "create_match", tag = "matches", request_body = NewMatch,
    responses(
        (status = 201, description = "The match. The identity of this browser is in the cookie `overmate_seat`", body = MatchView,
            headers(("Location" = String, description = "Path of the match"))),
        ApiError,
    ))]
pub(super) async fn create(
    State(matches): State<Arc<MatchService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: IssuedIdentity,
    Body(new): Body<NewMatch>,
) -> Result<Response, ApiError> {
    let state = if let Some(found) = matches.find_created(&new, issued.holder).await? {
        found
    } else {
        limiter.count_dear(client, Dear::NewMatch).await?;
        matches.create(&new, issued.holder, client).await?
    };
    created(&state, issued)
}

/// Returns the response to a request that has created a match: the match, its path, and the cookie of its player.
pub(super) fn created(state: &MatchState, issued: IssuedIdentity) -> Result<Response, ApiError> {
    let role = state.role_of(Some(issued.holder)).ok_or(ApiError::NotAPlayer)?;
    let location = HeaderValue::from_str(&format!("/api/v1/matches/{}", state.id()));
    let headers = [
        (header::SET_COOKIE, issued.cookie),
        (header::LOCATION, location.map_err(ApiError::internal)?),
    ];
    Ok((StatusCode::CREATED, headers, Json(view(state, role, 0))).into_response())
}

/// Returns a match, without the cards that are hidden from you
///
/// With `after` and `wait`, the response waits for a change (long polling). The `ETag` changes with
/// the sequence number. An unfinished match with clocks has no `ETag`, because its clocks run on. A browser that was signed out gets the
/// status 401 and the code `signed-out` for a match that it may not see, and keeps its cookie.
#[utoipa::path(get, path = "/matches/{id}", operation_id = "read_match", tag = "matches",
    params(("id" = String, Path, description = "Id of the match", max_length = 64), MatchQuery),
    responses(
        (status = 200, description = "The match", body = MatchView, headers(("ETag" = String))),
        (status = 304, description = "The match has the `ETag` of `If-None-Match`"),
        ApiError,
    ))]
pub(super) async fn read(
    State(matches): State<Arc<MatchService>>,
    Identity(holder): Identity,
    signed_out: Option<Extension<SignedOut>>,
    PathParameter(id): PathParameter,
    Options(query): Options<MatchQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let watch = query.watch.as_deref();
    let hidden = |error| match error {
        // A browser that was signed out gets the error `SignedOut` instead of `NotFound`. The match may belong to the person who used the
        // browser before. The response keeps the cookie, so that the next request to change data is refused, too.
        ApiError::NotFound(_) if signed_out.is_some() => ApiError::SignedOut,
        other => other,
    };
    let (mut state, mut role) = matches.read(&id, holder, watch).await.map_err(hidden)?;
    if let (Some(after), Some(wait @ 1..)) = (query.after, query.wait)
        && state.sequence() == after
    {
        let wait = Duration::from_secs(wait.into());
        let changed = matches.wait_beyond(&id, holder, watch, after, wait).await;
        (state, role) = changed.map_err(hidden)?;
    }
    let tag = tag(&state, role);
    let is_known = query.after.is_none() && tag.as_ref().is_some_and(|tag| is_known(&headers, tag));
    let tag = tag.map(|tag| [(header::ETAG, tag)]);
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, tag, ()).into_response());
    }
    Ok((tag, Json(view(&state, role, 0))).into_response())
}

/// Returns the value of the header `ETag` for a match state. It contains the sequence number and the role of the viewer. Returns `None` for
/// an unfinished match with clocks, because its clocks change while the sequence number stays.
fn tag(state: &MatchState, role: Role) -> Option<String> {
    if state.clock().is_some() && state.result().is_none() {
        return None;
    }
    let who = match role {
        Role::Player(overmate_rules::Player::A) => "a",
        Role::Player(overmate_rules::Player::B) => "b",
        Role::Both => "both",
        Role::Spectator => match state.public() {
            None => "watch",
            Some(watching) => watching.text(),
        },
    };
    Some(format!("\"{}-{who}\"", state.sequence()))
}

fn shown(state: &MatchState, role: Role) -> Json<MatchView> {
    Json(view(state, role, 0))
}

/// Takes an action in a match
///
/// The server stores the action durably before it responds. The request is idempotent: a repetition
/// with the same `client_id` changes nothing.
#[utoipa::path(post, path = "/matches/{id}/actions", operation_id = "act", tag = "matches", request_body = Act,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The match after the action, or later", body = MatchView),
        (status = 409, description = "It is not your turn, or the sequence number is not the latest: the problem then holds the state of the match", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The rules do not allow the action", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn act(
    State(matches): State<Arc<MatchService>>,
    Identity(holder): Identity,
    PathParameter(id): PathParameter,
    Body(act): Body<Act>,
) -> Result<Json<MatchView>, ApiError> {
    let (state, role) = matches.act(&id, holder, act, 0).await?;
    Ok(shown(&state, role))
}

/// Resigns a match
///
/// A match with clocks that ends before both players have acted counts for nobody. An account may leave only a few rated matches a day in
/// this way, unless it has waited for the opponent: two minutes with live clocks, or the days of one action with correspondence clocks.
#[utoipa::path(post, path = "/matches/{id}/resign", operation_id = "resign", tag = "matches", request_body = Resign,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The finished match", body = MatchView),
        ApiError,
    ))]
pub(super) async fn resign(
    State(matches): State<Arc<MatchService>>,
    State(limiter): State<Arc<Limiter>>,
    Identity(holder): Identity,
    PathParameter(id): PathParameter,
    Body(resign): Body<Resign>,
) -> Result<Json<MatchView>, ApiError> {
    let who = resign.player.map(Into::into);
    if let Some(person) = matches.abandoned_by(&id, holder, who).await? {
        limiter.count_abandonment(&id, person).await?;
    }
    let (state, role) = matches.resign(&id, holder, who, &resign.client_id).await?;
    Ok(shown(&state, role))
}

/// Takes back your last action in a match
///
/// An undo is possible only in the current game, against the computer or with both seats yours. The
/// record notes the undo.
#[utoipa::path(post, path = "/matches/{id}/undo", operation_id = "undo", tag = "matches", request_body = ClientId,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The match before the action", body = MatchView),
        ApiError,
    ))]
pub(super) async fn undo(
    State(matches): State<Arc<MatchService>>,
    Identity(holder): Identity,
    PathParameter(id): PathParameter,
    Body(body): Body<ClientId>,
) -> Result<Json<MatchView>, ApiError> {
    let (state, role) = matches.undo(&id, holder, &body.client_id).await?;
    Ok(shown(&state, role))
}

/// Returns a hint: the values of your legal actions in a match
///
/// A hint is possible when you are to act, against the computer or with both seats yours. The
/// record notes the hint. While you play the same deal against somebody in another match, the hint
/// is refused. A page that computes the values by itself requests a hint without values first.
#[utoipa::path(post, path = "/matches/{id}/hint", operation_id = "hint", tag = "matches", request_body = HintRequest,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The actions and their values, or no actions if the request asks for no values", body = Hint),
        ApiError,
    ))]
pub(super) async fn hint(
    State(hints): State<Arc<HintService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    // The extractor `Identity` refuses a browser that was signed out.
    _identity: Identity,
    PathParameter(id): PathParameter,
    Body(request): Body<HintRequest>,
) -> Result<Json<Hint>, ApiError> {
    if request.values {
        limiter.count_dear(client, Dear::Analysis).await?;
    }
    Ok(Json(hints.hint(&id, client, &request).await?))
}

/// Requests a pause of the clocks, or the end of a pause
///
/// A pause begins and ends when both players have asked for it. An action withdraws the requests. During a pause no action is possible;
/// after the pause, the clock of the player to act starts after 15 seconds. A pause ends by itself after 24 hours. Only live matches
/// between two people can pause.
#[utoipa::path(post, path = "/matches/{id}/pause", operation_id = "pause", tag = "matches", request_body = ClientId,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The match, with the requests or the pause", body = MatchView),
        ApiError,
    ))]
pub(super) async fn pause(
    State(matches): State<Arc<MatchService>>,
    Identity(holder): Identity,
    PathParameter(id): PathParameter,
    Body(body): Body<ClientId>,
) -> Result<Json<MatchView>, ApiError> {
    let (state, role) = matches.pause(&id, holder, &body.client_id).await?;
    Ok(shown(&state, role))
}

/// Offers a rematch of a match, or accepts the offer
///
/// A rematch has the same rules, with the other player leading first. Against the computer, and
/// with both seats yours, the rematch begins at once.
#[utoipa::path(post, path = "/matches/{id}/rematch", operation_id = "rematch", tag = "matches", request_body = ClientId,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The match, with the state of the rematch", body = MatchView),
        ApiError,
    ))]
pub(super) async fn rematch(
    State(matches): State<Arc<MatchService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(holder): Identity,
    PathParameter(id): PathParameter,
    Body(body): Body<ClientId>,
) -> Result<Json<MatchView>, ApiError> {
    limiter.count_dear(client, Dear::NewMatch).await?;
    let (state, role) = matches.rematch(&id, holder, &body.client_id, client).await?;
    Ok(shown(&state, role))
}

/// Returns the record of a match: its deals, actions and result as text
///
/// The record of a running match contains the games that have begun, except a game with a card that
/// is hidden from you. A rated match has no record until the invited player has joined.
#[utoipa::path(get, path = "/matches/{id}/record", operation_id = "read_record", tag = "matches",
    params(("id" = String, Path, description = "Id of the match", max_length = 64), Watch),
    responses(
        (status = 200, description = "The record, as `overmate replay` reads it", body = String, content_type = "text/plain"),
        ApiError,
    ))]
pub(super) async fn record(
    State(matches): State<Arc<MatchService>>,
    State(solvers): State<Arc<SolverPool>>,
    client: Client,
    Identity(holder): Identity,
    PathParameter(id): PathParameter,
    Options(watch): Options<Watch>,
) -> Result<Response, ApiError> {
    let (state, role) = matches.read(&id, holder, watch.watch.as_deref()).await?;
    // The record of a long log takes milliseconds to compute, which would delay other requests on an async thread.
    let permit = solvers.permit(Class::Cheap, client).await?;
    let record =
        move || crate::show::records::record(&state, role).map(|record| record.to_string());
    let text = permit.run(record).await?.ok_or(ApiError::DEAL_HIDDEN)?;
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"match.mate\""),
    ];
    Ok((headers, text).into_response())
}
