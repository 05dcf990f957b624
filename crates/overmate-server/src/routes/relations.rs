//! Serves the HTTP routes for a person's favourite players.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::extract::PathParameter;
use crate::clock::rfc3339;
use crate::error::ApiError;
use crate::identity::browser::Identity;
use crate::services::RelationService;
use crate::store::{KnownRelation, MOST_RELATIONS};
use crate::wire::{Favourite, Favourites, OpponentRelation};

/// Returns favourites in their JSON form.
pub(super) fn all_shown(known: Vec<KnownRelation>) -> Vec<Favourite> {
    let shown = |relation: KnownRelation| Favourite {
        handle: relation.handle,
        mutual: relation.is_mutual,
        bot: relation.is_bot,
        profile: !relation.is_private && relation.is_rated,
        added_at: rfc3339(relation.at),
    };
    known.into_iter().map(shown).collect()
}

/// Lists the players whom you have added to your favourites
///
/// The list is empty without an account.
#[utoipa::path(get, path = "/me/favourites", operation_id = "favourites", tag = "favourites",
    responses(
        (status = 200, description = "The favourites, ordered by handle", body = Favourites),
        ApiError,
    ))]
pub(super) async fn list(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
) -> Result<Json<Favourites>, ApiError> {
    let favourites = all_shown(relations.favourites(person).await?);
    Ok(Json(Favourites { favourites, most: u32::try_from(MOST_RELATIONS).unwrap_or(u32::MAX) }))
}

/// Adds a player to your favourites
///
/// You may add every player whose profile you can see. A private profile has the same answer as a handle that nobody has. Nobody
/// else learns of the addition, except a player who has added you.
#[utoipa::path(put, path = "/me/favourites/{handle}", operation_id = "add_favourite", tag = "favourites",
    params(("handle" = String, Path, description = "Handle of the player", max_length = 64)),
    responses(
        (status = 204, description = "The player is one of your favourites"),
        ApiError,
    ))]
pub(super) async fn add(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter(handle): PathParameter,
) -> Result<StatusCode, ApiError> {
    relations.add(person, &handle).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a player from your favourites
///
/// The answer is the same whether or not the player was one of your favourites. A text that cannot be a handle has status 404.
#[utoipa::path(delete, path = "/me/favourites/{handle}", operation_id = "remove_favourite", tag = "favourites",
    params(("handle" = String, Path, description = "Handle of the player", max_length = 64)),
    responses(
        (status = 204, description = "The player is none of your favourites"),
        ApiError,
    ))]
pub(super) async fn remove(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter(handle): PathParameter,
) -> Result<StatusCode, ApiError> {
    relations.remove(person, &handle).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns your relations to your opponent in a match: favourite, mute and block
#[utoipa::path(get, path = "/matches/{id}/favourite", operation_id = "opponent_relation", tag = "favourites",
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "Whether you may add the opponent, and who has added whom", body = OpponentRelation),
        ApiError,
    ))]
pub(super) async fn opponent(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<Json<OpponentRelation>, ApiError> {
    let found = relations.opponent(&id, person).await?;
    Ok(Json(OpponentRelation {
        addable: found.addable.is_some(),
        added: found.between.has_added,
        mutual: found.between.is_mutual(),
        ignorable: found.ignorable.is_some(),
        muted: found.between.has_muted,
        blocked: found.between.has_blocked,
    }))
}

/// Adds your opponent in a match to your favourites
///
/// Both players need accounts. An opponent with a private profile can only be added after they have added you.
#[utoipa::path(put, path = "/matches/{id}/favourite", operation_id = "add_opponent", tag = "favourites",
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 204, description = "The opponent is one of your favourites"),
        ApiError,
    ))]
pub(super) async fn add_opponent(
    State(relations): State<Arc<RelationService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<StatusCode, ApiError> {
    relations.add_opponent(&id, person).await?;
    Ok(StatusCode::NO_CONTENT)
}
