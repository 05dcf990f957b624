//! Matches: begin, look, act.

#![allow(unused_qualifications, reason = "what utoipa generates qualifies names that are in scope")]

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::time::timeout;
use utoipa::IntoParams;

use super::LONGEST_WAIT;
use super::extract::{Body, Options, Part};
use crate::contest::{Contest, Role};
use crate::error::ApiError;
use crate::identity::{Identity, Known};
use crate::limits::{Client, Costly};
use crate::server::Server;
use crate::show::matches::{state, summary};
use crate::wire::checks::{Checked, LAST_SEQUENCE, TOKEN, too_large, too_long};
use crate::wire::{Act, ClientId, Hint, MatchList, MatchState, NewMatch, Player, Problem, Resign};

/// How many matches a list has at most.
const LISTED: u32 = 100;

/// How a spectator shows that he may look.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Watch {
    /// The token of the spectators' link, for those who hold no seat.
    #[param(max_length = 64, required = false)]
    pub(super) watch: Option<String>,
}

/// How to look at a match.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Look {
    /// The token of the spectators' link, for those who hold no seat.
    #[param(max_length = 64, required = false)]
    watch: Option<String>,
    /// Answers as soon as the match is beyond this sequence, or after `wait` seconds. At once, if the match has not come that far.
    #[param(minimum = 0, maximum = 1_000_000, required = false)]
    after: Option<u64>,
    /// How many seconds to wait at most, up to 25; with `after` only.
    #[param(minimum = 0, maximum = 25, required = false)]
    wait: Option<u8>,
}

impl Checked for Watch {
    fn fault(&self) -> Option<String> {
        too_long("watch", self.watch.as_ref(), TOKEN)
    }
}

impl Checked for Look {
    fn fault(&self) -> Option<String> {
        too_long("watch", self.watch.as_ref(), TOKEN)
            .or_else(|| too_large("after", self.after.unwrap_or_default(), LAST_SEQUENCE))
            .or_else(|| too_large("wait", self.wait.unwrap_or_default(), LONGEST_WAIT))
    }
}

