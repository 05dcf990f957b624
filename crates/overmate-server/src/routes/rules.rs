//! Rule sets.

use axum::Json;

use super::extract::Part;
use crate::begin::named;
use crate::error::ApiError;
use crate::wire::{Problem, RuleFacts, RuleSets};

/// The published rule sets, and the variations that combine with them
#[utoipa::path(get, path = "/rules", operation_id = "list_rules", tag = "rules",
    responses((status = 200, description = "All that there are", body = RuleSets)))]
pub(super) async fn list() -> Json<RuleSets> {
    Json(RuleSets::published())
}

/// A rule set in full, by any valid name such as `sackson+double`
#[utoipa::path(get, path = "/rules/{id}", operation_id = "read_rules", tag = "rules",
    params(("id" = String, Path, description = "The name: a base and any variations with + between", max_length = 200)),
    responses(
        (status = 200, description = "The rule set", body = RuleFacts),
        (status = 400, description = "There is no such rule set", body = Problem, content_type = "application/problem+json"),
    ))]
pub(super) async fn facts(Part(id): Part) -> Result<Json<RuleFacts>, ApiError> {
    Ok(Json(RuleFacts::new(&*named(&id)?)))
}
