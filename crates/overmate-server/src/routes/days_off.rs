//! Serves the routes of a person's days off.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use super::extract::Body;
use crate::error::ApiError;
use crate::http::client::Client;
use crate::identity::browser::Identity;
use crate::limits::{Dear, Limiter};
use crate::services::DaysOffService;
use crate::wire::{DaysOff, Problem, SetDaysOff};

/// Returns your days off
#[utoipa::path(get, path = "/me/days-off", operation_id = "days_off", tag = "personal data",
    responses(
        (status = 200, description = "The days off", body = DaysOff),
        ApiError,
    ))]
pub(super) async fn read(
    State(days_off): State<Arc<DaysOffService>>,
    Identity(person): Identity,
) -> Result<Json<DaysOff>, ApiError> {
    Ok(Json(days_off.read(person).await?))
}

/// Begins or ends your days off
///
/// During your days off, your clocks in correspondence matches do not run. Days off end when you end them, or when the yearly budget is
/// used up. Each period of days off counts as at least one day. The request is idempotent.
#[utoipa::path(put, path = "/me/days-off", operation_id = "set_days_off", tag = "personal data", request_body = SetDaysOff,
    responses(
        (status = 200, description = "The days off", body = DaysOff),
        (status = 403, description = "Less than a day off is left of this calendar year", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn set(
    State(days_off): State<Arc<DaysOffService>>,
    State(limiter): State<Arc<Limiter>>,
    client: Client,
    Identity(person): Identity,
    Body(body): Body<SetDaysOff>,
) -> Result<Json<DaysOff>, ApiError> {
    limiter.count_dear(client, Dear::Code).await?;
    let person = person.ok_or(ApiError::BROWSER_UNKNOWN)?;
    Ok(Json(days_off.set(person, body.away).await?))
}
