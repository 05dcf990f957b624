//! Serves the HTTP routes of mutes and blocks.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::extract::PathParameter;
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::identity::browser::Identity;
use crate::services::RelationService;
use crate::store::{Ignored, RelationKind};
use crate::wire::{IgnoreKind, IgnoredPerson, IgnoredPersons};

/// Converts the kind `mute` or `block` of the HTTP interface to the kind of the stored relation.
fn relation(kind: IgnoreKind) -> RelationKind {
    match kind {
        IgnoreKind::Mute => RelationKind::Mute,
        IgnoreKind::Block => RelationKind::Block,
    }
}

/// Returns mutes and blocks in their JSON form.
pub(super) fn all_shown(ignored: Vec<(String, Ignored)>) -> Vec<IgnoredPerson> {
    let shown = |(id, Ignored { kind, at, handle, .. })| {
        let kind = match kind {
            RelationKind::Mute => IgnoreKind::Mute,
            RelationKind::Block => IgnoreKind::Block,
            RelationKind::Favourite => return None,
        };
        Some(IgnoredPerson { id, kind, handle, at: rfc3339(at) })
    };
    ignored.into_iter().filter_map(shown).collect()
}

/// Lists the persons whom you have muted or blocked
#[utoipa::path(get, path = "/me/ignored", operation_id = "ignored", tag = "favourites",
    responses(
        (status = 200, description = "The mutes and blocks, from old to new", body = IgnoredPersons),
        ApiError,
    ))]
pub(super) async fn list(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
) -> Result<Json<IgnoredPersons>, ApiError> {
    Ok(Json(IgnoredPersons { ignored: all_shown(relations.ignored(person).await?) }))
}

/// Ends a mute or block by its id
///
/// The answer is the same whether or not there was one.
#[utoipa::path(delete, path = "/me/ignored/{id}", operation_id = "heed", tag = "favourites",
    params(("id" = String, Path, description = "Id of the mute or block", max_length = 64)),
    responses(
        (status = 204, description = "The person is not muted or blocked any more"),
        ApiError,
    ))]
pub(super) async fn heed(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<StatusCode, ApiError> {
    relations.heed_by_id(person, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Mutes or blocks a player
///
/// You may mute and block every player whose profile or challenge you can see. A private profile has the same answer as a handle that
/// nobody has. Nobody else learns of the mute or block.
#[utoipa::path(put, path = "/me/ignored/{kind}/{handle}", operation_id = "ignore_player", tag = "favourites",
    params(
        ("kind" = IgnoreKind, Path, description = "Mute or block"),
        ("handle" = String, Path, description = "Handle of the player", max_length = 64),
    ),
    responses(
        (status = 204, description = "The player is muted or blocked"),
        ApiError,
    ))]
pub(super) async fn ignore(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter((kind, handle)): PathParameter<(IgnoreKind, String)>,
) -> Result<StatusCode, ApiError> {
    let person = person.ok_or(ApiError::NotFound("player"))?;
    relations.ignore(person, &handle, relation(kind)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the mute or block of a player
///
/// The answer is the same whether or not there was one.
#[utoipa::path(delete, path = "/me/ignored/{kind}/{handle}", operation_id = "heed_player", tag = "favourites",
    params(
        ("kind" = IgnoreKind, Path, description = "Mute or block"),
        ("handle" = String, Path, description = "Handle of the player", max_length = 64),
    ),
    responses(
        (status = 204, description = "The player is not muted or blocked any more"),
        ApiError,
    ))]
pub(super) async fn heed_player(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter((kind, handle)): PathParameter<(IgnoreKind, String)>,
) -> Result<StatusCode, ApiError> {
    relations.heed(person, &handle, relation(kind)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Mutes or blocks your opponent in a match
///
/// Neither of you needs an account. The mute or block holds for the person, in all matches. Running matches continue.
#[utoipa::path(put, path = "/matches/{id}/ignored/{kind}", operation_id = "ignore_opponent", tag = "favourites",
    params(
        ("id" = String, Path, description = "Id of the match", max_length = 64),
        ("kind" = IgnoreKind, Path, description = "Mute or block"),
    ),
    responses(
        (status = 204, description = "The opponent is muted or blocked"),
        ApiError,
    ))]
pub(super) async fn ignore_opponent(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter((id, kind)): PathParameter<(String, IgnoreKind)>,
) -> Result<StatusCode, ApiError> {
    relations.ignore_opponent(&id, person, (relation(kind), true)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the mute or block of your opponent in a match
#[utoipa::path(delete, path = "/matches/{id}/ignored/{kind}", operation_id = "heed_opponent", tag = "favourites",
    params(
        ("id" = String, Path, description = "Id of the match", max_length = 64),
        ("kind" = IgnoreKind, Path, description = "Mute or block"),
    ),
    responses(
        (status = 204, description = "The opponent is not muted or blocked any more"),
        ApiError,
    ))]
pub(super) async fn heed_opponent(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter((id, kind)): PathParameter<(String, IgnoreKind)>,
) -> Result<StatusCode, ApiError> {
    relations.ignore_opponent(&id, person, (relation(kind), false)).await?;
    Ok(StatusCode::NO_CONTENT)
}
