//! Serves the routes of rule sets.

use axum::Json;

use super::extract::PathParameter;
use crate::error::ApiError;
use crate::services::rule_set;
use crate::wire::{Problem, RuleFacts, RuleSets};

/// Lists all rule sets, and the variations of their rules
///
/// The list contains everything for a menu of rule sets: titles and summaries by language, and the
/// conflicts of variations.
#[utoipa::path(get, path = "/rules", operation_id = "list_rules", tag = "rules",
    responses((status = 200, description = "The catalogue", body = RuleSets), ApiError))]
pub(super) async fn list() -> Json<RuleSets> {
    Json(RuleSets::published())
}

/// Returns all rules of a rule set
#[utoipa::path(get, path = "/rules/{id}", operation_id = "read_rules", tag = "rules",
    params(("id" = String, Path, description = "Name of a base and any variations, joined with +: `sackson+double`", max_length = 200)),
    responses(
        (status = 200, description = "The rule set", body = RuleFacts),
        (status = 400, description = "No rule set has this name", body = Problem, content_type = "application/problem+json"),
        ApiError,
    ))]
pub(super) async fn facts(PathParameter(id): PathParameter) -> Result<Json<RuleFacts>, ApiError> {
    Ok(Json(RuleFacts::new(&*rule_set(&id)?)))
}
