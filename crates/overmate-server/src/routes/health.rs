//! Serves health checks and metrics for operators.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use tokio::time::{Instant, timeout};

use super::state::RouterState;
use crate::error::ApiError;
use crate::server::Server;
use crate::store::Store;
use crate::telemetry;

/// Minimum time between two measurements of the longest match log.
const LOG_INTERVAL: Duration = Duration::from_mins(1);

/// Maximum time for which a metrics request waits for the measurement of the longest match log.
const LOG_PATIENCE: Duration = Duration::from_secs(1);

/// Serves the liveness check, which succeeds while the process works and is not stopping. A fault of the database does not count,
/// because a restart would not help.
pub(super) async fn healthz(State(server): State<RouterState>) -> Result<&'static str, ApiError> {
    if server.stop.is_cancelled() {
        return Err(ApiError::busy("the server is stopping"));
    }
    Ok("ok\n")
}

/// Serves the readiness check, which succeeds if the match store is writable and undamaged. The check fails while the server is
/// stopping.
pub(super) async fn readyz(
    State(server): State<RouterState>,
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

/// Serves the metrics of the server process in the text format of Prometheus.
pub(super) async fn metrics(
    State(server): State<RouterState>,
    State(store): State<Arc<dyn Store>>,
) -> impl IntoResponse {
    server.metrics.run_upkeep();
    measure_log(&server, &*store).await;
    if let Some(folder) = server.settings.database.folder() {
        telemetry::measure_disk(folder);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], server.metrics.render())
}

/// Measures the number of entries in the longest match log, at most once a minute. While the
/// database does not answer, the metric keeps its old value.
async fn measure_log(server: &Server, store: &dyn Store) {
    let mut measured = server.log_measured.lock().await;
    if measured.is_some_and(|at: Instant| at.elapsed() < LOG_INTERVAL) {
        return;
    }
    if let Ok(Ok(rows)) = timeout(LOG_PATIENCE, store.longest_log()).await {
        telemetry::set("overmate_longest_log_rows", rows);
        *measured = Some(Instant::now());
    }
}
