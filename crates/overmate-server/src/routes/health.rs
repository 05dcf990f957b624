//! For those who run the server: whether it works, and how it does.

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::error::ApiError;
use crate::server::Server;

/// Whether the server can answer: `ok`, if its store can be read.
pub(super) async fn healthz(State(server): State<Server>) -> Result<&'static str, ApiError> {
    if server.stop.is_cancelled() {
        return Err(ApiError::Busy);
    }
    server.store.check().await?;
    Ok("ok\n")
}

/// What has been counted, in the text that Prometheus reads.
pub(super) async fn metrics(State(server): State<Server>) -> impl IntoResponse {
    server.metrics.run_upkeep();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], server.metrics.render())
}