/// Your matches, unfinished ones first
#[utoipa::path(get, path = "/matches", operation_id = "list_matches", tag = "matches",
    responses(
        (status = 200, description = "The matches in which this browser holds a seat", body = MatchList),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn list(
    State(server): State<Server>,
    Identity(holder): Identity,
) -> Result<Json<MatchList>, ApiError> {
    let Some(holder) = holder else { return Ok(Json(MatchList { matches: Vec::new() })) };
    let mut matches = Vec::new();
    for id in server.store.held_by(holder, LISTED).await? {
        let contest = server.contest(&id).await?;
        let role = contest.role_of(Some(holder));
        matches.extend(role.and_then(|role| summary(&contest, role)));
    }
    Ok(Json(MatchList { matches }))
}

/// Begins a match
///
/// Sent again by the same browser with the same `client_id`, it begins no second match and is answered with the first one. Whose cookie may be
/// new asks for `/identity` first.
#[utoipa::path(post, path = "/matches", operation_id = "create_match", tag = "matches", request_body = NewMatch,
    responses(
        (status = 201, description = "The match. Who this browser is comes back in the cookie `overmate_seat`", body = MatchState,
            headers(("Location" = String, description = "The path of the match"))),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn create(
    State(server): State<Server>,
    client: Client,
    known: Known,
    Body(new): Body<NewMatch>,
) -> Result<Response, ApiError> {
    let contest = if let Some(begun) = server.begun(&new, known.holder).await? {
        begun
    } else {
        server.limiter.count(client, Costly::NewMatch)?;
        server.begin(&new, known.holder).await?
    };
    let role = contest.role_of(Some(known.holder)).ok_or(ApiError::NotAPlayer)?;
    let place = HeaderValue::from_str(&format!("/api/v1/matches/{}", contest.id()));
    let headers = [
        (header::SET_COOKIE, known.cookie),
        (header::LOCATION, place.map_err(ApiError::internal)?),
    ];
    Ok((StatusCode::CREATED, headers, Json(state(&contest, role, 0))).into_response())
}

/// A match as you may see it
///
/// With `after` the answer waits for a change. The `ETag` goes with the sequence.
#[utoipa::path(get, path = "/matches/{id}", operation_id = "read_match", tag = "matches",
    params(("id" = String, Path, description = "The match", max_length = 64), Look),
    responses(
        (status = 200, description = "The match", body = MatchState, headers(("ETag" = String))),
        (status = 304, description = "It is as `If-None-Match` says"),
        (status = "4XX", description = "Not to be seen", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn read(
    State(server): State<Server>,
    Identity(holder): Identity,
    Part(id): Part,
    Options(look): Options<Look>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (mut contest, role) = server.seen_by(&id, holder, look.watch.as_deref()).await?;
    if let (Some(after), Some(wait @ 1..)) = (look.after, look.wait)
        && contest.sequence() == after
    {
        contest = changed(&server, &id, after, Duration::from_secs(wait.into())).await?;
    }
    let tag = tag(&contest, role);
    let known = headers.get(header::IF_NONE_MATCH);
    if look.after.is_none() && known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    Ok(([(header::ETAG, tag)], Json(state(&contest, role, 0))).into_response())
}

/// A match beyond a sequence, or as it is after a while.
async fn changed(
    server: &Server,
    id: &str,
    after: u64,
    wait: Duration,
) -> Result<Arc<Contest>, ApiError> {
    let mut changes = server.events.subscribe(id);
    // What has happened before anybody listened.
    let contest = server.contest(id).await?;
    if contest.sequence() != after {
        return Ok(contest);
    }
    tokio::select! {
        _ = timeout(wait, changes.wait_for(|sequence| *sequence > after)) => {}
        () = server.stop.cancelled() => {}
    }
    // A hint may be lost: the store is asked in any case.
    server.contest(id).await
}

/// What the state of a match goes by: its sequence, and who looks.
fn tag(contest: &Contest, role: Role) -> String {
    let who = match role {
        Role::Player(overmate_rules::Player::A) => "a",
        Role::Player(overmate_rules::Player::B) => "b",
        Role::Both => "both",
        Role::Spectator => "watch",
    };
    format!("\"{}-{who}\"", contest.sequence())
}

/// Who asks, as a player; spectators only look.
async fn player(
    server: &Server,
    id: &str,
    holder: Option<crate::store::Holder>,
) -> Result<Role, ApiError> {
    server.role(id, holder, None).await
}

fn shown(contest: &Arc<Contest>, role: Role) -> Json<MatchState> {
    Json(state(contest, role, 0))
}

/// Takes an action
///
/// It is stored before it is answered. Sent again with the same `client_id`, it is answered again and does nothing again.
#[utoipa::path(post, path = "/matches/{id}/actions", operation_id = "act", tag = "matches", request_body = Act,
    params(("id" = String, Path, description = "The match", max_length = 64)),
    responses(
        (status = 200, description = "The match after it, or later", body = MatchState),
        (status = 409, description = "Not your turn, or the match has gone on: then its state is with the problem", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The rules do not allow it", body = Problem, content_type = "application/problem+json"),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn act(
    State(server): State<Server>,
    Identity(holder): Identity,
    Part(id): Part,
    Body(act): Body<Act>,
) -> Result<Json<MatchState>, ApiError> {
    let role = player(&server, &id, holder).await?;
    let contest = server.act(&id, role, act).await?;
    Ok(shown(&contest, role))
}

/// Gives the match up
#[utoipa::path(post, path = "/matches/{id}/resign", operation_id = "resign", tag = "matches", request_body = Resign,
    params(("id" = String, Path, description = "The match", max_length = 64)),
    responses(
        (status = 200, description = "The match, which is over", body = MatchState),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn resign(
    State(server): State<Server>,
    Identity(holder): Identity,
    Part(id): Part,
    Body(resign): Body<Resign>,
) -> Result<Json<MatchState>, ApiError> {
    let role = player(&server, &id, holder).await?;
    let who = resign.player.map(|player| match player {
        Player::A => overmate_rules::Player::A,
        Player::B => overmate_rules::Player::B,
    });
    let contest = server.resign(&id, role, who, &resign.client_id).await?;
    Ok(shown(&contest, role))
}

/// Takes back what you did last
///
/// Against the computer, or with both seats yours; in the game that is played, and in none that is over. The record says so.
#[utoipa::path(post, path = "/matches/{id}/undo", operation_id = "undo", tag = "matches", request_body = ClientId,
    params(("id" = String, Path, description = "The match", max_length = 64)),
    responses(
        (status = 200, description = "The match before that action", body = MatchState),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn undo(
    State(server): State<Server>,
    Identity(holder): Identity,
    Part(id): Part,
    Body(body): Body<ClientId>,
) -> Result<Json<MatchState>, ApiError> {
    let role = player(&server, &id, holder).await?;
    Ok(shown(&server.undo(&id, role, &body.client_id).await?, role))
}

/// What every action of yours leads to
///
/// Against the computer, or with both seats yours, when it is your turn. The record says so. Not of a deal that you play
/// against somebody elsewhere.
#[utoipa::path(post, path = "/matches/{id}/hint", operation_id = "hint", tag = "matches", request_body = ClientId,
    params(("id" = String, Path, description = "The match", max_length = 64)),
    responses(
        (status = 200, description = "The actions and their values", body = Hint),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn hint(
    State(server): State<Server>,
    client: Client,
    Identity(holder): Identity,
    Part(id): Part,
    Body(body): Body<ClientId>,
) -> Result<Json<Hint>, ApiError> {
    server.limiter.count(client, Costly::Analysis)?;
    let role = player(&server, &id, holder).await?;
    Ok(Json(server.hint(&id, role, holder, &body.client_id).await?))
}

/// Asks for another match with the same rules, or agrees to one
///
/// In it the other leads first. Against the computer, and with both seats yours, it begins at once.
#[utoipa::path(post, path = "/matches/{id}/rematch", operation_id = "rematch", tag = "matches", request_body = ClientId,
    params(("id" = String, Path, description = "The match", max_length = 64)),
    responses(
        (status = 200, description = "The match, with what stands about a rematch", body = MatchState),
        (status = "4XX", description = "Not possible", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn rematch(
    State(server): State<Server>,
    client: Client,
    Identity(holder): Identity,
    Part(id): Part,
    Body(body): Body<ClientId>,
) -> Result<Json<MatchState>, ApiError> {
    server.limiter.count(client, Costly::NewMatch)?;
    let role = player(&server, &id, holder).await?;
    Ok(shown(&server.rematch(&id, role, &body.client_id).await?, role))
}

/// The record of a match
///
/// While it is played: the games that have begun, without a game that hides a card from you.
#[utoipa::path(get, path = "/matches/{id}/record", operation_id = "read_record", tag = "matches",
    params(("id" = String, Path, description = "The match", max_length = 64), Watch),
    responses(
        (status = 200, description = "The record, as `overmate replay` reads it", body = String, content_type = "text/plain"),
        (status = "4XX", description = "Not to be seen", body = Problem, content_type = "application/problem+json"),
        (status = "5XX", description = "The server failed", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn record(
    State(server): State<Server>,
    Identity(holder): Identity,
    Part(id): Part,
    Options(watch): Options<Watch>,
) -> Result<Response, ApiError> {
    let (contest, role) = server.seen_by(&id, holder, watch.watch.as_deref()).await?;
    let text = crate::records::record(&contest, role).to_string();
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"match.mate\""),
    ];
    Ok((headers, text).into_response())
}
