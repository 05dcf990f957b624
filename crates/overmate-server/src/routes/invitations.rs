//! Serves the routes of invitations. An invitation is a link that one friend can use once.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use overmate_rules::{Match, Player};

use super::extract::{Body, PathParameter};
use crate::error::ApiError;
use crate::identity::browser::{Identity, IssuedIdentity};
use crate::services::InvitationService;
use crate::show;
use crate::wire::{Invitation, Join, MatchView, Problem};

/// Reads an invitation to a match
#[utoipa::path(get, path = "/invitations/{token}", operation_id = "read_invitation", tag = "matches",
    params(("token" = String, Path, description = "Token of the link", max_length = 64)),
    responses(
        (status = 200, description = "The invitation", body = Invitation),
        ApiError,
        (status = "4XX", description = "No invitation has this token", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn read(
    State(invitations): State<Arc<InvitationService>>,
    Identity(holder): Identity,
    PathParameter(token): PathParameter,
) -> Result<Json<Invitation>, ApiError> {
    let state = invitations.read(&token).await?;
    // If the host or the guest has blocked the other, the guest sees the invitation as already used.
    let open = invitations.open_seat(&state, holder).await?;
    // If the match has no open seat, the guest is shown the seat of player B, so that a used invitation does not reveal which
    // seat was open.
    let guest = open.unwrap_or(Player::B);
    Ok(Json(Invitation {
        rules: state.rules().name().to_owned(),
        rules_title: overmate_json::title(state.rules().name()),
        from: state.seats()[!guest].name.clone().filter(|_| open.is_some()),
        games: state.play().length(),
        clock: state.info().clock.map(show::matches::clock),
        rated: state.info().rated,
        seat: Match::seat(0, guest).into(),
        used: open.is_none(),
        deal_chosen: state.info().deal_chosen,
        match_id: state.role_of(holder).map(|_| state.id().to_owned()),
    }))
}

/// Joins a match by its invitation
///
/// The request is idempotent: a repeated request by a player of the match returns the match. A
/// second friend gets `invitation-used`, and a friend without an account gets `account-needed` if
/// the match is rated.
#[utoipa::path(post, path = "/invitations/{token}", operation_id = "join", tag = "matches", request_body = Join,
    params(("token" = String, Path, description = "Token of the link", max_length = 64)),
    responses(
        (status = 200, description = "The match. The identity of this browser is in the cookie `overmate_seat`", body = MatchView),
        (status = 410, description = "The invitation has been used", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn join(
    State(invitations): State<Arc<InvitationService>>,
    issued: IssuedIdentity,
    PathParameter(token): PathParameter,
    Body(body): Body<Join>,
) -> Result<Response, ApiError> {
    let name = body.name.as_deref();
    let (state, role) = invitations.join(&token, issued.holder, name).await?;
    let view = show::matches::view(&state, role, 0);
    Ok(([(header::SET_COOKIE, issued.cookie)], Json(view)).into_response())
}
