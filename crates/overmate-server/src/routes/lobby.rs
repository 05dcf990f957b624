//! Serves the routes of open match offers and challenges.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::extract::{Body, PathParameter};
use crate::clock::now;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{Identity, IssuedIdentity};
use crate::limits::{Dear, Limiter};
use crate::services::{LobbyService, Made};
use crate::show;
use crate::wire::{AcceptOffer, Lobby, MadeOffer, MatchView, NewOffer, Problem, WithdrawnOffer};

/// Lists the open match offers
///
/// The list is at most one second old. An offer of the requester that would end without its maker
/// stays open for about half a minute after each request.
#[utoipa::path(get, path = "/lobby", operation_id = "list_offers", tag = "lobby",
    responses(
        (status = 200, description = "The open offers and the offers of this browser", body = Lobby),
        ApiError,
    ))]
pub(super) async fn list(
    State(lobby): State<Arc<LobbyService>>,
    Identity(person): Identity,
) -> Result<Json<Lobby>, ApiError> {
    if let Some(person) = person {
        lobby.hear(person);
    }
    let offers = lobby.offers().await?;
    let (listed, total) = offers.listed_for(person);
    Ok(Json(Lobby {
        offers: listed,
        total,
        own: lobby.own(person).await?,
        challenges: offers.challenges_to(person).to_vec(),
    }))
}

/// Creates an open match offer, or challenges a player
///
/// An offer of a correspondence match stays open for 14 days. Any other offer stays open while its
/// maker has a live connection to the lobby or reads `/lobby`, and ends about half a minute after
/// the last sign of the maker. The request is idempotent for a browser and a `client_id`. A browser
/// without a cookie asks for `/identity` first. An offer `to` a handle is a challenge, which only the
/// player with this handle sees; a person has at most one challenge to a handle. A bot makes unrated offers to everybody, under
/// its handle.
#[utoipa::path(post, path = "/offers", operation_id = "make_offer", tag = "lobby", request_body = NewOffer,
    responses(
        (status = 201, description = "The offer, or the match of the accepted offer. The identity of this browser is in the cookie `overmate_seat`", body = MadeOffer),
        ApiError,
    ))]
pub(super) async fn make(
    State(lobby): State<Arc<LobbyService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: IssuedIdentity,
    Body(new): Body<NewOffer>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::NewMatch).await?;
    let made = match lobby.make(&new, issued.holder, client).await? {
        Made::Offer(offer) => {
            MadeOffer { own: show::lobby::own(&offer, now()), match_id: offer.match_id }
        }
        Made::Match(id) => MadeOffer { own: None, match_id: Some(id) },
    };
    let cookie = [(header::SET_COOKIE, issued.cookie)];
    Ok((StatusCode::CREATED, cookie, Json(made)).into_response())
}

/// Withdraws one of your open match offers
///
/// If another person has already accepted the offer, the response names the match.
#[utoipa::path(delete, path = "/offers/{id}", operation_id = "withdraw_offer", tag = "lobby",
    params(("id" = String, Path, description = "Id of the offer", max_length = 64)),
    responses(
        (status = 200, description = "The offer is withdrawn, or was accepted before", body = WithdrawnOffer),
        ApiError,
        (status = "4XX", description = "The offer is not yours", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn withdraw(
    State(lobby): State<Arc<LobbyService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<Json<WithdrawnOffer>, ApiError> {
    let person = person.ok_or(ApiError::NotFound("offer"))?;
    Ok(Json(WithdrawnOffer { match_id: lobby.withdraw(&id, person).await? }))
}

/// Declines a challenge to a match
///
/// The challenger learns that you have declined, and cannot challenge the same handle for a day. The request is idempotent.
#[utoipa::path(post, path = "/offers/{id}/decline", operation_id = "decline_challenge", tag = "lobby",
    params(("id" = String, Path, description = "Id of the challenge", max_length = 64)),
    responses(
        (status = 204, description = "The challenge is declined"),
        (status = 410, description = "The challenge has ended", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn decline(
    State(lobby): State<Arc<LobbyService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<StatusCode, ApiError> {
    lobby.decline(&id, person.ok_or(ApiError::NotFound("challenge"))?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Accepts an open match offer, and begins the match
///
/// The first of several requests gets the match, and the others get the error `offer-gone`. The
/// request is idempotent for a browser. Only a player with an account accepts a rated offer.
#[utoipa::path(post, path = "/offers/{id}/accept", operation_id = "accept_offer", tag = "lobby", request_body = AcceptOffer,
    params(("id" = String, Path, description = "Id of the offer", max_length = 64)),
    responses(
        (status = 200, description = "The match. The identity of this browser is in the cookie `overmate_seat`", body = MatchView),
        (status = 410, description = "Another player has accepted the offer, or the offer has ended", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn accept(
    State(lobby): State<Arc<LobbyService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: IssuedIdentity,
    PathParameter(id): PathParameter,
    Body(body): Body<AcceptOffer>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::NewMatch).await?;
    let name = body.name.as_deref();
    let (state, role) = lobby.accept(&id, issued.holder, name, &body.client_id).await?;
    let view = show::matches::view(&state, role, 0);
    Ok(([(header::SET_COOKIE, issued.cookie)], Json(view)).into_response())
}
