//! Invitations: a link that a friend uses once.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use overmate_rules::{Match, Player};

use super::extract::{Body, Part};
use crate::begin::name;
use crate::error::ApiError;
use crate::identity::{Identity, Known};
use crate::server::Server;
use crate::show;
use crate::store::Sitter;
use crate::wire::{Invitation, Join, MatchState, Problem};

/// What an invitation is to
#[utoipa::path(get, path = "/invitations/{token}", operation_id = "read_invitation", tag = "matches",
    params(("token" = String, Path, description = "From the link", max_length = 64)),
    responses(
        (status = 200, description = "The invitation", body = Invitation),
        (status = "4XX", description = "There is none", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn look(
    State(server): State<Server>,
    Identity(holder): Identity,
    Part(token): Part,
) -> Result<Json<Invitation>, ApiError> {
    let id = server.store.invited_to(&token).await?.ok_or(ApiError::NotFound("invitation"))?;
    let contest = server.contest(&id).await?;
    let seats = contest.seats();
    let open = Player::BOTH.into_iter().find(|player| seats[*player].sitter == Sitter::Open);
    // Who invites is the one who sat there first; the guest's seat is the one that was open.
    let guest = open.unwrap_or(Player::B);
    Ok(Json(Invitation {
        rules: contest.rules().name().to_owned(),
        rules_title: overmate_json::title(contest.rules().name()),
        from: seats[!guest].name.clone().filter(|_| open.is_some()),
        games: contest.play().length(),
        seat: Match::seat(0, guest).into(),
        used: open.is_none(),
        match_id: contest.role_of(holder).map(|_| id),
    }))
}

/// Takes the seat that an invitation is to
///
/// Who is a player already gets the match. A second friend gets `invitation-used`.
#[utoipa::path(post, path = "/invitations/{token}", operation_id = "join", tag = "matches", request_body = Join,
    params(("token" = String, Path, description = "From the link", max_length = 64)),
    responses(
        (status = 200, description = "The match. Who this browser is comes back in the cookie `overmate_seat`", body = MatchState),
        (status = 410, description = "The invitation has been used", body = Problem, content_type = "application/problem+json"),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn join(
    State(server): State<Server>,
    known: Known,
    Part(token): Part,
    Body(body): Body<Join>,
) -> Result<Response, ApiError> {
    let (contest, role) = server.join(&token, known.holder, name(body.name)).await?;
    let state = show::matches::state(&contest, role, 0);
    Ok(([(header::SET_COOKIE, known.cookie)], Json(state)).into_response())
}
