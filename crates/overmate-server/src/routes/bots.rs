//! Serves the HTTP routes of bots and their tokens, and restricts the requests of programs with a token.

use std::sync::Arc;

use axum::Json;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::accounts::shown;
use super::extract::{Body, PathParameter};
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::{Identity, Program, requester};
use crate::limits::{Dear, Limiter};
use crate::matches::match_state::Role;
use crate::services::{BotAccountService, MatchService};
use crate::store::{BotToken, Holder, MOST_TOKENS};
use crate::wire::{MadeBotToken, MyAccount, MyBotToken, MyBotTokens, NewBotToken, Problem};

/// HTTP routes without a match id that accept bot tokens.
const ROUTES: [(&Method, &str); 10] = [
    (&Method::GET, "/api/v1/rules"),
    (&Method::GET, "/api/v1/rules/{id}"),
    (&Method::GET, "/api/v1/me/account"),
    (&Method::GET, "/api/v1/lobby"),
    (&Method::GET, "/api/v1/lobby/live"),
    (&Method::POST, "/api/v1/offers"),
    (&Method::DELETE, "/api/v1/offers/{id}"),
    (&Method::POST, "/api/v1/offers/{id}/accept"),
    (&Method::POST, "/api/v1/offers/{id}/decline"),
    (&Method::GET, "/api/v1/matches"),
];

/// HTTP routes of a single match that accept the token of a bot that plays in the match.
const ROUTES_OF_MATCHES: [(&Method, &str); 7] = [
    (&Method::GET, "/api/v1/matches/{id}"),
    (&Method::GET, "/api/v1/matches/{id}/live"),
    (&Method::GET, "/api/v1/matches/{id}/record"),
    (&Method::POST, "/api/v1/matches/{id}/actions"),
    (&Method::POST, "/api/v1/matches/{id}/pause"),
    (&Method::POST, "/api/v1/matches/{id}/rematch"),
    (&Method::POST, "/api/v1/matches/{id}/resign"),
];

/// Returns the methods and paths of all HTTP routes that accept bot tokens.
pub(super) fn routes() -> impl Iterator<Item = (&'static Method, &'static str)> {
    ROUTES.into_iter().chain(ROUTES_OF_MATCHES)
}

/// Kind of access that an HTTP request needs.
enum Access {
    /// Access to any route, by a request without a bot token.
    Browser,
    /// Access with a bot token to an HTTP route that does not require the bot to play in a match.
    Free,
    /// Access of a program to a match with a given id, in which the program's bot must hold a seat.
    Match(String, Option<Holder>),
}

/// Refuses a request with a bot token that is unknown or does not permit the request. No response to a program sets a cookie.
pub(super) async fn check(
    State(matches): State<Arc<MatchService>>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    match wanted(&request)? {
        Access::Browser => return Ok(next.run(request).await),
        Access::Free => {}
        Access::Match(id, bot) => {
            let state = matches.repository().load(&id).await?;
            if !matches!(state.role_of(bot), Some(Role::Player(player)) if state.seats()[player].is_program)
            {
                return Err(ApiError::BotRefused(
                    "a token gives access only to matches that the account began as a bot: choose such a match",
                ));
            }
        }
    }
    let mut response = next.run(request).await;
    response.headers_mut().remove(header::SET_COOKIE);
    Ok(response)
}

/// Returns the kind of access that a request needs, or an error if the request's bot token does not permit the request.
fn wanted(request: &Request) -> Result<Access, ApiError> {
    match request.extensions().get::<Program>() {
        None => return Ok(Access::Browser),
        Some(Program::Unknown) => return Err(ApiError::TokenRefused),
        Some(Program::Bot) => {}
    }
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let has = |routes: &[(&Method, &str)]| routes.contains(&(request.method(), route));
    if has(&ROUTES_OF_MATCHES) {
        let id = request.uri().path().split('/').nth(4).unwrap_or_default();
        return Ok(Access::Match(id.to_owned(), requester(request.extensions())));
    }
    if has(&ROUTES) {
        return Ok(Access::Free);
    }
    Err(ApiError::BotRefused(
        "a token allows only to read the rules, the bot's account, the lobby and the bot's matches, to make, withdraw and accept offers, to accept and decline challenges, and to play matches and rematches: send other requests from a browser",
    ))
}

/// Converts bot tokens to their JSON types.
pub(super) fn all_shown(tokens: Vec<BotToken>) -> Vec<MyBotToken> {
    tokens.into_iter().map(token_shown).collect()
}

fn token_shown(token: BotToken) -> MyBotToken {
    MyBotToken { id: token.id, name: token.name, made_at: rfc3339(token.made_at) }
}

/// Converts your account to a bot account
///
/// A program may then play for the account, with a token. A bot stays a bot: its matches change no ratings, it plays in no events, and its
/// name is marked everywhere. It makes unrated open offers, and accepts challenges and the offers that allow bots. An account that has
/// begun a rated match or joined an event, or that hosts an event that is not over, is refused. The request is idempotent.
#[utoipa::path(put, path = "/me/account/bot", operation_id = "become_bot", tag = "bots",
    responses(
        (status = 200, description = "The account, which is a bot", body = MyAccount),
        ApiError,
    ))]
pub(super) async fn mark(
    State(bots): State<Arc<BotAccountService>>,
    Identity(person): Identity,
) -> Result<Json<MyAccount>, ApiError> {
    Ok(Json(shown(bots.mark(person.ok_or(ApiError::AccountNeeded)?).await?)))
}

/// Lists the access tokens of your bot
#[utoipa::path(get, path = "/me/account/tokens", operation_id = "bot_tokens", tag = "bots",
    responses(
        (status = 200, description = "The tokens, the oldest first", body = MyBotTokens),
        ApiError,
    ))]
pub(super) async fn list(
    State(bots): State<Arc<BotAccountService>>,
    Identity(person): Identity,
) -> Result<Json<MyBotTokens>, ApiError> {
    let tokens = all_shown(bots.tokens(person).await?);
    Ok(Json(MyBotTokens { tokens, most: MOST_TOKENS }))
}

/// Creates an access token for your bot
///
/// Only this response shows the token. A program sends it in the header `Authorization: Bearer`. A person with the token can play
/// for the bot, and can do nothing else.
#[utoipa::path(post, path = "/me/account/tokens", operation_id = "make_bot_token", tag = "bots", request_body = NewBotToken,
    responses(
        (status = 201, description = "The token", body = MadeBotToken),
        ApiError,
    ))]
pub(super) async fn make(
    State(bots): State<Arc<BotAccountService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    Body(body): Body<NewBotToken>,
) -> Result<(StatusCode, Json<MadeBotToken>), ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let person = person.ok_or(ApiError::AccountNeeded)?;
    let (token, text) = bots.make_token(person, body.name.as_deref()).await?;
    let made = MadeBotToken { shown: token_shown(token), token: text };
    Ok((StatusCode::CREATED, Json(made)))
}

/// Removes an access token of your bot
///
/// Requests with the token are refused from now on.
#[utoipa::path(delete, path = "/me/account/tokens/{id}", operation_id = "remove_bot_token", tag = "bots",
    params(("id" = String, Path, description = "Id of the token in the list", max_length = 64)),
    responses(
        (status = 204, description = "The token is removed"),
        ApiError,
        (status = "4XX", description = "You have no such token", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn remove(
    State(bots): State<Arc<BotAccountService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<StatusCode, ApiError> {
    bots.remove_token(person.ok_or(ApiError::NotFound("token"))?, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
