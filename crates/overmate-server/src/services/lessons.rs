//! Converts the embedded tutorial lessons to JSON types once, and finds lessons by id.

use std::sync::LazyLock;

use crate::error::ApiError;
use crate::lessons::LessonScript;
use crate::show;
use crate::wire;

/// All embedded tutorial lessons, converted to their JSON type. The first request converts them.
static SHOWN: LazyLock<Result<Vec<wire::Lesson>, ApiError>> =
    LazyLock::new(|| LessonScript::all()?.iter().map(show::lessons::lesson).collect());

/// Returns the tutorial lesson with the given id.
pub(crate) async fn lesson(id: &str) -> Result<&'static wire::Lesson, ApiError> {
    let shown = tokio::task::spawn_blocking(|| SHOWN.as_ref()).await;
    let shown = shown.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    shown.iter().find(|lesson| lesson.id == id).ok_or(ApiError::NotFound("lesson"))
}
