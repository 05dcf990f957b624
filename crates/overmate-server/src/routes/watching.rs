//! Serves the routes of public matches, of the number of connected people, and of a person's visibility settings.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::extract::{Body, Options};
use crate::error::ApiError;
use crate::http::assets::is_known;
use crate::http::client::Client;
use crate::identity::browser::{Identity, IssuedIdentity};
use crate::limits::{Dear, Limiter};
use crate::services::{PeopleHereService, WatchService};
use crate::show::matches::DELAY;
use crate::store::{Visibility, Watching};
use crate::wire::checks::{Checked, text_fault};
use crate::wire::{
    FavouriteHere, MyVisibility, PeopleHere, PresenceShown, PublicMatches, SetVisibility,
    WatchPermission,
};

/// Filter of a list of public matches: running or finished matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum PublicState {
    #[default]
    Running,
    Finished,
}

/// Query parameters of a request for public matches.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PublicQuery {
    /// Name of the rule set of the listed public matches. Without this name, the list has the matches of all rule sets.
    #[param(max_length = 200, required = false)]
    rules: Option<String>,
    /// Whether the list of public matches contains the running or the finished matches. The default is `running`.
    #[serde(default)]
    #[param(inline, required = false)]
    state: PublicState,
    /// Pagination cursor: the value `next` of the previous page of the list of matches. Without this value, the list begins with the newest
    /// match.
    #[param(max_length = 64, required = false)]
    after: Option<String>,
}

impl Checked for PublicQuery {
    fn fault(&self) -> Option<String> {
        text_fault("rules", self.rules.as_ref(), 200)
            .or_else(|| text_fault("after", self.after.as_ref(), 64))
    }
}

/// Converts a person's visibility settings to their JSON type.
pub(super) fn shown(visibility: Visibility) -> MyVisibility {
    MyVisibility {
        watching: match visibility.watching {
            Watching::AtOnce => WatchPermission::AtOnce,
            Watching::Delayed => WatchPermission::Delayed,
            Watching::Never => WatchPermission::Never,
        },
        presence: if visibility.shows_presence {
            PresenceShown::Favourites
        } else {
            PresenceShown::Nobody
        },
        delay: DELAY,
    }
}

/// Lists the public matches, which everybody may watch
///
/// These are matches that began by an offer or a challenge, and their rematches, unless a player has switched watching off.
/// Matches against the computer and matches by invitation are never listed. To watch a match or to replay it, read it with the
/// query parameter `watch=public`. The first page is at most a second old.
#[utoipa::path(get, path = "/public/matches", operation_id = "public_matches", tag = "watching",
    params(PublicQuery),
    responses(
        (status = 200, description = "A page of the matches, the newest first", body = PublicMatches, headers(("ETag" = String))),
        (status = 304, description = "The page has the `ETag` of `If-None-Match`"),
        ApiError,
    ))]
pub(super) async fn matches(
    State(watching): State<Arc<WatchService>>,
    client: Client,
    Options(query): Options<PublicQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let is_finished = query.state == PublicState::Finished;
    let (rules, after) = (query.rules.as_deref(), query.after.as_deref());
    let list = watching.list(rules, is_finished, after, client).await?;
    let tag = (header::ETAG, list.tag.clone());
    if list.tag.to_str().is_ok_and(|tag| is_known(&headers, tag)) {
        return Ok((StatusCode::NOT_MODIFIED, [tag]).into_response());
    }
    let json = axum::http::HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, json), tag], list.text.clone()).into_response())
}

/// Returns the number of connected people, and whether your favourites are connected
///
/// A person is connected while one of their browsers has an open live connection to a match or to the lobby. The response names a favourite
/// only if you have added one another, and the favourite permits it.
#[utoipa::path(get, path = "/public/people", operation_id = "people_here", tag = "watching",
    responses(
        (status = 200, description = "The people who are here", body = PeopleHere),
        ApiError,
    ))]
pub(super) async fn people(
    State(people): State<Arc<PeopleHereService>>,
    Identity(person): Identity,
) -> Result<Json<PeopleHere>, ApiError> {
    let favourites = people.favourites(person).await?.into_iter();
    Ok(Json(PeopleHere {
        people: people.count().await?,
        favourites: favourites.map(|(handle, here)| FavouriteHere { handle, here }).collect(),
    }))
}

/// Returns your visibility settings
#[utoipa::path(get, path = "/me/visibility", operation_id = "visibility", tag = "personal data",
    responses(
        (status = 200, description = "Who may watch your matches, and who is told that you are here", body = MyVisibility),
        ApiError,
    ))]
pub(super) async fn visibility(
    State(watching): State<Arc<WatchService>>,
    Identity(person): Identity,
) -> Result<Json<MyVisibility>, ApiError> {
    Ok(Json(shown(watching.visibility(person).await?)))
}

/// Changes your visibility settings
///
/// The change applies to all of your matches, including running and finished matches, and to all of your browsers.
#[utoipa::path(put, path = "/me/visibility", operation_id = "set_visibility", tag = "personal data", request_body = SetVisibility,
    responses(
        (status = 200, description = "The new setting. The identity of this browser is in the cookie `overmate_seat`", body = MyVisibility),
        ApiError,
    ))]
pub(super) async fn set_visibility(
    State(watching): State<Arc<WatchService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    issued: IssuedIdentity,
    Body(body): Body<SetVisibility>,
) -> Result<Response, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let visibility = Visibility {
        watching: match body.watching {
            WatchPermission::AtOnce => Watching::AtOnce,
            WatchPermission::Delayed => Watching::Delayed,
            WatchPermission::Never => Watching::Never,
        },
        shows_presence: body.presence == PresenceShown::Favourites,
    };
    watching.set_visibility(issued.holder, visibility).await?;
    Ok(([(header::SET_COOKIE, issued.cookie)], Json(shown(visibility))).into_response())
}
