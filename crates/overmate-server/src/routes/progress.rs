//! Serves the routes of a browser's progress, as JSON and as files to keep.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::client::Client;
use crate::clock::now;
use crate::error::ApiError;
use crate::limits::{Dear, Limiter};
use crate::services::ProgressService;
use crate::show::progress::table;
use crate::wire::{ProgressGame, ProgressWire};

/// Returns the progress of this browser over its latest finished matches
///
/// The results, losses and estimates are computed from the logs of the latest 100 finished matches against others. One request analyses at most
/// eight matches, and `waiting` tells how many are left. Nothing of a running match is counted.
#[utoipa::path(get, path = "/me/progress", operation_id = "progress", tag = "personal data",
    responses(
        (status = 200, description = "The progress of this browser", body = ProgressWire),
        ApiError,
    ))]
pub(super) async fn read(
    State(progress): State<Arc<ProgressService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
) -> Result<Json<ProgressWire>, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    Ok(Json(progress.progress(client, now()).await?))
}

/// Exports the games of the progress as JSON
///
/// All matches are analysed before the response begins. A request that takes too long can be repeated: it continues with the next match.
#[utoipa::path(get, path = "/me/games.json", operation_id = "export_games", tag = "personal data",
    responses(
        (status = 200, description = "The games, the oldest first", body = Vec<ProgressGame>),
        ApiError,
    ))]
pub(super) async fn games_as_json(
    State(progress): State<Arc<ProgressService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
) -> Result<impl IntoResponse, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let file = [(header::CONTENT_DISPOSITION, "attachment; filename=\"overmate-games.json\"")];
    Ok((file, Json(progress.games(client).await?)))
}

/// Exports the games of the progress as CSV
///
/// The columns are the fields of the JSON export, and `accuracy` has four decimals.
#[utoipa::path(get, path = "/me/games.csv", operation_id = "export_games_table", tag = "personal data",
    responses(
        (status = 200, description = "The games, the oldest first, with a line of names", body = String, content_type = "text/csv"),
        ApiError,
    ))]
pub(super) async fn games_as_table(
    State(progress): State<Arc<ProgressService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
) -> Result<impl IntoResponse, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let file = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"overmate-games.csv\""),
    ];
    Ok((file, table(&progress.games(client).await?)))
}
