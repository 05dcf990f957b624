//! Serves the route of a lesson.

use axum::Json;

use super::extract::PathParameter;
use crate::error::ApiError;
use crate::services;
use crate::wire::{Lesson, Problem};

/// Returns the lesson with the given id
///
/// The lesson contains all positions that a learner can reach.
#[utoipa::path(get, path = "/lessons/{id}", operation_id = "read_lesson", tag = "lessons",
    params(("id" = String, Path, description = "Id of the lesson, such as `suit`, as in the address `/learn/suit` of its page", max_length = 64)),
    responses(
        (status = 200, description = "The lesson", body = Lesson),
        (status = 404, description = "No lesson has this id", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn read(
    PathParameter(id): PathParameter,
) -> Result<Json<&'static Lesson>, ApiError> {
    Ok(Json(services::lesson(&id).await?))
}
