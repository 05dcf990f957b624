//! Serves the routes of a player's progress statistics and puzzle attempts, as JSON and as downloads.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::clock::now;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::Identity;
use crate::limits::{Dear, Limiter};
use crate::services::{PersonalDataService, ProgressService};
use crate::show::progress::table;
use crate::wire::{CountedAttempt, ProgressGame, ProgressWire};

/// Returns your progress statistics for your latest finished matches
///
/// The server computes results, losses and estimates from your latest 100 finished matches against
/// others. One request analyses at most eight matches; `waiting` is the number of matches that
/// remain. Running matches do not count.
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

/// Exports the games in your progress statistics as JSON
///
/// The server analyses all matches before it responds. After a time-out, a repeated request
/// continues with the next match.
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

/// Exports the games in your progress statistics as CSV
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
    let table = table(&progress.games(client).await?);
    Ok(csv_file("attachment; filename=\"overmate-games.csv\"", table))
}

/// Exports your puzzle attempts that count for ratings, as CSV
///
/// The columns are the fields of `puzzle_attempts` in the export of all data, and `rating` has two decimals.
#[utoipa::path(get, path = "/me/puzzles.csv", operation_id = "export_puzzles_table", tag = "personal data",
    responses(
        (status = 200, description = "The attempts, the newest first, with a line of names", body = String, content_type = "text/csv"),
        ApiError,
    ))]
pub(super) async fn puzzles_as_table(
    State(personal): State<Arc<PersonalDataService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(holder): Identity,
) -> Result<impl IntoResponse, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let attempts = personal.puzzle_attempts(holder).await?;
    // The CSV fields need no quotation marks, because no field can hold a comma or a quotation mark.
    let lines = attempts.iter().map(|attempt| {
        let CountedAttempt { puzzle, rules, solved, rating, at, run } = attempt;
        let run = run.as_deref().unwrap_or_default();
        format!("{puzzle},{rules},{solved},{rating:.2},{at},{run}\n")
    });
    let lines = std::iter::once("puzzle,rules,solved,rating,at,run\n".to_owned()).chain(lines);
    Ok(csv_file("attachment; filename=\"overmate-puzzles.csv\"", lines.collect()))
}

/// Exports your puzzle attempts that count for ratings, as JSON
///
/// The attempts equal `puzzle_attempts` in the export of all data.
#[utoipa::path(get, path = "/me/puzzles.json", operation_id = "export_puzzles", tag = "personal data",
    responses(
        (status = 200, description = "The attempts, the newest first", body = Vec<CountedAttempt>),
        ApiError,
    ))]
pub(super) async fn puzzles_as_json(
    State(personal): State<Arc<PersonalDataService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(holder): Identity,
) -> Result<impl IntoResponse, ApiError> {
    limiter.count_dear(client, Dear::Analysis).await?;
    let file = [(header::CONTENT_DISPOSITION, "attachment; filename=\"overmate-puzzles.json\"")];
    Ok((file, Json(personal.puzzle_attempts(holder).await?)))
}

/// Returns a response with a CSV file. A browser saves the file under the name in `disposition`.
fn csv_file(disposition: &'static str, table: String) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    (headers, table)
}
