//! Serves the HTTP routes of tournament events (arenas and Swiss events).

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::extract::{Body, Options, PathParameter};
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::Identity;
use crate::limits::{Dear, Limiter};
use crate::services::{EventService, ShownEvent};
use crate::show;
use crate::store::{EventState, Holder};
use crate::wire::checks::{Checked, LAST_SEQUENCE, too_large};
use crate::wire::{EventList, NewEvent, Problem, SeenEvent};

/// Maximum time, in seconds, for which a response waits for a change of an arena or Swiss event.
const LONGEST_WAIT: u32 = 25;

/// Query parameters of a request for an arena or Swiss event.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct EventQuery {
    /// Version of the tournament event that the client has received. With `wait`, the response waits for another version.
    #[param(minimum = 0, maximum = 1_000_000)]
    after: Option<u64>,
    /// Maximum time in seconds, up to 25, for which the response waits for a change of the tournament event.
    #[param(minimum = 0, maximum = 25)]
    wait: Option<u32>,
}

impl Checked for EventQuery {
    fn fault(&self) -> Option<String> {
        too_large("wait", self.wait.unwrap_or_default(), LONGEST_WAIT)
            .or_else(|| too_large("after", self.after.unwrap_or_default(), LAST_SEQUENCE))
    }
}

/// Returns the response with the state of an arena or Swiss event, as a given person may see the event. The part of the response that is
/// the same for nearly all persons is already serialised.
async fn answer(
    events: &EventService,
    shown: &ShownEvent,
    person: Option<Holder>,
) -> Result<Response, ApiError> {
    let you = show::events::you(&shown.record, person);
    let you = serde_json::to_string(&you).map_err(ApiError::internal)?;
    let shown = events.json_for(shown, person).await?;
    let json = format!("{{\"you\":{you},\"shown\":{shown}}}");
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

/// Returns the person who sends a request, or an error if the request has no identity.
fn needed(person: Option<Holder>) -> Result<Holder, ApiError> {
    person.ok_or(ApiError::AccountNeeded)
}

/// Lists the tournament events
#[utoipa::path(get, path = "/events", operation_id = "list_events", tag = "events",
    responses(
        (status = 200, description = "The running and coming events, and those that ended last", body = EventList),
        ApiError,
    ))]
pub(super) async fn list(
    State(events): State<Arc<EventService>>,
) -> Result<Json<EventList>, ApiError> {
    let all = events.list().await?;
    let of = |state: EventState| {
        let found = all.iter().filter(|listed| listed.event.state == state);
        found.map(show::events::listed).collect()
    };
    Ok(Json(EventList {
        running: of(EventState::Running),
        coming: of(EventState::Coming),
        finished: of(EventState::Finished),
    }))
}

/// Creates a tournament event
///
/// All players of an event play the same deals, and are scored against the exact values. Only a person with an account can make an event.
/// An account can have at most three events that are not over. The request is idempotent for an account and a `client_id`.
#[utoipa::path(post, path = "/events", operation_id = "make_event", tag = "events", request_body = NewEvent,
    responses(
        (status = 201, description = "The event", body = SeenEvent),
        ApiError,
    ))]
pub(super) async fn make(
    State(events): State<Arc<EventService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    Body(new): Body<NewEvent>,
) -> Result<Response, ApiError> {
    let person = needed(person)?;
    limiter.count_dear(client, Dear::Code).await?;
    let shown = events.make(&new, person, client).await?;
    Ok((StatusCode::CREATED, answer(&events, &shown, Some(person)).await?).into_response())
}

/// Returns a tournament event with its standings
///
/// With `after` and `wait`, the response waits for a change (long polling). The deals are shown after the end, but not to a player of a
/// running match without help on one of them.
#[utoipa::path(get, path = "/events/{id}", operation_id = "read_event", tag = "events",
    params(("id" = String, Path, description = "Id of the event", max_length = 64), EventQuery),
    responses(
        (status = 200, description = "The event", body = SeenEvent),
        ApiError,
    ))]
pub(super) async fn read(
    State(events): State<Arc<EventService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
    Options(query): Options<EventQuery>,
) -> Result<Response, ApiError> {
    let shown = match (query.after, query.wait) {
        (Some(after), Some(wait @ 1..)) => {
            let wait = Duration::from_secs(wait.into());
            events.wait_beyond(&id, after.cast_signed(), wait).await?
        }
        _ => events.show(&id).await?,
    };
    answer(&events, &shown, person).await
}

/// Joins or rejoins a tournament event
///
/// Only a person with an account can join. A Swiss event takes new players until its start, and an arena until its end.
#[utoipa::path(post, path = "/events/{id}/join", operation_id = "join_event", tag = "events",
    params(("id" = String, Path, description = "Id of the event", max_length = 64)),
    responses(
        (status = 200, description = "The event", body = SeenEvent),
        (status = 409, description = "The event is full", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn join(
    State(events): State<Arc<EventService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<Response, ApiError> {
    let person = needed(person)?;
    let shown = events.join(&id, person).await?;
    answer(&events, &shown, Some(person)).await
}

/// Leaves a tournament event
///
/// A player who leaves a running event keeps their points, and is not paired any more until they return. A running match goes on.
#[utoipa::path(post, path = "/events/{id}/leave", operation_id = "leave_event", tag = "events",
    params(("id" = String, Path, description = "Id of the event", max_length = 64)),
    responses(
        (status = 200, description = "The event", body = SeenEvent),
        ApiError,
    ))]
pub(super) async fn leave(
    State(events): State<Arc<EventService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<Response, ApiError> {
    let person = needed(person)?;
    let shown = events.leave(&id, person).await?;
    answer(&events, &shown, Some(person)).await
}

/// Starts your tournament event at once
#[utoipa::path(post, path = "/events/{id}/start", operation_id = "start_event", tag = "events",
    params(("id" = String, Path, description = "Id of the event", max_length = 64)),
    responses(
        (status = 200, description = "The event, which begins within a second", body = SeenEvent),
        ApiError,
    ))]
pub(super) async fn start(
    State(events): State<Arc<EventService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<Response, ApiError> {
    let person = needed(person)?;
    let shown = events.start(&id, person).await?;
    answer(&events, &shown, Some(person)).await
}

/// Removes your tournament event before its start
#[utoipa::path(delete, path = "/events/{id}", operation_id = "remove_event", tag = "events",
    params(("id" = String, Path, description = "Id of the event", max_length = 64)),
    responses(
        (status = 204, description = "The event is removed"),
        ApiError,
    ))]
pub(super) async fn remove(
    State(events): State<Arc<EventService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<StatusCode, ApiError> {
    events.remove(&id, needed(person)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
