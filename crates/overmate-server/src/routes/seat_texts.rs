//! Serves the routes of a player's private texts in a match: conditional answers, and a note.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::extract::{Body, PathParameter};
use crate::error::ApiError;
use crate::identity::browser::Identity;
use crate::services::SeatTextService;
use crate::wire::{AnswerChoices, AnswerLine, ConditionalAnswers, Note, Problem};

/// Returns your conditional answers in a match
///
/// Conditional answers are possible in correspondence matches between two people, while the
/// opponent is to act. Only you can see the answers.
#[utoipa::path(get, path = "/matches/{id}/answers", operation_id = "read_answers", tag = "matches",
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The branches for the opponent's next actions", body = ConditionalAnswers),
        ApiError,
    ))]
pub(super) async fn read_answers(
    State(texts): State<Arc<SeatTextService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<Json<ConditionalAnswers>, ApiError> {
    Ok(Json(texts.answers(&id, person).await?))
}

/// Replaces your conditional answers in a match
///
/// The server plays your answer immediately after the opponent's action. An action outside of the
/// branches ends the conditional answers, and so does the end of the game. An empty list of
/// branches removes the conditional answers.
#[utoipa::path(put, path = "/matches/{id}/answers", operation_id = "set_answers", tag = "matches", request_body = ConditionalAnswers,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The conditional answers", body = ConditionalAnswers),
        (status = 403, description = "It is your turn, or a card that you do not know lies face down", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The match has changed: the problem holds its state", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The rules do not allow an action", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn set_answers(
    State(texts): State<Arc<SeatTextService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
    Body(answers): Body<ConditionalAnswers>,
) -> Result<Json<ConditionalAnswers>, ApiError> {
    Ok(Json(texts.set_answers(&id, person, answers).await?))
}

/// Returns the legal actions after a sequence of hypothetical actions, for conditional answers
#[utoipa::path(post, path = "/matches/{id}/answers/choices", operation_id = "answer_choices", tag = "matches", request_body = AnswerLine,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The legal actions of the player to act after the line", body = AnswerChoices),
        (status = 422, description = "The rules do not allow an action", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn answer_choices(
    State(texts): State<Arc<SeatTextService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
    Body(line): Body<AnswerLine>,
) -> Result<Json<AnswerChoices>, ApiError> {
    Ok(Json(texts.choices(&id, person, &line).await?))
}

/// Returns your private note about a match
#[utoipa::path(get, path = "/matches/{id}/note", operation_id = "read_note", tag = "matches",
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 200, description = "The note", body = Note),
        ApiError,
    ))]
pub(super) async fn read_note(
    State(texts): State<Arc<SeatTextService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
) -> Result<Json<Note>, ApiError> {
    Ok(Json(texts.note(&id, person).await?))
}

/// Replaces your private note about a match
///
/// Only you can read the note. The server removes the note when you leave your seat. An empty text
/// removes the note.
#[utoipa::path(put, path = "/matches/{id}/note", operation_id = "set_note", tag = "matches", request_body = Note,
    params(("id" = String, Path, description = "Id of the match", max_length = 64)),
    responses(
        (status = 204, description = "The note is stored"),
        ApiError,
    ))]
pub(super) async fn set_note(
    State(texts): State<Arc<SeatTextService>>,
    Identity(person): Identity,
    PathParameter(id): PathParameter,
    Body(note): Body<Note>,
) -> Result<StatusCode, ApiError> {
    texts.set_note(&id, person, note).await?;
    Ok(StatusCode::NO_CONTENT)
}
