//! Serves health checks and metrics for operators.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::error::ApiError;
use crate::server::Server;
use crate::store::Store;
use crate::telemetry;

/// Answers `ok` while the process works and is not stopping. A fault of the database is no reason to restart the process.
pub(super) async fn healthz(State(server): State<Server>) -> Result<&'static str, ApiError> {
    if server.stop.is_cancelled() {
        return Err(ApiError::busy("the server is stopping"));
    }
    Ok("ok\n")
}

/// Answers `ok` if the match store can be written, the check at the start found no damage, and the server is not stopping.
pub(super) async fn readyz(
    State(server): State<Server>,
    State(store): State<Arc<dyn Store>>,
) -> Result<&'static str, ApiError> {
    if server.stop.is_cancelled() {
        return Err(ApiError::busy("the server is stopping"));
    }
    if server.damaged.load(Ordering::Relaxed) {
        return Err(ApiError::busy("the database is damaged: restore a backup"));
    }
    store.check_writable().await?;
    Ok("ok\n")
}

/// Answers with the metrics of the process in the text format of Prometheus.
pub(super) async fn metrics(State(server): State<Server>) -> impl IntoResponse {
    server.metrics.run_upkeep();
    if let Some(folder) = server.settings.database.folder() {
        telemetry::measure_disk(folder);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], server.metrics.render())
}
